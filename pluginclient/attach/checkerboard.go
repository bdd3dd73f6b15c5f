package attach

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
	"qhsh/pluginclient/task/check"
	cbcheck "qhsh/pluginclient/task/check/checkerboard"
)

var _ Examiner = cbPrograms{}

// cbPrograms are the libraries with the CheckerBoard API.
type cbPrograms struct{ games games.Table }

// The options of a library.
const (
	exactKey = "exact"
	clockKey = "clock"
)

func (r cbPrograms) Kind() Kind {
	return Kind{
		Name: "cb", Title: checkerboard.Protocol, UnsupportedLimits: checkerboard.UnsupportedLimits, Scores: NoneScored,
		Options: slices.Concat(gameOptions(r.games, checkers.DefaultRules),
			[]Option{
				{Name: exactKey, Help: "true: have the engine take just the time that it is given", Words: yesNo},
				{Name: clockKey, Help: "true: tell the engine its remaining time and its increment in a match with a clock", Words: yesNo},
			}, programOptions),
		Examples: []Example{
			{"cb:./libsimplech.so", "a library with the CheckerBoard API, of any variant"},
			{"cb,variant=russian:./lib.so", "one that plays several, and is to play this one"},
		},
		Prompt: "A library such as 'cb:./libsimplech.so' is spoken to by the calls of the CheckerBoard API.\n",
	}
}

// Game returns the variant of the SPEC. Without one, the library has its own.
func (r cbPrograms) Game(s Spec) (engine.Game, error) {
	_, o, err := r.read(s)
	if err != nil {
		return nil, err
	}
	if o.Variant == nil {
		return checkers.DefaultRules, nil
	}
	return checkers.Rules{Variant: *o.Variant}, nil
}

func (r cbPrograms) reportsGame(s Spec) bool {
	_, o, _ := r.read(s)
	return o.Variant == nil
}

// read reads the options of a SPEC.
func (r cbPrograms) read(s Spec) (cmd pluginclient.Command, o checkerboard.Options, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return cmd, o, err
	}
	if len(cmd.Args) > 0 {
		return cmd, o, s.OptionError(fmt.Errorf("a library takes no arguments: %q", cmd.Args))
	}
	given := slices.ContainsFunc(options, func(o games.Setting) bool { return o.Key == "variant" })
	game, rest, err := takeGame(r.games, checkers.DefaultRules, options)
	flags := map[string]*bool{exactKey: &o.Exact, clockKey: &o.Clock}
	for _, opt := range rest {
		if err != nil {
			break
		}
		flag, known := flags[opt.Key]
		if !known {
			err = noOption(opt.Key, []string{"variant", exactKey, clockKey, dirKey})
			break
		}
		if *flag, err = strconv.ParseBool(opt.Value); err != nil {
			err = fmt.Errorf("%s=%s: want true or false", opt.Key, opt.Value)
		}
	}
	if err != nil {
		return cmd, o, s.OptionError(err)
	}
	if rules, ok := game.(checkers.Rules); ok && given {
		o.Variant = &rules.Variant
	}
	return cmd, o, nil
}

func (r cbPrograms) Examine(_ context.Context, s Spec, o Options) (*check.Suite, error) {
	cmd, _, err := r.read(s)
	if err != nil {
		return nil, err
	}
	return cbcheck.Suite(checkerboard.Library(cmd), o.Log), nil
}

func (r cbPrograms) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	cmd, options, err := r.read(s)
	if err != nil {
		return nil, err
	}
	options.Deadlines, options.Log, options.Warn = o.Deadlines, o.Log, o.Warn
	client, err := checkerboard.Dial(ctx, checkerboard.Library(cmd), options)
	if err != nil {
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return client, nil
}
