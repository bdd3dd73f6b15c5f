package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// stopGrace is how long a search may take to end when it is told to. The
// specification wants an answer within about a second; the embedded engine needs a
// few milliseconds. A slower Searcher is left to wind down by itself, and the next
// search waits for it.
const stopGrace = 900 * time.Millisecond

var errGiveUp = errors.New("aborted by the host")

// thinking is a search under way.
type thinking struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed at the end
	watch  func([]engine.Line)

	mu   sync.Mutex
	best []engine.Line // the list so far
	err  error         // why it ended, if not with an answer
}

// startThinking starts a search behind the one before it, if that still runs.
func (c *conversation) startThinking(pos engine.Position, lim engine.Limits) *thinking {
	return c.start(pos, func(ctx context.Context) iter.Seq2[[]engine.Line, error] {
		return c.searcher.Search(ctx, pos, lim)
	})
}

func (c *conversation) start(pos engine.Position, search func(context.Context) iter.Seq2[[]engine.Line, error]) *thinking {
	ctx, cancel := context.WithCancelCause(c.ctx)
	t := &thinking{cancel: cancel, done: make(chan struct{}), watch: c.watcher(pos)}
	before := c.last
	c.last = t
	go func() {
		defer close(t.done)
		if before != nil {
			<-before.done
		}
		for lines, err := range search(ctx) {
			t.set(lines, err)
		}
	}()
	return t
}

// watcher tells the server's Watch of the lists of one search.
func (c *conversation) watcher(pos engine.Position) func([]engine.Line) {
	if c.server.Watch == nil {
		return func([]engine.Line) {}
	}
	return func(lines []engine.Line) { c.server.Watch(pos, lines) }
}

func (t *thinking) set(lines []engine.Line, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.err = err
		return
	}
	t.best = lines
	t.watch(lines)
}

func (t *thinking) result() ([]engine.Line, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.best, t.err
}

// stop ends a search and waits for its end, within reason. Where the host has gone, one that does
// not obey is the last.
func (c *conversation) stop(t *thinking, cause error) {
	t.cancel(cause)
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
		c.over = c.over || c.queue.hasEnded()
	}
}

// think carries out AI and HINTS. Whatever the answer, it uses up the list of banned
// moves.
func (c *conversation) think(cmd Command) {
	lim, err := c.limits(cmd)
	c.ban = nil
	if err != nil {
		c.answer(err)
		return
	}
	pos := c.board()
	if result := pos.Result(); result.Over() {
		c.answer(fmt.Errorf("%s: there is no legal move", result.Reason))
		return
	}
	if allowed(pos, lim.Ban) == engine.NoMove {
		c.answer(fmt.Errorf("every legal move is banned"))
		return
	}
	lines, ok, err := c.consider(pos, lim)
	switch {
	case !ok:
		return
	case err != nil:
		c.answer(err)
		return
	}
	if cmd.Word == AI {
		c.move(lines[0])
		return
	}
	c.sayHints(lines)
}

// consider searches, or waits for the search that has begun in the background already; ok is
// false if there is nothing to answer any more.
func (c *conversation) consider(pos *xiangqi.Position, lim engine.Limits) (lines []engine.Line, ok bool, err error) {
	if t := c.takePonder(); t != nil {
		if lines, ok, err = c.finish(t, pos, lim); !ok || err == nil {
			return lines, ok, err
		}
	}
	return c.finish(c.startThinking(pos, lim), pos, lim)
}

// finish waits for the verdict of a search.
func (c *conversation) finish(t *thinking, pos *xiangqi.Position, lim engine.Limits) (lines []engine.Line, ok bool, err error) {
	now, ok := c.await(t)
	if !ok {
		return nil, false, nil
	}
	lines, err = c.verdict(t, pos, lim, now)
	return lines, true, err
}

// limits are those of an AI or HINTS command under the current level.
func (c *conversation) limits(cmd Command) (engine.Limits, error) {
	lim := engine.Limits{Level: c.level, Lines: 1, Ban: c.ban}
	if cmd.Word == AI {
		if cmd.Arg != "" {
			return lim, fmt.Errorf("AI takes no argument")
		}
		return lim, nil
	}
	lim.Lines = c.server.Hints
	if lim.Lines <= 0 {
		lim.Lines = DefaultHints
	}
	if cmd.Arg != "" {
		n, err := strconv.Atoi(cmd.Arg)
		if err != nil || n < 1 || n > MaxBan {
			return lim, fmt.Errorf("HINTS takes a number of hints from 1 to %d, or nothing", MaxBan)
		}
		lim.Lines = n
	}
	return lim, nil
}

// allowed is the first legal move that is not banned.
func allowed(pos engine.Position, ban []engine.Move) engine.Move {
	for _, m := range pos.Moves() {
		if !slices.Contains(ban, m) {
			return m
		}
	}
	return engine.NoMove
}

// await waits for a search and watches the commands behind it: any of them interrupts
// it, even if the search has ended by then, since it has not been answered. now tells
// that TIMEOUT has ended it; ok is false if there is nothing to answer any more.
func (c *conversation) await(t *thinking) (now, ok bool) {
	done := t.done
	for {
		line, waiting, ended := c.queue.peek()
		switch {
		case waiting:
			return c.interrupt(t, line)
		case ended || c.ctx.Err() != nil:
			c.stop(t, errGiveUp)
			c.over = true
			return false, false
		case done == nil:
			return false, true
		}
		select {
		case <-c.queue.news:
		case <-c.ctx.Done():
		case <-done:
			done = nil // look at the queue once more
		}
	}
}

func (c *conversation) interrupt(t *thinking, line string) (now, ok bool) {
	cmd, _ := ParseCommand(line)
	if cmd.Word == Timeout {
		c.queue.take()
		c.hear(line)
		c.stop(t, engine.ErrMoveNow)
		return true, true
	}
	if cmd.Word == Abort {
		c.queue.take()
		c.hear(line)
	}
	c.stop(t, errGiveUp)
	c.say(string(Aborted))
	return false, false
}

// verdict is the answer of a search, made sure of. After a TIMEOUT there always is
// one.
func (c *conversation) verdict(t *thinking, pos *xiangqi.Position, lim engine.Limits, now bool) ([]engine.Line, error) {
	lines, err := t.result()
	if err != nil && !now {
		return nil, searchError{fmt.Errorf("the search failed: %w", err)}
	}
	legal := make([]engine.Line, 0, len(lines))
	for _, line := range lines {
		if len(legal) == lim.Lines {
			break
		}
		if len(line.Moves) > 0 && slices.Contains(pos.Moves(), line.Move()) && !slices.Contains(lim.Ban, line.Move()) {
			legal = append(legal, line)
		}
	}
	switch {
	case len(legal) > 0:
		return legal, nil
	case now:
		return []engine.Line{{Moves: []engine.Move{allowed(pos, lim.Ban)}}}, nil
	}
	return nil, fmt.Errorf("the search gave no legal move")
}

// move plays a line's move, tells it, and goes on thinking if that is wanted.
func (c *conversation) move(line engine.Line) {
	pos := c.board()
	next, err := pos.Play(line.Move())
	if err != nil {
		c.answer(err)
		return
	}
	c.game = append(c.game[:len(c.game):len(c.game)], next.(*xiangqi.Position))
	c.say(pos.Format(line.Move()))
	if c.bgthink && len(line.Moves) > 1 {
		c.startPonder(next, line.Moves[1])
	}
}

func (c *conversation) sayHints(lines []engine.Line) {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(FormatHint(line) + "\n")
	}
	c.say(b.String() + string(EndHints))
}

// startPonder begins the search for the answer to the reply that is expected: the very
// search that AI would begin after it.
func (c *conversation) startPonder(pos engine.Position, reply engine.Move) {
	after, err := pos.Play(reply)
	if err != nil || after.Result().Over() {
		return
	}
	hit, lim := make(chan struct{}), engine.Limits{Level: c.level, Lines: 1}
	c.ponder = c.start(after, func(ctx context.Context) iter.Seq2[[]engine.Line, error] {
		return pluginclient.Ponder(ctx, c.searcher, after, lim, hit)
	})
	c.expected, c.hit = reply, hit
}

// keepPonder lets background thinking run on while it is of use: through the PLAY of
// the expected reply, up to the next command. If that is AI it takes the search over; any
// other command drops it.
func (c *conversation) keepPonder(cmd Command) {
	switch {
	case c.ponder == nil:
		return
	case cmd.Word == Play && c.expected != engine.NoMove:
		if m, err := c.board().Parse(cmd.Arg); err == nil && m == c.expected {
			c.expected = engine.NoMove
			return
		}
	case cmd.Word == AI && cmd.Arg == "" && c.expected == engine.NoMove:
		return
	}
	c.dropPonder()
}

// takePonder makes background thinking an ordinary search, which ends by its limits; nil if
// there is none.
func (c *conversation) takePonder() *thinking {
	t := c.ponder
	if t != nil {
		close(c.hit)
		c.ponder = nil
	}
	return t
}

func (c *conversation) dropPonder() {
	if c.ponder != nil {
		c.stop(c.ponder, errGiveUp)
		c.ponder = nil
	}
}

// settle waits for a search that is winding down.
func (c *conversation) settle() {
	if c.last != nil {
		c.stop(c.last, errGiveUp)
	}
}
