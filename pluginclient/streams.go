package pluginclient

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Streams are the pipes of a running engine, with functions to kill it and to wait for it.
type Streams struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser
	Stderr io.ReadCloser // nil if there is none
	Kill   func()        // kills the engine and all its children
	Wait   func() error  // waits for the engine to exit; a nonzero exit status is an error
}

// A Starter starts an engine. It may be called again after the engine has ended. The context
// limits only the start, not the engine's lifetime.
type Starter func(ctx context.Context) (*Streams, error)

// A Program describes how to start an engine.
type Program struct {
	Name  string // for traces and errors until the engine reports its own, if it can
	Start Starter
}

// Pipe returns a Starter for an engine in this process: serve reads commands from in and writes
// replies to out until in ends or ctx is done.
func Pipe(serve func(ctx context.Context, in io.Reader, out io.Writer) error) Starter {
	return func(context.Context) (*Streams, error) {
		ctx, cancel := context.WithCancel(context.Background())
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan struct{})
		var result error
		go func() {
			defer close(done)
			result = serve(ctx, inR, outW)
			inR.CloseWithError(io.ErrClosedPipe)
			outW.Close()
		}()
		kill := sync.OnceFunc(func() {
			cancel()
			inR.Close()
			outR.Close()
		})
		wait := func() error {
			<-done
			cancel()
			if errors.Is(result, context.Canceled) {
				return nil
			}
			return result
		}
		return &Streams{Stdin: inW, Stdout: outR, Kill: kill, Wait: wait}, nil
	}
}
