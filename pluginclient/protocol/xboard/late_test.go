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
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// tardy is an engine whose program may print something and then takes some time to load. It does
// not read its input before.
func tardy(banner string, load time.Duration) pluginclient.Program {
	served := uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served", Options: demoOptions}
	start := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		if _, err := io.WriteString(out, banner); err != nil {
			return err
		}
		waiting, closing := buffered(in)
		defer closing()
		time.Sleep(load)
		return xboard.Serve(ctx, waiting, out, served)
	})
	return pluginclient.Program{Name: "path", Start: start}
}

// buffered stores what is written until it is read, as a pipe does.
func buffered(in io.Reader) (r *io.PipeReader, closing func()) {
	r, w := io.Pipe()
	pieces := make(chan []byte, 1000)
	go func() {
		defer close(pieces)
		for {
			p := make([]byte, 4096)
			n, err := in.Read(p)
			if err != nil {
				return
			}
			pieces <- p[:n]
		}
	}()
	go func() {
		defer w.Close()
		for p := range pieces {
			_, _ = w.Write(p)
		}
	}()
	return r, func() { r.Close() }
}

// TestLateFeatures: the features of an engine are known at the first search, however long its
// program loads. If the introduction was considered complete before they came, a warning says so.
func TestLateFeatures(t *testing.T) {
	for _, c := range []struct {
		name, banner string
		load, start  time.Duration // start: how long Dial takes
		at           string        // the engine's name when Dial returns
		warns        int
	}{
		{"in time", "", 1900 * time.Millisecond, 1900 * time.Millisecond, "served", 0},
		{"silent at first", "", 20 * time.Second, 20 * time.Second, "served", 0},
		{"after a banner", "Hello\n", 3 * time.Second, 3 * time.Second, "served", 0},
		{"long after a banner", "Hello\n", 10 * time.Second, 4 * time.Second, "path", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var warnings []string
				var o xboard.Options
				o.Warn = func(text string) { warnings = append(warnings, text) }
				begun := time.Now()
				client, err := xboard.Dial(t.Context(), tardy(c.banner, c.load), o)
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				if name, took := client.Info().Name, time.Since(begun); name != c.at || took != c.start {
					t.Errorf("name %q after %v", name, took)
				}
				if lines := ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1, Lines: 3}); len(lines) != 3 {
					t.Errorf("%d lines, want 3", len(lines))
				}
				if client.Info().Name != "served" || len(client.OfferedOptions()) < 5 {
					t.Errorf("%+v, %+v", client.Info(), client.OfferedOptions())
				}
				if len(warnings) != c.warns || c.warns > 0 && !strings.Contains(warnings[0], " sent its features more than 2s after its start") {
					t.Errorf("warnings %q", warnings)
				}
			})
		})
	}
}

// TestNoFeatures: the client does not wait long for engines without features, but one that sends
// nothing at all may still be loading.
func TestNoFeatures(t *testing.T) {
	for _, c := range []struct {
		name, banner, ping string // ping: its reply to a ping
		start              time.Duration
		warns              string
	}{
		{"an error", "", "Error (unknown command): ping 1\n", 2 * time.Second, ""},
		{"an illegal move", "Chess\n", "Illegal move: ping 1\n", 2 * time.Second, ""},
		{"nothing more", "Chess\n", "", 4 * time.Second, ""},
		{"nothing", "", "", 30 * time.Second, "path has sent nothing in 30s: assuming no features"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &plugintest.FaultyEngine{
					Engine:    tardy(c.banner, 0).Start,
					OnCommand: on("ping", say(c.ping)),
					OnReply: func(line string) string {
						if strings.HasPrefix(line, "feature") {
							return ""
						}
						return line + "\n"
					},
				}
				var o xboard.Options
				warning := ""
				o.Warn = func(text string) { warning += text }
				begun := time.Now()
				client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "path", Start: m.Start}, o)
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				if took := time.Since(begun); took != c.start || warning != c.warns {
					t.Errorf("started after %v, want %v; warning %q", took, c.start, warning)
				}
				ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1})
			})
		})
	}
}

// TestFeaturesInTurn: the client waits for all features if they come one by one, with pauses.
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

// TestQuitInTurn: commands before "quit" are answered before the conversation ends, and an endless
// search does not delay it.
func TestQuitInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		in := strings.NewReader("nopost\nst 90000\ngo\nping 1\nusermove h9g7\nping 2\nquit\nping 3\n")
		begun := time.Now()
		err := xboard.Serve(t.Context(), in, &out, uci.ServerConfig{Searcher: enginetest.Ranker{Pace: time.Hour}, Name: "served"})
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
