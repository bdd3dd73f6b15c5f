package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/qhplugin/qhcheck"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/uci/ucicheck"
	"qhsh/pluginclient/protocol/xboard"
	"qhsh/pluginclient/task/check"
)

func plugins() Row {
	quirks := append([]Option{strictOption}, programOptions...)
	for _, q := range qhplugin.AllQuirks() {
		quirks = append(quirks, Option{Name: q.Key, Help: q.Value + ": " + q.Help, Repeats: true, Words: []string{q.Value}})
	}
	return Row{
		Kind: Kind{
			Name: "qh", Title: "QHPLUGIN", Greeting: "LEVEL", Answer: `^\d+$`, Default: true, UnsupportedLimits: qhplugin.UnsupportedLimits, Scores: MovesUnscored,
			Options: quirks,
			Examples: []Example{
				{"qh:./engine -plugin", "a program that speaks QHPLUGIN"},
				{"./engine", "the same"},
			},
			Checked: true,
		},
		Language: qhplugin.Language, Modes: pluginModes(), Parse: parsePlugin,
	}
}

func parsePlugin(s Spec) (p Parsed, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return p, err
	}
	var quirks qhplugin.Quirks
	strict := false
	for _, o := range options {
		if o.Key == strictKey {
			err = setFlags([]games.Setting{o}, map[string]*bool{strictKey: &strict})
		} else {
			err = quirks.Set(o.Key, o.Value)
		}
		if err != nil {
			return p, s.OptionError(err)
		}
	}
	p.Game = xiangqi.Rules
	if text := quirks.String(); text != "" {
		p.quirks = strings.Split(text, ",")
	}
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		client, err := qhplugin.Dial(ctx, qhplugin.Program(cmd), qhplugin.Options{ClientOptions: o.ClientOptions, Quirks: quirks, Strict: strict})
		if err != nil {
			return nil, fmt.Errorf("attach %s: %w", cmd.Path, err)
		}
		return client, nil
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) { // the checks use no workarounds
		play := qhplugin.InMode(cmd, "-plugin")
		debug := play
		if i := slices.Index(play.Args, "-plugin"); !slices.Contains(play.Args, "debug") {
			debug.Args = slices.Insert(slices.Clone(play.Args), i+1, "debug")
		}
		return qhcheck.Suite(qhcheck.Plugin{
			Name: cmd.Path, Log: o.Log,
			Info: qhplugin.InMode(cmd, "-info").Start, Play: play.Start, Debug: debug.Start,
		}), nil
	}
	return p, nil
}

// familyOptions are the options of every program that speaks UCI, UCCI or XBoard's protocol, besides
// those that it announces itself.
var familyOptions = append(slices.Clone(programOptions),
	Option{Name: "ranks", Help: "number of Red's own rank, 0 or 1", Words: []string{"0", "1"}},
	Option{Name: "mate", Help: "the engine's score of a mate, 0 for none"},
	strictOption,
)

func familyPrograms(d *uci.Dialect, example Example, line Usage) Row {
	return Row{
		Kind: Kind{
			Name: d.Greeting, Title: d.Name, Greeting: d.Greeting, Answer: "^" + d.Greeting + "ok$", Options: familyOptions, Checked: true,
			Examples: []Example{example},
		},
		Language: d.Language,
		Modes:    []Mode{{Flag: "-" + d.Greeting, Summary: "be a " + d.Name + " engine", Game: xiangqi.Rules, Serve: byFamily(d.Name, d.Serve), Line: line}},
		Parse:    func(s Spec) (Parsed, error) { return parseFamily(s, d) },
	}
}

func parseFamily(s Spec, d *uci.Dialect) (p Parsed, err error) {
	var own uci.Options
	cmd, err := s.set(own.Set)
	if err != nil {
		return p, err
	}
	p.Game = xiangqi.Rules
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		own := own
		own.ClientOptions = o.ClientOptions
		native, err := d.Dial(ctx, pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, own)
		return bridged(ctx, native, err, o)
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) {
		return ucicheck.Suite(ucicheck.Engine{
			Name: cmd.Path, Start: cmd.Start, Dialect: d,
			Settings: own.Settings, Ranks: own.Ranks, Log: o.Log,
		}), nil
	}
	return p, nil
}

func xboardPrograms() Row {
	const text = "be an engine for XBoard and WinBoard"
	return Row{
		Kind: Kind{
			Name: "xboard", Title: "XBoard's protocol", Greeting: "xboard\nprotover 2", Answer: "^feature ",
			Options: append(slices.Clone(familyOptions),
				Option{Name: "letters", Help: "letters of horses and elephants in a FEN, he or nb", Words: []string{"he", "nb"}}),
			Examples: []Example{{"xboard:./fairy-stockfish", "a program that speaks XBoard's protocol"}},
		},
		Language: xboard.Language,
		Modes:    []Mode{{Flag: "-xboard", Summary: text, Line: Usage{"-xboard [debug]", text}, Game: xiangqi.Rules, Serve: byFamily("XBoard's protocol", xboard.Serve)}},
		Parse: func(s Spec) (Parsed, error) {
			var own xboard.Options
			cmd, err := s.set(own.Set)
			return Parsed{Game: xiangqi.Rules, Open: func(ctx context.Context, o Options) (pluginclient.Session, error) {
				own := own
				own.ClientOptions = o.ClientOptions
				native, err := xboard.Dial(ctx, pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, own)
				return bridged(ctx, native, err, o)
			}}, err
		},
	}
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
func bridged(ctx context.Context, native *uci.Client, err error, o Options) (pluginclient.Session, error) {
	switch {
	case errors.Is(err, uci.ErrOption):
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	case err != nil:
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return NewBridge(ctx, native, o)
}
