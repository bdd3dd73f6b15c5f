package pluginclient

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLastWordsOnStderr: a last line without a line feed is a line.
func TestLastWordsOnStderr(t *testing.T) {
	pipe := Pipe(func(context.Context, io.Reader, io.Writer) error { return nil })
	conn, trace := connect(t, func(ctx context.Context) (*Streams, error) {
		streams, err := pipe(ctx)
		streams.Stderr = io.NopCloser(strings.NewReader("one\nthe last words"))
		return streams, err
	})
	conn.Close("", 0)
	if diff := cmp.Diff([]string{"!one", "!the last words"}, spoken(trace)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
