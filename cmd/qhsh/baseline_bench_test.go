package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// goldenBase is the commit with which the golden corpus was first recorded.
const goldenBase = "349a2f9b7848"

// BenchmarkBase compares this program with the program of the commit goldenBase, which it builds in
// a separate work tree. The result is the time of a command now, divided by its time then: the
// median of nine runs of each. On an idle machine:
//
//	go test ./cmd/qhsh -run '^$' -bench Base -benchtime 1x
func BenchmarkBase(b *testing.B) {
	base, now := buildBase(b), filepath.Join(b.TempDir(), "qhsh")
	build(b, ".", now)
	for _, c := range []struct{ name, command string }{
		{"start", `for i in 1 2 3 4 5 6 7 8; do "$QHSH" version; done`},
		{"hints/nodes=100", `for i in 1 2 3 4 5 6; do "$QHSH" hints -level 1 files/positions.epd; done`},
		{"hints/nodes=25600", `head -n 24 examples/positions.fen | "$QHSH" hints -level 5`},
		{"hints/plugin", `"$QHSH" hints -level 1 -engine "$QHSH -plugin" files/positions.epd`},
		{"hints/uci", `"$QHSH" hints -level 1 -engine "uci:$QHSH -uci" files/positions.epd`},
		{"hints/sqlite", `for i in 1 2 3; do "$QHSH" hints -level 1 -o out.db files/positions.epd; done`},
		{"convert/pgn", `for i in 1 2 3 4 5 6 7 8; do cat examples/games.pgn examples/games.pgn examples/games.pgn; done | "$QHSH" convert -notation chinese`},
		{"match", `"$QHSH" match -games 4 -level 2 -openings examples/positions.fen a=builtin b=builtin`},
		{"perft", `"$QHSH" perft 5`},
		{"run", `"$QHSH" run files/stars/engines.star examples/twelve.fen`},
		{"shell", `for i in 1 2 3 4 5 6; do "$QHSH" <files/sessions/overview.qh || true; done`},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			link(b, dir, "examples", "../../examples")
			link(b, dir, "files", goldenDir+"/files")
			took := func(program string) float64 {
				sh := exec.Command("sh", "-c", c.command)
				sh.Dir = dir
				sh.Env = append(os.Environ(), "QHSH="+program, "HOME="+dir, "XDG_CONFIG_HOME="+dir, engineVariable+"=")
				begun := time.Now()
				if out, err := sh.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				return time.Since(begun).Seconds()
			}
			for b.Loop() {
				var ratios []float64
				for range 9 {
					before := took(base)
					ratios = append(ratios, took(now)/before)
				}
				b.ReportMetric(median(ratios), "ratio")
			}
		})
	}
}

// buildBase builds the program of goldenBase.
func buildBase(b *testing.B) string {
	tree := filepath.Join(b.TempDir(), "base")
	if out, err := exec.Command("git", "worktree", "add", "--detach", tree, goldenBase).CombinedOutput(); err != nil {
		b.Skipf("no work tree of %s: %v: %s", goldenBase, err, out)
	}
	b.Cleanup(func() { _ = exec.Command("git", "worktree", "remove", "--force", tree).Run() })
	program := filepath.Join(tree, "qhsh-base")
	build(b, filepath.Join(tree, "cmd", "qhsh"), program)
	return program
}

func build(b *testing.B, dir, program string) {
	b.Helper()
	cmd := exec.Command("go", "build", "-o", program, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}
