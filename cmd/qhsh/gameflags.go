package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// gameFlags are the flags of a command that asks no engine and is for several games.
type gameFlags struct {
	name   string
	values map[string]*int // of the games' options, by name; nil: not given
}

func (f *gameFlags) define(fs *flag.FlagSet) {
	all := games.Default
	fs.StringVar(&f.name, "game", all.Usual().Name(), "play this `GAME`: "+gameNames())
	f.values = map[string]*int{}
	for _, o := range all.Offers() {
		fs.Var(gameValue{f, o.Name}, o.Name, fmt.Sprintf("of %s, %s", engine.Title(o.Game), o.Help))
	}
}

// gameValue is the flag of a game's option.
type gameValue struct {
	flags *gameFlags
	name  string
}

func (v gameValue) String() string { return "" }

func (v gameValue) Set(text string) error {
	var n *int
	if err := (numberValue{&n}).Set(text); err != nil {
		return err
	}
	v.flags.values[v.name] = n
	return nil
}

func gameNames() string { return strings.Join(games.Default.Names(), " or ") }

// flagsOf are the flags of a game's options.
func flagsOf(game engine.Game) (names []string) {
	for _, o := range games.Default.Offers() {
		if o.Game.Name() == game.Name() {
			names = append(names, "-"+o.Name)
		}
	}
	return names
}

// game is the game that was chosen.
func (f *gameFlags) game() (engine.Game, error) {
	if !slices.Contains(games.Default.Names(), f.name) {
		return nil, usagef("-game %s: want %s", f.name, gameNames())
	}
	v := games.Values{}
	for _, o := range games.Default.Offers() {
		n := f.values[o.Name]
		switch {
		case n == nil:
		case o.Game.Name() != f.name:
			return nil, usagef("%s are for -game %s", strings.Join(flagsOf(o.Game), " and "), o.Game.Name())
		default:
			v[o.Name] = *n
		}
	}
	game, err := games.Default.New(f.name, v)
	if err != nil {
		return nil, usageError{err}
	}
	return game, nil
}
