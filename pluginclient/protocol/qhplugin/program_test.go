package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// roleVar is the environment variable that makes this program a plugin.
const roleVar = "QHSH_TEST_PLUGIN"

func init() {
	if role := os.Getenv(roleVar); role != "" {
		os.Exit(beProgram(role, os.Args[1:]))
	}
}

// beProgram runs a plugin with a command line. Its info block and its stderr contain its arguments.
func beProgram(role string, args []string) int {
	server := &Server{Searcher: enginetest.Ranker{}, Name: "program", Text: []string{strings.Join(args, " ")}}
	if slices.Contains(args, "-info") {
		fmt.Print(server.Info())
		return 0
	}
	fmt.Fprintln(os.Stderr, strings.Join(args, " "))
	in, host := io.Pipe()
	go func() {
		_, _ = io.Copy(host, crashing{os.Stdin, role})
		host.Close()
	}()
	if err := server.Serve(context.Background(), in, os.Stdout); err != nil {
		return 1
	}
	return 0
}

// crashing exits when it reads a word.
type crashing struct {
	in   io.Reader
	word string
}

func (c crashing) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if strings.Contains(string(p[:n]), c.word) {
		fmt.Fprintln(os.Stderr, "assertion failed: "+c.word)
		os.Exit(3)
	}
	return n, err
}

func testProgram(t *testing.T, role string, args ...string) Plugin {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0")
	return Program(pluginclient.Command{Path: exe, Args: args, Env: env})
}

// TestProgram: the info block comes from the same command with -info, where -plugin is added or
// replaced; the game uses -plugin.
func TestProgram(t *testing.T) {
	for _, c := range []struct{ args, info, play string }{
		{"", "-info", "-plugin"},
		{"-plugin", "-info", "-plugin"},
		{"-plugin debug", "-info debug", "-plugin debug"},
		{"-book x", "-book x -info", "-book x -plugin"},
		{"-x -plugin -y", "-x -info -y", "-x -plugin -y"},
	} {
		client, err := Dial(t.Context(), testProgram(t, "none", strings.Fields(c.args)...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lines, err := engine.Best(t.Context(), client, position("H2-E2"), engine.Limits{Lines: 2}); len(lines) != 2 {
			t.Errorf("%v, %v", lines, err)
		}
		client.Close()
		if info := client.info; info.Name != "program" || !info.Hints || info.Text[len(info.Text)-1] != c.info {
			t.Errorf("%q: info mode had the arguments %q, want %q", c.args, info.Text, c.info)
		}
		if got := plugintest.TraceLines(client, "!"); !slices.Equal(got, []string{"!" + c.play}) {
			t.Errorf("%q: plugin mode had the arguments %q, want %q", c.args, got, c.play)
		}
	}
}

// TestProgramCrashes: the error of a process that crashes contains its exit status and its last
// lines on stderr. The next search finds it restarted.
func TestProgramCrashes(t *testing.T) {
	client, err := Dial(t.Context(), testProgram(t, "HINTS 2", "-plugin"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = searchOnce(t.Context(), client, engine.Limits{Lines: 2})
	var told *pluginclient.Error
	if !errors.As(err, &told) || !errors.Is(err, pluginclient.ErrDied) || !strings.Contains(err.Error(), "exit status 3") {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff([]string{"-plugin", "assertion failed: HINTS 2"}, told.Stderr); diff != "" {
		t.Errorf("stderr, -want +got:\n%s", diff)
	}
	if _, err := searchOnce(t.Context(), client, engine.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestNoProgram: a program that cannot be started is an error that says so.
func TestNoProgram(t *testing.T) {
	_, err := Dial(t.Context(), Program(pluginclient.Command{Path: "./no-such-plugin"}), Options{})
	if !errors.Is(err, pluginclient.ErrStart) || !strings.Contains(err.Error(), "./no-such-plugin") {
		t.Errorf("error %v", err)
	}
}

// TestInfoDies: a plugin that crashes in info mode is tried a second time, and then cannot be
// started. One that prints a message and exits is usable without an info block.
func TestInfoDies(t *testing.T) {
	died := errors.New("exit status 7")
	for _, c := range []struct {
		name, say string
		deaths    int
		err       error
		warned    bool
	}{
		{"once", "", 1, nil, false},
		{"within the block", "QHPLUGIN V1.3\nold\n", 1, nil, false},
		{"always", "", 2, pluginclient.ErrStart, false},
		{"another program", "unknown option -info\n", 2, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			start := pluginclient.Pipe(func(_ context.Context, _ io.Reader, out io.Writer) error {
				if asked++; asked > c.deaths {
					_, _ = io.WriteString(out, "QHPLUGIN V1.3\nold\nENDINFO\n")
					return nil
				}
				_, _ = io.WriteString(out, c.say)
				return died
			})
			plugin := (&mischief{}).plugin()
			plugin.Info = func(ctx context.Context) (Info, error) { return askInfo(ctx, start) }
			warned := false
			client, err := Dial(t.Context(), plugin, Options{ClientOptions: pluginclient.ClientOptions{Warn: func(string) { warned = true }}})
			if !errors.Is(err, c.err) || err != nil && !strings.Contains(err.Error(), "exit status 7") {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err != nil {
				return
			}
			defer client.Close()
			if warned != c.warned || !warned && client.Info().Name != "old" {
				t.Errorf("warned: %v, name %q", warned, client.Info().Name)
			}
		})
	}
}

// TestInfoMode: V1.2 and missing lines are accepted. Without ENDINFO in time no abilities are
// assumed, with a warning; the plugin is usable anyway.
func TestInfoMode(t *testing.T) {
	const (
		block   = "QHPLUGIN V1.3\nold\nLEVELS 2\n4 four\n5 five\nUNDO 1\nHINTS 1\nRULES 1\nBGTHINK 1\nTIMEOUT 1\nfree text\n"
		assumed = "mischief: no abilities are assumed: the info block has no ENDINFO"
	)
	none := Info{}
	for _, c := range []struct {
		name, say string
		hangs     bool
		want      Info // the abilities and the name only
		levels    int
		warning   string
	}{
		{"whole", block + "ENDINFO\n", false, Info{Undo: true, Hints: true, Rules: true, BGThink: true, Timeout: true}, 2, ""},
		{"whole, and it stays", block + "ENDINFO\n", true, Info{Undo: true, Hints: true, Rules: true, BGThink: true, Timeout: true}, 2, ""},
		{"V1.2", strings.Replace(block, "1.3", "1.2", 1) + "ENDINFO\n", false, Info{Undo: true, Hints: true, Rules: true, BGThink: true, Timeout: true}, 2, ""},
		{"lines missing", "QHPLUGIN V1.2\nold\nRULES 1\nENDINFO\n", false, Info{Rules: true}, 0, ""},
		{"no line end", "QHPLUGIN V1.3\nold\nUNDO 1\nENDINFO", false, Info{Undo: true}, 0, ""},
		{"no ENDINFO", block, false, none, 2, assumed},
		{"no ENDINFO, and it stays", block, true, none, 0, assumed},
		{"silence", "", true, none, 0, assumed},
		{"another program", "usage: cat\n", false, none, 0, `mischief: no abilities are assumed: not an info block: want "QHPLUGIN V1.3", got "usage: cat"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
					_, _ = io.WriteString(out, c.say)
					if c.hangs {
						<-ctx.Done()
					}
					return nil
				})
				plugin := (&mischief{}).plugin()
				plugin.Info = func(ctx context.Context) (Info, error) { return askInfo(ctx, start) }
				var warnings []string
				begun := time.Now()
				client, err := Dial(t.Context(), plugin, Options{ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { warnings = append(warnings, text) }}})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				wait := time.Duration(0)
				switch {
				case c.hangs && c.warning != "":
					wait = 30 * time.Second
				case c.hangs:
					wait = exitWait
				}
				if took := time.Since(begun); took != wait {
					t.Errorf("it took %v, want %v", took, wait)
				}
				got := client.info
				levels := len(got.Levels)
				if got.Name != "old" && got.Name != "mischief" || levels != c.levels {
					t.Errorf("name %q, %d levels, want %d", got.Name, levels, c.levels)
				}
				got.Info, got.Breaches = pluginclient.Info{}, nil
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("abilities, -want +got:\n%s", diff)
				}
				if c.warning == "" && len(warnings) > 0 || c.warning != "" && !slices.Equal(warnings, []string{c.warning}) {
					t.Errorf("warnings %q, want %q", warnings, c.warning)
				}
				if _, err := searchOnce(t.Context(), client, engine.Limits{}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
