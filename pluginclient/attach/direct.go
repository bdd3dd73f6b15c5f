package attach

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

var (
	_ pluginclient.Session           = (*direct)(nil)
	_ pluginclient.Bounded           = (*direct)(nil)
	_ pluginclient.Ponderer          = (*direct)(nil)
	_ pluginclient.BackgroundThinker = (*direct)(nil)
)

// direct is the Session of a Searcher in this process, such as the embedded engine. The conversation
// goes through a QHPLUGIN server on an in-memory pipe; searches call the Searcher directly.
type direct struct {
	*qhplugin.Client
	searcher     engine.Searcher
	latest       atomic.Pointer[searchLines]
	initialLevel int         // level before SetLevel
	levelSet     atomic.Bool // SetLevel was called
}

// newDirect starts a server and connects to it.
func newDirect(ctx context.Context, server *qhplugin.Server, o qhplugin.Options) (*direct, error) {
	d := &direct{searcher: server.Searcher}
	server.Watch = func(pos engine.Position, lines []engine.Line) { d.latest.Store(&searchLines{pos, lines}) }
	client, err := dial(ctx, qhplugin.InProcess(server), o)
	if err != nil {
		return nil, err
	}
	d.Client = client
	d.initialLevel, _ = d.Level()
	return d, nil
}

// SetLevel sets the level.
func (d *direct) SetLevel(ctx context.Context, id int) error {
	err := d.Client.SetLevel(ctx, id)
	if err == nil {
		d.levelSet.Store(true)
	}
	return err
}

// Bounds returns the level, which also applies to searches with a time limit if the user has set it,
// by SetLevel or by a line of the conversation.
func (d *direct) Bounds() pluginclient.Bounds {
	level, known := d.Level()
	return pluginclient.Bounds{Level: level, Known: known, Chosen: d.levelSet.Load() || level != d.initialLevel}
}

// Search calls the Searcher, within the Bounds.
func (d *direct) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return d.search(ctx, pos, lim, d.Bounds())
}

func (d *direct) search(ctx context.Context, pos engine.Position, lim engine.Limits, b pluginclient.Bounds) iter.Seq2[[]engine.Line, error] {
	lim, _ = b.Limits(lim)
	return d.afterBackground(ctx, d.searcher.Search(ctx, pos, lim))
}

// Ponder calls the Searcher, within the Bounds.
func (d *direct) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return d.ponder(ctx, pos, lim, d.Bounds(), hit)
}

func (d *direct) ponder(ctx context.Context, pos engine.Position, lim engine.Limits, b pluginclient.Bounds, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	lim, _ = b.Limits(lim)
	return d.afterBackground(ctx, pluginclient.Ponder(ctx, d.searcher, pos, lim, hit))
}

// afterBackground returns a search that begins when background thinking has ended.
func (d *direct) afterBackground(ctx context.Context, search iter.Seq2[[]engine.Line, error]) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := d.endBackground(ctx); err != nil {
			yield(nil, err)
			return
		}
		search(yield)
	}
}

// Answer returns the final result of Search.
func (d *direct) Answer(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return d.answer(ctx, pos, lim, d.Bounds())
}

func (d *direct) answer(ctx context.Context, pos engine.Position, lim engine.Limits, b pluginclient.Bounds) ([]engine.Line, error) {
	lim, _ = b.Limits(lim)
	if err := d.endBackground(ctx); err != nil {
		return nil, err
	}
	return engine.Best(ctx, d.searcher, pos, lim)
}

// SetBGThink turns background thinking off. It cannot be turned on for searches, which go past the
// server that does it, and ponder instead.
func (d *direct) SetBGThink(ctx context.Context, on bool) error {
	switch {
	case on:
		return errors.New("searches ponder without BGTHINK")
	case !d.BGThink():
		return nil
	}
	return d.Client.SetBGThink(ctx, false)
}

// endBackground ends background thinking before a search, by sending any command.
func (d *direct) endBackground(ctx context.Context) error {
	if !d.BGThink() {
		return nil
	}
	_, err := d.AskLevel(ctx)
	return err
}

// LatestLines implements [pluginclient.LiveThinker].
func (d *direct) LatestLines() []engine.Line {
	return d.latest.Load().linesFor(d.Position())
}

// Forget makes the Searcher answer as if new.
func (d *direct) Forget() { engine.Forget(d.searcher) }
