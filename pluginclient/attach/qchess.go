package attach

import (
	"context"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
	protocol "qhsh/pluginclient/protocol/qchess"
	"qhsh/pluginclient/task/check"
	qchesscheck "qhsh/pluginclient/task/check/qchess"
)

var (
	_ Examiner     = qchessPrograms{}
	_ ModeProvider = qchessPrograms{}
	_ embedder     = qchessPrograms{}
	_ Examiner     = qchessEngine{}
)

// qchessPrograms are the agents of the qchess server.
type qchessPrograms struct{}

func (qchessPrograms) Kind() Kind {
	return Kind{
		Name: "qchess", Title: protocol.Protocol, UnsupportedLimits: protocol.UnsupportedLimits, Scores: NoneScored,
		Options:  programOptions,
		Examples: []Example{{"qchess:./agent", "an agent of the qchess server, which plays quantum chess"}},
		Prompt: `A program such as 'qchess:./agent' is spoken to in the words of the qchess server: white,
SELECTION?, MOVE?, and updates such as 3 6 0 pawn and 3 6 -> 3 4, which are moves.
`,
	}
}

func (qchessPrograms) embeds() engine.Game  { return qchess.Rules }
func (qchessPrograms) embed(e embedded) Row { return qchessEngine{inProcess{e}} }

// qchessEngine is the embedded engine of the game. It can be examined as an agent.
type qchessEngine struct{ inProcess }

func (r qchessEngine) Kind() Kind {
	k := r.inProcess.Kind()
	k.Examples = []Example{
		{r.name, "the embedded engine of quantum chess"},
		{r.name + ",agent=ply,seed=3", "the same, looking at one turn; seed decides between equal moves"},
	}
	return k
}

func (r qchessEngine) Examine(ctx context.Context, s Spec, o Options) (*check.Suite, error) {
	e, err := r.make(ctx, s, o)
	if err != nil {
		return nil, s.OptionError(err)
	}
	e.release() // as with the engine of the usual game
	server := &protocol.Server{Searcher: e.searcher, Name: r.name}
	return qchesscheck.Suite(qchesscheck.Agent{Name: r.name, Start: protocol.InProcess(server).Start, Log: o.Log}), nil
}

func (qchessPrograms) Game(Spec) (engine.Game, error) { return qchess.Rules, nil }

func (r qchessPrograms) program(s Spec) (protocol.Program, error) {
	cmd, options, err := s.Program()
	if err == nil && len(options) > 0 {
		err = s.OptionError(noOption(options[0].Key, []string{dirKey, envPrefix + "NAME"}))
	}
	return protocol.Program{Name: cmd.Path, Start: cmd.Start}, err
}

func (r qchessPrograms) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	program, err := r.program(s)
	if err != nil {
		return nil, err
	}
	client, err := protocol.Dial(ctx, program, protocol.Options{Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn})
	if err != nil {
		return nil, fmt.Errorf("attach %w", err) // it names the agent
	}
	return client, nil
}

func (r qchessPrograms) Examine(_ context.Context, s Spec, o Options) (*check.Suite, error) {
	program, err := r.program(s)
	if err != nil {
		return nil, err
	}
	return qchesscheck.Suite(qchesscheck.Agent{Name: program.Name, Start: program.Start, Log: o.Log}), nil
}

// Modes returns the mode for the qchess server, which ends an agent by QUIT or the end of its input.
func (qchessPrograms) Modes() []Mode {
	const text = "be an agent of the qchess server, which plays quantum chess"
	return []Mode{{
		Flag: "-qchess", Summary: text, Line: Usage{"-qchess [debug]", text}, Game: qchess.Rules, Signals: true,
		Serve: func(ctx context.Context, s ServeConfig) error {
			server, closing, err := qchessServer(ctx, s.Spec, s.Options, s.Time)
			if err != nil {
				return err
			}
			server.Trace = s.Trace
			return ended(server.Serve(ctx, s.In, s.Out), closing)
		},
	}}
}

// qchessServer is the agent that stands in front of a SPEC's engine, for qhsh -qchess; see
// openForServer.
func qchessServer(ctx context.Context, text string, o Options, limit time.Duration) (*protocol.Server, func() error, error) {
	session, lim, err := openForServer(ctx, text, o, gameServer{protocol.Protocol, qchess.Rules, limit, protocol.DefaultTime})
	if err != nil {
		return nil, nil, err
	}
	searcher, closing := behind(session)
	return &protocol.Server{
		Searcher: searcher, Name: session.Info().Name, Warn: o.Warn,
		Limits: func() engine.Limits { return lim },
	}, closing, nil
}
