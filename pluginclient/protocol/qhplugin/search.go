package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Search sends HINTS, or AI and UNDO if the plugin has no HINTS. If the plugin returns fewer hints than
// wanted, it is asked again with the moves so far banned, and the time is split between the searches.
// With Limits.Play it sends AI alone, and the plugin's board keeps the move. Search yields once, at the
// end.
//
// Limits on nodes and depth are an error, since the protocol cannot express them. Illegal hints are
// ignored; if there is no legal one, the error wraps pluginclient.ErrIllegal. The conversation's
// position does not change.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		board, err := c.validate(pos, lim)
		if err != nil {
			yield(nil, err)
			return
		}
		lines, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
			if err := c.prepare(lim.Level); err != nil {
				return nil, err
			}
			if lim.Play {
				line, _, err := c.playMove(ctx, board, lim)
				return []engine.Line{line}, err
			}
			return c.collect(ctx, board, lim)
		})
		if err = c.link.PrefixName(err); err != nil {
			yield(nil, err)
			return
		}
		yield(lines, nil)
	}
}

// Forget makes the next search begin with FEN, which starts a new game.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.board = nil
		return nil
	})
}

// UnsupportedLimits are the limits that the protocol cannot express.
const UnsupportedLimits = engine.LimitNodes | engine.LimitDepth

func (c *Client) validate(pos engine.Position, lim engine.Limits) (*xiangqi.Position, error) {
	board, err := asXiangqi(pos)
	refused := lim.Check("QHPLUGIN", UnsupportedLimits)
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return nil, fmt.Errorf("%s: %w", c.info.Name, refused)
	case board.Result().Over():
		return nil, fmt.Errorf("%s: %w", board.Result().Reason, engine.ErrNoMove)
	case engine.FirstAllowed(board, lim.Ban) == engine.NoMove:
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	return board, nil
}

// prepare starts the plugin if necessary and sets the level of a search.
func (c *Client) prepare(level int) error {
	if err := c.link.Start(); err != nil {
		return err
	}
	c.stateStale = true
	return c.useLevel(level)
}

// collect searches until it has the wanted number of lines, or all that the plugin can give.
func (c *Client) collect(ctx context.Context, pos *xiangqi.Position, lim engine.Limits) ([]engine.Line, error) {
	ban := engine.LegalOf(pos, lim.Ban)
	want := min(max(lim.Lines, 1), len(pos.Moves())-len(ban))
	perRound := max(c.lastHints, 1)
	if c.info.takesHintCount() {
		perRound = want
	}
	rounds := max((want+perRound-1)/perRound, 1)
	var lines []engine.Line
	for len(lines) < want {
		more, err := c.searchOnce(ctx, searchRequest{pos: pos, hints: want - len(lines), ban: ban, time: lim.Time / time.Duration(rounds)})
		if err != nil && (len(lines) == 0 || !(errors.Is(err, pluginclient.ErrRefused) || errors.Is(context.Cause(ctx), engine.ErrMoveNow))) {
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
		return nil, fmt.Errorf("%w: the plugin plays a banned move and does not support BAN", pluginclient.ErrRefused)
	}
	return lines[:min(len(lines), want)], nil
}

// searchOnce searches once, by HINTS or by AI and UNDO. It ignores illegal hints.
func (c *Client) searchOnce(ctx context.Context, q searchRequest) (lines []engine.Line, err error) {
	err = c.withBan(q, func(q searchRequest) error {
		if !c.info.Hints {
			line, err := c.askMove(ctx, q)
			if err != nil {
				return err
			}
			lines = []engine.Line{line}
			return c.takeBack(q.pos)
		}
		command := string(Hints)
		if c.info.takesHintCount() {
			command += " " + strconv.Itoa(q.hints)
		}
		hints, err := c.think(ctx, q, command)
		if err != nil {
			return err
		}
		c.lastHints = len(hints)
		bad := fmt.Errorf("%w: no hints", pluginclient.ErrInvalidReply)
		for _, hint := range hints {
			if line, err := parseHint(q.pos, hint); err == nil {
				lines = append(lines, line)
			} else {
				bad = err
			}
		}
		if len(lines) == 0 {
			return bad
		}
		return nil
	})
	return lines, err
}

// withBan runs think with the plugin at q.pos and q.ban set, if it supports BAN, and clears the ban
// afterwards.
func (c *Client) withBan(q searchRequest, think func(q searchRequest) error) error {
	if err := c.setBoard(q.pos); err != nil {
		return err
	}
	if len(q.ban) == 0 || !c.info.Rules {
		return think(q)
	}
	command := listCommand(Ban, q.ban)
	q.banned = command[1:]
	if err := c.order(command...); err != nil {
		return err
	}
	err := think(q)
	if pluginclient.Lost(err) {
		return err
	}
	return cmp.Or(c.unban(), err)
}

// playMove sends AI, and returns the move and the position after it, which the plugin's board then has.
func (c *Client) playMove(ctx context.Context, pos *xiangqi.Position, lim engine.Limits) (line engine.Line, next *xiangqi.Position, err error) {
	q := searchRequest{pos: pos, ban: engine.LegalOf(pos, lim.Ban), time: lim.Time}
	err = c.withBan(q, func(q searchRequest) error {
		if line, err = c.askMove(ctx, q); err != nil {
			return err
		}
		if next, err = pos.PlayMove(xiangqi.Move(line.Move())); err != nil {
			return illegal(err)
		}
		c.board = next
		if slices.Contains(q.ban, line.Move()) {
			return fmt.Errorf("%w: the plugin plays %s, which is banned", pluginclient.ErrRefused, iccs(line.Move()))
		}
		return nil
	})
	return line, next, err
}

// askMove sends AI. The plugin then has played the move on its board.
func (c *Client) askMove(ctx context.Context, q searchRequest) (engine.Line, error) {
	c.board = nil
	moves, err := c.think(ctx, q, string(AI))
	if err != nil {
		return engine.Line{}, err
	}
	return parseHint(q.pos, moves[0])
}
