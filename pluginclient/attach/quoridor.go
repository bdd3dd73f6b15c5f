package attach

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/bench"
	"qhsh/pluginclient/task/check"
	qtpcheck "qhsh/pluginclient/task/check/qtp"
)

// qtpGame is the name of QTP's game.
var qtpGame = quoridor.Default.Name()

var (
	_ embedder       = qtpPrograms{}
	_ Examiner       = qtpPrograms{}
	_ ModeProvider   = qtpPrograms{}
	_ Examiner       = qtpEngine{}
	_ Repeater       = qtpEngine{}
	_ bench.Counter  = (*quoridorEngine)(nil)
	_ DirectSearcher = (*quoridorEngine)(nil)
)

// qtpPrograms are the programs that speak QTP.
type qtpPrograms struct{ games games.Table }

// strictKey is the option that makes what an engine does against its protocol an error.
const strictKey = "strict"

var strictOption = Option{Name: strictKey, Help: "true: whatever it does against the protocol is an error", Words: yesNo}

func readStrict(o games.Setting) (bool, error) {
	strict, err := strconv.ParseBool(o.Value)
	if err != nil {
		err = fmt.Errorf("%s=%s: want true or false", strictKey, o.Value)
	}
	return strict, err
}

func (r qtpPrograms) Kind() Kind {
	return Kind{
		Name: "qtp", Title: qtp.Protocol, Greeting: "name", Answer: "^= *[^ ]", UnsupportedLimits: qtp.UnsupportedLimits, Scores: NoneScored,
		Options: slices.Concat(gameOptions(r.games, quoridor.Default),
			[]Option{strictOption}, programOptions),
		Examples: []Example{
			{"qtp,size=7,walls=5:./naive", "a program that speaks QTP, the Quoridor Text Protocol"},
			{"qtp,strict=true:./naive", "the same; whatever it does against the protocol is an error"},
		},
		Prompt: fmt.Sprintf("'%s', the embedded engine of Quoridor, and a program such as\n'qtp:./naive' are spoken to in the Quoridor Text Protocol.\n", qtpGame),
	}
}

func (qtpPrograms) embeds() engine.Game  { return quoridor.Default }
func (qtpPrograms) embed(e embedded) Row { return qtpEngine{e} }

func (r qtpPrograms) Game(s Spec) (engine.Game, error) {
	_, o, err := r.read(s)
	return o.Rules, err
}

// read reads the options of a SPEC.
func (r qtpPrograms) read(s Spec) (cmd pluginclient.Command, o qtp.Options, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return cmd, o, err
	}
	game, rest, err := takeGame(r.games, quoridor.Default, options)
	for _, opt := range rest {
		if err == nil && opt.Key != strictKey {
			err = noOption(opt.Key, []string{"size", "walls", strictKey, dirKey})
		}
		if err != nil {
			break
		}
		o.Strict, err = readStrict(opt)
	}
	if err != nil {
		return cmd, o, s.OptionError(err)
	}
	o.Rules, _ = game.(quoridor.Rules)
	return cmd, o, nil
}

func (r qtpPrograms) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	cmd, options, err := r.read(s)
	if err != nil {
		return nil, err
	}
	options.Deadlines, options.Log, options.Warn, options.Judged = o.Deadlines, o.Log, o.Warn, o.Judged
	client, err := qtp.Dial(ctx, qtp.Program{Name: cmd.Path, Start: cmd.Start}, options)
	if err != nil {
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return client, nil
}

func (r qtpPrograms) Examine(_ context.Context, s Spec, o Options) (*check.Suite, error) {
	cmd, _, err := r.read(s)
	if err != nil {
		return nil, err
	}
	return qtpcheck.Suite(qtpcheck.Engine{Name: cmd.Path, Start: cmd.Start, Log: o.Log}), nil
}

func (qtpPrograms) language() pluginclient.Language { return qtp.Language() }

// Modes returns the mode for QTP referees, which start an engine with -seed and end it with SIGINT.
// The seed is ignored, since the embedded engine uses no random numbers.
func (qtpPrograms) Modes() []Mode {
	const text = "be an engine for Quoridor that speaks QTP"
	return []Mode{{
		Flag: "-qtp", Summary: text, Line: Usage{"-qtp [-seed N] [debug]", text}, Game: quoridor.Default, Signals: true,
		Unused: []Option{{Name: "seed", Help: "taken, and of no effect: the embedded engine plays by no chance"}},
		Serve: func(ctx context.Context, s ServeConfig) error {
			server, closing, err := qtpServer(ctx, s.Spec, s.Options, s.Time)
			if err != nil {
				return err
			}
			server.Trace = s.Trace
			return ended(server.Serve(ctx, s.In, s.Out), closing)
		},
	}}
}

// qtpEngine is the Row of Quoridor's embedded engine, whose prompt is QTP.
type qtpEngine struct{ embedded }

func (r qtpEngine) Kind() Kind {
	k := r.embedded.Kind()
	k.Examples = []Example{{r.name + ",size=7,walls=5", "the embedded engine of Quoridor; also hash=N"}}
	k.Prompt = "" // included in that of qtpPrograms
	return k
}

// own creates the engine of a SPEC and a server for it.
func (r qtpEngine) own(ctx context.Context, s Spec, o Options) (*engineSession, *qtp.Server, error) {
	e, err := r.make(ctx, s, o)
	if err != nil {
		return nil, nil, s.OptionError(err)
	}
	a := newEngineSession(e, r.games)
	rules, _ := e.game.(quoridor.Rules)
	return a, &qtp.Server{
		Searcher: a.searcher, Name: "qhsh", Rules: rules, Watch: a.storeLines,
		Limits: func() engine.Limits { return a.limits(engine.Limits{}) },
	}, nil
}

func (r qtpEngine) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	a, server, err := r.own(ctx, s, o)
	if err != nil {
		return nil, err
	}
	client, err := qtp.Dial(ctx, qtp.InProcess(server), qtp.Options{
		Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Judged: o.Judged, Rules: server.Rules,
	})
	if err != nil {
		a.engine.release()
		return nil, fmt.Errorf("attach %w", err)
	}
	a.searcher = tracedSearcher{a.searcher, client.Trace()}
	return &quoridorEngine{a, qtpSession{client}}, nil
}

func (r qtpEngine) Examine(ctx context.Context, s Spec, o Options) (*check.Suite, error) {
	a, server, err := r.own(ctx, s, o)
	if err != nil {
		return nil, err
	}
	a.engine.release() // as with the engine of the usual game
	return qtpcheck.Suite(qtpcheck.Engine{Name: server.Name, Start: qtp.InProcess(server).Start, Log: o.Log}), nil
}

// quoridorEngine is the Session of Quoridor's embedded engine. The conversation goes through a server
// on an in-memory pipe; searches call the engine directly.
type quoridorEngine struct {
	*engineSession
	qtpSession
}

// qtpSession embeds the client one level deeper, so that the methods of engineSession take precedence.
type qtpSession struct{ *qtp.Client }

// Close ends the conversation and releases the engine's memory.
func (e *quoridorEngine) Close() error {
	defer e.engine.release()
	return e.Client.Close()
}

// Info returns the engine's name and levels.
func (e *quoridorEngine) Info() pluginclient.Info {
	info := e.Client.Info()
	info.Levels, info.Text = e.searcher.Levels(), []string{"The embedded engine of qhsh for Quoridor"}
	return info
}

// LatestLines implements [pluginclient.LiveThinker].
func (e *quoridorEngine) LatestLines() []engine.Line { return e.latest.Load().linesFor(e.Position()) }

// qtpServer starts the engine of a SPEC and returns a server for qhsh -qtp; see openForServer. The
// caller must call closing, see behind.
func qtpServer(ctx context.Context, text string, o Options, limit time.Duration) (server *qtp.Server, closing func() error, err error) {
	session, lim, err := openForServer(ctx, text, o, gameServer{qtp.Protocol, quoridor.Default, limit, qtp.DefaultTime})
	if err != nil {
		return nil, nil, err
	}
	searcher, closing := behind(session)
	server = &qtp.Server{
		Searcher: searcher, Name: session.Info().Name, Warn: o.Warn,
		Limits: func() engine.Limits { return lim },
	}
	if embedded, ok := session.(*quoridorEngine); ok {
		server.Searcher = embedded.searcher
	}
	if rules, ok := session.Position().Game().(quoridor.Rules); ok {
		server.Rules = rules
	}
	return server, closing, nil
}
