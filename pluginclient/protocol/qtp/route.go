package qtp

import (
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// errNumbers is the reason why the protocol cannot express a position.
var errNumbers = errors.New("the walls that are left and those that stand are not of a game in which both sides begin with as many")

// route is a game that leads to a board, whoever's turn it is there: the rules that it
// begins with, and its actions. Black builds the first walls, as many as are missing.
func route(b *quoridor.Board) (rules quoridor.Rules, actions []quoridor.Action, err error) {
	walls := b.AppendBuiltWalls(nil)
	black, white := b.Walls(quoridor.Black), b.Walls(quoridor.White)
	each := (black + white + len(walls)) / 2
	rules, err = quoridor.NewRules(b.Size(), each)
	if err != nil || 2*each != black+white+len(walls) || black > each || white > each {
		return rules, nil, fmt.Errorf("%w: %v cannot be set up over %s: %w", ErrPosition, b, Protocol, errNumbers)
	}
	actions = pawnPath(rules, pawnCells{b.Pawn(quoridor.Black), b.Pawn(quoridor.White)})
	for i, wall := range walls {
		side := quoridor.Black
		if i >= each-black {
			side = quoridor.White
		}
		actions = append(actions, quoridor.NewAction(side, wall.Kind(), wall.Cell()))
	}
	return rules, actions, nil
}

// ErrPosition is wrapped by the error for a position that the protocol cannot express.
var ErrPosition = errors.New("position")

// pawnPath is a way of both pawns from the start to their places on a board without walls. It
// avoids that one is home before the last step, if it can, since an engine may hold the game
// to be over then. One pawn goes after the other where that is possible.
func pawnPath(rules quoridor.Rules, to pawnCells) []quoridor.Action {
	black, white := []engine.Turn{quoridor.Black}, []engine.Turn{quoridor.White}
	both := []engine.Turn{quoridor.Black, quoridor.White}
	for _, home := range []bool{false, true} {
		for _, legs := range [][][]engine.Turn{{black, white}, {white, black}, {both}} {
			if actions, ok := pathInLegs(rules, to, legs, home); ok {
				return actions
			}
		}
	}
	return nil // which cannot be: both pawns get anywhere on an empty board
}

// pawnCells are where both pawns stand.
type pawnCells [2]quoridor.Cell

// pathInLegs is a way in legs, in each of which some pawns walk.
func pathInLegs(rules quoridor.Rules, to pawnCells, legs [][]engine.Turn, home bool) ([]quoridor.Action, bool) {
	start := quoridor.NewBoard(rules)
	at := pawnCells{start.Pawn(quoridor.Black), start.Pawn(quoridor.White)}
	var actions []quoridor.Action
	for _, movers := range legs {
		next := at
		for _, side := range movers {
			next[side] = to[side]
		}
		leg, ok := searchPath(start, at, next, movers, home)
		if !ok {
			return nil, false
		}
		actions, at = append(actions, leg...), next
		start = withPawns(start, at)
		if _, over := start.Winner(); over && at != to && !home {
			return nil, false
		}
	}
	return actions, true
}

// searchPath looks for a way of some pawns in breadth.
func searchPath(start quoridor.Board, from, to pawnCells, movers []engine.Turn, home bool) ([]quoridor.Action, bool) {
	came := map[pawnCells]quoridor.Action{from: 0}
	before := map[pawnCells]pawnCells{}
	queue := []pawnCells{from}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			return backtrace(before, came, at), true
		}
		board := withPawns(start, at)
		if _, over := board.Winner(); over && !home {
			continue
		}
		for _, side := range movers {
			for _, a := range board.AppendSteps(nil, side) {
				next := at
				next[side] = a.Cell()
				if _, seen := came[next]; !seen {
					came[next], before[next] = a, at
					queue = append(queue, next)
				}
			}
		}
	}
	return nil, false
}

// withPawns is a board with the pawns elsewhere.
func withPawns(b quoridor.Board, at pawnCells) quoridor.Board {
	for _, side := range [...]engine.Turn{quoridor.Black, quoridor.White} {
		b.Do(quoridor.NewAction(side, quoridor.Step, at[side]))
	}
	return b
}

// backtrace are the actions that lead to some places.
func backtrace(before map[pawnCells]pawnCells, came map[pawnCells]quoridor.Action, at pawnCells) []quoridor.Action {
	var back []quoridor.Action
	for came[at] != 0 {
		back = append(back, came[at])
		at = before[at]
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
