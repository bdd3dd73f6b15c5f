package engine_test

import (
	"fmt"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// Code above package engine plays any game in the same way.
func ExampleGame() {
	var game engine.Game = quoridor.Default
	pos := game.Start()
	for _, text := range []string{"e8", "e2", "e3h"} {
		m, err := pos.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if pos, err = pos.Play(m); err != nil {
			fmt.Println(err)
			return
		}
	}
	_, moves := pos.History()
	fmt.Println(engine.FormatMoves(game.Start(), moves))
	fmt.Println(engine.SideName(game, pos.Turn()), "to move:", pos.Result())
	_, err := pos.Parse("e9")
	fmt.Println(err)
	// Output:
	// [E8 E2 E3h]
	// white to move: ongoing
	// white E9: illegal move: the pawn on E2 cannot get there
}

// Scores are ordered: a mate is better than any number of centipawns, a near one better than a far
// one.
func ExampleScore() {
	mate, pawn := engine.MateIn(3), engine.Centipawns(100)
	fmt.Println(mate, pawn, pawn.Neg())
	fmt.Println(mate.Compare(pawn) > 0, mate.Compare(engine.MateIn(2)) > 0)
	// Output:
	// mate 3 cp 100 cp -100
	// true false
}
