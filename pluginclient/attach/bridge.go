package attach

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/task/bench"
)

var (
	_ pluginclient.Bridge   = (*bridge)(nil)
	_ pluginclient.Ponderer = (*bridge)(nil)
	_ bench.Counter         = (*bridge)(nil)
)

// bridge is an engine that speaks UCI, UCCI or XBoard's protocol as a Session: as with the embedded engine,
// the conversation goes through a plugin on an in-memory pipe, and searches go straight to
// the engine.
type bridge struct {
	*direct
	native   *ucifamily.Client
	answered atomic.Pointer[error] // the latest failure that the plugin has answered with ERROR
}

// newBridge puts a plugin in front of an engine, which it closes if it fails.
func newBridge(ctx context.Context, native *ucifamily.Client, o Options) (pluginclient.Session, error) {
	b := &bridge{native: native}
	server := &qhplugin.Server{
		Searcher: native, Name: native.Info().Name, Failed: func(err error) { b.answered.Store(&err) },
	}
	front, err := newDirect(ctx, server, o.dialing())
	if err != nil {
		return nil, errors.Join(err, native.Close())
	}
	b.direct = front
	pluginclient.Rename(b, native.Info().Name)
	return b, nil
}

func (b *bridge) Native() pluginclient.Session { return b.native }

// Info is what the engine says of itself.
func (b *bridge) Info() pluginclient.Info { return b.native.Info() }

// Restart starts the engine again, and brings the plugin in front of it back to the
// position.
func (b *bridge) Restart(ctx context.Context) error {
	if err := b.native.Restart(ctx); err != nil {
		return err
	}
	return b.direct.Restart(ctx)
}

// Ponder is the engine's own, within the Bounds.
func (b *bridge) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := b.endBackground(ctx); err != nil {
			yield(nil, err)
			return
		}
		lim, _ := b.Bounds().Limits(lim)
		b.native.Ponder(ctx, pos, lim, hit)(yield)
	}
}

// Close ends both, the plugin first: it stops a search that is under way.
func (b *bridge) Close() error { return errors.Join(b.direct.Close(), b.native.Close()) }

// Forget makes the engine begin a new game.
func (b *bridge) Forget() { engine.Forget(b.native) }

// Idle waits until both are at rest.
func (b *bridge) Idle(ctx context.Context) error {
	return errors.Join(b.direct.Idle(ctx), b.native.Idle(ctx))
}

// State is that of the engine, unless the plugin in front of it has ended. A loss that the plugin
// has answered with ERROR is not reported by that: the plugin starts the engine again.
func (b *bridge) State() pluginclient.State {
	if front := b.direct.State(); front.Status != pluginclient.StatusRunning {
		return front
	}
	state := b.native.State()
	if answered := b.answered.Load(); answered != nil && state.Reported {
		state.Reported = !errors.Is(*answered, state.Err)
	}
	return state
}

// Kill ends the engine's process group at once. The plugin in front of it answers ERROR to
// what it was asked, and starts the engine again when it is asked next.
func (b *bridge) Kill() { b.native.Kill() }

// Perft is the engine's own.
func (b *bridge) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	if err := b.endBackground(ctx); err != nil {
		return 0, err
	}
	return b.native.Perft(ctx, pos, depth)
}
