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

// Game is the variant of the SPEC, or what the library says that it plays, for which it is loaded. A
// library that cannot be loaded is for Open to tell of.
func (r cbPrograms) Game(s Spec) (engine.Game, error) {
	cmd, o, err := r.read(s)
	if err != nil {
		return nil, err
	}
	if o.Variant != nil {
		return checkers.Rules{Variant: *o.Variant}, nil
	}
	client, err := checkerboard.Dial(context.Background(), checkerboard.Library(cmd), o)
	if err != nil {
		return checkers.DefaultRules, nil //nolint:nilerr // Open says it
	}
	defer client.Close()
	return client.Position().Game(), nil
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

func (r cbPrograms) Examine(s Spec, o Options) (*check.Suite, error) {
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
