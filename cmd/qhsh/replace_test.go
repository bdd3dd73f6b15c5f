package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReplace: a file is as it was until its replacement is finished, and then has all of it;
// two replacements at the same time do not mix; a symbolic link and the file's mode stay.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "games.pgn"), filepath.Join(dir, "link.pgn")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	is := func(want string) {
		t.Helper()
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("the file has %q, want %q; %v", text, want, err)
		}
	}
	open := func(path string) *output {
		t.Helper()
		out, err := outputFlags{path: path}.replace(host{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	write := func(out *output, text string) {
		t.Helper()
		if _, err := io.WriteString(out, text); err != nil {
			t.Fatal(err)
		}
	}
	end := func(out *output, err error) error {
		t.Helper()
		err = out.finish(err)
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		return err
	}
	a, b := open(path), open(link)
	write(a, "first ")
	write(b, "second ")
	write(a, "run")
	is("old")
	_ = end(a, nil)
	is("first run")
	_ = end(b, errSomeFailed)
	is("second ")

	broken := errors.New("broken off")
	for _, err := range []error{broken, errSomeFailed} {
		out := open(path)
		if errors.Is(err, broken) {
			write(out, "part")
		}
		_ = end(out, err)
		is("second ")
	}
	parts := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, "*.part"))
		return found
	}
	if left := parts(); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	out := open(path)
	out.salvage = true
	write(out, "part")
	err := end(out, broken)
	if left := parts(); len(left) != 1 || !errors.Is(err, broken) || out.rest() != left[0] {
		t.Errorf("%v are left, told is %s, and the error is %v", left, out.rest(), err)
	}
	is("second ")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v", err)
	}
}
