package attach

import (
	"context"
	"errors"
	"iter"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/bench"
)

var (
	_ bench.Counter = (*builtin)(nil)
	_ bench.Visitor = (*builtin)(nil)
	_ bench.Counter = (*bridge)(nil)
)

// builtin is the embedded engine as a Session.
type builtin struct {
	*direct
	engine embedded
}

// Close ends the conversation and lets go of the engine.
func (b *builtin) Close() error { return errors.Join(b.direct.Close(), b.engine.close()) }

// Perft counts the sequences of legal moves on one thread.
func (b *builtin) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	board, ok := pos.(*xiangqi.Position)
	if !ok {
		return 0, engine.OtherGame(pos, xiangqi.Rules)
	}
	branches, err := xiangqi.Divide(ctx, board, depth, 1)
	if err != nil {
		return 0, err
	}
	sum := int64(0)
	for _, branch := range branches {
		sum += branch.Nodes
	}
	return sum, nil
}

// Visited is what the latest search has cost.
func (b *builtin) Visited() int64 { return visited(b.searcher) }

func visited(s engine.Searcher) int64 {
	if v, ok := s.(bench.Visitor); ok {
		return v.Visited()
	}
	return 0
}

// Perft is the engine's own.
func (b *bridge) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	if err := b.endBackground(ctx); err != nil {
		return 0, err
	}
	return b.native.Perft(ctx, pos, depth)
}

// Direct reports whether the searches of a Session go straight to an engine in this process,
// so that a trace has none of them, and on how many threads it searches.
func Direct(s pluginclient.Session) (threads int, ok bool) {
	switch s := s.(type) {
	case *builtin:
		return s.engine.options.Threads, !s.traced
	case *quoridorEngine:
		return 1, true
	}
	return 0, false
}

// Levelless is a Session whose searches have the limits that they name and no level's
// beside them; ok is false where the Session knows no such searches, as no engine does
// that is asked by QHPLUGIN. Closing it closes the Session.
func Levelless(s pluginclient.Session) (free pluginclient.Session, ok bool) {
	switch s := s.(type) {
	case *bridge:
		return levelless{s.native, s.native, s.Close}, true
	case *builtin:
		// With a trace the conversation is the QHPLUGIN one. A SPEC's nodes are levels.
		if !s.traced && s.engine.options.Nodes == 0 {
			return levelless{s, s.searcher, s.Close}, true
		}
	case *quoridorEngine:
		return levelless{s, s.searcher, s.Close}, true
	}
	return nil, false
}

// levelless is a Session and the Searcher behind it, which knows no current level.
type levelless struct {
	pluginclient.Session
	searcher engine.Searcher
	closing  func() error
}

func (l levelless) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return l.searcher.Search(ctx, pos, lim)
}

func (l levelless) Forget() { engine.Forget(l.searcher) }

func (l levelless) Visited() int64 { return visited(l.searcher) }

func (l levelless) Close() error { return l.closing() }
