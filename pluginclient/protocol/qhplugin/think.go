package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A searchRequest is one HINTS or AI.
type searchRequest struct {
	pos    *xiangqi.Position
	hints  int // how many hints are wanted
	ban    []engine.Move
	banned []string      // the lines of the BAN that is in force
	time   time.Duration // 0: no limit
}

// think sends AI or HINTS and returns the moves of the answer, with the text after them. At the time
// limit, or on ErrMoveNow, it sends TIMEOUT. If ctx ends, or the plugin takes too long, it stops the
// search.
func (c *Client) think(ctx context.Context, q searchRequest, command string) ([]string, error) {
	c.x.at = q.pos.String()
	if err := c.send(command); err != nil {
		return nil, err
	}
	x := c.x
	x.isThinking = true
	wait, cancel := c.link.ThinkContext(ctx, q.time)
	defer cancel()
	err := x.readMoves(wait)
	if errors.Is(err, pluginclient.ErrTimeUp) || errors.Is(err, engine.ErrMoveNow) {
		err = x.finish(err)
	}
	switch {
	case err == nil && x.cmd.Word == AI:
		x.move(q.pos, q.banned)
	case err == nil:
		x.hints(q.pos, q.banned)
	case errors.Is(err, pluginclient.ErrRefused):
	case isNotAnswer(err): // the search is over; the plugin is idle if it answers
		x.isThinking = false
		x.noteUnknown()
		rest, lost := x.readUntilPing() // the rest of a list of hints before the answer
		x.unasked(slices.DeleteFunc(rest, func(line string) bool {
			word := parseReply(line).word
			return word == Aborted || x.cmd.Word == Hints && (word == replyMove || word == EndHints)
		}))
		if pluginclient.Lost(lost) {
			err = lost
		}
		return nil, err
	default:
		err = x.stop(err, q.pos)
		x.noteUnknown()
		x.isThinking = pluginclient.Lost(err)
		return nil, err
	}
	x.isThinking = false
	return x.moves, err
}

// noteUnknown notes that the plugin may have played a move although its answer is invalid.
func (x *exchange) noteUnknown() {
	if x.cmd.Word == AI && x.c.board == nil && x.odd != "" {
		x.c.noteDoubt(true)
	}
}

// readMoves reads up to the end of the answer.
func (x *exchange) readMoves(ctx context.Context) error {
	want := []Word{replyMove, Error}
	if x.cmd.Word == Hints {
		want = append(want, EndHints)
	}
	for len(x.moves) < maxUnexpected {
		r, err := x.receive(ctx, want...)
		switch {
		case err != nil:
			return err
		case r.word == Error:
			return refused(r)
		case r.word == EndHints:
			return nil
		}
		x.moves = append(x.moves, r.text)
		if x.cmd.Word == AI {
			return nil
		}
	}
	return fmt.Errorf("%w: %d hints", pluginclient.ErrFlood, len(x.moves))
}

// finish sends TIMEOUT, if the plugin has it, and waits a little longer.
func (x *exchange) finish(why error) error {
	limit := x.c.link.Deadlines.Late
	switch {
	case x.c.info.Timeout:
		if err := x.interrupt(Timeout); err != nil {
			return err
		}
	case errors.Is(why, engine.ErrMoveNow):
		limit = x.c.link.Deadlines.Think
	}
	ctx, cancel := x.c.link.WithDeadline(limit)
	defer cancel()
	return x.readMoves(ctx)
}

// stop sends ABORT to a plugin that has not answered, unless it is already lost. If a plugin that took
// too long obeys, it is not lost, and the error wraps ErrTimedOut.
func (x *exchange) stop(why error, pos *xiangqi.Position) error {
	defer func(command string, sentAt time.Time) { // the error is that of the search, not of UNDO
		x.c.link.Command, x.c.link.SentAt = command, sentAt
	}(x.c.link.Command, x.c.link.SentAt)
	silent := errors.Is(why, pluginclient.ErrNoReply)
	if pluginclient.Lost(why) && !silent && !errors.Is(why, pluginclient.ErrClosed) {
		return why
	}
	if err := x.abort(pos); err != nil {
		return fmt.Errorf("%w, and %w", why, err)
	}
	if silent {
		return fmt.Errorf("%w: %v", pluginclient.ErrTimedOut, why)
	}
	return why
}

// abort ends the search of pos, and reads until the plugin is idle.
func (x *exchange) abort(pos *xiangqi.Position) error {
	if x.c.quirks.abortNone {
		return fmt.Errorf("%w to ABORT, which it is known to ignore", pluginclient.ErrNoReply)
	}
	if err := x.interrupt(Abort); err != nil {
		return err
	}
	end := EndHints
	if x.cmd.Word == AI {
		end = replyMove
	}
	// Does not end with the session: Close needs an idle plugin too.
	ctx, cancel := pluginclient.WithDeadline(context.Background(), x.c.link.Deadlines.Abort)
	defer cancel()
	r, err := x.receive(ctx, end, Error, Aborted)
	switch {
	case err == nil:
		err = x.c.ping(ctx)
	case isNotAnswer(err), x.odd != "" && errors.Is(err, pluginclient.ErrNoReply): // it may be idle
		wait, cancel := pluginclient.WithDeadline(context.Background(), x.c.link.Deadlines.Reply)
		defer cancel()
		if x.c.ping(wait) == nil {
			return nil
		}
	}
	switch {
	case err != nil:
		return fmt.Errorf("after ABORT: %w", err)
	case r.word == Error:
		x.warn("abort.only", "ERROR after ABORT")
	case r.word == replyMove:
		x.c.link.Trace.Notef("the move crossed the ABORT, so the plugin has played it")
		return x.c.takeBack(pos)
	}
	return nil
}
