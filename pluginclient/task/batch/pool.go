package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// An Asker answers positions: a [Pool] of engines, or the workers of a cluster, package job.
type Asker interface {
	// Size returns the number of concurrent calls of Ask, at least 1.
	Size() int
	// Identity returns a Reply with the Engine, Spec and Limits alone.
	Identity() Reply
	// Ask searches a position that is not over. It is called from Size goroutines. A failure at the
	// position is the Reply's Err. An error means that no engine is left, or is the cause of the
	// context's end.
	Ask(ctx context.Context, pos engine.Position) (Reply, error)
}

// tries is the number of consecutive starts after which an engine counts as gone.
const tries = 2

// PoolOptions configure a Pool.
type PoolOptions struct {
	// Open starts an engine. NewPool calls it once, so that an engine that does not start is
	// detected early; further engines are started when they are needed, from several goroutines.
	Open func(ctx context.Context) (pluginclient.Session, error)
	// Spec is the engine's SPEC, as answers report it.
	Spec string
	// Jobs is the number of engines that run at the same time; 0 means one.
	Jobs int
	// Limits are the limits of every search, but for those of a Query and of Deeper.
	Limits engine.Limits
	// Deeper is by how many levels the searches of Pool.Deeper are deeper, see pluginclient.Deeper.
	Deeper int
	// History notes in every Reply when the best move was found, as the engine tells it during the search.
	History bool
	// Restart starts the engine again for each position, where forgetting is not enough.
	Restart bool
	// Warn, if not nil, is called when an engine cannot be restarted while others continue. It is
	// called from several goroutines.
	Warn func(warning string)
}

// A Pool is a set of supervised engines, used as package asking defines. If a search fails, the
// position has an error. An engine that cannot be restarted leaves its position to the others; so
// does one whose name or levels differ from the first engine's, since its answers would belong to
// another run.
type Pool struct {
	PoolOptions
	first    pluginclient.Session
	info     pluginclient.Info // of the first
	identity Reply
	deeper   engine.Limits // of the searches of Deeper
	restarts atomic.Int64
	idle     chan *slot    // engines that are free
	vacant   chan struct{} // a token for each engine that has not been opened
	allGone  chan struct{} // closed when no engine is left

	following sync.Mutex
	opened    []pluginclient.Session   // all engines so far
	logs      []*pluginclient.TraceLog // of Follow
	alive     atomic.Int64             // engines that exist or may be opened
	lastErr   error                    // why no engine is left; set before allGone is closed
}

// A slot is an engine's place in the pool.
type slot struct {
	pluginclient.Session
	lost bool // it must be restarted before its next search
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
		PoolOptions: o, first: first, info: first.Info(),
		idle: make(chan *slot, jobs), vacant: make(chan struct{}, jobs), allGone: make(chan struct{}),
	}
	p.Jobs = jobs
	p.identity = identityOf(first, o.Spec, o.Limits)
	p.deeper = pluginclient.Deeper(first, o.Limits, o.Deeper)
	p.alive.Store(int64(jobs))
	p.idle <- &slot{Session: first}
	p.followed(first)
	for range jobs - 1 {
		p.vacant <- struct{}{}
	}
	return p, nil
}

func identityOf(s pluginclient.Session, spec string, lim engine.Limits) Reply {
	return Reply{Engine: s.Info().Name, Spec: spec, Limits: LimitsOf(pluginclient.BoundsOf(s).Limits(lim))}
}

// Size returns the number of jobs.
func (p *Pool) Size() int { return p.Jobs }

// Identity describes the first engine.
func (p *Pool) Identity() Reply { return p.identity }

// Info returns the first engine's Info.
func (p *Pool) Info() pluginclient.Info { return p.info }

// First returns the first engine's Session, which has the abilities of all. It may be searching, or
// closed.
func (p *Pool) First() pluginclient.Session { return p.first }

// Restarts returns the number of restarts so far.
func (p *Pool) Restarts() int { return int(p.restarts.Load()) }

// Follow writes to log what the engines still know of their conversations in their own protocols, and what follows,
// until stop is called.
func (p *Pool) Follow(log *pluginclient.TraceLog) (stop func()) {
	p.following.Lock()
	defer p.following.Unlock()
	p.logs = append(p.logs, log)
	for _, s := range p.opened {
		ownTrace(s).Follow(log)
	}
	return func() {
		p.following.Lock()
		defer p.following.Unlock()
		p.logs = slices.DeleteFunc(p.logs, func(other *pluginclient.TraceLog) bool { return other == log })
		for _, s := range p.opened {
			ownTrace(s).RemoveLog(log)
		}
	}
}

// followed has the logs of Follow follow one more engine.
func (p *Pool) followed(s pluginclient.Session) {
	p.following.Lock()
	defer p.following.Unlock()
	p.opened = append(p.opened, s)
	for _, log := range p.logs {
		ownTrace(s).Follow(log)
	}
}

// ownTrace returns the trace of an engine in its own protocol.
func ownTrace(s pluginclient.Session) *pluginclient.Trace {
	all := pluginclient.Traces(s)
	return all[len(all)-1]
}

// Close ends all engines concurrently. Ask must not be called afterwards.
func (p *Pool) Close() error {
	var closing sync.WaitGroup
	for {
		select {
		case s := <-p.idle:
			closing.Go(func() { _ = s.Close() }) // an engine that does not quit is killed; it has ended in either case
		default:
			closing.Wait()
			return nil
		}
	}
}

// A Query is a search with limits of its own.
type Query struct {
	Pos    engine.Position
	Limits engine.Limits
	// OnLines, if not nil, is called during the search with the lines so far.
	OnLines func(lines []engine.Line)
}

// Ask searches with the next free engine, within the pool's limits.
func (p *Pool) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	return p.Query(ctx, Query{Pos: pos, Limits: p.Limits})
}

// Deeper returns an Asker that has the same engines search deeper, as PoolOptions.Deeper says.
func (p *Pool) Deeper() Asker { return deeperPool{p} }

type deeperPool struct{ *Pool }

func (d deeperPool) Identity() Reply { return identityOf(d.first, d.Spec, d.deeper) }

func (d deeperPool) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	return d.Query(ctx, Query{Pos: pos, Limits: d.deeper})
}

// Query is Ask with the limits of q.
func (p *Pool) Query(ctx context.Context, q Query) (Reply, error) {
	for {
		s, err := p.acquire(ctx)
		if s == nil {
			return Reply{}, err
		}
		var reply Reply
		if err == nil {
			reply, err = p.answer(ctx, s, q)
		}
		if s.Session != nil {
			if err == nil || ctx.Err() != nil {
				p.idle <- s
				return reply, err
			}
			_ = s.Close()
		}
		others := p.alive.Add(-1)
		if others == 0 {
			p.lastErr = err
			close(p.allGone)
			return Reply{}, err
		}
		if p.Warn != nil && ctx.Err() == nil {
			p.Warn(fmt.Sprintf("%v: continuing with %d of %d jobs", err, others, p.Jobs))
		}
	}
}

// acquire waits for a free engine and opens another only if none is free. On an error the slot is
// the one whose engine could not be opened.
func (p *Pool) acquire(ctx context.Context) (*slot, error) {
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
	case <-p.allGone:
		return nil, p.lastErr
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// open starts an engine, which must match the first one.
func (p *Pool) open(ctx context.Context) (*slot, error) {
	for try := 1; ; try++ {
		s, err := p.Open(ctx)
		if err == nil {
			a, b := p.info, s.Info()
			sameLevel := func(x, y engine.Level) bool { return x.ID == y.ID && x.Text == y.Text }
			if a.Protocol == b.Protocol && a.Name == b.Name && slices.EqualFunc(a.Levels, b.Levels, sameLevel) {
				p.followed(s)
				return &slot{Session: s}, nil
			}
			_ = s.Close()
			err = fmt.Errorf("%w: engine differs from the first one: %q of %q with %d levels, not %q of %q with %d",
				pluginclient.ErrStart, b.Name, b.Protocol, len(b.Levels), a.Name, a.Protocol, len(a.Levels))
		}
		switch {
		case ctx.Err() != nil:
			p.vacant <- struct{}{}
			return nil, context.Cause(ctx)
		case try == tries:
			return &slot{}, err
		}
	}
}

// answer searches a position with an engine. The error means that the engine is gone, or is the
// cause of the run's end.
func (p *Pool) answer(ctx context.Context, s *slot, q Query) (Reply, error) {
	if s.lost {
		p.restarts.Add(1)
	}
	var healed error
	past := history{begun: time.Now()}
	policy := asking.Policy{Restart: p.Restart, OnLines: q.OnLines, OnRetry: func(_ engine.Position, failure error) {
		healed = failure
		past = history{begun: time.Now()}
		if asking.NeedsRestart(failure) {
			p.restarts.Add(1)
		}
	}}
	if p.History {
		policy.OnLines = func(lines []engine.Line) {
			past.see(lines[0])
			if q.OnLines != nil {
				q.OnLines(lines)
			}
		}
	}
	lines, err := policy.Ask(ctx, s.Session, q.Pos, q.Limits)
	s.lost = pluginclient.Lost(err)
	reply, err := replyOf(ctx, identityOf(s.Session, p.Spec, q.Limits), q.Pos, lines, err)
	if reply.Err == nil { // otherwise the answer has the error
		reply.Recovered = pluginclient.WithoutDuration(healed)
	}
	if p.History && len(reply.Hints) > 0 {
		past.see(lines[0])
		reply.Found = past.found
	}
	return reply, err
}

// replyOf completes reply with the outcome of a search. The error means that the engine is gone, or
// is the cause of the context's end.
func replyOf(ctx context.Context, reply Reply, pos engine.Position, lines []engine.Line, err error) (Reply, error) {
	switch {
	case err == nil:
		reply.Hints = FormatHints(pos, lines)
	case errors.Is(err, pluginclient.ErrTimedOut):
		reply.Err = pluginclient.WithoutDuration(err)
	case ctx.Err() != nil:
		return reply, context.Cause(ctx)
	case errors.Is(err, pluginclient.ErrStart):
		return reply, err
	default:
		reply.Err = pluginclient.WithoutDuration(err)
	}
	return reply, nil
}

// FormatHints returns lines in the game's notation. A PV ends before its first illegal move.
func FormatHints(pos engine.Position, lines []engine.Line) []Hint {
	hints := make([]Hint, len(lines))
	for i, line := range lines {
		pv := engine.FormatMoves(pos, line.Moves)
		hints[i] = Hint{
			Move: pv[0], Score: line.Score, Depth: line.Depth, Nodes: line.Nodes, PV: pv, Text: line.Text, Details: line.Details,
		}
	}
	return hints
}

// A SessionAsker is an Asker that uses one session, which the caller opens and closes. An engine's error becomes the
// Reply's Err.
type SessionAsker struct {
	Session pluginclient.Session
	Policy  asking.Policy // how the engine is asked
	Limits  engine.Limits
}

func (a SessionAsker) Size() int       { return 1 }
func (a SessionAsker) Identity() Reply { return identityOf(a.Session, "", a.Limits) }

func (a SessionAsker) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	return a.Query(ctx, Query{Pos: pos, Limits: a.Limits})
}

// Query is Ask with the limits of q.
func (a SessionAsker) Query(ctx context.Context, q Query) (Reply, error) {
	policy := a.Policy
	if q.OnLines != nil {
		policy.OnLines = q.OnLines
	}
	lines, err := policy.Ask(ctx, a.Session, q.Pos, q.Limits)
	return replyOf(ctx, identityOf(a.Session, "", q.Limits), q.Pos, lines, err)
}
