// Package checkerboard implements the CheckerBoard API of checkers engines: libraries with the
// functions getmove, enginecommand and, except for English checkers, islegal.
//
// A library is loaded in a process of its own (package library), with which a [Client] exchanges
// lines, so that an engine that crashes, hangs or prints does no harm. The engine's answers are
// checked against the rules: English engines change only the board, the others both the board and a
// CBmove, and some only one of the two ([Answer]).
//
// A Client does not think on its opponent's time: getmove is the only call that thinks, it plays the
// move that it finds, and no call returns the reply that the engine expects. An engine that thinks
// between two calls does so in a thread of its own.
//
// The other side, a library that makes qhsh's engine an engine for CheckerBoard, is the command in
// engine. Package abi is shared by both sides.
package checkerboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// Protocol is the protocol's display name.
const Protocol = "CheckerBoard API"

// The requests to the library's process.
const (
	Command = "enginecommand"
	IsLegal = "islegal"
	GetMove = "getmove"
	PlayNow = "playnow"
	quit    = "quit"
)

// The first words of its answers.
const (
	Ready  = "ready"
	Failed = "error"
	Status = "info"
	Move   = "move"
)

// Request returns a getmove line.
func Request(b *checkers.Board, limit time.Duration, info, moreinfo int32) string {
	board := abi.BoardOf(b)
	return fmt.Sprintf("%s %d %s %d %d %s", GetMove, abi.Color(b.Turn()), strconv.FormatFloat(limit.Seconds(), 'f', -1, 64), info, moreinfo, board.Wire())
}

// LegalRequest returns an islegal line.
func LegalRequest(b *checkers.Board, from, to checkers.Square) string {
	board, v := abi.BoardOf(b), b.Variant()
	return fmt.Sprintf("%s %d %d %d %s", IsLegal, abi.Color(b.Turn()), v.Number(from), v.Number(to), board.Wire())
}

// An Answer is an engine's answer to getmove.
type Answer struct {
	Result    int
	Board     abi.Board
	HasCBmove bool // the engine has filled in its CBmove
	Move      abi.Move
	Status    string
}

// ParseAnswer parses an answer without its first word.
func ParseAnswer(text string) (p Answer, err error) {
	words := strings.SplitN(text, " ", 5)
	if len(words) < 4 {
		return p, fmt.Errorf("%w: %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(text))
	}
	if len(words) == 5 {
		p.Status = words[4]
	}
	if p.Result, err = strconv.Atoi(words[0]); err != nil {
		return p, fmt.Errorf("%w: %w", pluginclient.ErrInvalidReply, err)
	}
	if p.Board, err = abi.ParseBoard(words[2]); err != nil {
		return p, fmt.Errorf("%w: board: %w", pluginclient.ErrInvalidReply, err)
	}
	if words[3] == "-" {
		return p, nil
	}
	p.HasCBmove = true
	if p.Move, err = abi.ParseMove(words[3]); err != nil {
		return p, fmt.Errorf("%w: CBmove: %w", pluginclient.ErrInvalidReply, err)
	}
	return p, nil
}

// LegalMove returns the legal move that an engine has answered with: by its board, which most
// engines change, and by its CBmove, which English ones do not set. If both are set, they must be
// the same move, but some engines leave the board unchanged. The error contains the whole answer.
func (p *Answer) LegalMove(b *checkers.Board) (checkers.Move, error) {
	byBoard, changed := p.movesByBoard(b)
	if !p.HasCBmove || b.Variant() == checkers.English && len(byBoard) > 0 {
		switch {
		case len(byBoard) > 0:
			return byBoard[0], nil
		case !changed:
			return 0, p.illegal(b, "no move was made")
		}
		return 0, p.illegal(b, "no legal move leads to the board")
	}
	m, err := p.Move.Read(b)
	switch {
	case err != nil && changed && len(byBoard) == 0:
		return 0, p.illegal(b, "neither the board nor the CBmove is that of a legal move")
	case err != nil:
		return 0, p.illegal(b, err.Error())
	case !changed, slices.Contains(byBoard, m):
		return m, nil
	}
	return 0, p.illegal(b, "the CBmove "+b.Format(m)+" does not lead to the board")
}

// movesByBoard returns the legal moves that lead to the answer's board. Several captures may lead
// to the same board. changed reports whether the engine has changed the board.
func (p *Answer) movesByBoard(b *checkers.Board) (moves []checkers.Move, changed bool) {
	if p.Board == abi.BoardOf(b) {
		// A king may have captured in a circle only by removing pieces, which changes the board.
		return nil, false
	}
	for _, m := range b.AppendMoves(nil) {
		after := *b
		after.Do(m)
		if abi.BoardOf(&after) == p.Board {
			moves = append(moves, m)
		}
	}
	return moves, true
}

func (p *Answer) illegal(b *checkers.Board, why string) error {
	before := abi.BoardOf(b)
	cbmove := "untouched"
	if p.HasCBmove {
		cbmove = p.Move.Wire()
	}
	return fmt.Errorf("%w: %s: before %s, which is %s; after %s; CBmove %s; returned %d", pluginclient.ErrIllegal, why,
		b, before.Wire(), p.Board.Wire(), cbmove, p.Result)
}
