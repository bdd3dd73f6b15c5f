package attach

import (
	"context"
	"iter"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/qhplugin"
)

var _ pluginclient.Session = (*direct)(nil)

// direct is the embedded engine as a Session: the conversation goes through a plugin
// on an in-memory pipe, searches go straight to the engine.
type direct struct {
	*qhplugin.Client
	searcher engine.Searcher
}

// Search is the embedded engine's, at the current level unless the limits name a
// level, a number of nodes or a depth.
func (d *direct) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if lim.Level == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Level, _ = d.Level()
	}
	return d.searcher.Search(ctx, pos, lim)
}

// Forget makes the embedded engine answer as if new.
func (d *direct) Forget() { engine.Forget(d.searcher) }
