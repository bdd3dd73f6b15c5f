package repl

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
)

// TestKeyboardRewrites: sequences that the editor does not know are rewritten, however the input
// is split.
func TestKeyboardRewrites(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in)
	k.edit(true)
	go func() {
		for _, piece := range []string{
			"a\x1b[1~", "b\x1b", "[4", "~c\x1b[", "D\x1b[3", "~\x1b[200~d\x1b", "\te\x1b[20", "1~\x00f", "\x1b[1;2", "Ag\x1b[?1;2c",
			"h\x1b[[Ai\x1bOPj\x1bOHk\x1b]11;rgb:0/0/0\al\x1b]m\x1b[", "\x1bx\r",
		} {
			_, _ = io.WriteString(out, piece)
		}
	}()
	got := readUpTo(t, k, "\r")
	want := "a\x01b\x05c\x1b[D" + string(deleteKey) + "d    e" + "f\x1b[Ag" + "hij\x1b[Hkl\x1b]m\x1bx\r"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	out.Close()
}

// TestKeyboardText: a long text is one key, and no character is split.
func TestKeyboardText(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in)
	long := strings.Repeat("車", longText)
	go func() {
		_, _ = io.WriteString(out, "LEVEL"+long[:len(long)-1])
		_, _ = io.WriteString(out, long[len(long)-1:]+"\r")
	}()
	k.edit(true)
	var got strings.Builder
	for _, r := range readUpTo(t, k, "\r") {
		if r == textKey {
			got.WriteString(k.text())
		} else {
			got.WriteRune(r)
		}
	}
	if want := "LEVEL" + long + "\r"; got.String() != want {
		t.Errorf("%q, want %q", got.String(), want)
	}
	if text := k.text(); text != "" {
		t.Errorf("another text: %q", text)
	}
	out.Close()
}

// FuzzKeyboard: for any input, the editor gets every line end, no NUL and no incomplete sequence,
// and the keyboard waits for the rest of an incomplete sequence.
func FuzzKeyboard(f *testing.F) {
	f.Add([]byte("a\x1b[1~\x1b[200~b\tc\x1b[201~\x1b[\r\x1bO\r"))
	f.Add([]byte("\x1b]11;rgb\x1b\\\x00\x1b\x1b[[A\x1b[?1;2\r"))
	f.Fuzz(func(t *testing.T, typed []byte) {
		part := &keyboard{typed: bytes.Clone(typed[:len(typed)/2]), editing: true}
		part.take(make([]byte, 100))
		k := &keyboard{typed: append(bytes.Clone(typed), '\r'), closed: true}
		var got []byte
		for len(k.typed) > 0 {
			k.editing = true
			p := make([]byte, 100)
			got = append(got, p[:k.take(p)]...)
		}
		ends := func(p []byte) int { return bytes.Count(p, []byte("\r")) + bytes.Count(p, []byte("\n")) }
		if want := ends(typed) + 1; ends(got) != want || bytes.IndexByte(got, 0) >= 0 {
			t.Errorf("%q: %q with %d line ends, want %d", typed, got, ends(got), want)
		}
		for rest := got; ; {
			at := bytes.IndexByte(rest, escape)
			if at < 0 {
				break
			}
			rest = rest[at+1:]
			if len(rest) == 0 || rest[0] < ' ' || rest[0] == '[' && (len(rest) == 1 || strings.IndexByte("ABCDHF", rest[1]) < 0) {
				t.Errorf("%q: %q has an incomplete sequence", typed, got)
				break
			}
		}
	})
}

// TestReadlineEnd: an incomplete line is dropped when the terminal is closed.
func TestReadlineEnd(t *testing.T) {
	in, out := io.Pipe()
	s := New(Host{
		Stdin: in, Stdout: io.Discard, Stderr: io.Discard, Games: games.Default,
		Keys: &Keys{FD: ^uintptr(0), Screen: io.Discard}, // no mode to change
	}, Options{})
	r, err := newReadline(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		_, _ = io.WriteString(out, "QUIT\rhalf a l")
		out.CloseWithError(io.ErrUnexpectedEOF)
	}()
	var got []string
	for range 3 {
		line, err := r.ReadLine("> ")
		got = append(got, fmt.Sprint(line, ", ", err))
	}
	if diff := cmp.Diff([]string{"QUIT, <nil>", ", interrupted", ", EOF"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestReadlineAbove: output while a line is edited is written by the editor's own goroutine, and
// the rest when the line ends.
func TestReadlineAbove(t *testing.T) {
	var screen, plain strings.Builder
	s := New(Host{Games: games.Default, Keys: &Keys{Screen: &screen}}, Options{})
	in, out := io.Pipe()
	defer out.Close()
	r := &readline{shell: s, keys: newKeyboard(in)}
	w := r.Above(&plain)
	r.edit(true)
	_, _ = io.WriteString(w, "one\n")
	if screen.Len() > 0 {
		t.Errorf("%q is written at once", screen.String())
	}
	if _, ok := r.filter([]rune(readUpTo(t, r.keys, string(redrawKey)))[0]); ok {
		t.Error("the redraw key is returned as text")
	}
	_, _ = io.WriteString(w, "two\n")
	r.edit(false)
	_, _ = io.WriteString(w, "three\n")
	if got, want := screen.String(), "\r\x1b[Jone\n\r\x1b[Jtwo\n"; got != want || plain.String() != "three\n" {
		t.Errorf("the screen has %q, want %q; below it is %q", got, want, plain.String())
	}
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

// TestKeyboardListens: the editor gets no more than a line, and the input after it can be read by
// a listener.
func TestKeyboardListens(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in)
	k.edit(true)
	go func() { _, _ = io.WriteString(out, "AI\rABORT\r\x04LEVEL\nrest") }()
	if got := readUpTo(t, k, "\r"); got != "AI\r" {
		t.Errorf("the editor gets %q", got)
	}
	lines := k.listen()
	for _, want := range []string{"ABORT", "LEVEL"} {
		select {
		case got := <-lines:
			if got.text != want {
				t.Errorf("heard %q, want %q", got.text, want)
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
	// A folder that cannot be created is not fatal.
	if _, err := openHistory(filepath.Join(long.path, "below"), ""); err == nil {
		t.Error("want an error for a history folder below a file")
	}
}

// TestHistorySessions: concurrent sessions append to one file, and a new session does not rewrite
// it.
func TestHistorySessions(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range maxHistory {
		want = append(want, fmt.Sprint("LEVEL ", i))
	}
	if err := os.WriteFile(filepath.Join(dir, historyFile), []byte(strings.Join(want, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	one, err := openHistory(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"AI", "def f():\n  return 1\n\n"} {
		other, err := openHistory(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []*history{one, other} {
			if err := h.add(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := os.ReadFile(one.path)
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, "AI", "AI", "def f():␤  return 1", "def f():␤  return 1")
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(string(data)), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if last, err := openHistory(dir, ""); err != nil || len(last.lines) != maxHistory {
		t.Errorf("%d lines, %v", len(last.lines), err)
	}
}

// TestHistoryMoves: a history in the settings folder, its former place, is imported if there is no
// other, and only once.
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
	// If both are the same folder, the file stays in place.
	if same, err := openHistory(former, former); err != nil || len(same.lines) != 1 {
		t.Errorf("%v, %v", same.lines, err)
	}
}
