// Package checkerboard speaks the CheckerBoard API of checkers engines: libraries with the functions
// getmove, enginecommand and, but for English checkers, islegal.
//
// The library of an engine is loaded in a process of its own (package library), which a [Client]
// talks to in lines, so that an engine that crashes, hangs or prints harms nobody. What an engine
// answers is checked against the rules: English engines change the board alone, the others the board
// and a CBmove as well, and some only one of the two (answer.go).
//
// The other side, a library that makes qhsh's own engine one of CheckerBoard's, is the command in
// engine; what both share is package abi.
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

// Protocol is what people call it.
const Protocol = "CheckerBoard API"

// The requests of the library's process.
const (
	Command = "enginecommand"
	IsLegal = "islegal"
	GetMove = "getmove"
	PlayNow = "playnow"
	quit    = "quit"
)

// The words that its answers begin with.
const (
	Ready  = "ready"
	Failed = "error"
	Status = "info"
	Move   = "move"
)

// Request is a getmove. A zero increment is none.
func Request(b *checkers.Board, limit time.Duration, info int) string {
	board := abi.BoardOf(b)
	return fmt.Sprintf("%s %d %s %d 0 %s", GetMove, abi.Color(b.Turn()), seconds(limit), info, abi.FormatInts(board.Ints()))
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// A Answer is what an engine has answered to getmove.
type Answer struct {
	Result    int
	Board     abi.Board
	HasCBmove bool // the engine has filled in its CBmove
	Move      abi.Move
	Status    string
}

// ParseAnswer reads an answer behind its word.
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
