package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/qhplugin"
	"qhsh/pluginclient/ucci"
	"qhsh/pluginclient/uci"
	"qhsh/pluginclient/universal"
	"qhsh/pluginclient/xboard"
)

var (
	_ pluginclient.Bridge   = (*bridge)(nil)
	_ pluginclient.Ponderer = (*bridge)(nil)
)

// bridge is an engine that speaks UCI, UCCI or XBoard's protocol as a Session: as with the embedded engine,
// the conversation goes through a plugin on an in-memory pipe, and searches go straight to
// the engine.
type bridge struct {
	*direct
	native *universal.Client
}

// openBridge starts an engine, and a plugin in front of it.
func (s spec) openBridge(ctx context.Context, o Options, dialing qhplugin.Options) (pluginclient.Session, error) {
	native, err := s.dialNative(ctx, o)
	if err != nil {
		return nil, err
	}
	server := &qhplugin.Server{Searcher: native, Name: native.Info().Name}
	front, err := newDirect(ctx, server, dialing)
	if err != nil {
		return nil, errors.Join(err, native.Close())
	}
	front.traced = false // the engine's own lines are, and tell more
	b := &bridge{front, native}
	pluginclient.Rename(b, native.Info().Name)
	return b, nil
}

// dialNative starts an engine that speaks a protocol of its own.
func (s spec) dialNative(ctx context.Context, o Options) (*universal.Client, error) {
	options := xboard.Options{Options: universal.Options{Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn}}
	set := options.Options.Set
	if s.name == xboardName {
		set = options.Set
	}
	cmd := pluginclient.Command{Path: s.command[0], Args: s.command[1:]}
	for _, opt := range s.options {
		if opt.key == dirKey {
			cmd.Dir = opt.value
			continue
		}
		if err := set(opt.key, opt.value); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
		}
	}
	native, err := dialProtocol(ctx, s.name, universal.Program{Name: cmd.Path, Start: cmd.Start}, options)
	switch {
	case errors.Is(err, universal.ErrOption):
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	case err != nil:
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return native, nil
}

func dialProtocol(ctx context.Context, name string, program universal.Program, options xboard.Options) (*universal.Client, error) {
	switch name {
	case xboardName:
		return xboard.Dial(ctx, program, options)
	case ucciName:
		return ucci.Dial(ctx, program, options.Options)
	}
	return uci.Dial(ctx, program, options.Options)
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

// Ponder is the engine's own.
func (b *bridge) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := b.endBackground(ctx); err != nil {
			yield(nil, err)
			return
		}
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

// Kill ends the engine's process group at once. The plugin in front of it answers ERROR to
// what it was asked, and starts the engine again when it is asked next.
func (b *bridge) Kill() { b.native.Kill() }
