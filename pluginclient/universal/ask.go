package universal

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Go is what a "go" asks for.
type Go struct {
	Limits   engine.Limits
	Infinite bool // until "stop"
	Ponder   bool // on the opponent's time, until "ponderhit"
	Draw     bool // the host offers a draw
	Mate     int  // it is enough to find a mate in so many moves; 0: it is not
	Perft    int  // count the sequences of so many moves instead
	Nothing  bool // do not search at all
}

// asking is a search under way.
type asking struct {
	Go
	pos    *xiangqi.Position
	begun  time.Time
	cancel context.CancelCauseFunc
	hit    chan struct{}
	done   chan struct{} // closed at the end
	perft  int
	draw   bool
	now    bool // it was told to move
	hitOne sync.Once

	mu   sync.Mutex
	best []engine.Line // the list so far
	err  error         // why it ended, if not with an answer
}

// stop makes the search answer with what it has.
func (a *asking) stop() {
	a.now = true
	a.cancel(engine.ErrMoveNow)
}

func (a *asking) ponderHit() { a.hitOne.Do(func() { close(a.hit) }) }

// ask begins a search, or answers at once where there is nothing to search.
func (h *Host) ask(g Go) {
	if h.pos == nil {
		h.Remark("there is no position to think about: the last one that was sent makes no sense")
		h.Say(h.protocol.BestMove(nil, false))
		return
	}
	if g.Perft == 0 && (g.Nothing || allowed(h.pos, g.Limits.Ban) == engine.NoMove) {
		h.Say(h.protocol.BestMove(nil, false))
		return
	}
	g.Limits.Lines = h.list
	if h.served.LevelsOnly {
		g.Limits.Nodes, g.Limits.Depth = 0, 0
	}
	if g.Limits.Level == 0 && g.Limits.Nodes == 0 && g.Limits.Depth == 0 {
		g.Limits.Level = h.level
	}
	ctx, cancel := context.WithCancelCause(h.ctx)
	a := &asking{
		Go: g, pos: h.pos, begun: time.Now(), cancel: cancel, perft: g.Perft, draw: g.Draw,
		hit: make(chan struct{}), done: make(chan struct{}),
	}
	h.asking = a
	go func() {
		defer close(a.done)
		if g.Perft > 0 {
			h.perft(ctx, a)
			return
		}
		h.search(ctx, a)
	}()
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

// search asks the Searcher, and tells what it yields.
func (h *Host) search(ctx context.Context, a *asking) {
	lists := h.served.Searcher.Search(ctx, a.pos, a.Limits)
	if a.Ponder {
		lists = pluginclient.Ponder(ctx, h.served.Searcher, a.pos, a.Limits, a.hit)
	}
	for lines, err := range lists {
		if err != nil {
			a.end(err)
			return
		}
		a.set(lines)
		h.Say(h.protocol.Info(lines, time.Since(a.begun), a.Limits.Lines)...)
		if a.mated(lines) {
			a.cancel(engine.ErrMoveNow)
		}
	}
	if a.Infinite && h.protocol.HoldsInfinite() {
		a.end(pluginclient.AwaitHit(ctx, nil))
	}
}

func (a *asking) set(lines []engine.Line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.best = lines
}

func (a *asking) end(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

// mated tells whether the mate that was looked for is found.
func (a *asking) mated(lines []engine.Line) bool {
	if a.Mate == 0 || len(lines) == 0 {
		return false
	}
	n, ok := lines[0].Score.Mate()
	return ok && 0 < n && n <= a.Mate
}

// answer tells what has come of the search.
func (h *Host) answer() {
	a := h.asking
	h.asking = nil
	a.cancel(nil)
	if a.perft > 0 {
		return
	}
	best, err := a.verdict()
	if err != nil {
		h.Remark(fmt.Sprintf("the search failed: %v", err))
		h.Say(h.protocol.BestMove(nil, false))
		return
	}
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	h.Say(h.protocol.BestMove(&best, a.draw && losing))
}

// verdict is the best line, made sure of. After "stop" there always is one.
func (a *asking) verdict() (engine.Line, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil && !a.now {
		return engine.Line{}, a.err
	}
	for _, line := range a.best {
		if len(line.Moves) > 0 && slices.Contains(a.pos.Moves(), line.Move()) && !slices.Contains(a.Limits.Ban, line.Move()) {
			return line, nil
		}
	}
	if a.now {
		return engine.Line{Moves: []engine.Move{allowed(a.pos, a.Limits.Ban)}}, nil
	}
	return engine.Line{}, errors.New("it gave no legal move")
}

// perft counts, and tells of each move how many sequences begin with it.
func (h *Host) perft(ctx context.Context, a *asking) {
	branches, err := xiangqi.Divide(ctx, a.pos, a.perft, runtime.GOMAXPROCS(0))
	if err != nil {
		h.Remark(err.Error())
		return
	}
	var lines []string
	total := int64(0)
	for _, b := range branches {
		lines = append(lines, b.Move.UCI()+": "+strconv.FormatInt(b.Nodes, 10))
		total += b.Nodes
	}
	h.Say(append(lines, "", "Nodes searched: "+strconv.FormatInt(total, 10), "")...)
}
