package attach

import (
	"context"
	"fmt"
	"slices"

	"qhsh/engine/checkers"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
	"qhsh/pluginclient/protocol/checkerboard/cbcheck"
	"qhsh/pluginclient/task/check"
)

// The options of a library.
const (
	exactKey  = "exact"
	clockKey  = "clock"
	claimsKey = "claims"
)

// cbPrograms returns the row of libraries with the CheckerBoard API.
func cbPrograms(t games.Table) Row {
	return Row{
		Kind: Kind{
			Name: "cb", Title: checkerboard.Protocol, UnsupportedLimits: pluginclient.OneMoveUnsupported, Scores: NoneScored,
			Options: slices.Concat(gameOptions(t, checkers.DefaultRules),
				[]Option{
					{Name: exactKey, Help: "true: have the engine take just the time that it is given", Words: yesNo},
					{Name: clockKey, Help: "true: tell the engine its remaining time and its increment in a match with a clock", Words: yesNo},
					{Name: claimsKey, Help: "true: a win or a loss that the engine claims ends a game of a match, as a draw always does", Words: yesNo},
				}, programOptions),
			Examples: []Example{
				{"cb:./libsimplech.so", "a library with the CheckerBoard API, of any variant"},
				{"cb,variant=russian:./lib.so", "one that plays several, and is to play this one"},
			},
			Prompt:  "A library such as 'cb:./libsimplech.so' is spoken to by the calls of the CheckerBoard API.\n",
			Checked: true,
		},
		Parse: func(s Spec) (Parsed, error) { return parseLibrary(t, s) },
	}
}

func parseLibrary(t games.Table, s Spec) (p Parsed, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return p, err
	}
	if len(cmd.Args) > 0 {
		return p, s.OptionError(fmt.Errorf("a library takes no arguments: %q", cmd.Args))
	}
	game, rest, err := takeGame(t, checkers.DefaultRules, options)
	var own checkerboard.Options
	if err == nil {
		err = setFlags(rest, map[string]*bool{exactKey: &own.Exact, clockKey: &own.Clock, claimsKey: &own.Claims}, "variant", exactKey, clockKey, claimsKey, dirKey)
	}
	if err != nil {
		return p, s.OptionError(err)
	}
	p.Game, p.GameGuess = game, !slices.ContainsFunc(options, func(o games.Setting) bool { return o.Key == "variant" })
	if rules, ok := game.(checkers.Rules); ok && !p.GameGuess {
		own.Variant = &rules.Variant
	}
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		own := own
		own.ClientOptions = o.ClientOptions
		return attached(checkerboard.Dial(ctx, checkerboard.Library(cmd), own))
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) {
		return cbcheck.Suite(checkerboard.Library(cmd), o.Log), nil
	}
	return p, nil
}
