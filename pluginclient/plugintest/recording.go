package plugintest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"qhsh/pluginclient"
)

// A Recording is a conversation with a real engine: a trace file that ends with the outcome, after
// "= ".
type Recording struct {
	Outcome    string   // all lines after "= "
	Unexpected []string // received lines that are not in the recording
	turns      []turn
}

// A turn is a command and the lines that the engine sent before the next command.
type turn struct {
	command string
	answers []string
}

// ReadRecording reads a recording.
func ReadRecording(t *testing.T, text string) *Recording {
	t.Helper()
	r := &Recording{}
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(line, "= "); ok {
			r.Outcome += said
			continue
		}
		l, err := pluginclient.ParseTraceLine(strings.TrimSuffix(line, "\n"))
		switch {
		case err != nil:
			t.Fatal(err)
		case l.Dir == pluginclient.Sent || l.Dir == pluginclient.Pinged:
			r.turns = append(r.turns, turn{command: l.Text})
		case l.Dir == pluginclient.Received:
			last := &r.turns[len(r.turns)-1]
			last.answers = append(last.answers, l.Text)
		}
	}
	return r
}

// Remaining returns how many recorded lines the engine has not received yet.
func (r *Recording) Remaining() int { return len(r.turns) }

// Start starts an engine that answers like the recorded one if it gets the same commands, and ends
// at "quit". It is a pluginclient.Starter.
func (r *Recording) Start(ctx context.Context) (*pluginclient.Streams, error) {
	return pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		for s := bufio.NewScanner(in); s.Scan(); {
			if len(r.turns) == 0 || r.turns[0].command != s.Text() {
				r.Unexpected = append(r.Unexpected, s.Text())
				continue
			}
			for _, answer := range r.turns[0].answers {
				if _, err := fmt.Fprintln(out, answer); err != nil {
					return nil
				}
			}
			if r.turns = r.turns[1:]; s.Text() == "quit" {
				return nil
			}
		}
		return nil
	})(ctx)
}
