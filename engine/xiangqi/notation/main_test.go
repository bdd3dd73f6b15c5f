package notation

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"qhsh/engine/xiangqi"
)

// dataFile opens a file of the data beyond testdata, or skips the test.
func dataFile(t testing.TB, name string) *os.File {
	t.Helper()
	dir := os.Getenv("QHSH_DATA")
	if dir == "" {
		t.Skip("$QHSH_DATA does not name the folder of test data")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// eachLine calls f with every line of a file.
func eachLine(t testing.TB, file *os.File, f func(line string)) {
	t.Helper()
	s := bufio.NewScanner(file)
	for s.Scan() {
		f(s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

func board(t testing.TB, fen string) *xiangqi.Board {
	t.Helper()
	if fen == "startpos" {
		return xiangqi.Start().Board()
	}
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p.Board()
}

var allStyles = []Style{ICCS, UCI, WXF, Chinese, Traditional, SAN}

// checkRoundTrip holds the law: what is written for a legal move is read as this move, and
// no other legal move is written alike.
func checkRoundTrip(t reporter, b *xiangqi.Board) {
	t.Helper()
	for _, style := range allStyles {
		seen := map[string]xiangqi.Move{}
		for _, m := range b.AppendMoves(nil) {
			text := Format(b, m, style)
			if other, ok := seen[text]; ok {
				t.Errorf("%v and %v are both %s", m, other, text)
			}
			seen[text] = m
			got, err := Parse(b, text)
			if err != nil || got != m {
				t.Errorf("%v: %v is %q, which is read as %v, %v", style, m, text, got, err)
			}
		}
	}
}

// A reporter is a test, by testing or by rapid.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}
