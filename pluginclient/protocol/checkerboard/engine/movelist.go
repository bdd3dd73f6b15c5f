package main

import (
	"fmt"

	"qhsh/engine/checkers"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// listed is a move of a move list.
func listed(b *checkers.Board, m checkers.Move) string {
	v := b.Variant()
	move, way := abi.MoveOf(b, m), b.CapturePath(m)
	text := fmt.Sprintf("%d,%d,%d,%d,%d", move.Jumps, move.OldPiece, move.NewPiece, v.Number(m.From()), v.Number(m.To()))
	for i, s := range way.Captured {
		text += fmt.Sprintf(",%d,%d,%d", v.Number(way.Landings[i]), v.Number(s), move.DelPiece[i])
	}
	return text
}
