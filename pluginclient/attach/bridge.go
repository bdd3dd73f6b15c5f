package attach

import (
	"context"
	"errors"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/bench"
)

var (
	_ pluginclient.Bridge = (*bridge)(nil)
	_ bench.Counter       = (*bridge)(nil)
)

// bridge is the Session of an engine that speaks UCI, UCCI or XBoard's protocol. As with the embedded
// engine, the conversation goes through a QHPLUGIN server on an in-memory pipe, and searches go
// directly to the engine.
type bridge struct {
	*local
	native   *uci.Client
	answered atomic.Pointer[error] // the latest failure that the server has answered with ERROR
}

// NewBridge starts a QHPLUGIN server in front of an engine that speaks UCI, UCCI or XBoard's protocol.
// It closes the engine on failure.
func NewBridge(ctx context.Context, native *uci.Client, o Options) (pluginclient.Session, error) {
	b := &bridge{native: native}
	server := &qhplugin.Server{
		Searcher: &foreign{native, native.Levels(), func(err error) { b.answered.Store(&err) }}, Name: native.Info().Name,
	}
	front, latest, err := dialServer(ctx, server, o)
	if err != nil {
		return nil, errors.Join(err, native.Close())
	}
	b.local = newLocal(front, server.Searcher, latest)
	pluginclient.Rename(b, native.Info().Name)
	return b, nil
}

func (b *bridge) Native() pluginclient.Session { return b.native }

func (b *bridge) Info() pluginclient.Info { return b.native.Info() }

func (b *bridge) SetOption(ctx context.Context, name, value string) error {
	return b.native.SetOption(ctx, name, value)
}

func (b *bridge) Restart(ctx context.Context) error {
	if err := b.native.Restart(ctx); err != nil {
		return err
	}
	return b.local.Restart(ctx)
}

// Close closes the server, which stops a search in progress, and then the engine.
func (b *bridge) Close() error { return errors.Join(b.local.Close(), b.native.Close()) }

func (b *bridge) Forget() { engine.Forget(b.native) }

func (b *bridge) Idle(ctx context.Context) error {
	return errors.Join(b.local.Idle(ctx), b.native.Idle(ctx))
}

// State returns the engine's state, unless the server in front of it has ended. If the server has
// answered with ERROR because the engine was lost, Reported is false, since no call has failed.
func (b *bridge) State() pluginclient.State {
	if front := b.local.State(); front.Status != pluginclient.StatusRunning {
		return front
	}
	state := b.native.State()
	if answered := b.answered.Load(); answered != nil && state.Reported {
		state.Reported = !errors.Is(*answered, state.Err)
	}
	return state
}

// Kill kills the engine's process group. The server answers the current command with ERROR, and
// restarts the engine for the next search.
func (b *bridge) Kill() { b.native.Kill() }

func (b *bridge) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	if err := b.endBackground(ctx); err != nil {
		return 0, err
	}
	return b.native.Perft(ctx, pos, depth)
}
