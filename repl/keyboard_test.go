package repl

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestKeyboardRewrites what the editor does not know, however it is cut into pieces.
func TestKeyboardRewrites(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in)
	k.edit(true)
	go func() {
		for _, piece := range []string{"a\x1b[1~", "b\x1b", "[4", "~c\x1b[", "D\x1b[3", "~\x1b[200~d\x1b[201~", "\x1bx\r"} {
			_, _ = io.WriteString(out, piece)
		}
	}()
	got := readUpTo(t, k, "\r")
	if want := "a\x01b\x05c\x1b[D" + string(deleteKey) + "d\x1bx\r"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	out.Close()
}

func readUpTo(t *testing.T, r io.Reader, end string) string {
	t.Helper()
	var all strings.Builder
	for buf := make([]byte, 100); !strings.HasSuffix(all.String(), end); {
		n, err := r.Read(buf)
		all.Write(buf[:n])
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// TestKeyboardListens: the editor gets no more than a line, and what comes behind it can
// be listened to.
func TestKeyboardListens(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in)
	k.edit(true)
	go func() { _, _ = io.WriteString(out, "AI\rABORT\r\x04LEVEL\nrest") }()
	if got := readUpTo(t, k, "\r"); got != "AI\r" {
		t.Errorf("the editor gets %q", got)
	}
	lines := k.listen()
	for _, want := range []string{"ABORT", "\x04LEVEL"} {
		select {
		case got := <-lines:
			if got.Line != want {
				t.Errorf("heard %q, want %q", got.Line, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("nothing is heard")
		}
	}
	if left := k.stopListening(); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	k.edit(true)
	out.Close()
	if got := readUpTo(t, k, "\x04"); !strings.HasPrefix(got, "rest\x04") {
		t.Errorf("the rest is %q", got)
	}
}

func TestHistory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "qhsh")
	h, err := openHistory(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"LEVEL", "LEVEL", " ", "", "AI"} {
		if err := h.add(line); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openHistory(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"LEVEL", "AI"}, again.lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := os.WriteFile(again.path, []byte(strings.Repeat("x\n", 2*maxHistory)+"last\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	long, err := openHistory(dir, "")
	if err != nil || len(long.lines) != maxHistory || long.lines[maxHistory-1] != "last" {
		t.Errorf("%d lines, %v", len(long.lines), err)
	}
	files, err := filepath.Glob(dir + "/*")
	if err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v", files, err)
	}
	if info, err := os.Stat(long.path); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// A folder that cannot be is no reason to end.
	if _, err := openHistory(filepath.Join(long.path, "below"), ""); err == nil {
		t.Error("a history below a file is no error")
	}
}

// TestHistoryMoves: that of the folder of settings, where it was kept once, is read where
// there is no other, and only once.
func TestHistoryMoves(t *testing.T) {
	former, dir := t.TempDir(), filepath.Join(t.TempDir(), "qhsh")
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(former, historyFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("LEVEL\nAI\n")
	h, err := openHistory(dir, former)
	if err == nil {
		err = h.add("UNDO")
	}
	if err != nil {
		t.Fatal(err)
	}
	write("QUIT\n")
	again, err := openHistory(dir, former)
	if diff := cmp.Diff([]string{"LEVEL", "AI", "UNDO"}, again.lines); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	// Where both are one folder nothing moves.
	if same, err := openHistory(former, former); err != nil || len(same.lines) != 1 {
		t.Errorf("%v, %v", same.lines, err)
	}
}
