package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/match"
)

// TestMatchKilled kills a match twice while it runs, and resumes it.
func TestMatchKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no kill -9 on Windows")
	}
	dir := t.TempDir()
	file, pgn := filepath.Join(dir, "m.jsonl"), filepath.Join(dir, "m.pgn")
	args := func(out, pgn string) []string {
		return []string{
			"match", "-resume", "-level", "2", "-maxmoves", "6", "-games", "60", "-srand", "9", "-jobs", "2",
			"-openings", "../../examples/positions.fen", "-order", "random", "-o", out, "-pgnout", pgn, "builtin", "slow=fakeplugin -slow 2ms",
		}
	}
	for round := range 2 {
		p := startQhsh(t, nil, args(file, pgn)...)
		enginetest.Await(func() bool { return lineCount(file) >= 3*(round+1) })
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if status := p.status(t); status != -1 {
			t.Fatalf("the match ended before the kill: status %d, %s", status, p.stderr.String())
		}
	}
	whole, wholePGN := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "whole.pgn")
	var tables [2]outcome
	tables[0] = runQhsh(t.Context(), nil, args(file, pgn)...)
	tables[1] = runQhsh(t.Context(), nil, args(whole, wholePGN)...)
	if tables[0].status != exitOK || !strings.Contains(tables[0].stderr, " games already\n") {
		t.Errorf("%+v", tables[0])
	}
	if diff := cmp.Diff(tables[1].stdout, tables[0].stdout); diff != "" {
		t.Errorf("other standings: -in one go +killed\n%s", diff)
	}
	for _, files := range [][2]string{{whole, file}, {wholePGN, pgn}} {
		if diff := cmp.Diff(readTimeless(t, files[0]), readTimeless(t, files[1])); diff != "" {
			t.Errorf("other games: -in one go +killed\n%s", diff)
		}
	}
}

func lineCount(path string) int {
	text, _ := os.ReadFile(path)
	return strings.Count(string(text), "\n")
}

func readTimeless(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return timeless(string(text))
}

// TestMatchInterrupted: Ctrl-C leaves the finished games and prints the standings and how to
// resume.
func TestMatchInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	file := filepath.Join(t.TempDir(), "m.jsonl")
	p := startQhsh(t, nil, "match", "-level", "1", "-maxmoves", "4", "-games", "100", "-openings", "../../examples/positions.fen", "-o", file,
		"builtin", "slow=fakeplugin -slow 10ms")
	enginetest.Await(func() bool { return lineCount(file) >= 3 })
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := p.line(t); !strings.HasPrefix(got, "   player ") {
		t.Errorf("standings %q", got)
	}
	status := p.status(t)
	last := p.stderr.String()
	last = last[max(0, strings.LastIndex(strings.TrimSuffix(last, "\nqhsh match: interrupted\n"), "\n")+1):]
	if status != exitInterrupted || !strings.HasSuffix(last, " of 100 games finished: resume with the same command and -resume\nqhsh match: interrupted\n") {
		t.Errorf("status %d, stderr ends with %q", status, last)
	}
}

// TestMatchFullDisk writes the standings, and then the games, to a full disk.
func TestMatchFullDisk(t *testing.T) {
	got := runQhsh(t.Context(), func(h *host) { h.Stdout = fullDisk{} }, "match", "-level", "1", "-maxmoves", "1", "builtin", "builtin")
	if got.status != exitFailed || !strings.HasSuffix(got.stderr, "\nqhsh match: no space left on device\n") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	got = runQhsh(t.Context(), nil, "match", "-level", "1", "-maxmoves", "1", "-pgnout", "/dev/full", "builtin", "builtin")
	if got.status != exitFailed || got.stderr != "qhsh match: output: write /dev/full: no space left on device\n" {
		t.Errorf("%+v", got)
	}
}

// TestMatchNoRoom: a disk that becomes full ends the match with whole lines in its file, and the
// match can be resumed once there is space.
func TestMatchNoRoom(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ulimit -f needs Linux")
	}
	dir := t.TempDir()
	whole, file := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "m.jsonl")
	args := func(out string) []string {
		return []string{
			"match", "-resume", "-level", "1", "-maxmoves", "2", "-games", "20", "-openings", "../../examples/positions.fen", "-o", out,
			"builtin", "b=builtin",
		}
	}
	if got := runQhsh(t.Context(), nil, args(whole)...); got.status != exitOK {
		t.Fatalf("%+v", got)
	}
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 8; exec qhsh "$@"`, "sh"}, args(file)...)...)
	out, err := limited.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.HasSuffix(string(out), "\nqhsh match: output: write "+file+": file too large\n") {
		t.Errorf("%v: %s", err, out)
	}
	want, part := readTimeless(t, whole), readTimeless(t, file)
	if part == "" || len(part) == len(want) || !strings.HasPrefix(want, part) || part[len(part)-1] != '\n' {
		t.Errorf("want some whole lines of\n%sgot\n%s", want, part)
	}
	if got := runQhsh(t.Context(), nil, args(file)...); got.status != exitOK {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff(want, readTimeless(t, file)); diff != "" {
		t.Errorf("other games: -in one go +resumed\n%s", diff)
	}
}

// TestMatchStandings runs with stderr on a terminal.
func TestMatchStandings(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"builtin b=builtin", `\r1/2  \d+:\d\d left  0.5-0.5  LOS 50%  builtin - b *\r(2/2 .*\r)? +\r$`},
		{"a=builtin b=builtin c=builtin -games 1 -repeat=false", `\r1/3  \d+:\d\d left  a 0/0  b 0.5/1  c 0.5/1 *\r`},
		{"builtin b=builtin -sprt elo1=20", `\r1/100000  0.5-0.5  LOS 50%  LLR 0.00 \(-2.94, 2.94\)  builtin - b *\r`},
	} {
		args := append([]string{"match", "-level", "1", "-maxmoves", "1"}, strings.Fields(c.args)...)
		got := runQhsh(t.Context(), func(h *host) { h.StderrTTY = true }, args...)
		if got.status != exitOK || !regexp.MustCompile(c.want).MatchString(got.stderr) {
			t.Errorf("%s: status %d, stderr %.300q", c.args, got.status, got.stderr)
		}
	}
}

// TestMatchAsks checks the whole conversation with a player, from BGTHINK to the last move of its
// second game: by default it gets moves by PLAY and is asked by AI, as in a game against a person.
func TestMatchAsks(t *testing.T) {
	const fen = "> FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w"
	for _, c := range []struct {
		name, args string
		want       []string
	}{
		{"move", "-ask move", []string{
			"> BGTHINK OFF", "< OK", fen, "< OK", "> AI", "< A0-A1", "> PLAY A9-A7", "< OK", "> AI", "< I0-I1",
			"> BGTHINK OFF", "< OK", fen, "< OK", "> PLAY A0-A1", "< OK", "> AI", "< A9-A7", "> PLAY I0-I1", "< OK", "> AI", "< A7-A8",
		}},
		{"by default", "-ponder", []string{
			"> BGTHINK ON", "< OK", fen, "< OK", "> AI", "< A0-A1", "> PLAY A9-A7", "< OK", "> AI", "< I0-I1",
			"> BGTHINK ON", "< OK", fen, "< OK", "> PLAY A0-A1", "< OK", "> AI", "< A9-A7", "> PLAY I0-I1", "< OK", "> AI", "< A7-A8",
		}},
		{"hints", "-player fake,ask=hints -draw movecount=1", []string{
			"> BGTHINK OFF", "< OK", fen, "< OK", "> HINTS 1", "< A0-A1 score cp 10 depth 1 nodes 1 pv A0-A1", "< ENDHINTS",
			"> LOAD 2", "> A0-A1", "> A9-A7", "< OK", "> HINTS 1", "< I0-I1 score cp 10 depth 1 nodes 1 pv I0-I1", "< ENDHINTS",
			"> BGTHINK OFF", "< OK", fen, "< OK",
			"> PLAY A0-A1", "< OK", "> HINTS 1", "< A9-A7 score cp 10 depth 1 nodes 1 pv A9-A7", "< ENDHINTS",
			"> LOAD 2", "> A9-A7", "> I0-I1", "< OK", "> HINTS 1", "< A7-A8 score cp 10 depth 1 nodes 1 pv A7-A8", "< ENDHINTS",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace.txt")
			args := append(strings.Fields("match -maxmoves 2 -trace "+trace), strings.Fields(c.args)...)
			got := runQhsh(t.Context(), nil, append(args, "fake=fakeplugin", "other=fakeplugin", "-player", "other,ask=hints,ponder=false")...)
			if got.status != exitOK {
				t.Fatalf("%+v", got)
			}
			if diff := cmp.Diff(c.want, conversation(t, trace, "fake")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// conversation returns the lines of a trace with an engine, after its start and up to QUIT.
func conversation(t *testing.T, trace, name string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		l, err := pluginclient.ParseTraceLine(strings.TrimSuffix(line, "\n"))
		switch {
		case err != nil:
			t.Fatal(err)
		case l.Engine != name, l.Dir != pluginclient.Sent && l.Dir != pluginclient.Received:
		case l.Text == "QUIT":
			return lines
		default:
			lines = append(lines, string(rune(l.Dir))+" "+l.Text)
		}
	}
	return lines
}

func TestPlayers(t *testing.T) {
	parsing := &engineRun{options: host{Games: games.Default}.attachOptions(nil)}
	for operand, want := range map[string][2]string{
		"builtin":                        {"builtin", "builtin"},
		"builtin,nodes=200":              {"builtin,nodes=200", "builtin,nodes=200"},
		"a=builtin,nodes=200":            {"a", "builtin,nodes=200"},
		"./dir/engine -x=3":              {"engine", "./dir/engine -x=3"},
		"qh:/opt/eleeye/UCCI2QH.exe -x":  {"UCCI2QH", "qh:/opt/eleeye/UCCI2QH.exe -x"},
		"uci,Threads=2:stockfish":        {"stockfish", "uci,Threads=2:stockfish"},
		"new=qh,dir=/a:./engine a=b":     {"new", "qh,dir=/a:./engine a=b"},
		"eleeye":                         {"eleeye", "eleeye"},
		"象棋=builtin":                     {"象棋", "builtin"},
		"=builtin":                       {"=builtin", "=builtin"},
		"/opt/a:b/engine with arguments": {"engine", "/opt/a:b/engine with arguments"},
	} {
		all, err := parsing.parsePlayers([]string{operand})
		if err != nil || [2]string{all[0].name, all[0].engine.Given} != want {
			t.Errorf("%q: %+v, %v", operand, all, err)
		}
	}
	for _, bad := range []string{"", " ", "a=", "score=10"} {
		if all, err := parsing.parsePlayers([]string{bad}); err == nil {
			t.Errorf("%q: %+v", bad, all)
		}
	}
	if got := statusOf(t.Context(), fmt.Errorf("x: %w", match.ErrConfig)); got != exitUsage {
		t.Errorf("invalid flags: status %d", got)
	}
}

// TestTimeMargin: an engine that cannot be stopped may be late as -timemargin says.
func TestTimeMargin(t *testing.T) {
	out, err := exec.Command("qhsh", "match", "-maxmoves", "1", "-st", "10ms", "-wait-late", "20ms", "-timemargin", "5m",
		"qtp:qhsh -qtp -timeout 300ms", "quoridor,hash=1").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "2 of 2 games: 2 move limit") {
		t.Errorf("%v: %s", err, out)
	}
}
