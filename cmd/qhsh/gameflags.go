package main

import (
	"flag"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/engine/xiangqi"
)

// gameFlags are the flags of a command that asks no engine and is for several games.
type gameFlags struct {
	name        string
	size, walls *int // nil: those of the game as it is sold, or of its size
}

func (f *gameFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.name, "game", xiangqi.Rules.Name(), "play this `GAME`: xiangqi or quoridor")
	fs.Var(numberValue{&f.size}, "size", "of Quoridor, play on a board of `N` cells a side (default 9)")
	fs.Var(numberValue{&f.walls}, "walls", "of Quoridor, give each side `N` walls; without it as many as the protocol's referee gives")
}

// game is the game that was chosen.
func (f *gameFlags) game() (engine.Game, error) {
	switch {
	case f.name == quoridor.Default.Name():
	case f.name != xiangqi.Rules.Name():
		return nil, usagef("-game %s: want %s or %s", f.name, xiangqi.Rules.Name(), quoridor.Default.Name())
	case f.size != nil || f.walls != nil:
		return nil, usagef("-size and -walls are for -game %s", quoridor.Default.Name())
	default:
		return xiangqi.Rules, nil
	}
	size := or(f.size, quoridor.Default.Size)
	rules, err := quoridor.NewRules(size, or(f.walls, quoridor.UsualWalls(size)))
	if err != nil {
		return nil, usageError{err}
	}
	return rules, nil
}
