// Package qchess implements quantum chess as played by the qchess server of the UCC programming
// competition (2013): the rules, positions and their text formats.
//
// The board is 8 x 8. A square has a column x and a row y, both from 0 at the top left. Black is at
// the top; White is at the bottom and moves first. The kings start on x = 3, the queens on x = 4.
//
// A piece has two kinds. The first is its normal one. The second is drawn at the start and hidden
// until it is revealed. Both kinds of a king are king. A turn has up to three steps:
//
//   - Selection: the side selects one of its pieces. This cannot be undone.
//   - Outcome: a piece in superposition becomes one of its kinds, each with probability 1/2. This
//     reveals a second kind for the rest of the game. A piece in a classical state keeps its kind
//     and has no such step.
//   - Move: the piece moves as a chess piece of that kind. If it cannot, the turn is over.
//
// After that a piece on an odd square (x + y is odd) goes into superposition, unless both kinds are
// known and equal. There is no castling, en passant or check: the side that captures the king wins.
// Two lone kings are a draw. There is no rule on repetition. A pawn may move two squares from its
// second row, even if it moved before. If a piece moves onto the last row as a pawn, that kind
// becomes a queen.
//
// # Steps as engine.Moves
//
// A selection and a move are moves of the side, and an outcome is a move of [engine.Chance], so a
// side has two moves in a turn. They are written "@36" (the piece on x 3, y 6), "1=rook" (the second
// kind, a rook) and "36-35". The notation of the protocol is also parsed: "3 6" and "3 6 -> 3 5" are
// one move each, "3 6 1 rook" is two.
//
// # Hidden kinds
//
// A second kind is revealed to both sides at once, so both have the same view of a game. On a
// [Board] with that view, an outcome draws the second kind, with its probability given the revealed
// ones ([Position.Odds], prior.go). This is equivalent to drawing all kinds at the start, because no
// step depends on a hidden kind. A board with hidden kinds ([Board.Deal]) is for hosts and for
// records of their games; [Board.View] is the players' view of it.
package qchess

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// White moves first.
const (
	White = engine.First
	Black = engine.Second
)

// Rules is the game of quantum chess.
var Rules engine.Game = rules{}

type rules struct{}

var (
	_ engine.SideNamer  = rules{}
	_ engine.MoveJoiner = rules{}
)

func (rules) Name() string { return "qchess" }

// SideName returns "white" or "black".
func (rules) SideName(side engine.Turn) string { return ColourName(side) }

// Start returns the players' view at the start of a game.
func (rules) Start() engine.Position { return NewPosition(NewBoard()) }

// Position parses a position's text (see [Board.String]) or the word startpos.
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

// JoinMoves joins the words of the protocol to moves: "3 6" is a selection or a target, "0 pawn" an
// outcome and "3 6 -> 3 5" a move.
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
	return !slices.ContainsFunc(words, func(word string) bool { return word == "" || strings.Trim(word, "0123456789") != "" })
}

// ColourName returns "white" or "black".
func ColourName(side engine.Turn) string {
	if side == White {
		return "white"
	}
	return "black"
}

// ParseColour parses "white" or "black".
func ParseColour(text string) (engine.Turn, error) {
	switch text {
	case "white":
		return White, nil
	case "black":
		return Black, nil
	}
	return 0, fmt.Errorf("colour %q: want white or black", text)
}

// ErrIllegal is wrapped by the error of an illegal move.
var ErrIllegal = errors.New("illegal")
