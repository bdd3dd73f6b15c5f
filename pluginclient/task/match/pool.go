package match

import (
	"context"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// startAttempts is how often starting an engine is tried before it fails.
const startAttempts = 2

// A pool holds running engines, at most two per job. If a player needs another one at the limit,
// the engine that has been idle longest is closed.
type pool struct {
	maxOpen int

	mu   sync.Mutex
	open int
	idle []idleEngine // longest idle first
}

type idleEngine struct {
	player  string // its key
	session pluginclient.Session
}

// key identifies the engine of a player.
func (p *Player) key() string { return p.Name + "\x00" + p.Spec }

// take returns a reset engine of a player.
func (p *pool) take(ctx context.Context, player *Player) (pluginclient.Session, error) {
	found, surplus := p.find(player.key())
	if surplus != nil {
		_ = surplus.Close() // it has ended even if that took a kill
	}
	if found != nil {
		engine.Forget(found)
		return found, nil
	}
	var s pluginclient.Session
	var err error
	for range startAttempts {
		if s, err = player.Open(ctx); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.open--
		return nil, err
	}
	engine.Forget(s)
	return s, nil
}

// find returns an idle engine of a player. If there is none it reserves room for a new one;
// surplus, if not nil, must be closed first.
func (p *pool) find(player string) (found, surplus pluginclient.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if p.idle[i].player == player {
			return p.remove(i), nil
		}
	}
	if p.open >= p.maxOpen && len(p.idle) > 0 {
		return nil, p.remove(0)
	}
	p.open++
	return nil, nil
}

func (p *pool) remove(i int) pluginclient.Session {
	s := p.idle[i].session
	p.idle = slices.Delete(p.idle, i, i+1)
	return s
}

// put returns an engine that can play another game.
func (p *pool) put(player *Player, s pluginclient.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, idleEngine{player.key(), s})
}

// A Referee plays single games with engines of this process. It may be used by several goroutines.
type Referee struct {
	config *Config
	pool   *pool
	trace  func(game int, player string, s pluginclient.Session) (file string) // Options.Trace
}

// NewReferee returns a Referee for so many games at the same time. Of the configuration it uses what
// applies to every game: neither players nor openings nor the schedule.
func NewReferee(config *Config, games int) *Referee {
	return &Referee{config: config, pool: &pool{maxOpen: 2 * games}}
}

// Close closes the engines.
func (r *Referee) Close() {
	r.pool.mu.Lock()
	idle := r.pool.idle
	r.pool.idle = nil
	r.pool.mu.Unlock()
	var all sync.WaitGroup
	for _, i := range idle {
		all.Go(func() { _ = i.session.Close() })
	}
	all.Wait()
}

// Play plays a game. The error is the cause of ctx's end, an engine that cannot be restarted, or wraps
// ErrConfig.
func (r *Referee) Play(ctx context.Context, f Fixture) (Record, error) {
	var sessions [2]pluginclient.Session
	for i, player := range f.Players {
		s, err := r.pool.take(ctx, player)
		if err != nil {
			if i == 1 {
				r.pool.put(f.Players[0], sessions[0])
			}
			return Record{}, err
		}
		sessions[i] = s
	}
	record, atFault, err := r.config.play(ctx, f, sessions)
	if atFault >= 0 && r.trace != nil {
		record.Fault.Trace = r.trace(f.Number, record.Fault.Player, sessions[atFault])
	}
	for i, s := range sessions {
		if i == atFault || err != nil {
			_ = s.Close()
			r.pool.mu.Lock()
			r.pool.open--
			r.pool.mu.Unlock()
			continue
		}
		r.pool.put(f.Players[i], s)
	}
	return record, err
}
