// Package checkerboard implements the CheckerBoard API of checkers engines: libraries with the
// functions getmove, enginecommand and, except for English checkers, islegal.
//
// A library is loaded in a process of its own (package library), with which a [Client] exchanges
// lines, so that an engine that crashes, hangs or prints does no harm. The engine's answers are
// checked against the rules: English engines change only the board, the others both the board and a
// CBmove, and some only one of the two (answer.go).
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
	return fmt.Sprintf("%s %d %s %d %d %s", GetMove, abi.Color(b.Turn()), strconv.FormatFloat(limit.Seconds(), 'f', -1, 64), info, moreinfo, abi.FormatInts(board.Ints()))
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
