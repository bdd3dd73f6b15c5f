package puzzle

import (
	"context"

	"qhsh/engine"
)

// A solution is a line in which every move of the solver is the only one that wins.
type solution struct {
	moves  []engine.Move // ends with a move of the solver that has an alternative
	length int           // moves of the solver
	first  line          // of the first move
	other  line          // of the best other first move

	// The latest position in which the solver was asked, and the line found there.
	last     engine.Position
	lastLine line
}

// solve returns the solution at a position; nil if there is none.
func (c *Composer) solve(ctx context.Context, pos engine.Position) (*solution, error) {
	longest := maxLength
	if c.Max > 0 {
		longest = min(c.Max+1, maxLength) // one more, so that it is known to be too long
	}
	solver := pos.Turn()
	s := &solution{}
	var played []engine.Move
	for solved := 0; solved < longest && !ended(pos).Over(); {
		l, err := c.search(ctx, pos, c.Prove)
		if err != nil {
			return nil, err
		}
		played = append(played, l.moves[0])
		if pos.Turn() == solver {
			if l.chance < c.Thresholds.Win {
				break
			}
			other, err := c.search(ctx, pos, c.Prove, l.moves[0])
			if err != nil {
				return nil, err
			}
			if other.chance > c.Thresholds.Other {
				break
			}
			if solved++; solved == 1 {
				s.first, s.other = l, other
			}
			s.last, s.lastLine = pos, l
			if len(other.moves) > 0 { // an only legal move does not lengthen the solution
				s.moves, s.length = played[:len(played):len(played)], solved
			}
		}
		if pos, err = pos.Play(l.moves[0]); err != nil {
			return nil, positionError{err}
		}
	}
	if s.length == 0 {
		return nil, nil
	}
	return s, nil
}

// ended returns how the game is over at a position: by its result, by repetition or without progress.
func ended(pos engine.Position) engine.Result {
	if a, ok := pos.(engine.Adjudicator); ok && !pos.Result().Over() {
		if r := a.Repetition(); r.Over() {
			return r
		}
	}
	return engine.Adjudicate(pos)
}

// certain is the winning chance above which only a win by the rules is meant.
const certain = .9999

// follow plays a line of the solver from a position, and then best moves, for as long as the engine
// announces a win by the rules. It returns how the game ends if the solver wins it, and reports
// whether it does without a repetition.
func (c *Composer) follow(ctx context.Context, pos engine.Position, l line) (end engine.Result, mated bool, err error) {
	solver := pos.Turn()
	for plies := 0; plies < maxPlies; plies += len(l.moves) {
		for _, m := range l.moves {
			if pos, err = pos.Play(m); err != nil {
				return engine.Result{}, false, positionError{err}
			}
			if end = ended(pos); end.Over() {
				if end.Outcome != engine.Win(solver) {
					end = engine.Result{}
				}
				return end, pos.Result().Over(), nil
			}
		}
		if max(l.chance, 1-l.chance) < certain {
			return engine.Result{}, false, nil
		}
		if l, err = c.search(ctx, pos, c.Prove); err != nil {
			return engine.Result{}, false, err
		}
	}
	return engine.Result{}, false, nil
}
