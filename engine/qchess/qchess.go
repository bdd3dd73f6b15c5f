// Package qchess is quantum chess as the qchess server of the UCC programming competition (2013)
// plays it: the rules, the positions and their texts.
//
// The board is 8 x 8. A square is its column x and its row y, both from 0 at the top left, where
// Black stands; White stands at the bottom and moves first. The king stands on x = 3, the queen on
// x = 4.
//
// A piece has two kinds. The first is its normal one. The second is drawn when the game is set
// up, and hidden until it shows. A king is a king twice. A turn has up to three steps:
//
//   - Selection: the side chooses one of its pieces, and cannot take that back.
//   - Outcome: a piece in superposition takes one of its kinds, each with probability 1/2. A
//     second kind that shows stays known. A piece in a classical state keeps its kind, and there
//     is no such step.
//   - Move: the piece moves as a chess piece of that kind. If it cannot, the turn is over.
//
// After that the piece is in superposition again if it stands on an odd square (x + y is odd),
// unless both kinds are known and equal. There is no castling, no en passant and no check: the
// side that captures the king has won. Two lone kings are a draw. Repetition means nothing. A
// pawn goes two squares from its second row, whatever it was before. A piece that moves onto the
// last row as a pawn has a queen in place of that kind.
//
// # Steps of the contract
//
// A selection and a move are moves of the side, and an outcome is a move of [engine.Chance], so
// that a side is to move twice in a turn. Their names are "@36" (the piece on x 3, y 6), "1=rook"
// (the second kind, which is a rook) and "36-35". The words of the protocol are read, too: "3 6",
// "3 6 1 rook" is two moves, "3 6 -> 3 5" is one.
//
// # What is hidden
//
// Neither side knows a second kind before the other does, so a game has one view, the same for
// both. A [Board] of that view has the outcome of a selection draw the second kind, with the
// probability that it has in the light of what has shown ([Board.Odds], prior.go). That is the
// same game as one in which the kinds are drawn before: no step depends on a kind that has not
// shown. A board that knows the hidden kinds ([Deal]) is for a host and for records of its games;
// [Board.View] is what players may see of it.
package qchess

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
)

// White begins.
const (
	White = engine.First
	Black = engine.Second
)

// Rules is the game.
var Rules engine.Game = rules{}

type rules struct{}

var (
	_ engine.SideNamer  = rules{}
	_ engine.MoveJoiner = rules{}
)

func (rules) Name() string { return "qchess" }

// SideName returns "white" or "black".
func (rules) SideName(side engine.Turn) string { return ColourName(side) }

// Start returns the view that a game begins with.
func (rules) Start() engine.Position { return NewPosition(NewBoard()) }

// Position reads a position's text form (see [Board.String]) or the word startpos.
func (r rules) Position(text string) (engine.Position, error) {
	if text == "startpos" {
		return r.Start(), nil
	}
	b, err := ParseBoard(text)
	if err != nil {
		return nil, err
	}
	return NewPosition(b), nil
}

// JoinMoves puts together the words of the protocol: "3 6" is a selection or a destination,
// "0 pawn" an outcome and "3 6 -> 3 5" a move.
func (rules) JoinMoves(words []string) (moves []string) {
	for len(words) > 0 {
		n := 1
		switch {
		case len(words) >= 5 && areNumbers(words[0], words[1], words[3], words[4]) && words[2] == arrow:
			n = 5
		case len(words) >= 2 && areNumbers(words[0]) && (areNumbers(words[1]) || kindByName(words[1]) != Unknown):
			n = 2
		}
		moves = append(moves, strings.Join(words[:n], " "))
		words = words[n:]
	}
	return moves
}

func areNumbers(words ...string) bool {
	for _, word := range words {
		if word == "" || strings.Trim(word, "0123456789") != "" {
			return false
		}
	}
	return true
}

// ColourName returns "white" or "black".
func ColourName(side engine.Turn) string {
	if side == White {
		return "white"
	}
	return "black"
}

// ParseColour reads what ColourName writes.
func ParseColour(text string) (engine.Turn, error) {
	switch text {
	case "white":
		return White, nil
	case "black":
		return Black, nil
	}
	return 0, fmt.Errorf("colour %q: want white or black", text)
}

// ErrIllegal is wrapped by the error of a move that the rules forbid.
var ErrIllegal = errors.New("illegal")
