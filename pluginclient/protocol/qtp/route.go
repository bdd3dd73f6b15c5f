package qtp

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// route returns a game that leads to the board b, regardless of the side to move: its rules and its
// actions. Black builds walls first, as many as it has used.
func route(b *quoridor.Board) (rules quoridor.Rules, actions []quoridor.Action, err error) {
	walls := b.BuiltWalls()
	black, white := b.Walls(quoridor.Black), b.Walls(quoridor.White)
	each := (black + white + len(walls)) / 2
	rules, err = quoridor.NewRules(b.Size(), each)
	if err != nil || 2*each != black+white+len(walls) || black > each || white > each {
		return rules, nil, fmt.Errorf("%w: %v cannot be set up over %s: the remaining and the built walls do not add up to equal numbers for both sides", ErrPosition, b, Protocol)
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

// pawnCells are the cells of both pawns.
type pawnCells [2]quoridor.Cell

// pawnPath returns steps of both pawns from the start to their cells on a board without walls. If
// possible, no pawn reaches its goal before the last step, since an engine may then consider the
// game over, and one pawn moves after the other: in each leg of a path some of them move.
func pawnPath(rules quoridor.Rules, to pawnCells) []quoridor.Action {
	black, white := []engine.Turn{quoridor.Black}, []engine.Turn{quoridor.White}
	both := []engine.Turn{quoridor.Black, quoridor.White}
	for _, home := range []bool{false, true} {
	order:
		for _, legs := range [][][]engine.Turn{{black, white}, {white, black}, {both}} {
			board := quoridor.NewBoard(rules)
			at := pawnCells{board.Pawn(quoridor.Black), board.Pawn(quoridor.White)}
			var actions []quoridor.Action
			for _, movers := range legs {
				next := at
				for _, side := range movers {
					next[side] = to[side]
				}
				leg, ok := searchPath(board, at, next, movers, home)
				if !ok {
					continue order
				}
				actions, at = append(actions, leg...), next
				board = withPawns(board, at)
				if _, over := board.Winner(); over && at != to && !home {
					continue order
				}
			}
			return actions
		}
	}
	return nil // unreachable: on an empty board a pawn can reach every cell
}

// searchPath searches the shortest path of some pawns, breadth first.
func searchPath(start quoridor.Board, from, to pawnCells, movers []engine.Turn, home bool) (path []quoridor.Action, ok bool) {
	came := map[pawnCells]quoridor.Action{from: 0}
	before := map[pawnCells]pawnCells{}
	for queue := []pawnCells{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			for ; came[at] != 0; at = before[at] {
				path = append(path, came[at])
			}
			slices.Reverse(path)
			return path, true
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

func withPawns(b quoridor.Board, at pawnCells) quoridor.Board {
	for side, cell := range at {
		b.Do(quoridor.NewAction(engine.Turn(side), quoridor.Step, cell))
	}
	return b
}
