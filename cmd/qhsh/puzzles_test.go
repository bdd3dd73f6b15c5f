package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPuzzles compares what users see: of games and positions, of damage, and of files.
func TestPuzzles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"mate.fen": "1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w\n",
		"two.fen":  "1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w\n3C5/3k5/9/9/9/9/9/1R2r4/4K4/7r1 w\n",
		"cut.pgn":  "[Red \"Hu\"]\n[Result \"*\"]\n[FEN \"1r2ka3/4a4/4b4/p3C4/2N6/2P3n2/P8/4BA3/4A4/c3K4 b - - 0 1\"]\n\n1... G4-F6 2. A1-A2 *\n",
	} {
		write(t, name, text)
	}
	const start = "1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w - - bm C5-D7; dm 2; pv C5-D7 E9-D9 E6-D6; acd 13; acn 509; "
	const solved = "solved 1; limits \"level=4\"; "
	const puzzle = start + "ce2 -1097; pv2 E1-D2 B9-B0 E0-E1 B0-B8 E1-E0 B8-D8 F2-E1 D8-D3 C5-B7; acd2 7; acn2 2646; " + solved
	const later = start + "ce2 -1188; pv2 E1-D2 B9-B0 E0-E1 B0-B8 E1-E0 A6-A5 E6-E5 B8-B3 F2-E1; acd2 8; acn2 6267; " + solved
	const usage = "run 'qhsh help puzzles' for its usage\n"
	const graded = "kind \"mate\"; end \"checkmate\"; length 2; found 1; grade 2; "
	const mate = "c0 \"mate in 2: checkmate\";\n"
	const illegal = "cut.pgn:5: game 1: move 2. A1-A2: no piece on A1; possible: E6-E3 E6-E4 E6-E5 E6-B6 E6-C6 E6-D6 E6-E8 C5-A4 C5-E4 C5-A6 C5-B7 C5-D7 A3-A4 E2-G0 E2-G4 E1-F0 E1-D2 E0-D0 E0-F0"
	command := []string{"puzzles", "-engine", "builtin,eval=small", "-level", "2", "-prove", "4", "-format", "epd"}
	for _, c := range []struct {
		args, stdin string
		want        outcome
	}{
		{args: "mate.fen", want: outcome{stdout: puzzle + graded + mate}},
		{args: "-jobs 3 mate.fen mate.fen", want: outcome{stdout: puzzle + graded + mate}},
		{args: "-min 3 mate.fen", want: outcome{stderr: "qhsh puzzles: 0 puzzles\n"}},
		{args: "-max 1 mate.fen", want: outcome{stderr: "qhsh puzzles: 0 puzzles\n"}},
		{args: "cut.pgn", want: outcome{
			status: exitFailed, stderr: "qhsh puzzles: " + illegal + "\nqhsh puzzles: 3 positions, 1 failed\n",
			stdout: later + "hmvc 1; fmvn 2; id \"game 1 ply 1\"; " + graded + "game 1; ply 1; red \"Hu\"; " + mate,
		}},
		{args: "-lenient cut.pgn", want: outcome{
			stderr: "qhsh puzzles: " + illegal + "; kept as a comment\n",
			stdout: later + "hmvc 1; fmvn 2; id \"game 1 ply 1\"; " + graded + "game 1; ply 1; red \"Hu\"; " + mate,
		}},
		{args: "-", stdin: "9/9 w\n", want: outcome{
			status: exitFailed, stderr: "qhsh puzzles: standard input: unknown record format, and not a list of moves\nqhsh puzzles: 1 position, 1 failed\nqhsh puzzles: 0 puzzles\n",
		}},
		{args: "-input fen -", stdin: "9/9 w\n", want: outcome{
			status: exitFailed, stderr: "qhsh puzzles: line 1: 2 ranks instead of 10\nqhsh puzzles: 1 position, 1 failed\nqhsh puzzles: 0 puzzles\n",
		}},
		{args: "-limit 1 -o one.epd two.fen", want: outcome{stderr: "qhsh puzzles: 1 puzzle\n"}},
		{args: "-limit 1 -o one.epd -resume two.fen", want: outcome{stderr: "qhsh puzzles: one.epd is finished: 1 position\n"}},
		{args: "-limit 2 -o one.epd -resume two.fen", want: outcome{
			status: exitUsage, stderr: "qhsh puzzles: -resume: the finished run differs from this one: task is \"puzzles level=2 prove=4 thresholds=80,55 scale=380 min=1 max=0 limit=1\" " +
				"there and \"puzzles level=2 prove=4 thresholds=80,55 scale=380 min=1 max=0 limit=2\" here\n" + usage,
		}},
		{args: "-min 3 -max 2 mate.fen", want: outcome{status: exitUsage, stderr: "qhsh puzzles: -min 3 is more than -max 2\n" + usage}},
		{args: "-prove 1 mate.fen", want: outcome{status: exitUsage, stderr: "qhsh puzzles: -prove 1 is below -level 2\n" + usage}},
		{args: "-prove 11 mate.fen", want: outcome{status: exitUsage, stderr: "qhsh puzzles: no level 11: levels go from 1 to 10\n" + usage}},
		{args: "-engine qchess mate.fen", want: outcome{
			status: exitUsage, stderr: "qhsh puzzles: no puzzles can be made of games of Qchess, only of Xiangqi, Quoridor and Checkers\n" + usage,
		}},
	} {
		got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(c.stdin) }, append(command, strings.Fields(c.args)...)...)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s -want +got:\n%s", c.args, diff)
		}
	}
	written, err := os.ReadFile("one.epd")
	if diff := cmp.Diff(puzzle+graded+mate, string(written)); err != nil || diff != "" {
		t.Errorf("one.epd: %v -want +got:\n%s", err, diff)
	}
}
