package puzzle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// An Engine searches with limits of their own; a [batch.Pool] and a [batch.SessionAsker] are such. Its
// Limits are those at which puzzles are proved.
type Engine interface {
	batch.Asker
	Query(ctx context.Context, q batch.Query) (batch.Reply, error)
}

// Options are the options of a Composer.
type Options struct {
	Levels     []engine.Level // of the engine, weakest first
	Scan       int            // level at which positions are dismissed
	Prove      int            // level at which solutions are found
	Time       time.Duration  // of a search; 0: not limited
	Thresholds Thresholds
	Scale      float64      // the score in centipawns of a winning chance of 73 %
	Min, Max   int          // moves of the solver; Max 0: as many as there are
	Known      engine.Known // what no engine is asked about
	// Captures reports whether a move captures: a puzzle whose whole solution is such a move, and no win by the
	// rules, is left out. If it is nil, none is.
	Captures func(engine.Position, engine.Move) bool
}

// DefaultProve is the usual level at which puzzles are proved.
const DefaultProve = 7

// maxLength bounds the moves of a solution, and maxPlies the line that shows what is won.
const (
	maxLength = 30
	maxPlies  = 200
)

// A Composer is a [batch.Asker] whose replies are puzzles.
type Composer struct {
	Engine
	Options
}

// ErrNoScores is the error of an engine that returns moves without scores.
var ErrNoScores = errors.New("the engine returns no scores, so puzzles cannot be found")

// A positionError is a failure at a position. Other positions may succeed.
type positionError struct{ error }

func (e positionError) Unwrap() error { return e.error }

// Ask replies with the puzzle at a position: the solution, and the best other move. It has no hints
// if there is none.
func (c *Composer) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	reply := c.Identity()
	p, err := c.Compose(ctx, pos)
	if failed, ok := errors.AsType[positionError](err); ok {
		reply.Err = failed.error
		return reply, nil
	}
	if err == nil {
		reply.Hints, err = p.hints()
	}
	return reply, err
}

// Compose returns the puzzle at a position, or nil.
func (c *Composer) Compose(ctx context.Context, pos engine.Position) (*Puzzle, error) {
	start, err := engine.WithoutHistory(pos)
	if err != nil {
		return nil, positionError{err}
	}
	if len(start.Moves()) < 2 {
		return nil, nil
	}
	first, err := c.search(ctx, start, c.Scan)
	if err != nil || first.chance < c.Thresholds.Win {
		return nil, err
	}
	other, err := c.search(ctx, start, c.Scan, first.moves[0])
	if err != nil || other.chance > c.Thresholds.Other {
		return nil, err
	}
	if isNew, err := c.isNew(ctx, pos); err != nil || !isNew {
		return nil, err
	}
	s, err := c.solve(ctx, start)
	if err != nil || s == nil || s.length < max(c.Min, 1) || c.Max > 0 && s.length > c.Max {
		return nil, err
	}
	return c.describe(ctx, start, s)
}

// isNew reports whether the win was not there before the last move; so if there was no move.
func (c *Composer) isNew(ctx context.Context, pos engine.Position) (bool, error) {
	before, _ := pos.Undo()
	if before == nil {
		return true, nil
	}
	before, err := engine.WithoutHistory(before)
	if err != nil {
		return false, positionError{err}
	}
	l, err := c.search(ctx, before, c.Scan)
	chance := l.chance
	if before.Turn() != pos.Turn() {
		chance = 1 - chance
	}
	return chance <= c.Thresholds.Other, err
}

// describe returns the puzzle of a solution; nil if it does not lead to what the engine announces, or only takes
// a piece that hangs.
func (c *Composer) describe(ctx context.Context, pos engine.Position, s *solution) (*Puzzle, error) {
	p := &Puzzle{Kind: Advantage, Length: s.length, Solution: s.first.hint, Other: s.other.hint}
	p.Solution.PV = engine.FormatMoves(pos, s.moves)
	_, announced := s.first.hint.Score.Mate()
	end, mated, err := c.follow(ctx, s.last, s.lastLine)
	switch {
	case err != nil, announced && !mated:
		return nil, err
	case announced:
		p.Kind, p.End = Mate, end.Reason
	case end.Over() && !mated && s.first.chance >= certain:
		p.Kind, p.End = Repetition, end.Reason
	case s.length == 1 && c.Captures != nil && c.Captures(pos, s.moves[0]):
		return nil, nil
	}
	p.Level, err = c.lowestLevel(ctx, pos, s.moves[0])
	return p, err
}

// lowestLevel returns the lowest level at which a move is found, and at all levels above it.
func (c *Composer) lowestLevel(ctx context.Context, pos engine.Position, m engine.Move) (int, error) {
	lowest, unaided := c.Prove, *c
	unaided.Known = nil // how hard a move is to find shows the engine
	for i := len(c.Levels) - 1; i >= 0; i-- {
		if c.Levels[i].ID >= c.Prove {
			continue
		}
		l, err := unaided.search(ctx, pos, c.Levels[i].ID)
		if err != nil || l.moves[0] != m {
			return lowest, err
		}
		lowest = c.Levels[i].ID
	}
	return lowest, nil
}

// A line is what a search has found.
type line struct {
	hint   batch.Hint
	moves  []engine.Move // at least one
	chance float64       // of the side to move
}

// search returns the best line of a position without the banned moves. Where no move is left, the
// line has no moves and no chance.
func (c *Composer) search(ctx context.Context, pos engine.Position, level int, ban ...engine.Move) (line, error) {
	if len(ban) > 0 && engine.FirstAllowed(pos, ban) == engine.NoMove {
		return line{}, nil
	}
	reply, err := batch.Correct(c.Known, pos, ban, c.Identity(), func() (batch.Reply, error) {
		return c.Query(ctx, batch.Query{Pos: pos, Limits: engine.Limits{Level: level, Time: c.Time, Lines: 1, Ban: ban}})
	})
	switch {
	case err != nil:
		return line{}, err
	case reply.Err != nil:
		return line{}, positionError{reply.Err}
	}
	l := line{hint: reply.Hints[0]}
	var known bool
	if l.chance, known = l.hint.Score.Chance(c.Scale); !known {
		return line{}, fmt.Errorf("%s: %w", reply.Engine, ErrNoScores)
	}
	if l.moves, _, err = engine.ReadMoves(pos, l.hint.PV); err != nil { // the pool has checked them
		return line{}, positionError{err}
	}
	return l, nil
}
