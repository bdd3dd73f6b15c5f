package attach

import (
	"context"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
	protocol "qhsh/pluginclient/protocol/qchess"
	"qhsh/pluginclient/protocol/qchess/qchesscheck"
	"qhsh/pluginclient/task/check"
)

func qchessPrograms() Row {
	return Row{
		Kind: Kind{
			Name: "qchess", Title: protocol.Protocol, UnsupportedLimits: pluginclient.OneMoveUnsupported, Scores: NoneScored,
			Options:  programOptions,
			Examples: []Example{{"qchess:./agent", "an agent of the qchess server, which plays quantum chess"}},
			Prompt: `A program such as 'qchess:./agent' is spoken to in the words of the qchess server: white,
SELECTION?, MOVE?, and updates such as 3 6 0 pawn and 3 6 -> 3 4, which are moves.
`,
			Checked: true,
		},
		Modes: []Mode{qchessMode()}, Parse: parseAgent,
	}
}

func parseAgent(s Spec) (p Parsed, err error) {
	cmd, options, err := s.Program()
	if err == nil && len(options) > 0 {
		err = s.OptionError(noOption(options[0].Key, []string{dirKey, envPrefix + "NAME"}))
	}
	if err != nil {
		return p, err
	}
	p.Game = qchess.Rules
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		return attached(protocol.Dial(ctx, pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, o.ClientOptions))
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) {
		return qchesscheck.Suite(pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, o.Log), nil
	}
	return p, nil
}

// withAgent returns the row of an embedded engine that can be examined as an agent.
func (e embedded) withAgent() Row {
	r := e.with(talk{open: e.openPrompt, examine: func(i engineInstance, o Options) *check.Suite {
		return qchesscheck.Suite(protocol.InProcess(&protocol.Server{Searcher: i.searcher, Name: e.name}), o.Log)
	}})
	r.Examples = []Example{
		{r.Name, "the embedded engine of quantum chess"},
		{r.Name + ",agent=ply,seed=3", "the same, looking at one turn; seed decides between equal moves"},
	}
	return r
}

// qchessMode is for the qchess server, which ends an agent by QUIT or the end of its input.
func qchessMode() Mode {
	const text = "be an agent of the qchess server, which plays quantum chess"
	return Mode{
		Flag: "-qchess", Summary: text, Line: Usage{"-qchess [debug]", text}, Game: qchess.Rules, Signals: true,
		Serve: byTime(protocol.Protocol, qchess.Rules, protocol.DefaultTime, func(ctx context.Context, c ServeConfig, s pluginclient.Session, searcher engine.Searcher, limits func() engine.Limits) error {
			server := &protocol.Server{Searcher: searcher, Name: s.Info().Name, Warn: c.Engine.Options.Warn, Trace: c.Trace, Limits: limits}
			return server.Serve(ctx, c.In, c.Out)
		}),
	}
}
