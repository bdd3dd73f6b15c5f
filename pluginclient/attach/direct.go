package attach

import (
	"context"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

var _ pluginclient.Session = (*direct)(nil)

// direct is a Searcher of this process as a Session, such as the embedded engine: the
// conversation goes through a plugin on an in-memory pipe, searches go straight to it.
type direct struct {
	*qhplugin.Client
	searcher engine.Searcher
	thought  atomic.Pointer[thought]
}

// newDirect starts a server and the conversation with it.
func newDirect(ctx context.Context, server *qhplugin.Server, o qhplugin.Options) (*direct, error) {
	d := &direct{searcher: server.Searcher}
	server.Watch = func(pos engine.Position, lines []engine.Line) { d.thought.Store(&thought{pos, lines}) }
	client, err := dial(ctx, qhplugin.InProcess(server), o)
	if err != nil {
		return nil, err
	}
	d.Client = client
	return d, nil
}

// Search is the Searcher's, at the current level unless the limits name a
// level, a number of nodes or a depth.
func (d *direct) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if lim.Level == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Level, _ = d.Level()
	}
	return func(yield func([]engine.Line, error) bool) {
		if err := d.endBackground(ctx); err != nil {
			yield(nil, err)
			return
		}
		d.searcher.Search(ctx, pos, lim)(yield)
	}
}

// endBackground makes an engine that thinks in the background free for a search: any
// command does.
func (d *direct) endBackground(ctx context.Context) error {
	if !d.BGThink() {
		return nil
	}
	_, err := d.AskLevel(ctx)
	return err
}

// Thinking is the latest list that the engine has come to while it thought about the
// conversation's position, best line first; none if it has not.
func (d *direct) Thinking() []engine.Line {
	return d.thought.Load().of(d.Position())
}

// Forget makes the Searcher answer as if new.
func (d *direct) Forget() { engine.Forget(d.searcher) }
