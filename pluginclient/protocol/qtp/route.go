package qtp

import (
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// errNumbers is the reason why the protocol cannot express a position.
var errNumbers = errors.New("the remaining and the built walls do not add up to equal numbers for both sides")

// route returns a game that leads to the board b, regardless of the side to move: its rules and its
// actions. Black builds walls first, as many as it has used.
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

// pawnPath returns steps of both pawns from the start to their cells on a board without walls. If
// possible, no pawn reaches its goal before the last step, since an engine may then consider the
// game over, and one pawn moves after the other.
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
	return nil // unreachable: on an empty board a pawn can reach every cell
}

// pawnCells are the cells of both pawns.
type pawnCells [2]quoridor.Cell

// pathInLegs returns a path in several legs; in each leg some of the pawns move.
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

// searchPath searches the shortest path of some pawns, breadth first.
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

// withPawns returns the board with the pawns on other cells.
func withPawns(b quoridor.Board, at pawnCells) quoridor.Board {
	for _, side := range [...]engine.Turn{quoridor.Black, quoridor.White} {
		b.Do(quoridor.NewAction(side, quoridor.Step, at[side]))
	}
	return b
}

// backtrace returns the actions that lead to at.
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
