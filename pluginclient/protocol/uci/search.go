package uci

import (
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

// Search searches pos. It yields the list of lines whenever the engine updates it, and finally the
// result, whose first line is the best move. If the engine returns fewer lines than wanted, it
// searches again with the moves found so far excluded, and time and nodes are split between the
// searches. An engine that cannot exclude moves is asked for that many additional lines, as far as
// its MultiPV allows.
//
// Limits that the protocol cannot express, or that the engine ignores, are enforced by "stop". An
// illegal best move is an error that wraps pluginclient.ErrIllegal. A banned best move, or none
// although there is a legal move, wraps pluginclient.ErrRefused, or is
// pluginclient.ErrResigned. The conversation's position does not change.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return c.stream(ctx, pos, lim, nil)
}

// Answer returns the final result of Search.
func (c *Client) Answer(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return c.search(ctx, pos, lim, nil, nil)
}

// Ponder searches with "go ponder" and sends "ponderhit" when hit is closed. An engine that does not
// offer the option Ponder searches without a time limit instead.
func (c *Client) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return c.stream(ctx, pos, lim, hit)
}

// stream runs a search on another goroutine, since the loop that receives the lists may be slow.
func (c *Client) stream(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(errors.New("search abandoned"))
		waiting, done := make(chan [][]engine.Line, 1), make(chan struct{})
		var lines []engine.Line
		var err error
		go func() {
			defer close(done)
			lines, err = c.search(ctx, pos, lim, hit, func(l []engine.Line) { // which an abandoned search may still call later
				var before [][]engine.Line
				select {
				case before = <-waiting:
				default:
				}
				waiting <- enqueue(before, l)
			})
		}()
		for ended := false; !ended; {
			var lists [][]engine.Line
			select {
			case lists = <-waiting:
			case <-done:
				ended = true
				select {
				case lists = <-waiting:
				default:
				}
			}
			for _, l := range lists {
				if !yield(l, nil) {
					return
				}
			}
		}
		yield(lines, err)
	}
}

// mostWaiting is how many lists wait for a slow loop; older ones are dropped.
const mostWaiting = 100

// enqueue adds a list to those that a slow loop has not received. Of consecutive ones with the same best move only
// the first and the last are kept, so that the loop sees when the best move changed.
func enqueue(waiting [][]engine.Line, l []engine.Line) [][]engine.Line {
	n := len(waiting)
	if n > 1 && waiting[n-2][0].Move() == l[0].Move() && waiting[n-1][0].Move() == l[0].Move() {
		waiting[n-1] = l
		return waiting
	}
	return append(waiting[max(0, n+1-mostWaiting):], l)
}

// request is a search whose limits are validated: Ban holds legal moves, Lines is possible, Level is
// converted.
type request struct {
	pos     *xiangqi.Position
	lim     engine.Limits
	hit     <-chan struct{}     // of Ponder
	onLines func([]engine.Line) // may be nil
	lines   []engine.Line       // those found by now
}

func (c *Client) search(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}, publish func([]engine.Line)) ([]engine.Line, error) {
	board, lim, err := c.validate(pos, lim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.link.Name(), err)
	}
	lines, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
		c.positionStale = true
		if !c.needsNewGame {
			c.catchUp()
		}
		if err := c.link.Start(); err != nil {
			return nil, err
		}
		r := request{pos: board, lim: lim, hit: hit, onLines: publish}
		if err := c.prepare(r); err != nil {
			return nil, err
		}
		most := c.maxMultiPV()
		lines, err := c.searchRounds(ctx, r)
		c.applyLateIntro()
		if err == nil && len(lines) < lim.Lines && c.maxMultiPV() > most && context.Cause(ctx) == nil {
			if err := c.endSearch(); err != nil {
				return nil, err
			}
			return c.searchRounds(ctx, r) // its MultiPV option was announced late
		}
		return lines, err
	})
	return lines, c.link.PrefixName(err)
}

// validate validates a search and applies the level to its limits.
func (c *Client) validate(pos engine.Position, lim engine.Limits) (*xiangqi.Position, engine.Limits, error) {
	board, err := asXiangqi(pos)
	if err != nil {
		return nil, lim, err
	}
	if result := board.Result(); result.Over() {
		return nil, lim, fmt.Errorf("%s: %w", result.Reason, engine.ErrNoMove)
	}
	lim.Ban = engine.LegalOf(board, lim.Ban)
	moves := len(board.Moves()) - len(lim.Ban)
	if moves == 0 {
		return nil, lim, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	lim.Lines = min(max(lim.Lines, 1), moves)
	lim, _ = c.Bounds().Limits(lim)
	lim, err = lim.AtLevel(engine.NodeLevels())
	return board, lim, err
}

// prepare sends the new-game command and the options for MultiPV and pondering, if needed.
func (c *Client) prepare(r request) error {
	if c.needsNewGame {
		if err := c.newGame(); err != nil {
			return err
		}
	}
	lines := r.lim.Lines
	if !c.canBan() {
		lines += len(r.lim.Ban) // its lines may include banned ones
	}
	if lines = min(c.maxMultiPV(), lines); lines != max(c.multiPV, 1) {
		opt, _ := c.OfferedOptions().Find("MultiPV")
		if err := c.set(Setting{opt.Name, fmt.Sprint(lines)}); err != nil {
			return err
		}
		c.multiPV = lines
	}
	if r.hit == nil || c.ponderSet {
		return nil
	}
	c.ponderSet = true
	if opt, ok := c.ponderOption(); ok {
		return c.set(Setting{opt.Name, "true"})
	}
	return nil
}

// newGame starts a new game and waits until the engine has cleared its tables, which takes time if
// they are large. If the engine has been lost since its last answer, newGame restarts it, because no
// caller has received that error.
func (c *Client) newGame() error {
	deferred := c.pingDeferred
	err := c.sendNewGame()
	if !deferred || !pluginclient.Lost(err) || errors.Is(err, pluginclient.ErrClosed) {
		return err
	}
	_ = c.link.NoteError(err)
	if err := c.link.Start(); err != nil {
		return err
	}
	return c.sendNewGame()
}

// sendNewGame sends the new-game commands, or restarts the engine if it has none.
func (c *Client) sendNewGame() error {
	c.needsNewGame = false
	commands, again := c.protocol.NewGame(c.OfferedOptions())
	if !again {
		c.link.Quit()
		if err := c.link.Start(); err != nil {
			return err
		}
		c.needsNewGame = false
		commands, _ = c.protocol.NewGame(c.OfferedOptions())
	}
	if len(commands) == 0 {
		c.newGameEachSearch = false
		c.catchUp()
		return nil
	}
	_, err := c.sync(c.link.Lifetime, c.link.Deadlines.Start, commands...)
	return err
}

func (c *Client) canBan() bool { return c.protocol.CanBan == nil || c.protocol.CanBan() }

// maxMultiPV returns how many lines the engine can give in one search.
func (c *Client) maxMultiPV() int {
	opt, ok := c.OfferedOptions().Find("MultiPV")
	if !ok || opt.Kind != Spin {
		return 1
	}
	if opt.Max == 0 && opt.Min == 0 {
		return xiangqi.MaxMoves
	}
	return int(max(1, min(opt.Max, xiangqi.MaxMoves)))
}

func (c *Client) ponderOption() (opt Option, ok bool) {
	opt, ok = c.OfferedOptions().Find("Ponder")
	return opt, ok && opt.Kind == Check
}

// searchRounds searches in rounds, each with the moves of the earlier rounds excluded, until there is the
// wanted number of lines, or all that the engine can give.
func (c *Client) searchRounds(ctx context.Context, r request) ([]engine.Line, error) {
	each := min(c.maxMultiPV(), r.lim.Lines)
	if !c.canBan() {
		r.lim.Lines = each // no further rounds are possible
	}
	rounds := (r.lim.Lines + each - 1) / each
	r.lim.Time = divide(r.lim.Time, rounds)
	r.lim.Nodes = divide(r.lim.Nodes, rounds)
	for len(r.lines) < r.lim.Lines {
		more, err := c.searchOnce(ctx, r, min(each, r.lim.Lines-len(r.lines)))
		if err != nil && (len(r.lines) == 0 || !(errors.Is(err, pluginclient.ErrRefused) || errors.Is(context.Cause(ctx), engine.ErrMoveNow))) {
			return nil, err
		}
		r.lines = append(r.lines, more...)
		r.hit = nil // already hit
		if err != nil || len(more) == 0 || len(r.lines) >= r.lim.Lines || context.Cause(ctx) != nil {
			break
		}
		if err := c.endSearch(); err != nil {
			return nil, err
		}
	}
	return r.lines, nil
}

func divide[T int64 | time.Duration](whole T, parts int) T {
	if whole == 0 {
		return 0
	}
	return max(whole/T(parts), 1)
}

// searchOnce runs one search for a number of lines, with the moves of the lines found so far excluded. If
// the result shows that the ranks are numbered the other way, the engine misread the moves in the command,
// and the search is repeated.
func (c *Client) searchOnce(ctx context.Context, r request, want int) ([]engine.Line, error) {
	ban := slices.Clone(r.lim.Ban)
	for _, line := range r.lines {
		ban = append(ban, line.Move())
	}
	q := SearchRequest{Pos: r.pos, Limits: r.lim, Ponder: r.hit != nil, Options: c.OfferedOptions()}
	q.Ban, q.Lines = ban, c.multiPV
	held := !c.canBan()
	if held {
		q.Ban = nil
	}
	ranks, known := c.ranks, c.ranksKnown
	for {
		q.Ranks = c.ranks
		// An engine that does not know pondering is not told that it ponders, nor its time limit, which
		// the client enforces after the hit.
		told := q
		if _, knows := c.ponderOption(); q.Ponder && !knows {
			told.Ponder, told.Time = false, 0
		}
		t := &searchInfo{
			pos: r.pos, ban: ban, wantLines: want, banNotSent: held, play: r.lim.Play, notef: c.link.Trace.Notef,
			ranks: c.ranks, ranksFixed: c.opts.Ranks != nil || c.ranksKnown,
			byMove: map[engine.Move]engine.Line{}, boundsByMove: map[engine.Move]engine.Line{},
		}
		v := &pendingGo{c: c, q: q, cmd: c.protocol.GoCommand(told), hit: r.hit, info: t}
		v.cmd.SentTime = v.cmd.SentTime && told.Ponder == q.Ponder
		if r.onLines != nil {
			v.onLines = func(l []engine.Line) { r.onLines(joinLines(r.lim.Lines, r.lines, l)) }
		}
		if err := v.run(ctx); err != nil {
			c.ranks, c.ranksKnown = ranks, known
			return nil, err
		}
		lines, err := t.answer(v.best)
		at := t.pos.String()
		if t.ignored != "" {
			c.judge("info.pv", pluginclient.Warning, at, "%s", t.ignored)
		}
		switch {
		case errors.Is(err, pluginclient.ErrIllegal):
			c.judge("move.legal", pluginclient.Fault, at, "%v", err)
		case t.isBanned:
			c.judge("move.allowed", pluginclient.Warning, at, "%v", err)
		}
		c.ranks, c.ranksKnown = t.ranks, c.ranksKnown || t.ranksFlipped
		if !t.ranksFlipped || !v.cmd.HasMoves || context.Cause(ctx) != nil {
			return lines, err
		}
		if err := c.ping(c.link.Lifetime, c.link.Deadlines.Reply); err != nil {
			return nil, err
		}
	}
}
