package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/ucci"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/protocol/xboard"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/qh"
	checkuci "qhsh/pluginclient/task/check/uci"
)

var (
	_ embedder     = plugins{}
	_ Examiner     = plugins{}
	_ ModeProvider = plugins{}
	_ Examiner     = programs{}
	_ ModeProvider = programs{}
	_ ModeProvider = xboardPrograms{}
)

// xiangqiOnly implements Row.Game for protocols of Xiangqi.
type xiangqiOnly struct{}

func (xiangqiOnly) Game(Spec) (engine.Game, error) { return xiangqi.Rules, nil }

// plugins are the programs that speak QHPLUGIN.
type plugins struct{ xiangqiOnly }

func (plugins) Kind() Kind {
	return Kind{
		Name: "qh", Title: "QHPLUGIN", Greeting: "LEVEL", Answer: `^\d+$`, Default: true, UnsupportedLimits: qhplugin.UnsupportedLimits, Scores: MovesUnscored,
		Options: slices.Concat([]Option{strictOption}, programOptions, quirkOptions()),
		Examples: []Example{
			{"qh:./engine -plugin", "a program that speaks QHPLUGIN"},
			{"./engine", "the same"},
		},
	}
}

func (plugins) language() pluginclient.Language        { return qhplugin.Language() }
func (p programs) language() pluginclient.Language     { return p.words }
func (xboardPrograms) language() pluginclient.Language { return xboard.Language() }

func (plugins) embeds() engine.Game { return xiangqi.Rules }

func (plugins) embed(e embedded) Row {
	e.own = []string{hintsKey}
	return builtinRow{e}
}

func (plugins) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	p, err := readPlugin(s)
	if err != nil {
		return nil, err
	}
	dialing := o.clientOptions()
	dialing.Quirks, dialing.Strict = p.quirks, p.strict
	return dial(ctx, qhplugin.Program(p.cmd), dialing)
}

// Examine validates the quirks but does not apply them: the checks use no workarounds.
func (plugins) Examine(_ context.Context, s Spec, o Options) (*check.Suite, error) {
	p, err := readPlugin(s)
	if err != nil {
		return nil, err
	}
	cmd := p.cmd
	play := qhplugin.InMode(cmd, "-plugin")
	debug := play
	if i := slices.Index(play.Args, "-plugin"); !slices.Contains(play.Args, "debug") {
		debug.Args = slices.Insert(slices.Clone(play.Args), i+1, "debug")
	}
	return qh.Suite(qh.Plugin{
		Name: cmd.Path, Log: o.Log,
		Info: qhplugin.InMode(cmd, "-info").Start, Play: play.Start, Debug: debug.Start,
	}), nil
}

func quirkOptions() (all []Option) {
	for _, q := range qhplugin.AllQuirks() {
		all = append(all, Option{Name: q.Key, Help: q.Value + ": " + q.Help, Repeats: true, Words: []string{q.Value}})
	}
	return all
}

// A plugin is a program that speaks QHPLUGIN, as a SPEC describes it.
type plugin struct {
	cmd    pluginclient.Command
	quirks qhplugin.Quirks
	strict bool
}

// readPlugin is the plugin of a SPEC.
func readPlugin(s Spec) (p plugin, err error) {
	cmd, options, err := s.Program()
	p.cmd = cmd
	for _, o := range options {
		if o.Key == strictKey {
			p.strict, err = readStrict(o)
		} else {
			err = p.quirks.Set(o.Key, o.Value)
		}
		if err != nil {
			return p, s.OptionError(err)
		}
	}
	return p, err
}

// clientOptions returns the Options for qhplugin.Dial.
func (o Options) clientOptions() qhplugin.Options {
	return qhplugin.Options{Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Judged: o.Judged}
}

func dial(ctx context.Context, p qhplugin.Plugin, o qhplugin.Options) (*qhplugin.Client, error) {
	client, err := qhplugin.Dial(ctx, p, o)
	if err != nil {
		return nil, fmt.Errorf("attach %s: %w", p.Name, err)
	}
	return client, nil
}

// familyOptions are the options of every program that speaks UCI, UCCI or XBoard's protocol, besides
// those that it announces itself.
var familyOptions = append(slices.Clone(programOptions),
	Option{Name: "ranks", Help: "number of Red's own rank, 0 or 1", Words: []string{"0", "1"}},
	Option{Name: "mate", Help: "the engine's score of a mate, 0 for none"},
	strictOption,
)

// programs are the programs that speak UCI, or those that speak UCCI.
type programs struct {
	xiangqiOnly
	kind Kind
	ucci bool
	dial func(context.Context, ucifamily.Program, ucifamily.Options) (*ucifamily.Client, error)
	mode Mode

	words pluginclient.Language
}

func uciPrograms() programs {
	return programs{
		kind: Kind{
			Name: "uci", Title: "UCI", Greeting: "uci", Answer: "^uciok$", Options: familyOptions,
			Examples: []Example{{"uci,Threads=2:./pikafish", "a program that speaks UCI, with options of its own"}},
		},
		dial: uci.Dial, words: uci.Language(),
		mode: Mode{
			Flag: "-uci", Summary: "be a UCI engine", Game: xiangqi.Rules, Serve: byFamily("UCI", uci.Serve),
			Line: Usage{"-uci | -ucci [debug]", "be an engine that speaks UCI or UCCI"},
		},
	}
}

func ucciPrograms() programs {
	return programs{
		kind: Kind{
			Name: "ucci", Title: "UCCI", Greeting: "ucci", Answer: "^ucciok$", Options: familyOptions,
			Examples: []Example{{"ucci:./ELEEYE", "a program that speaks UCCI"}},
		},
		ucci: true,
		dial: ucci.Dial, words: ucci.Language(),
		mode: Mode{Flag: "-ucci", Summary: "be a UCCI engine", Game: xiangqi.Rules, Serve: byFamily("UCCI", ucci.Serve)},
	}
}

func (p programs) Kind() Kind    { return p.kind }
func (p programs) Modes() []Mode { return []Mode{p.mode} }

func (p programs) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	options := o.family()
	cmd, err := s.set(options.Set)
	if err != nil {
		return nil, err
	}
	native, err := p.dial(ctx, ucifamily.Program{Name: cmd.Path, Start: cmd.Start}, options)
	return bridged(ctx, native, err, o)
}

func (p programs) Examine(_ context.Context, s Spec, o Options) (*check.Suite, error) {
	var told ucifamily.Options
	cmd, err := s.set(told.Set)
	if err != nil {
		return nil, err
	}
	return checkuci.Suite(checkuci.Engine{
		Name: cmd.Path, Start: cmd.Start, UCCI: p.ucci,
		Settings: told.Settings, Ranks: told.Ranks, Log: o.Log,
	}), nil
}

// xboardPrograms are the programs that speak XBoard's protocol.
type xboardPrograms struct{ xiangqiOnly }

func (xboardPrograms) Kind() Kind {
	return Kind{
		Name: "xboard", Title: "XBoard's protocol", Greeting: "xboard\nprotover 2", Answer: "^feature ",
		Options: append(slices.Clone(familyOptions),
			Option{Name: "letters", Help: "letters of horses and elephants in a FEN, he or nb", Words: []string{"he", "nb"}}),
		Examples: []Example{{"xboard:./fairy-stockfish", "a program that speaks XBoard's protocol"}},
	}
}

func (xboardPrograms) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	options := xboard.Options{Options: o.family()}
	cmd, err := s.set(options.Set)
	if err != nil {
		return nil, err
	}
	native, err := xboard.Dial(ctx, ucifamily.Program{Name: cmd.Path, Start: cmd.Start}, options)
	return bridged(ctx, native, err, o)
}

// family returns the Options for these protocols.
func (o Options) family() ucifamily.Options {
	return ucifamily.Options{Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Judged: o.Judged}
}

// set calls option with each engine option of a SPEC, and returns its program.
func (s Spec) set(option func(key, value string) error) (pluginclient.Command, error) {
	cmd, options, err := s.Program()
	for _, o := range options {
		if err := option(o.Key, o.Value); err != nil {
			return cmd, s.OptionError(err)
		}
	}
	return cmd, err
}

// bridged turns the result of dialing an engine into a Session.
func bridged(ctx context.Context, native *ucifamily.Client, err error, o Options) (pluginclient.Session, error) {
	switch {
	case errors.Is(err, ucifamily.ErrOption):
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	case err != nil:
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return NewBridge(ctx, native, o)
}
