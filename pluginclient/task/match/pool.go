package match

import (
	"context"
	"sync"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// startAttempts is how often an engine is started in a row before it counts as gone.
const startAttempts = 2

// pool holds the engines that run, between games too. There are never more than two for
// each job; where a player needs another, one that has been idle longest is ended.
type pool struct {
	players []Player
	maxOpen int

	mu   sync.Mutex
	open int
	idle []idleEngine // the one that has been idle longest first
}

type idleEngine struct {
	player  int
	session pluginclient.Session
}

// take returns an engine of a player, which remembers nothing.
func (p *pool) take(ctx context.Context, player int) (pluginclient.Session, error) {
	found, surplus := p.find(player)
	if surplus != nil {
		_ = surplus.Close() // an engine that does not end politely is killed; either way it has ended
	}
	if found != nil {
		engine.Forget(found)
		return found, nil
	}
	var s pluginclient.Session
	var err error
	for range startAttempts {
		if s, err = p.players[player].Open(ctx); err == nil || ctx.Err() != nil {
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

// find returns an idle engine of a player. If there is none it makes room for a new one, for
// which surplus has to be closed.
func (p *pool) find(player int) (found, surplus pluginclient.Session) {
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
	p.idle = append(p.idle[:i], p.idle[i+1:]...)
	return s
}

// put gives an engine back that can play another game.
func (p *pool) put(player int, s pluginclient.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, idleEngine{player, s})
}

// drop ends an engine for good.
func (p *pool) drop(s pluginclient.Session) {
	_ = s.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
}

// check starts every player once, so that one that cannot be started is found out before
// a game is played.
func (p *pool) check(ctx context.Context) error {
	for i := range p.players {
		s, err := p.take(ctx, i)
		if err != nil {
			return err
		}
		p.put(i, s)
	}
	return nil
}

// close ends the engines that are idle.
func (p *pool) close() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	var all sync.WaitGroup
	for _, i := range idle {
		all.Go(func() { _ = i.session.Close() })
	}
	all.Wait()
}
