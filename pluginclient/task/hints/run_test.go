package hints

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
)

// An asker gives every position an empty reply, after calling onAsk.
type asker struct{ onAsk func() }

func (asker) Size() int             { return 1 }
func (asker) Identity() batch.Reply { return batch.Reply{} }

func (c asker) Ask(ctx context.Context, _ engine.Position) (batch.Reply, error) {
	c.onAsk()
	return batch.Reply{}, ctx.Err()
}

// TestInterruptedTwice checks that a run interrupted while its log is replayed does not report the
// number of answers: the log has more.
func TestInterruptedTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	var warnings []string
	run := func(resume bool, stopAt int) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		source := func() batch.Source {
			in := batch.NewLines(enginetest.Stones, "", strings.NewReader("1 first 2\n2 first 2\n3 first 2\n"))
			return sourceFunc(func() (batch.Item, error) {
				if resume {
					stop()
				}
				return in.Next()
			})
		}
		r, err := Open(ctx, Options{
			Output: output.Options{Flag: "-o", Path: path}, Format: batch.Formats(1)[0], Source: source, Resume: resume,
			Warn: func(text string) { warnings = append(warnings, text) },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		manifest, err := r.NewManifest(t.Context(), "stones", "", false, Engine{})
		if err == nil {
			_, err = r.Begin(ctx, manifest)
		}
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		tally, err := r.Do(ctx, asker{func() {
			if asked++; asked == stopAt {
				stop()
			}
		}}, batch.Options{})
		if err == nil {
			t.Error("no error")
		}
		r.SuggestResume(tally.Done, 3)
	}
	run(false, 3)
	run(true, 0)
	want := []string{
		"2 of 3 answered: the same command with -resume resumes the run",
		"the same command with -resume resumes the run",
	}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
}

// A sourceFunc is a function used as a Source.
type sourceFunc func() (batch.Item, error)

func (f sourceFunc) Next() (batch.Item, error) { return f() }
