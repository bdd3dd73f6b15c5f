package qhplugin

import (
	"errors"
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/serving"
)

// startThinking starts a search. It begins when the previous search has ended.
func (c *serverConn) startThinking(pos engine.Position, lim engine.Limits, ponder bool) *serving.Search {
	q := serving.Request{Searcher: c.searcher, Pos: pos, Limits: lim, Ponder: ponder, After: c.last}
	if watch := c.server.Watch; watch != nil {
		q.OnLines = func(s *serving.Search, lines []engine.Line) { watch(s.Pos, lines) }
	}
	c.last = serving.StartSearch(c.ctx, q)
	return c.last
}

// abandon cancels a search and waits for its end, at most serving.Grace.
func (c *serverConn) abandon(s *serving.Search) {
	s.GiveUp(errors.New("aborted by the host"))
	c.awaitEnd(s)
}

// awaitEnd waits for the end of a search that was told to end, at most serving.Grace. After that the
// next search waits for it. If the host has gone, the conversation ends instead.
func (c *serverConn) awaitEnd(s *serving.Search) {
	if s.Wait(serving.Grace) {
		return
	}
	select {
	case <-c.lines.Ended():
		c.done = true
	default:
	}
}

// think executes AI and HINTS. It always clears the ban list.
func (c *serverConn) think(cmd Command) {
	lim, err := c.limits(cmd)
	c.ban = nil
	if err != nil {
		c.reply(err)
		return
	}
	pos := c.board()
	if result := pos.Result(); result.Over() {
		c.reply(fmt.Errorf("%s: there is no legal move", result.Reason))
		return
	}
	if engine.FirstAllowed(pos, lim.Ban) == engine.NoMove {
		c.reply(fmt.Errorf("every legal move is banned"))
		return
	}
	s := c.ponder // the background search that has already started, or nil
	if c.ponder = nil; s != nil {
		s.PonderHit() // it ends by its limits from now on
		if !c.await(s) {
			return
		}
	}
	if s == nil || s.Failed() { // an engine that was lost while it pondered is asked again
		if s = c.startThinking(pos, lim, false); !c.await(s) {
			return
		}
	}
	lines, err := s.Answer()
	switch {
	case errors.Is(err, serving.ErrNoLegalMove):
		c.reply(errors.New("the search gave no legal move"))
	case err != nil:
		c.reply(searchError{fmt.Errorf("the search failed: %w", err)})
	case cmd.Word == AI:
		c.move(lines[0])
	default:
		answer := make([]string, 0, len(lines)+1)
		for _, line := range lines {
			answer = append(answer, formatHint(line))
		}
		c.write(append(answer, string(EndHints))...)
	}
}

// limits returns the limits of an AI or HINTS command at the current level.
func (c *serverConn) limits(cmd Command) (engine.Limits, error) {
	lim := engine.Limits{Level: c.level, Lines: 1, Ban: c.ban}
	if cmd.Word == AI {
		if cmd.Arg != "" {
			return lim, fmt.Errorf("AI takes no argument")
		}
		lim.Play = true
		return lim, nil
	}
	lim.Lines = c.server.Hints
	if lim.Lines <= 0 {
		lim.Lines = defaultHints
	}
	if cmd.Arg != "" {
		n, err := strconv.Atoi(cmd.Arg)
		if err != nil || n < 1 || n > maxBan {
			return lim, fmt.Errorf("HINTS takes a number of hints from 1 to %d, or nothing", maxBan)
		}
		lim.Lines = n
	}
	return lim, nil
}

// await waits for a search and watches for further commands: any command interrupts the search, even if
// it has ended but is not answered yet. It reports whether the search is still to be answered.
func (c *serverConn) await(s *serving.Search) bool {
	done := s.Done()
	for {
		line, waiting, ended := c.lines.Peek()
		cmd, ok := ParseCommand(line)
		switch {
		case waiting && !ok:
			c.lines.Take()
			continue
		case waiting:
			if cmd.Word == Timeout || cmd.Word == Abort {
				c.lines.Take()
				c.out.TraceInput(line)
			}
			if cmd.Word == Timeout {
				s.MoveNow()
				c.awaitEnd(s)
				return true
			}
			c.abandon(s)
			c.write(string(Aborted))
			return false
		case ended || c.ctx.Err() != nil:
			c.abandon(s)
			c.done = true
			return false
		case done == nil:
			return true
		}
		select {
		case <-c.lines.Ready():
		case <-c.ctx.Done():
		case <-done:
			done = nil // check the lines again
		}
	}
}

// move plays a line's move, writes it, and starts background thinking if that is on.
func (c *serverConn) move(line engine.Line) {
	pos := c.board()
	next, err := pos.Play(line.Move())
	if err != nil {
		c.reply(err)
		return
	}
	c.game = append(c.game[:len(c.game):len(c.game)], next.(*xiangqi.Position))
	c.write(pos.Format(line.Move()))
	if !c.bgthink || len(line.Moves) < 2 {
		return
	}
	// Background thinking is the search that AI would start after the expected reply.
	if after, err := next.Play(line.Moves[1]); err == nil && !after.Result().Over() {
		c.ponder, c.expected = c.startThinking(after, engine.Limits{Level: c.level, Lines: 1}, true), line.Moves[1]
	}
}

// updatePonder stops background thinking unless the command continues it: the PLAY of the expected
// reply does, and AI after that takes the search over.
func (c *serverConn) updatePonder(cmd Command) {
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

func (c *serverConn) dropPonder() {
	if c.ponder != nil {
		c.abandon(c.ponder)
		c.ponder = nil
	}
}
