package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
)

// A OneMove has the methods of a [Session] that are the same for all protocols in which an engine is
// asked for a move and nothing else: without levels, other limits than the time, and lists of moves.
// A client embeds it.
type OneMove struct {
	Conversation
	o OneMoveOptions
}

// OneMoveOptions describe the protocol of a OneMove.
type OneMoveOptions struct {
	Engine   string // the protocol's word for an engine
	NoLevels string // why there are no levels, for the user

	// Check returns an error for a position that is not one of the engine's game.
	Check func(pos engine.Position) error
	// Ask sets the position of the running engine, and returns its move, which must be legal. The limits
	// on the time are the only ones.
	Ask func(ctx context.Context, pos engine.Position, lim engine.Limits) (engine.Line, error)
	// Forget makes the next search begin a new game.
	Forget func()
}

// OneMoveUnsupported are the limits that no such protocol can express.
const OneMoveUnsupported = engine.LimitLevel | engine.LimitNodes | engine.LimitDepth

var _ engine.Forgetter = OneMove{}

// OneMove returns the public side of l.
func (l *Link) OneMove(o OneMoveOptions) OneMove { return OneMove{l.Conversation(), o} }

// Name returns the name that the engine reports, or that of its program.
func (c OneMove) Name() string { return c.link.Name() }

// Level returns known = false: there are no levels.
func (c OneMove) Level() (id int, known bool) { return 0, false }

// SetLevel returns an error, since there are no levels.
func (c OneMove) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: %s", c.Name(), ErrRefused, c.o.NoLevels)
}

// Search asks the engine for its move at pos. It yields once: one line with one move and no score,
// regardless of Limits.Lines. The conversation's position does not change.
//
// Limits that the protocol cannot express are errors. A banned move is an error that wraps ErrRefused,
// since no engine can be told to exclude moves, and an illegal one an error that wraps ErrIllegal.
func (c OneMove) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(c.search(ctx, pos, lim)) }
}

func (c OneMove) search(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	if err := c.o.Check(pos); err != nil {
		return nil, err
	}
	if err := lim.Check(c.Info().Protocol, OneMoveUnsupported); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	switch {
	case pos.Result().Over():
		return nil, fmt.Errorf("%s: %w", pos.Result().Reason, engine.ErrNoMove)
	case pos.Turn() == engine.Chance:
		return nil, fmt.Errorf("it is chance's turn: %w", engine.ErrNoMove)
	case engine.FirstAllowed(pos, lim.Ban) == engine.NoMove:
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	lines, err := CallStarted(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
		line, err := c.o.Ask(ctx, pos, lim)
		if err == nil && slices.Contains(lim.Ban, line.Move()) {
			err = fmt.Errorf("%w: banned move %s; the %s cannot exclude moves", ErrRefused, pos.Format(line.Move()), c.o.Engine)
		}
		if err != nil {
			return nil, err
		}
		return []engine.Line{line}, nil
	})
	return lines, c.link.PrefixName(err)
}

// Forget makes the engine forget earlier searches.
func (c OneMove) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.o.Forget()
		return nil
	})
}

// Load makes moves. A client whose engine has a board must set it, too.
func (c OneMove) Load(ctx context.Context, moves ...engine.Move) error {
	return c.link.Do(ctx, func() error {
		pos, err := engine.PlayMoves(c.Position(), moves)
		if err == nil {
			c.link.SetPosition(pos)
		}
		return err
	})
}

// Undo takes back a move, as Load makes one.
func (c OneMove) Undo(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		before, _ := c.Position().Undo()
		if before == nil {
			return errors.New("there is no move to take back")
		}
		c.link.SetPosition(before)
		return nil
	})
}

// MovesSince returns the moves from known, a position that an engine has, to pos; ok is false if known is not
// part of the game of pos.
func MovesSince(known, pos engine.Position) (moves []engine.Move, ok bool) {
	theirs, played := known.History()
	start, all := pos.History()
	if len(played) > len(all) || !slices.Equal(played, all[:len(played)]) || theirs.String() != start.String() {
		return nil, false
	}
	return all[len(played):], true
}

// AwaitMove waits for the answer of an engine that has no command to stop it, until the time limit plus
// Deadlines.Late. If ctx ends, it still waits for the answer, since nothing else makes the engine idle,
// and returns it together with the error.
func AwaitMove[T any](ctx context.Context, l *Link, limit time.Duration, receive func(ctx context.Context) (T, error)) (T, error) {
	wait, cancel := l.ThinkContext(ctx, limit)
	defer cancel()
	answer, err := receive(wait)
	within := l.Deadlines.Late
	switch {
	case errors.Is(err, engine.ErrMoveNow):
		within = l.Deadlines.Think
		fallthrough
	case errors.Is(err, ErrTimeUp):
		late, cancelLate := l.WithDeadline(within)
		defer cancelLate()
		return receive(late)
	case err == nil, Lost(err) && !errors.Is(err, ErrClosed):
		return answer, err
	}
	// Does not end with the session: Close needs an idle engine too.
	rest, cancelRest := WithDeadline(context.Background(), l.Deadlines.Abort)
	defer cancelRest()
	answer, late := receive(rest)
	if late != nil {
		var none T
		return none, fmt.Errorf("%w, and the protocol has no stop command: %w", err, late)
	}
	return answer, err
}
