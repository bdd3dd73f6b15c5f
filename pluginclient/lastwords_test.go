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

// lateReader has its text after a second, unless it is closed by then.
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

// TestStderrIsReadBeforeItIsClosed: what a dead engine has left on stderr is read
// before the pipe is closed, since it tells why.
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
