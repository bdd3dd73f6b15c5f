package uci

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// FormatPosition returns the "position" command for the position after moves from the position from.
func FormatPosition(from engine.Position, moves []engine.Move, r Ranks) string {
	command := "position startpos"
	if from.String() != xiangqi.StartFEN {
		command = "position fen " + from.String()
	}
	if len(moves) == 0 {
		return command
	}
	return command + " moves" + r.Join(moves)
}

// readPosition parses the arguments of "position". All moves must use the same rank numbering. If
// both are possible, it uses prefer.
func readPosition(args []string, prefer Ranks) (pos *xiangqi.Position, err error) {
	at := slices.Index(args, "moves")
	if at < 0 {
		at = len(args)
	}
	switch {
	case at == 0:
		return nil, errors.New("position: want startpos or fen")
	case args[0] == "startpos":
		pos = xiangqi.Start()
	case args[0] == "fen":
		if pos, err = xiangqi.ParseFEN(strings.Join(args[1:at], " ")); err != nil {
			return nil, fmt.Errorf("position: %w", err)
		}
	default:
		return nil, fmt.Errorf("position %q: want startpos or fen", pluginclient.Excerpt(args[0]))
	}
	if at == len(args) {
		return pos, nil
	}
	end, bad := playAll(pos, args[at+1:], prefer)
	if bad != nil {
		if end, err = playAll(pos, args[at+1:], prefer.other()); err != nil {
			return nil, bad
		}
	}
	return end, nil
}

func playAll(pos *xiangqi.Position, texts []string, r Ranks) (*xiangqi.Position, error) {
	for i, text := range texts {
		m, ok := r.Parse(text)
		if !ok {
			return nil, fmt.Errorf("move %d, %q: %w", i+1, pluginclient.Excerpt(text), xiangqi.ErrMalformed)
		}
		next, err := pos.PlayMove(xiangqi.Move(m))
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	return pos, nil
}

// readMoves parses moves with either rank numbering, and returns the legal ones.
func readMoves(pos engine.Position, texts []string) []engine.Move {
	for _, r := range []Ranks{FromZero, FromOne} {
		var moves []engine.Move
		for _, text := range texts {
			if m, ok := r.Parse(text); ok {
				moves = append(moves, m)
			}
		}
		if legal := legalOf(pos, moves); len(legal) > 0 {
			return legal
		}
	}
	return nil
}
