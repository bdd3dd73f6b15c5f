package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// This file sends the commands of a search, from the first line until the plugin is idle again. Each
// line is sent only if needed:
//
//	LEVEL n              useLevel   the plugin is at another level
//	FEN, PLAY, LOAD      setBoard   its board is different
//	BAN n, moves         withBan    moves are banned
//	HINTS or AI          think      wait for the answer, or
//	  TIMEOUT            finishNow    at the time limit, or on ErrMoveNow
//	  ABORT, LEVEL       stop         when ctx ends, or the plugin is late; all lines before the
//	                                  level belong to the search
//	UNDO                 takeBack   the plugin has played a move on its board
//	BAN 0                unban      moves were banned

// searchRequest is one HINTS or AI with the commands before it.
type searchRequest struct {
	pos   *xiangqi.Position
	hints int // how many hints are wanted
	ban   []engine.Move
	time  time.Duration // 0: no limit
}

// useLevel sets the level of a search; 0 means the conversation's level.
func (c *Client) useLevel(level int) error {
	if level == 0 {
		known := false
		if level, known = c.Level(); !known {
			return nil
		}
	}
	if c.sentLevel == level {
		return nil
	}
	if err := c.command(fmt.Sprintf("%s %d", Level, level)); err != nil {
		return err
	}
	c.sentLevel, c.accepted = level, level
	return nil
}

// withBan runs think with the plugin at q.pos and q.ban set, if it supports BAN, and clears the ban
// afterwards.
func (c *Client) withBan(q searchRequest, think func() error) error {
	if err := c.setBoard(q.pos); err != nil {
		return err
	}
	if len(q.ban) == 0 || !c.info.Rules {
		return think()
	}
	if err := c.command(listCommand(Ban, q.ban)...); err != nil {
		return err
	}
	err := think()
	if pluginclient.Lost(err) {
		return err
	}
	return cmp.Or(c.unban(), err)
}

// setBoard sets the plugin's position: by the missing moves if its game is a prefix of that of pos,
// otherwise by FEN and LOAD from the start of the game.
func (c *Client) setBoard(pos *xiangqi.Position) error {
	start, moves := pos.History()
	missing, ok := c.missingMoves(start, moves)
	if !ok {
		first, err := asXiangqi(start)
		if err != nil {
			return err
		}
		if err := c.sendFEN(first); err != nil {
			return err
		}
		missing = moves
	}
	if err := c.sendMoves(missing); err != nil {
		return err
	}
	if !ok {
		c.noteDoubt(false)
	}
	c.board = pos
	return nil
}

// missingMoves returns the moves from the plugin's position to the end of a game; ok is false if that
// position is not part of the game.
func (c *Client) missingMoves(start engine.Position, moves []engine.Move) ([]engine.Move, bool) {
	if c.board == nil {
		return nil, false
	}
	theirs, played := c.board.History()
	if theirs.String() != start.String() || len(played) > len(moves) || !slices.Equal(played, moves[:len(played)]) {
		return nil, false
	}
	return moves[len(played):], true
}

// sendFEN sends only board and side, which every plugin understands. A line that a plugin might split
// in two, and answer twice, is followed by a ping.
func (c *Client) sendFEN(pos *xiangqi.Position) error {
	c.board = nil
	line, err := c.quirks.fen(pos)
	if err != nil {
		return err
	}
	err = c.command(line)
	if len(line) <= safeLine || pluginclient.Lost(err) {
		return err
	}
	before := c.unexpected
	if pingErr := c.resync(); pingErr != nil {
		return pingErr
	}
	if c.unexpected > before {
		c.link.Warn(fmt.Sprintf("%s: answers a line of %d bytes twice, so it may have misread this position: %s", c.info.Name, len(line), line))
	}
	return err
}

// sendMoves plays moves. The caller must set c.board.
func (c *Client) sendMoves(moves []engine.Move) error {
	for len(moves) > 0 {
		c.board = nil
		n, lines := 1, []string{string(Play) + " " + iccs(moves[0])}
		if len(moves) > 1 && !c.quirks.loadPlay {
			n = min(len(moves), maxLoad)
			lines = listCommand(Load, moves[:n])
		}
		if err := c.command(lines...); err != nil {
			return err
		}
		moves = moves[n:]
	}
	return nil
}

// formatMoves formats moves.
func formatMoves(moves []engine.Move) (all []string) {
	for _, m := range moves {
		all = append(all, iccs(m))
	}
	return all
}

// listCommand returns a command with a count and a move per line.
func listCommand(word Word, moves []engine.Move) []string {
	lines := []string{string(word) + " " + strconv.Itoa(len(moves))}
	for _, m := range moves {
		lines = append(lines, iccs(m))
	}
	return lines
}

// askHints sends HINTS.
func (c *Client) askHints(ctx context.Context, q searchRequest) ([]string, error) {
	if c.info.takesHintCount() {
		return c.think(ctx, q, Hints, fmt.Sprintf("%s %d", Hints, q.hints))
	}
	hints, err := c.think(ctx, q, Hints, string(Hints))
	if err == nil {
		c.lastHints = len(hints)
	}
	return hints, err
}

// askMove sends AI. The plugin then has played the move on its board.
func (c *Client) askMove(ctx context.Context, q searchRequest) (engine.Line, error) {
	c.board = nil
	moves, err := c.think(ctx, q, AI, string(AI))
	if err != nil {
		return engine.Line{}, err
	}
	c.judge.move(q.pos, moves[0], formatMoves(q.ban))
	return parseHint(q.pos, moves[0])
}

// think sends a command that starts a search, and waits for its answer. At the time limit, or on
// ErrMoveNow, it sends TIMEOUT. If ctx ends, or the plugin takes too long, it stops the search.
func (c *Client) think(ctx context.Context, q searchRequest, word Word, command string) ([]string, error) {
	c.judge.at = q.pos.String()
	if err := c.send(pluginclient.Sent, command); err != nil {
		return nil, err
	}
	c.isThinking = true
	a := answer{word: word}
	wait, cancel := c.link.ThinkContext(ctx, q.time)
	defer cancel()
	err := c.read(wait, &a)
	if errors.Is(err, pluginclient.ErrTimeUp) || errors.Is(err, engine.ErrMoveNow) {
		err = c.finishNow(err, &a)
	}
	switch {
	case err == nil, errors.Is(err, pluginclient.ErrRefused):
		c.isThinking = false
		return a.moves, err
	case isNotAnswer(err): // the search is over; the plugin is idle if it answers
		return nil, cmp.Or(c.lostOnly(c.dropRest(a.word)), err)
	}
	if err = c.stop(err, q.pos, a.word); !pluginclient.Lost(err) {
		c.isThinking = false
	}
	c.noteUnknown(word)
	return nil, err
}

// noteUnknown notes that the plugin may have played a move although its answer is invalid.
func (c *Client) noteUnknown(word Word) {
	if word == AI && c.board == nil && c.odd != "" {
		c.noteDoubt(true)
	}
}

// dropRest sends a ping and ignores the rest of a list of hints before its answer.
func (c *Client) dropRest(word Word) error {
	c.isThinking = false
	c.noteUnknown(word)
	rest, err := c.readUntilPing()
	c.unasked(slices.DeleteFunc(rest, func(line string) bool {
		r := parseReply(line)
		return r.word == Aborted || word == Hints && (r.word == replyMove || r.word == EndHints)
	}))
	return err
}

// answer is the answer to AI or HINTS so far.
type answer struct {
	word  Word
	moves []string // unchanged, with the text after them
}

// read reads up to the end of the answer.
func (c *Client) read(ctx context.Context, a *answer) error {
	want := []Word{replyMove, Error}
	if a.word == Hints {
		want = append(want, EndHints)
	}
	for len(a.moves) < maxUnexpected {
		r, err := c.receive(ctx, want...)
		switch {
		case err != nil:
			return err
		case r.word == Error:
			return refused(r)
		case r.word == EndHints:
			return nil
		}
		a.moves = append(a.moves, r.text)
		if a.word == AI {
			return nil
		}
	}
	return fmt.Errorf("%w: %d hints", pluginclient.ErrFlood, len(a.moves))
}

// lostOnly returns err if it means that the plugin is lost, otherwise nil.
func (c *Client) lostOnly(err error) error {
	if pluginclient.Lost(err) {
		return err
	}
	return nil
}

// finishNow sends TIMEOUT, if the plugin has it, and waits a little longer.
func (c *Client) finishNow(why error, a *answer) error {
	limit := c.link.Deadlines.Late
	switch {
	case c.info.Timeout:
		if err := c.sendInterrupt(Timeout); err != nil {
			return err
		}
	case errors.Is(why, engine.ErrMoveNow):
		limit = c.link.Deadlines.Think
	}
	ctx, cancel := c.link.WithDeadline(limit)
	defer cancel()
	return c.read(ctx, a)
}

// stop sends ABORT to a plugin that has not answered, unless it is already lost. If a plugin that took
// too long obeys, it is not lost, and the error wraps ErrTimedOut.
func (c *Client) stop(why error, pos *xiangqi.Position, word Word) error {
	defer func(command string, sentAt time.Time) { // the error is that of the search, not of UNDO
		c.link.Command, c.link.SentAt = command, sentAt
	}(c.link.Command, c.link.SentAt)
	silent := errors.Is(why, pluginclient.ErrNoReply)
	if pluginclient.Lost(why) && !silent && !errors.Is(why, pluginclient.ErrClosed) {
		return why
	}
	if err := c.abort(pos, word); err != nil {
		return fmt.Errorf("%w, and %w", why, err)
	}
	if silent {
		return fmt.Errorf("%w: %v", pluginclient.ErrTimedOut, why)
	}
	return why
}

// abort ends the search of pos started by word, and reads until the plugin is idle.
func (c *Client) abort(pos *xiangqi.Position, word Word) error {
	if c.quirks.abortNone {
		return fmt.Errorf("%w to ABORT, which it is known to ignore", pluginclient.ErrNoReply)
	}
	if err := c.sendInterrupt(Abort); err != nil {
		return err
	}
	end := EndHints
	if word == AI {
		end = replyMove
	}
	// Does not end with the session: Close needs an idle plugin too.
	ctx, cancel := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer cancel()
	r, err := c.receive(ctx, end, Error, Aborted)
	switch {
	case err == nil:
		_, err = c.ping(ctx)
	case isNotAnswer(err), c.odd != "" && errors.Is(err, pluginclient.ErrNoReply): // it may be idle
		wait, cancel := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Reply)
		defer cancel()
		if _, err := c.ping(wait); err == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("after ABORT: %w", err)
	}
	if r.word == Error {
		c.judge.warn("abort.only", "ERROR after ABORT")
	}
	if r.word == replyMove {
		c.link.Trace.Notef("the move crossed the ABORT, so the plugin has played it")
		return c.takeBack(pos)
	}
	return nil
}

// takeBack undoes a move that the plugin has played in pos. If UNDO fails, the next search sets the
// position by FEN, and so does the next line of a user if the boards are known to differ since a
// typed call.
func (c *Client) takeBack(pos *xiangqi.Position) error {
	c.board = nil
	if !c.info.Undo {
		c.noteDoubt(!c.stateStale)
		return nil
	}
	err := c.command(string(Undo))
	switch {
	case err == nil:
		c.board = pos
	case pluginclient.Lost(err):
		return err
	default:
		c.noteDoubt(!c.stateStale)
		c.link.Trace.Notef("UNDO failed: %v", err)
	}
	return nil
}

// unban clears the ban list, for plugins that keep it too long. A plugin that refuses has no list.
func (c *Client) unban() error {
	err := c.command(string(Ban) + " 0")
	if errors.Is(err, pluginclient.ErrRefused) {
		c.link.Trace.Notef("BAN 0: %v", err)
		return nil
	}
	return err
}
