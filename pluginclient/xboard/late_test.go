package xboard_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/universal"
	"qhsh/pluginclient/xboard"
)

// tardy is an engine whose program takes some time to load: it reads nothing before.
func tardy(load time.Duration) universal.Program {
	served := universal.Served{Searcher: enginetest.Ranker{}, Name: "served", Options: demoOptions}
	start := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		time.Sleep(load)
		return xboard.Serve(ctx, in, out, served)
	})
	return universal.Program{Name: "path", Start: start}
}

// TestLateFeatures: an engine that loads for longer than anybody waits for features is told of,
// and what it offers is used as soon as it is known.
func TestLateFeatures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var warnings []string
		var o xboard.Options
		o.Warn = func(text string) { warnings = append(warnings, text) }
		client, err := xboard.Dial(t.Context(), tardy(3*time.Second), o)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if name := client.Info().Name; name != "path" {
			t.Errorf("name %q before it has told its own", name)
		}
		ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1})
		if lines := ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1, Lines: 3}); len(lines) != 3 {
			t.Errorf("%d lines, want 3", len(lines))
		}
		if _, ok := client.Offers().Find("Hash"); client.Info().Name != "served" || !ok && len(client.Offers()) < 5 {
			t.Errorf("%+v, %+v", client.Info(), client.Offers())
		}
		if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "path told its features more than 2s after it was started") {
			t.Errorf("warnings %q", warnings)
		}
	})
}

// TestFeaturesInTurn: features that come one after the other, with pauses, are all waited for.
func TestFeaturesInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowly := func(line string) string {
			if strings.HasPrefix(line, "feature") {
				time.Sleep(500 * time.Millisecond)
			}
			return strings.Replace(line+"\n", "feature done=0\n", "", 1)
		}
		client := dial(t, program(enginetest.Ranker{}, slowly))
		defer client.Close()
		if name := client.Info().Name; name != "served" {
			t.Errorf("name %q", name)
		}
	})
}

// TestQuitInTurn: what was asked before "quit" is answered before the conversation ends, and
// an endless thought does not hold it up.
func TestQuitInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		in := strings.NewReader("nopost\nst 90000\ngo\nping 1\nusermove h9g7\nping 2\nquit\nping 3\n")
		begun := time.Now()
		err := xboard.Serve(t.Context(), in, &out, universal.Served{Searcher: enginetest.Ranker{Pace: time.Hour}, Name: "served"})
		if err != nil || time.Since(begun) > 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if word == "move" {
				rest = ""
			}
			got = append(got, word+rest)
		}
		want := []string{"move", "pong1", "move", "pong2"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
