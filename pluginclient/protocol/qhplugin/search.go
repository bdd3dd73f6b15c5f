package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Search asks for hints, or for a move that is then undone where the plugin has no
// HINTS. A plugin that gives fewer hints than wanted is asked again with those it gave
// banned; the time is then shared out. It yields once, at the end.
//
// The protocol carries no limits on nodes and depth: those are an error. An illegal
// hint is passed over, and an error that wraps pluginclient.ErrIllegal if there is no
// other. The board of the conversation, Position, stays where it is.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		lines, err := c.search(ctx, pos, lim)
		if err != nil {
			yield(nil, err)
			return
		}
		yield(lines, nil)
	}
}

// Forget makes the next search begin with FEN, which is a new game to the plugin.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.board = nil
		return nil
	})
}

func (c *Client) search(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	board, err := c.searchable(pos, lim)
	if err != nil {
		return nil, err
	}
	lines, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
		c.away = true
		if err := c.prepare(lim.Level); err != nil {
			return nil, err
		}
		return c.collect(ctx, board, lim)
	})
	return lines, c.link.Named(err)
}

// searchable refuses what cannot be asked of a plugin.
func (c *Client) searchable(pos engine.Position, lim engine.Limits) (*xiangqi.Position, error) {
	board, err := asXiangqi(pos)
	switch {
	case err != nil:
		return nil, err
	case lim.Nodes != 0 || lim.Depth != 0:
		return nil, fmt.Errorf("%s: QHPLUGIN carries no limit on nodes or depth: use a level or a time", c.info.Name)
	case board.Result().Over():
		return nil, fmt.Errorf("%s: %w", board.Result().Reason, engine.ErrNoMove)
	case engine.FirstAllowed(board, lim.Ban) == engine.NoMove:
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	return board, nil
}

// prepare makes sure that the plugin runs, at a level.
func (c *Client) prepare(level int) error {
	if err := c.link.Start(); err != nil {
		return err
	}
	return c.useLevel(level)
}

// useLevel sets the level of one search: the conversation's own if none is named.
func (c *Client) useLevel(level int) error {
	if level == 0 {
		if !c.setting.hasLevel {
			return nil
		}
		level = c.setting.level
	}
	if c.told == level {
		return nil
	}
	if err := c.order(fmt.Sprintf("%s %d", Level, level)); err != nil {
		return err
	}
	c.told = level
	return nil
}

// collect asks until there are as many lines as wanted, or as can be had.
func (c *Client) collect(ctx context.Context, pos *xiangqi.Position, lim engine.Limits) ([]engine.Line, error) {
	ban := legalOf(pos, lim.Ban)
	want := min(max(lim.Lines, 1), len(pos.Moves())-len(ban))
	share := c.share(lim.Time, want)
	var lines []engine.Line
	for len(lines) < want {
		more, err := c.round(ctx, question{pos: pos, hints: want - len(lines), ban: ban, time: share})
		if err != nil && (len(lines) == 0 || !goodEnough(ctx, err)) {
			return nil, err
		}
		fresh := 0
		for _, line := range more {
			if !slices.Contains(ban, line.Move()) {
				lines, ban = append(lines, line), append(ban, line.Move())
				fresh++
			}
		}
		if fresh == 0 || err != nil || !c.info.Rules || context.Cause(ctx) != nil {
			break
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%w: it plays banned moves and has no BAN", pluginclient.ErrRefused)
	}
	return lines[:min(len(lines), want)], nil
}

// goodEnough tells whether the lines so far can stand although asking for more has
// failed: the plugin knows no more, or somebody wants the answer now.
func goodEnough(ctx context.Context, err error) bool {
	return errors.Is(err, pluginclient.ErrRefused) || errors.Is(context.Cause(ctx), engine.ErrMoveNow)
}

func legalOf(pos engine.Position, moves []engine.Move) []engine.Move {
	var legal []engine.Move
	all := pos.Moves()
	for _, m := range moves {
		if slices.Contains(all, m) && !slices.Contains(legal, m) {
			legal = append(legal, m)
		}
	}
	return legal
}

// share is the time for each of the rounds that will be needed for so many lines.
func (c *Client) share(total time.Duration, want int) time.Duration {
	each := max(c.given, 1)
	if c.info.counted() {
		each = want
	}
	rounds := (want + each - 1) / each
	return total / time.Duration(max(rounds, 1))
}

// question is one HINTS or AI with what goes before it.
type question struct {
	pos   *xiangqi.Position
	hints int // how many are wanted
	ban   []engine.Move
	time  time.Duration // 0: the plugin's level decides
}

// round sets the board, which AI may have changed, bans, asks and lifts the ban.
func (c *Client) round(ctx context.Context, q question) (lines []engine.Line, err error) {
	if err := c.setBoard(q.pos); err != nil {
		return nil, err
	}
	err = c.banning(q.ban, func() error {
		lines, err = c.put(ctx, q)
		return err
	})
	return lines, err
}

// banning asks under a ban, if the plugin knows bans, and lifts it.
func (c *Client) banning(moves []engine.Move, ask func() error) error {
	if len(moves) == 0 || !c.info.Rules {
		return ask()
	}
	if err := c.order(list(Ban, moves)...); err != nil {
		return err
	}
	err := ask()
	if pluginclient.Lost(err) {
		return err
	}
	return cmp.Or(c.unban(), err)
}

// unban lifts a ban, for the sake of plugins that keep it longer than they should. One
// that refuses has nothing to lift.
func (c *Client) unban() error {
	err := c.order(string(Ban) + " 0")
	if errors.Is(err, pluginclient.ErrRefused) {
		c.link.Trace.Notef("BAN 0: %v", err)
		return nil
	}
	return err
}

// put asks with HINTS, or with AI and UNDO.
func (c *Client) put(ctx context.Context, q question) ([]engine.Line, error) {
	if !c.info.Hints {
		line, err := c.askMove(ctx, q)
		if err != nil {
			return nil, err
		}
		return []engine.Line{line}, c.takeBack(q.pos)
	}
	command := string(Hints)
	if c.info.counted() {
		command = fmt.Sprintf("%s %d", Hints, q.hints)
	}
	hints, err := c.await(ctx, q, Hints, command)
	if err != nil {
		return nil, err
	}
	if !c.info.counted() {
		c.given = len(hints)
	}
	return c.understand(q.pos, hints)
}

// understand reads hints and passes over the illegal ones.
func (c *Client) understand(pos *xiangqi.Position, hints []string) ([]engine.Line, error) {
	var lines []engine.Line
	var bad error
	for _, hint := range hints {
		line, err := parseHint(pos, hint)
		if err != nil {
			bad = err
			c.link.Trace.Notef("passed over: %v", err)
			continue
		}
		lines = append(lines, line)
	}
	switch {
	case len(lines) > 0:
		return lines, nil
	case bad != nil:
		return nil, bad
	}
	return nil, fmt.Errorf("%w: no hints", pluginclient.ErrNonsense)
}

// askMove sends AI. The plugin has then played the move on its board.
func (c *Client) askMove(ctx context.Context, q question) (engine.Line, error) {
	c.board = nil
	moves, err := c.await(ctx, q, AI, string(AI))
	if err != nil {
		return engine.Line{}, err
	}
	return parseHint(q.pos, moves[0])
}

// await sends a command that makes the plugin think, and waits for its answer: until
// the time is up or somebody wants the answer now, then with TIMEOUT. When the caller
// gives up, or the plugin takes too long, it is brought to rest with ABORT. If that
// succeeds, a plugin that took too long is not lost: the error is ErrLate.
func (c *Client) await(ctx context.Context, q question, word Word, command string) ([]string, error) {
	if err := c.send(pluginclient.Sent, command); err != nil {
		return nil, err
	}
	a := answerTo{word: word}
	wait, cancel := c.link.Thinking(ctx, q.time)
	defer cancel()
	err := c.read(wait, &a)
	if errors.Is(err, pluginclient.ErrTimeUp) || errors.Is(err, engine.ErrMoveNow) {
		err = c.hurry(err, &a)
	}
	if err == nil || errors.Is(err, pluginclient.ErrRefused) {
		return a.moves, err
	}
	silent := errors.Is(err, pluginclient.ErrSilent)
	if silent || !pluginclient.Lost(err) || errors.Is(err, pluginclient.ErrClosed) {
		if abortErr := c.abort(q.pos, a.ends()); abortErr != nil {
			return nil, fmt.Errorf("%w, and %w", err, abortErr)
		}
	}
	if silent { // but it has obeyed, so it is not lost
		err = fmt.Errorf("%w: %v", pluginclient.ErrLate, err)
	}
	return nil, err
}

// hurry sends TIMEOUT, if the plugin has it, and waits a little longer.
func (c *Client) hurry(why error, a *answerTo) error {
	limit := c.link.Deadlines.Late
	switch {
	case c.info.Timeout:
		if err := c.sendOver(string(Timeout)); err != nil {
			return err
		}
	case errors.Is(why, engine.ErrMoveNow):
		limit = c.link.Deadlines.Think
	}
	ctx, cancel := c.link.Within(limit)
	defer cancel()
	return c.read(ctx, a)
}

// answerTo is what has come of the answer to AI or HINTS.
type answerTo struct {
	word  Word
	moves []string
}

// ends are the lines that end the answer when the plugin has been told to stop.
func (a *answerTo) ends() []Word {
	if a.word == AI {
		return []Word{replyMove, Error, Aborted}
	}
	return []Word{EndHints, Error, Aborted}
}

// read reads up to the end of the answer.
func (c *Client) read(ctx context.Context, a *answerTo) error {
	want := []Word{replyMove, Error}
	if a.word == Hints {
		want = append(want, EndHints)
	}
	for len(a.moves) < maxStray {
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

// AI makes the plugin move on the board of the conversation. The answer is the move
// alone: the protocol tells no more of it.
func (c *Client) AI(ctx context.Context, lim engine.Limits) (engine.Line, error) {
	return pluginclient.Call(ctx, c.link, func(ctx context.Context) (engine.Line, error) {
		pos := c.current()
		if _, err := c.searchable(pos, lim); err != nil {
			return engine.Line{}, err
		}
		if err := c.prepare(lim.Level); err != nil {
			return engine.Line{}, err
		}
		if err := c.setBoard(pos); err != nil {
			return engine.Line{}, err
		}
		return c.moveByAI(ctx, question{pos: pos, ban: legalOf(pos, lim.Ban), time: lim.Time})
	})
}

func (c *Client) moveByAI(ctx context.Context, q question) (line engine.Line, err error) {
	err = c.banning(q.ban, func() error {
		if line, err = c.askMove(ctx, q); err != nil {
			return err
		}
		return c.moved(q, line.Move())
	})
	return line, err
}

// moved does the plugin's own move on this side's board.
func (c *Client) moved(q question, m engine.Move) error {
	if slices.Contains(q.ban, m) {
		return illegal(fmt.Errorf("%s is banned", iccs(m)))
	}
	next, err := q.pos.PlayMove(xiangqi.Move(m))
	if err != nil {
		return illegal(err)
	}
	c.board = next
	c.link.SetPosition(next)
	return nil
}
