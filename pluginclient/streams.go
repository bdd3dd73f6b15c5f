package pluginclient

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Streams are a running engine as its host sees it.
type Streams struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser
	Stderr io.ReadCloser // nil if there is none
	Kill   func()        // ends the engine, and everything that it has started, at once
	Wait   func() error  // returns when the engine has ended, with its exit status as an error unless it is 0
}

// A Starter starts an engine, and starts it again after it has ended. The context
// bounds the start alone, not the engine's life.
type Starter func(ctx context.Context) (*Streams, error)

// Pipe is a Starter for an engine that lives in this process: serve reads
// commands from in and writes answers to out until in ends or the context is done.
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
