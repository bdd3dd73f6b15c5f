package qhplugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// TestFirstAnswer: what is said of a plugin that answers the first LEVEL, and how long that takes.
func TestFirstAnswer(t *testing.T) {
	for _, c := range []struct {
		answer string
		took   time.Duration
		judged string // the names of the rules
		err    string // the reason without the plugin's name; empty: none
	}{
		{"1\n", 0, "", ""},
		{"Tiny 1.0\n1\n", 0, "plugin.silent", ""},
		{"ERROR\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "ERROR"`},
		{"LEVEL 1\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "LEVEL 1"`},
		{"> 1\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "> 1"`},
		{"Unknown command: 'LEVEL'. Type help.\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "Unknown command: 'LEVEL'. Type help."`},
		{"Error (unknown command): LEVEL\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "Error (unknown command): LEVEL"`},
		{"? unknown command\n", 0, "level.current", `invalid reply: not an answer to LEVEL: "? unknown command"`},
		{"hello\n", 5 * time.Second, "plugin.silent plugin.answers level.current", `invalid reply: not an answer to LEVEL: "hello"`},
		{"Level\nis 1\n", 5 * time.Second, "plugin.silent plugin.silent plugin.answers plugin.silent level.current", `invalid reply: not an answer to LEVEL: "is 1"`},
		{"> ", 10 * time.Second, "plugin.newline", `incomplete line: "> "`},
		{"", 30 * time.Second, "plugin.flush", "no answer"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var judged []string
			plugin := InProcess(&Server{Name: "tiny"})
			plugin.Info = func(context.Context) (Info, error) { return Info{}, nil }
			plugin.Start = pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
				for lines := bufio.NewScanner(in); lines.Scan() && lines.Text() != "QUIT"; {
					_, _ = io.WriteString(out, c.answer)
				}
				return nil
			})
			begun := time.Now()
			client, err := Dial(t.Context(), plugin, Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { judged = append(judged, j.Name) }}})
			took, rules := time.Since(begun), strings.Join(judged, " ")
			if err == nil {
				client.Close()
			}
			want := ""
			if c.err != "" {
				want = "tiny: start: cannot be started: " + c.err
			}
			if got := briefly(err); got != want || took != c.took || rules != c.judged {
				t.Errorf("%q: error %q, judged %q after %v\nwant %q, %q after %v", c.answer, got, rules, took, want, c.judged, c.took)
			}
		})
	}
}

// TestSlowStart: a plugin that says more than once that it is not ready is waited for.
func TestSlowStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plugin := InProcess(&Server{Name: "slow"})
		plugin.Start = pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
			kept, input := make(chan string, 8), make(chan error)
			r, w := io.Pipe()
			go func() { // as a pipe of the operating system keeps what is not read yet
				defer close(kept)
				for lines := bufio.NewScanner(in); lines.Scan(); {
					kept <- lines.Text() + "\n"
				}
			}()
			for i := range 5 {
				fmt.Fprintf(out, "loading %d of 5\n", i+1)
				time.Sleep(4 * time.Second)
			}
			go func() {
				defer close(input)
				defer w.Close()
				for line := range kept {
					_, _ = io.WriteString(w, line)
				}
			}()
			defer func() { <-input }()
			return (&Server{Name: "slow"}).Serve(ctx, r, out)
		})
		client, err := Dial(t.Context(), plugin, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 2 {
			if level, err := client.AskLevel(t.Context()); err != nil || level != engine.DefaultLevel {
				t.Errorf("level %d, %v", level, err)
			}
		}
	})
}

// briefly returns the text of an error without its time; empty if there is none.
func briefly(err error) string {
	if err == nil {
		return ""
	}
	return pluginclient.Brief(pluginclient.WithoutDuration(err))
}

// TestBlamedForSearch: when a search takes too long, and its move is not taken back either, the
// error is that of the search.
func TestBlamedForSearch(t *testing.T) {
	for _, command := range []string{"AI", "raw AI"} {
		synctest.Test(t, func(t *testing.T) {
			m := &mischief{info: noHints, in: func(line string) act {
				switch line {
				case "AI":
					return act{}
				case "ABORT":
					return act{Send: "A0-A1\n"}
				case "UNDO":
					return act{Send: "ERROR\n"}
				}
				return obey(line)
			}}
			client := dialMischief(t, m)
			defer client.Close()
			var err error
			if command == "AI" {
				_, err = client.AI(t.Context(), engine.Limits{})
			} else {
				_, err = client.Raw(t.Context(), "AI")
			}
			var failed *pluginclient.Error
			if !errors.As(err, &failed) || failed.Command != "AI" || failed.After != 5*time.Minute {
				t.Errorf("%s: %s", command, fmt.Sprint(err))
			}
		})
	}
}
