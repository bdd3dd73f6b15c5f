package analyze

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest/golden"
)

// TestTranscripts plays the input of every testdata/*.txt and compares all answers. A line that
// starts with > is sent, "# wait TIME" lets that time pass, "# interrupt" ends the context, and
// other lines that start with # are comments. What has been answered by then follows.
func TestTranscripts(t *testing.T) {
	golden.Transcripts(t, "testdata", func(t *testing.T, text string) (played string) {
		synctest.Test(t, func(t *testing.T) { played = play(t, text) })
		return played
	})
}

// A record has what is sent and answered, in order.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func play(t *testing.T, text string) string {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	in, sent := io.Pipe()
	var out record
	type result struct {
		tally Tally
		err   error
	}
	done := make(chan result, 1)
	go func() {
		tally, err := Run(ctx, in, &out, Options{Engines: newEngines(t), Version: "1"})
		done <- result{tally, err}
	}()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, ">") && !strings.HasPrefix(line, "#") {
			continue
		}
		io.WriteString(&out, line)
		if request, ok := strings.CutPrefix(line, "> "); ok {
			io.WriteString(sent, request)
		}
		if line == "# interrupt\n" {
			interrupt()
		}
		if pause, ok := strings.CutPrefix(strings.TrimSpace(line), "# wait "); ok {
			d, err := time.ParseDuration(pause)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(d)
		}
		synctest.Wait()
	}
	sent.Close()
	end := <-done
	var b bytes.Buffer
	b.WriteString(out.text.String())
	if end.err != nil {
		b.WriteString("error: " + end.err.Error() + "\n")
	}
	if errors.Is(end.err, io.ErrClosedPipe) {
		t.Error(end.err)
	}
	return b.String()
}
