package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// gameFlags are the flags of a command that uses no engine and supports several games.
type gameFlags struct {
	all    games.Table
	flags  *flag.FlagSet // of the command
	chosen string        // NAME[,KEY=VALUE...]
	values games.Values  // of the options that have flags of their own
}

// define defines -game, and the flags of options that are words.
func (f *gameFlags) define(fs *flag.FlagSet, all games.Table) {
	f.all, f.flags, f.chosen = all, fs, all.DefaultGame().Name()
	fs.StringVar(&f.chosen, "game", f.chosen, "play this `GAME`: "+printable.OneOf(all.Names())+", see 'qhsh help positions'")
	f.values = games.Values{}
	f.defineSome(fs, func(o games.Option) bool { return o.Words != nil })
}

func (f *gameFlags) defineSome(fs *flag.FlagSet, wanted func(games.Option) bool) {
	for _, o := range f.all.GameOptions() {
		if wanted(o.Option) {
			fs.Var(value{words: o.Words, set: func(text string) error {
				f.values[o.Name] = text
				return o.Check(text)
			}}, o.Name, fmt.Sprintf("of %s, %s", engine.Title(o.Game), o.Help))
		}
	}
}

func (f *gameFlags) game() (engine.Game, error) {
	name, options, has := strings.Cut(f.chosen, ",")
	if !slices.Contains(f.all.Names(), name) {
		return nil, usagef("-game %s: want %s", name, printable.OneOf(f.all.Names()))
	}
	v := games.Values{}
	if has {
		var err error
		if v, err = games.ParseValues(options); err != nil {
			return nil, usagef("-game: %w", err)
		}
	}
	for _, o := range f.all.GameOptions() {
		value, given := f.values[o.Name]
		switch {
		case !given:
		case o.Game.Name() != name:
			var flags []string
			for _, of := range f.all.GameOptions() {
				if of.Game.Name() == o.Game.Name() {
					flags = append(flags, "-"+of.Name)
				}
			}
			are := "are"
			if len(flags) == 1 {
				are = "is"
			}
			return nil, usagef("%s %s for -game %s", strings.Join(flags, " and "), are, o.Game.Name())
		default:
			if err := v.Add(o.Name, value); err != nil {
				return nil, usageError{err}
			}
		}
	}
	game, err := f.all.New(name, v)
	if err != nil {
		if pluginclient.Lost(err) {
			return nil, err
		}
		return nil, usageError{err}
	}
	return game, nil
}

// otherGame returns another game of which operands are a position, perhaps with moves, or nil.
func otherGame(all games.Table, game engine.Game, operands []string) engine.Game {
	for _, other := range all.Games() {
		if other.Name() == game.Name() {
			continue
		}
		if _, err := readOperands(all, other, operands); err == nil {
			return other
		}
	}
	return nil
}

// needsGame returns an error if operands are a position of another game than the selected one, and
// nil otherwise.
func needsGame(all games.Table, chosen engine.Game, operands []string) error {
	other := otherGame(all, chosen, operands)
	if other == nil {
		return nil
	}
	return usagef("%q is a position of %s: use -game %s", strings.Join(operands, " "), engine.Title(other), other.Name())
}
