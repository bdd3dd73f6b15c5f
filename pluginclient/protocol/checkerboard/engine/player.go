package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/search"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// A player is the engine with what CheckerBoard has told it.
type player struct {
	mu        sync.Mutex // a call at a time, but for the flag playnow
	variant   checkers.Variant
	hash      int // MiB
	allScores bool
	searcher  *alphabeta.Engine  // nil: not made yet
	game      *checkers.Position // after the last move of getmove; nil: unknown
	history   *checkers.Position // the position that set gamehist gave; nil: none
}

func newPlayer() *player { return &player{hash: alphabeta.DefaultHash} }

// A moveRequest is a call of getmove.
type moveRequest struct {
	board          *abi.Board
	color          int32
	maxtime        float64
	info, moreinfo int32
	playnow        *int32
	status         []byte
	move           *abi.Move
}

// getmove thinks, changes the board and fills in the CBmove. Where there is no move, or no position
// of the game, all stays as it is: the side that has no move has lost, and else the result is unknown.
func (p *player) getmove(r moveRequest) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	pos, err := p.position(r)
	var lines []engine.Line
	switch {
	case err == nil && pos.Result().Over():
		report(r.status, "no move")
		return abi.Loss
	case err == nil:
		lines, err = p.think(pos, r)
	}
	if err != nil || len(lines) == 0 {
		report(r.status, "no move")
		return abi.Unknown
	}
	board := pos.Board()
	m := checkers.Move(lines[0].Move())
	*r.move = abi.MoveOf(&board, m)
	board.Do(m)
	*r.board = abi.BoardOf(&board)
	if next, err := pos.Do(m); err == nil {
		p.game = next
	}
	report(r.status, p.describe(pos, lines))
	switch n, ok := lines[0].Score.Mate(); { // forced wins and losses only
	case !ok:
		return abi.Unknown
	case n > 0:
		return abi.Win
	}
	return abi.Loss
}

// position returns the position of a call with its history: that of set gamehist, or else, unless the
// call says that the game has been interrupted, that of the last call.
func (p *player) position(r moveRequest) (*checkers.Position, error) {
	turn, ok := abi.ColourOf(r.color)
	if !ok {
		return nil, fmt.Errorf("color %d: want %d or %d", r.color, abi.White, abi.Black)
	}
	board, err := r.board.Read(p.variant, turn)
	if err != nil {
		return nil, err
	}
	if told := p.history; told != nil && told.Key() == board.Key() {
		return told, nil
	}
	if r.info&abi.Reset == 0 && p.game != nil {
		for _, m := range p.game.Moves() {
			if next, err := p.game.Do(checkers.Move(m)); err == nil && next.Key() == board.Key() {
				return next, nil
			}
		}
	}
	p.game = nil
	return checkers.NewPosition(board), nil
}

// think searches until the time or the depth of a call is reached, or the caller wants a move.
func (p *player) think(pos *checkers.Position, r moveRequest) (lines []engine.Line, err error) {
	if p.searcher == nil {
		if p.searcher, err = search.New(search.Options{Rules: checkers.Rules{Variant: p.variant}, Hash: p.hash}); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	done := make(chan struct{})
	defer close(done)
	go watch(r.playnow, done, func() { cancel(engine.ErrMoveNow) })
	// With an incremental time control, it is a thirtieth of the remaining time and most of the increment.
	limit := time.Duration(r.maxtime * float64(time.Second))
	if clock, ok := abi.ClockOf(r.info, r.moreinfo); ok {
		limit = min(clock.Left/30+clock.Increment*3/4, clock.Left*9/10)
	}
	lim := engine.Limits{Time: max(limit, leastTime)}
	if p.allScores {
		lim.Lines = len(pos.Moves())
	}
	if len(pos.Moves()) == 1 && r.info&abi.Exact == 0 {
		lim.Depth = 1 // there is nothing to choose
	}
	for list, err := range p.searcher.Search(ctx, pos, lim) {
		if err != nil {
			return lines, err
		}
		lines = list
		report(r.status, p.describe(pos, lines))
	}
	return lines, nil
}

// watch calls stop when the flag of a caller is set.
func watch(playnow *int32, done <-chan struct{}, stop func()) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for playnow != nil {
		select {
		case <-done:
			return
		case <-tick.C:
			if atomic.LoadInt32(playnow) != 0 {
				stop()
				return
			}
		}
	}
}

// leastTime is what an engine takes that is given no time.
const leastTime = 10 * time.Millisecond

// describe is the line of search information, as engines for CheckerBoard write it.
func (p *player) describe(pos *checkers.Position, lines []engine.Line) string {
	if p.allScores {
		words := make([]string, len(lines))
		for i, line := range lines {
			words[i] = fmt.Sprintf("%s %v", pos.Format(line.Move()), line.Score)
		}
		return fmt.Sprintf("depth %d  %s", lines[0].Depth, strings.Join(words, ", "))
	}
	best := lines[0]
	pv := strings.Join(engine.FormatMoves(pos, best.Moves), " ")
	return fmt.Sprintf("depth %d  value %v  nodes %d  pv %s", best.Depth, best.Score, best.Nodes, pv)
}

// report writes a text and its NUL into a buffer that another thread may read: the end is there
// before the text.
func report(buffer []byte, text string) {
	if len(buffer) == 0 {
		return
	}
	n := min(len(text), len(buffer)-1)
	buffer[n] = 0
	copy(buffer, text[:n])
}

// islegal finds a move of these ends, the first one if there are several.
func (p *player) islegal(b *abi.Board, color int32, from, to int, move *abi.Move) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn, ok := abi.ColourOf(color)
	start, ok1 := p.variant.Square(from)
	end, ok2 := p.variant.Square(to)
	board, err := b.Read(p.variant, turn)
	if !ok || !ok1 || !ok2 || err != nil {
		return 0
	}
	for _, m := range board.AppendMoves(nil) {
		if m.From() == start && m.To() == end {
			*move = abi.MoveOf(&board, m)
			return 1
		}
	}
	return 0
}
