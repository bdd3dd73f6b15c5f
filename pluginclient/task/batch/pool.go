package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// A Crew is who answers: a [Pool] of engines, or later a cluster's queue.
type Crew interface {
	// Size is how many positions it can be asked about at the same time, at least 1.
	Size() int
	// Who is the crew as the Engine and the Level of a Reply.
	Who() Reply
	// Ask asks about a position that is not over. It is called from Size goroutines. What
	// goes wrong at the position is the Reply's Err. An error says that nobody is left to
	// ask, or is the cause of the context's end.
	Ask(ctx context.Context, pos engine.Position) (Reply, error)
}

// tries is how often an engine is asked about a position before the position counts as
// failed, and how often it is started in a row before it counts as gone.
const tries = 2

// PoolOptions are how a Pool treats its engines.
type PoolOptions struct {
	// Open starts an engine. It is called by NewPool, so that an engine that does not start
	// is always found out, and then for each job more that gets something to do, from
	// several goroutines.
	Open func(ctx context.Context) (pluginclient.Session, error)
	// Jobs is how many engines work at the same time; 0: one.
	Jobs int
	// Limits are those of every search.
	Limits engine.Limits
	// Warn, if not nil, is told of an engine that could not be started again while others
	// go on. It is called from several goroutines.
	Warn func(warning string)
}

// A Pool is supervised engines. One that dies, hangs or answers nonsense is started again
// and asked once more; if that fails too, the position has an error. One that is late, and
// obeys when it is told to stop, is not asked once more: it would be late again. One that
// cannot be started again leaves its position to the others, and so does one that tells another
// name or other levels than the first engine: its answers would not be those of the same run.
// Every engine is made to forget before each position ([engine.Forget]), so that an answer does
// not depend on who gave it.
type Pool struct {
	PoolOptions
	info     pluginclient.Info
	who      Reply
	restarts atomic.Int64
	idle     chan *seat    // engines that nobody talks to
	vacant   chan struct{} // a token for each engine that has not been opened
	gone     chan struct{} // closed when there is no engine any more
	alive    atomic.Int64  // engines that there are, or may be
	lastErr  error         // why there is none; set before gone is closed
}

// seat is an engine's place.
type seat struct {
	pluginclient.Session
	lost bool // it is started again when it is asked next
}

// NewPool opens the first engine.
func NewPool(ctx context.Context, o PoolOptions) (*Pool, error) {
	first, err := o.Open(ctx)
	for try := 1; try < tries && errors.Is(err, pluginclient.ErrDied) && ctx.Err() == nil; try++ {
		first, err = o.Open(ctx)
	}
	if err != nil {
		return nil, err
	}
	jobs := max(o.Jobs, 1)
	p := &Pool{
		PoolOptions: o, info: first.Info(),
		idle: make(chan *seat, jobs), vacant: make(chan struct{}, jobs), gone: make(chan struct{}),
	}
	p.Jobs = jobs
	p.who = whoIs(first)
	p.alive.Store(int64(jobs))
	p.idle <- &seat{Session: first}
	for range jobs - 1 {
		p.vacant <- struct{}{}
	}
	return p, nil
}

func whoIs(s pluginclient.Session) Reply {
	r := Reply{Engine: s.Info().Name}
	r.Level, r.HasLevel = s.Level()
	return r
}

// Size is the number of jobs.
func (p *Pool) Size() int { return p.Jobs }

// Who is the first engine.
func (p *Pool) Who() Reply { return p.who }

// Info is what the first engine says of itself.
func (p *Pool) Info() pluginclient.Info { return p.info }

// Restarts is how often engines have been started again so far.
func (p *Pool) Restarts() int { return int(p.restarts.Load()) }

// Close ends the engines, all at the same time. Nobody may be asked any more.
func (p *Pool) Close() error {
	var closing sync.WaitGroup
	for {
		select {
		case s := <-p.idle:
			closing.Go(func() { _ = s.Close() }) // an engine that does not end politely is killed; either way it has ended
			continue
		default:
		}
		break
	}
	closing.Wait()
	return nil
}

// Ask asks whoever is free.
func (p *Pool) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	for {
		s, err := p.take(ctx)
		if s == nil {
			return Reply{}, err
		}
		var reply Reply
		if err == nil {
			reply, err = p.answer(ctx, s, pos)
		}
		if s.Session != nil {
			if err == nil || ctx.Err() != nil {
				p.idle <- s
				return reply, err
			}
			_ = s.Close()
		}
		if p.leave(ctx, err) {
			return Reply{}, err
		}
	}
}

// take waits for a free engine. It opens one more only if there is none. A seat with an
// error is one whose engine could not be opened.
func (p *Pool) take(ctx context.Context) (*seat, error) {
	select {
	case s := <-p.idle:
		return s, nil
	default:
	}
	select {
	case s := <-p.idle:
		return s, nil
	case <-p.vacant:
		return p.open(ctx)
	case <-p.gone:
		return nil, p.lastErr
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// open starts an engine.
func (p *Pool) open(ctx context.Context) (*seat, error) {
	for try := 1; ; try++ {
		s, err := p.openSame(ctx)
		switch {
		case err == nil:
			return &seat{Session: s}, nil
		case ctx.Err() != nil:
			p.vacant <- struct{}{}
			return nil, context.Cause(ctx)
		case try == tries:
			return &seat{}, err
		}
	}
}

// openSame starts an engine once, which has to be the same as the first.
func (p *Pool) openSame(ctx context.Context) (pluginclient.Session, error) {
	s, err := p.Open(ctx)
	if err != nil {
		return nil, err
	}
	a, b := p.info, s.Info()
	sameLevel := func(x, y engine.Level) bool { return x.ID == y.ID && x.Text == y.Text }
	if a.Protocol == b.Protocol && a.Name == b.Name && slices.EqualFunc(a.Levels, b.Levels, sameLevel) {
		return s, nil
	}
	_ = s.Close()
	return nil, fmt.Errorf("%w: it says that it is another engine than the first: %q of %q with %d levels, not %q of %q with %d",
		pluginclient.ErrStart, b.Name, b.Protocol, len(b.Levels), a.Name, a.Protocol, len(a.Levels))
}

// leave counts an engine that is gone, and tells whether it was the last one.
func (p *Pool) leave(ctx context.Context, err error) (last bool) {
	others := p.alive.Add(-1)
	if others == 0 {
		p.lastErr = err
		close(p.gone)
		return true
	}
	if p.Warn != nil && ctx.Err() == nil {
		p.Warn(fmt.Sprintf("%v: going on with %d of %d jobs", err, others, p.Jobs))
	}
	return false
}

// answer asks an engine about a position. The error says that the engine is gone, or is
// the cause of the run's end.
func (p *Pool) answer(ctx context.Context, s *seat, pos engine.Position) (Reply, error) {
	var reply Reply
	for try := 1; ; try++ {
		hints, err := p.ask(ctx, s, pos)
		reply.Hints, reply.Healed, reply.Err = hints, reply.Err, pluginclient.Untimed(err)
		if err == nil || errors.Is(err, pluginclient.ErrLate) { // it would be late again
			break
		}
		if ctx.Err() != nil {
			return reply, context.Cause(ctx)
		}
		if errors.Is(err, pluginclient.ErrStart) {
			return reply, err
		}
		s.lost = s.lost || pluginclient.Lost(err)
		if try == tries {
			break
		}
		if err := p.mend(ctx, s, err); err != nil {
			return reply, err
		}
	}
	if reply.Err != nil {
		reply.Healed = nil // the answer tells
	}
	who := whoIs(s)
	reply.Engine, reply.Level, reply.HasLevel = who.Engine, who.Level, who.HasLevel
	return reply, nil
}

// mend starts an engine again that runs but talks nonsense. A lost one starts by itself when
// it is asked next.
func (p *Pool) mend(ctx context.Context, s *seat, why error) error {
	if s.lost || !errors.Is(why, pluginclient.ErrNonsense) && !errors.Is(why, pluginclient.ErrIllegal) {
		return nil
	}
	p.restarts.Add(1)
	err := s.Restart(ctx)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, pluginclient.ErrStart):
		return err
	}
	s.lost = true
	return nil
}

// ask makes one try.
func (p *Pool) ask(ctx context.Context, s *seat, pos engine.Position) ([]Hint, error) {
	if s.lost {
		p.restarts.Add(1)
		s.lost = false
	}
	lines, err := p.search(ctx, s, pos)
	if err != nil {
		return nil, err
	}
	hints, err := showAll(pos, lines[:min(len(lines), max(p.Limits.Lines, 1))])
	if err != nil {
		return nil, &pluginclient.Error{Engine: s.Info().Name, Command: "search", Err: err}
	}
	return hints, nil
}

// search starts an engine again if it has to be.
func (p *Pool) search(ctx context.Context, s *seat, pos engine.Position) (lines []engine.Line, err error) {
	for range tries {
		engine.Forget(s.Session)
		lines, err = engine.Best(ctx, s, pos, p.Limits)
		if !errors.Is(err, pluginclient.ErrStart) || ctx.Err() != nil {
			break
		}
	}
	return lines, err
}

// showAll writes lines in the game's notation. No engine is believed that its moves are
// legal: a proposed move that is not is an error, and an expected continuation ends
// where it ceases to be one.
func showAll(pos engine.Position, lines []engine.Line) ([]Hint, error) {
	hints := make([]Hint, len(lines))
	for i, line := range lines {
		pv := engine.Names(pos, line.Moves)
		if len(pv) == 0 {
			return nil, fmt.Errorf("%w as hint %d", pluginclient.ErrIllegal, i+1)
		}
		hints[i] = Hint{
			Move: pv[0], Score: line.Score, Depth: line.Depth, Nodes: line.Nodes, PV: pv, Text: line.Text,
		}
	}
	return hints, nil
}
