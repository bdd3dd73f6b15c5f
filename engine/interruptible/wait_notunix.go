//go:build !unix

package interruptible

import "context"

func (r waitingReader) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	buf, done := make([]byte, len(p)), make(chan result, 1)
	go func() {
		n, err := r.file.Read(buf)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buf[:got.n]), got.err
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	}
}
