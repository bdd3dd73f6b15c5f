package pluginclient

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lateReader returns its text after a second, unless it is closed before.
type lateReader struct {
	text   io.Reader
	closed chan struct{}
}

func (r *lateReader) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		return r.text.Read(p)
	case <-r.closed:
		return 0, os.ErrClosed
	}
}

func (r *lateReader) Close() error {
	close(r.closed)
	return nil
}

// TestStderrIsReadBeforeItIsClosed: the stderr of an engine that has exited is read before the pipe
// is closed, since it may contain the reason.
func TestStderrIsReadBeforeItIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pipe := Pipe(func(context.Context, io.Reader, io.Writer) error { return nil })
		conn, trace := connect(t, func(ctx context.Context) (*Streams, error) {
			streams, err := pipe(ctx)
			streams.Stderr = &lateReader{strings.NewReader("assertion failed\n"), make(chan struct{})}
			return streams, err
		})
		if err := failure(t, conn); err == nil {
			t.Error("it is alive")
		}
		conn.Close("", 0)
		if diff := cmp.Diff([]string{"!assertion failed"}, spoken(trace)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
