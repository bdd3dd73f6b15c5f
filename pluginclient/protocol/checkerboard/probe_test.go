package checkerboard_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
)

// compiler returns a C compiler, or skips the test.
func compiler(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil && runtime.GOOS != "windows" {
			return path
		}
	}
	t.Skip("there is no C compiler")
	return ""
}

// built holds the libraries that tests have built, by their flags.
var built struct {
	sync.Mutex
	dir  string
	libs map[string]string
}

// probe builds the probe library.
func probe(t *testing.T, flags ...string) string {
	t.Helper()
	cc := compiler(t)
	built.Lock()
	defer built.Unlock()
	key := strings.Join(flags, " ")
	if path := built.libs[key]; path != "" {
		return path
	}
	if built.dir == "" {
		dir, err := os.MkdirTemp("", "checkerboard")
		if err != nil {
			t.Fatal(err)
		}
		built.dir, built.libs = dir, map[string]string{}
	}
	path := filepath.Join(built.dir, fmt.Sprintf("probe%d.so", len(built.libs)))
	args := append([]string{"-shared", "-fPIC", "-O0", "-w", "-o", path, filepath.Join("testdata", "probe.c")}, flags...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	built.libs[key] = path
	return path
}

// command returns the command line of a library in a mode of the probe.
func command(path, mode string) pluginclient.Command {
	return pluginclient.Command{Path: path, Env: append(os.Environ(), "PROBE="+mode)}
}

func dial(t *testing.T, mode string) (*checkerboard.Client, error) {
	t.Helper()
	c, err := checkerboard.Dial(t.Context(), checkerboard.Library(command(probe(t), mode)), checkerboard.Options{})
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// TestFaults: the probe misbehaves in every known way. Each test compares the error, and then
// searches again.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		mode string
		want string // the move, or a part of the error
		kind error
	}{
		{mode: "", want: "24-20"},
		{mode: "nomove", want: "24-20"},  // like English engines
		{mode: "noboard", want: "24-20"}, // like kodra
		{mode: "prints", want: "24-20"},
		{mode: "loses", want: "24-20"},
		{mode: "setsplaynow", want: "24-20"},
		{mode: "longstatus", want: "24-20"},
		{mode: "longreply", want: "24-20"},
		{mode: "loop", want: "24-20"},
		{mode: "mute", want: "the position is of Russian checkers, and the engine plays English checkers"},
		{mode: "crash", kind: pluginclient.ErrDied},
		{mode: "exit", kind: pluginclient.ErrDied, want: "exit status 3"},
		{mode: "hang", kind: pluginclient.ErrNoReply},
		{mode: "garbageboard", kind: pluginclient.ErrIllegal, want: "does not lead to the board"},
		{mode: "garbagemove", kind: pluginclient.ErrIllegal, want: "CBmove 1431655765"},
		{mode: "wrongmove", kind: pluginclient.ErrIllegal, want: "no move of the position: {1 5} to {1 4} with 0 jumps"},
		{mode: "illegal", kind: pluginclient.ErrIllegal, want: "neither the board nor the CBmove"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			client, err := dial(t, c.mode)
			if err != nil {
				t.Fatal(err)
			}
			pos := checkers.Rules{Variant: checkers.Russian}.Start()
			for range 2 {
				got := ask(t, client, pos, c.kind)
				if !strings.Contains(got, c.want) {
					t.Errorf("%s, want %s", got, c.want)
				}
			}
		})
	}
}

// ask returns the move of a search. Its error must wrap kind.
func ask(t *testing.T, c *checkerboard.Client, pos engine.Position, kind error) string {
	t.Helper()
	lines, err := engine.Best(t.Context(), c, pos, engine.Limits{Time: 50 * time.Millisecond})
	if err != nil {
		if kind != nil && !errors.Is(err, kind) {
			t.Errorf("%v, want one that wraps %v", err, kind)
		}
		return err.Error()
	}
	return pos.Format(lines[0].Move())
}

// TestMemory compares the library's memory with the API: a board is [x][y], all numbers have 32
// bits, the flag is 0, and a continued game differs from a new one.
func TestMemory(t *testing.T) {
	client, err := dial(t, "memory")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Raw(t.Context(), "enginecommand get sizes")
	if want := []string{"1 268 4 0"}; err != nil || !cmp.Equal(want, answer) {
		t.Errorf("%q, %v; want %q", answer, err, want)
	}
	var pos engine.Position
	if pos, err = (checkers.Rules{Variant: checkers.Russian}).Position("W:Wg3,K29:Bb8,K12"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"color 1 maxtime 0.25 playnow 0 info 1 moreinfo 0: 2=10 13=5 48=6 63=9",
		"color 2 maxtime 0.25 playnow 0 info 0 moreinfo 0: 2=10 4=5 48=6 63=9",
	} {
		lines, err := engine.Best(t.Context(), client, pos, engine.Limits{Time: 250 * time.Millisecond})
		if err != nil || lines[0].Text != want {
			t.Fatalf("call %d: %v, %v; want %s", i+1, lines, err, want)
		}
		if pos, err = pos.Play(lines[0].Move()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClock compares the parameters of getmove with a clock, for a client that sends it.
func TestClock(t *testing.T) {
	client, err := checkerboard.Dial(t.Context(), checkerboard.Library(command(probe(t), "memory")), checkerboard.Options{Clock: true, Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	pos, err := (checkers.Rules{Variant: checkers.Russian}).Position("W:WK29:BK12")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		clock engine.Clock
		want  string
	}{
		{engine.Clock{}, "color 1 maxtime 0.25 playnow 0 info 3 moreinfo 0: 2=10 63=9"},
		{engine.Clock{Left: 10 * time.Second, Increment: time.Second}, "color 1 maxtime 0.25 playnow 0 info 7 moreinfo 655361000: 2=10 63=9"},
		{engine.Clock{Left: 10 * time.Minute}, "color 1 maxtime 0.25 playnow 0 info 11 moreinfo -362807296: 2=10 63=9"},
	} {
		_, _ = engine.Best(t.Context(), client, pos, engine.Limits{Time: 250 * time.Millisecond, Clock: c.clock})
		if got := lastStatus(t, client); got != c.want {
			t.Errorf("%v: %s, want %s", c.clock, got, c.want)
		}
	}
}

// lastStatus returns the status at the end of the last answer to getmove.
func lastStatus(t *testing.T, client *checkerboard.Client) string {
	t.Helper()
	last := client.Trace().Last(1, func(e pluginclient.Entry) bool { return strings.HasPrefix(e.Text, "move ") })
	if len(last) == 0 {
		t.Fatal("no answer to getmove")
	}
	words := strings.SplitN(last[0].Text, " ", 6)
	return words[len(words)-1]
}

// TestHistory compares the game that the library gets before a search: the moves after the last
// irreversible one, and no more than its buffer holds.
func TestHistory(t *testing.T) {
	client, err := dial(t, "history")
	if err != nil {
		t.Fatal(err)
	}
	const round = " 30-26 3-8 26-30 8-3"
	for _, c := range []struct{ moves, want string }{
		{"", "W:W28,K30:BK3,5"},
		{"28-24", "B:W24,K30:BK3,5"},
		{"28-24 5-9 30-26", "W:W24,K30:BK3,9 30-26"},
		{"28-24 5-9" + strings.Repeat(round, 10), "W:W24,K30:BK3,9" + strings.Repeat(round, 10)},
		{"28-24 5-9" + strings.Repeat(round, 20), "B:W24,K30:BK8,9 8-3" + strings.Repeat(round, 11)},
	} {
		pos, err := (checkers.Rules{Variant: checkers.Russian}).Position("W:Wh2,Kc1:Ba7,Kf8")
		for _, word := range strings.Fields(c.moves) {
			var m engine.Move
			if m, err = pos.Parse(word); err != nil {
				break
			}
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _ = engine.Best(t.Context(), client, pos, engine.Limits{Time: 50 * time.Millisecond})
		if got := lastStatus(t, client); got != "set gamehist "+c.want {
			t.Errorf("%s: %s, want %s", c.moves, got, c.want)
		}
	}
}

// TestStatus: the engine's status text arrives unchanged, as one line.
func TestStatus(t *testing.T) {
	client, err := dial(t, "status")
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, client, checkers.Rules{Variant: checkers.Russian}.Start(), nil); got != "24-20" {
		t.Error(got)
	}
	var said []string
	for _, e := range client.Trace().Last(3, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Received }) {
		if strings.HasPrefix(e.Text, "info ") {
			said = append(said, e.Text)
		}
	}
	if want := []string{`info thinking\n of it`}; !cmp.Equal(want, said) {
		t.Errorf("%q, want %q", said, want)
	}
}

// TestStart tests libraries that cannot be used.
func TestStart(t *testing.T) {
	lib := probe(t)
	text := filepath.Join(t.TempDir(), "text.so")
	narrow := filepath.Join(t.TempDir(), "engine.dll")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(narrow, dll32(), 0o600); err != nil {
		t.Fatal(err)
	}
	italian := checkers.Italian
	for _, c := range []struct {
		path, mode, want string
		variant          *checkers.Variant
	}{
		{path: "no-such.so", want: "no such file"},
		{path: text, want: "cannot be started: "},
		{path: narrow, want: "it is a library of 32 bits"},
		{path: probe(t, "-Dgetmove=other"), want: "it does not export getmove: no CheckerBoard engine"},
		{path: lib, mode: "gothic", want: "game type 99 (unknown) is not supported"},
		{path: lib, mode: "words", want: `get gametype answered "checkers"`},
		{path: lib, variant: &italian, want: "the engine plays Russian checkers, not Italian checkers"},
	} {
		client, err := checkerboard.Dial(t.Context(), checkerboard.Library(command(c.path, c.mode)), checkerboard.Options{Variant: c.variant})
		if err == nil {
			client.Close()
			t.Errorf("%s starts", c.path)
		} else if !errors.Is(err, pluginclient.ErrStart) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// dll32 is the beginning of a 32-bit Windows library.
func dll32() []byte {
	file := make([]byte, 1024)
	copy(file, "MZ")
	file[0x3c] = 0x80
	copy(file[0x80:], "PE\x00\x00\x4c\x01")
	return file
}

// TestRaw tests the lines that a user can type.
func TestRaw(t *testing.T) {
	client, err := dial(t, "")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, line := range []string{
		"enginecommand name", "ENGINECOMMAND about", "enginecommand frobnicate", "islegal 22 18", "islegal c3 d4", "islegal 22 17", "islegal 22", "hello",
	} {
		answer, err := client.Raw(t.Context(), line)
		fmt.Fprintf(&got, "%s: %q %v\n", line, answer, errors.Is(err, pluginclient.ErrRefused))
	}
	const want = `enginecommand name: ["1 Probe"] false
ENGINECOMMAND about: ["1 Probe\\nfor tests\\n"] false
enginecommand frobnicate: ["0 ?"] false
islegal 22 18: ["1 22-18"] false
islegal c3 d4: ["1 22-18"] false
islegal 22 17: ["0"] false
islegal 22: [] true
hello: [] true
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	info := client.Info()
	if want := []string{"game type 25, Russian checkers", "Probe", "for tests"}; !cmp.Equal(want, info.Text) || info.Name != "Probe" {
		t.Errorf("%+v", info)
	}
}
