// Package xiangqitest makes the positions and moves of Xiangqi that tests are about. What
// makes no sense is a fault of the test and panics, so that the functions can stand in
// tables.
package xiangqitest

import (
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// After returns the start position after some moves, which are written as "H2-E2".
func After(moves ...string) *xiangqi.Position {
	pos := xiangqi.Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			panic(err)
		}
		if pos, err = pos.PlayMove(xiangqi.Move(m)); err != nil {
			panic(err)
		}
	}
	return pos
}

// Moves returns moves that need not be legal anywhere.
func Moves(texts ...string) []engine.Move {
	var moves []engine.Move
	for _, text := range texts {
		m, err := xiangqi.ParseMove(text)
		if err != nil {
			panic(err)
		}
		moves = append(moves, engine.Move(m))
	}
	return moves
}

// RandomPosition returns a position of a random game that is not over, after at most so many
// plies.
func RandomPosition(t *rapid.T, plies int) engine.Position {
	pos := engine.Position(xiangqi.Start())
	for range rapid.IntRange(0, plies).Draw(t, "plies") {
		next, err := pos.Play(rapid.SampledFrom(pos.Moves()).Draw(t, "move"))
		if err != nil {
			t.Fatal(err)
		}
		if next.Result().Over() {
			break
		}
		pos = next
	}
	return pos
}
