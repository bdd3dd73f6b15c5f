package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
)

// exitFiles are the files and engines that the commands of exitTable use.
var exitFiles = map[string]string{
	"engines.json": `{"absent": "no-such-program", "dies": "fakeplugin -die", "dead": "fakeplugin -die -tomb tomb",
		"refuses": "fakeplugin -refuse", "nonsense": "fakeplugin -nonsense", "once": "fakeplugin -nonsense -at 4k4"}`,
	"good.fen":   "startpos\n",
	"two.fen":    "startpos\n4k4/9/9/9/9/9/9/9/4A4/4K4 w\n",
	"bad.fen":    "startpos\nnonsense\n",
	"good.pgn":   "1. H2-E2 H9-G7 *\n",
	"bad.pgn":    "1. H2-E2 H9-G9 2. H0-G2 *\n",
	"good.jsonl": `{"line":1,"fen":"startpos","engine":"x","hints":[{"move":"H2-E2","cp":1}]}` + "\n",
	"bad.jsonl":  "nonsense\n",
	"ask.star":   "print(engine().hints(board()))\n",
	"fail.star":  "fail('no')\n",
	"bad.star":   "if if\n",
}

// exitTable lists the exit statuses, which are the same for all commands. A row is a situation and
// the command lines that cause it. $full is a file that can be opened but not written.
var exitTable = []struct {
	situation string
	want      int
	lines     []string
}{
	{"all is done", exitOK, []string{
		"hints -level 1 good.fen", "tree -level 1 -depth 1 -width 1", "annotate -level 1 good.pgn", "puzzles -level 1 -prove 1 good.pgn", "match -level 1 -maxmoves 1 builtin b=builtin", "bench -depth 1", "check -only level builtin",
		"run ask.star", "convert good.pgn", "games good.pgn", "fens good.pgn", "perft 1", "board", "judge startpos H2-E2", "stats good.jsonl",
		"shell", "-plugin", "version", "help", "analyze -schema",
	}},
	{"a flag that there is not", exitUsage, []string{
		"hints -x", "tree -x", "annotate -x", "puzzles -x", "match -x", "bench -x", "check -x", "run -x", "convert -x", "games -x", "fens -x", "perft -x",
		"board -x", "judge -x", "stats -x", "analyze -x", "shell -x", "-plugin -x", "version -x", "help -x",
	}},
	{"an input that is not there", exitUsage, []string{
		"hints absent.fen", "annotate absent.pgn", "puzzles absent.pgn", "match -openings absent.fen builtin b=builtin", "bench -positions absent.fen", "run absent.star",
		"convert absent.pgn", "games absent.pgn", "fens absent.pgn", "stats absent.jsonl",
	}},
	{"an invalid operand", exitUsage, []string{
		"tree 9/9", "perft x", "board 9/9", "judge 9/9 H2-E2", "help absent", "match builtin", "analyze x",
	}},
	{"an engine that there is not", exitUsage, []string{
		"hints -engine builtin,x=1 good.fen", "tree -engine builtin,x=1", "annotate -engine builtin,x=1 good.pgn", "puzzles -engine builtin,x=1 good.pgn", "match builtin builtin,x=1", "bench builtin,x=1", "check builtin,x=1", "analyze -engine builtin,x=1", "analyze -level 11", "analyze -engine builtin -engine builtin", "analyze -nodes 5 -engine nonsense",
		"shell -engine builtin,x=1", "-plugin -engine builtin,x=1",
	}},
	{"an output that cannot be opened", exitUsage, []string{
		"hints -o no/x.jsonl good.fen", "hints -o no/x.jsonl.gz good.fen", "hints -o no/x.db good.fen", "hints -o x.jsonl -summary no/x good.fen",
		"hints -trace no/x good.fen", "hints -cache no/x good.fen", "tree -o no/x.json", "tree -trace no/x", "annotate -o no/x.pgn good.pgn", "puzzles -o no/x.epd good.pgn", "match -o no/x.jsonl builtin b=builtin",
		"match -pgnout no/x.pgn builtin b=builtin", "match -trace no/x builtin b=builtin", "bench -o no/x.json -depth 1", "check -only level -o no/x.json builtin",
		"hints -progress no/x good.fen", "match -progress no/x builtin b=builtin", "annotate -progress no/x good.pgn",
		"hints -progress - good.fen", "match -progress - builtin b=builtin", "annotate -progress - good.pgn",
		"hints -cpuprofile no/x good.fen", "match -cpuprofile no/x builtin b=builtin", "annotate -cpuprofile no/x good.pgn", "tree -cpuprofile no/x",
		"bench -cpuprofile no/x -depth 1", "run -cpuprofile no/x ask.star", "check -cpuprofile no/x -only level builtin",
		"run -trace no/x ask.star", "run -out good.fen ask.star", "convert -o no/x.pgn good.pgn", "games -format pgn -o no/x.pgn good.pgn", "fens -o no/x.fen good.pgn", "board -o no/x.svg",
		"stats -o no/x.json good.jsonl", "analyze -trace no/x", "shell -trace no/x", "-plugin -trace no/x",
	}},
	{"an output that fails later", exitFailed, []string{
		"hints -level 1 good.fen >$full", "hints -level 1 -o $full -format json good.fen", "hints -level 1 -summary $full good.fen", "hints -level 1 -trace $full good.fen", "hints -level 1 -cpuprofile $full good.fen", "hints -level 1 -progress $full good.fen",
		"tree -level 1 -depth 1 >$full", "tree -level 1 -depth 1 -o $full -format json", "tree -level 1 -depth 1 -trace $full", "annotate -level 1 good.pgn >$full", "annotate -level 1 -o $full -format pgn good.pgn",
		"match -level 1 -maxmoves 1 builtin b=builtin >$full", "match -level 1 -maxmoves 1 -pgnout $full builtin b=builtin", "match -level 1 -maxmoves 1 -trace $full builtin b=builtin",
		"bench -depth 1 >$full", "bench -depth 1 -o $full -format json", "check -only level builtin >$full", "check -only level -o $full -format json builtin", "run ask.star >$full",
		"convert good.pgn >$full", "convert -o $full -format pgn good.pgn", "games good.pgn >$full", "fens good.pgn >$full", "perft 1 >$full", "board >$full", "board -o $full -format svg", "judge startpos H2-E2 >$full",
		"stats good.jsonl >$full", "analyze >$full", "analyze -schema >$full", "shell >$full", "shell -trace $full", "-plugin >$full", "-plugin -trace $full",
	}},
	{"an engine that cannot be started", exitEngine, []string{
		"hints -engine absent good.fen", "tree -engine absent", "annotate -engine absent good.pgn", "puzzles -engine absent good.pgn", "match builtin absent", "bench absent", "check absent", "run -engine absent ask.star",
		"analyze -engine absent", "shell -engine absent", "-plugin -engine absent",
	}},
	{"an engine that dies and cannot be started again", exitEngine, []string{
		"hints -engine dead good.fen", "tree -engine dead", "annotate -engine dead good.pgn", "bench -level 1 dead", "run -engine dead ask.star", "match builtin dead",
	}},
	{"an engine that always dies, where there is nothing else to do", exitEngine, []string{
		"tree -engine dies", "bench -level 1 dies", "run -engine dies ask.star", "shell -engine dies",
	}},
	{"an engine that always dies, where the rest is done", exitFailed, []string{
		"hints -level 1 -engine dies two.fen", "annotate -level 1 -engine dies good.pgn", "match -level 1 -maxmoves 1 builtin dies", "check -only ai dies",
	}},
	{"an engine that refuses every search", exitFailed, []string{
		"hints -level 1 -engine refuses good.fen", "tree -level 1 -engine refuses", "annotate -level 1 -engine refuses good.pgn", "match -level 1 -maxmoves 1 builtin refuses", "bench -level 1 refuses", "check -only ai refuses",
		"run -engine refuses ask.star", "shell -engine refuses",
	}},
	{"an engine that always answers nonsense", exitFailed, []string{
		"hints -level 1 -engine nonsense good.fen", "tree -level 1 -engine nonsense", "annotate -level 1 -engine nonsense good.pgn", "match -level 1 -maxmoves 1 builtin nonsense", "bench -level 1 nonsense",
		"run -engine nonsense ask.star",
	}},
	{"an engine that answers nonsense at one position", exitFailed, []string{"hints -level 1 -engine once two.fen"}},
	{"a line or a move that is wrong", exitFailed, []string{
		"hints bad.fen", "hints -strict bad.fen", "annotate bad.pgn", "convert bad.pgn", "games bad.pgn", "fens bad.pgn", "stats bad.jsonl", "analyze", "run fail.star", "run bad.star",
	}},
	{"a line that is wrong in a file of terms", exitUsage, []string{
		"match -openings bad.fen builtin b=builtin", "bench -positions bad.fen",
	}},
}

// TestExits runs every command in every situation that applies to it.
func TestExits(t *testing.T) {
	for _, row := range exitTable {
		t.Run(row.situation, func(t *testing.T) {
			lines := row.lines
			if enginetest.Race {
				lines = lines[:1] // the other lines take the same code paths
			}
			for _, line := range lines {
				exitsWith(t, t.Context(), line, row.want)
			}
		})
	}
}

// TestExitsInterrupted interrupts every command that takes time.
func TestExitsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{
		"hints good.fen", "tree", "annotate good.pgn", "match builtin b=builtin", "bench", "check builtin", "run ask.star", "convert good.pgn", "games good.pgn", "fens good.pgn", "perft 9", "analyze",
	} {
		exitsWith(t, ctx, line, exitInterrupted)
	}
}

// exitsWith runs a command line in a new folder.
func exitsWith(t *testing.T, ctx context.Context, line string, want int) {
	t.Helper()
	full := "/dev/full"
	if runtime.GOOS != "linux" && strings.Contains(line, "$full") {
		return
	}
	t.Run(line, func(t *testing.T) {
		dir := t.TempDir()
		t.Chdir(dir)
		for name, text := range exitFiles {
			write(t, filepath.Join(dir, name), text)
		}
		command, redirected, toFile := strings.Cut(strings.ReplaceAll(line, "$full", full), " >")
		got := runQhsh(ctx, func(h *host) {
			h.ConfigDir = dir
			h.Stdin = strings.NewReader("LEVEL\nAI\n")
			if toFile {
				file, err := os.OpenFile(redirected, os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { file.Close() })
				h.Stdout = file
			}
		}, strings.Fields(command)...)
		if got.status != want {
			t.Errorf("%s: status %d, want %d; stderr %q", line, got.status, want, got.stderr)
		}
	})
}
