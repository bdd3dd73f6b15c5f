package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	open := func(path string, keep bool) *File {
		t.Helper()
		out, err := Replace(t.Context(), Options{Flag: "-o", Path: path, KeepPartial: keep})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	write := func(out *File, text string) {
		t.Helper()
		if _, err := io.WriteString(out, text); err != nil {
			t.Fatal(err)
		}
	}
	end := func(out *File, finish bool) {
		t.Helper()
		if finish {
			if err := out.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := open(path, false), open(link, false)
	write(a, "first ")
	write(b, "second ")
	write(a, "run")
	is("old")
	end(a, true)
	is("first run")
	end(b, true)
	is("second ")

	for _, text := range []string{"", "part"} {
		out := open(path, false)
		if text != "" {
			write(out, text)
		}
		end(out, false)
		is("second ")
	}
	parts := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, "*.part"))
		return found
	}
	if left := parts(); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	out := open(path, true)
	write(out, "part")
	end(out, false)
	if left := parts(); len(left) != 1 || out.PartialPath() != left[0] {
		t.Errorf("%v are left, and told is %s", left, out.PartialPath())
	}
	is("second ")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v", err)
	}
}

// TestAbandoned: what killed processes left beside a file is removed by the next replacement, and nothing else.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "games.pgn")
	replace := func() *File {
		t.Helper()
		out, err := Replace(t.Context(), Options{Flag: "-o", Path: path, KeepPartial: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, "text"); err != nil {
			t.Fatal(err)
		}
		return out
	}
	var want []string
	for _, name := range []string{"games.pgn.ABCDEFGH.part", "games.pgn.abcdefgh-new", "games.pgn-new", "games.pgn.ABC-new", "x.pgn.ABCDEFGH-new"} {
		want = append(want, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept := replace()
	for range 3 {
		if err := replace().file.Close(); err != nil { // as the end of a process does
			t.Fatal(err)
		}
	}
	out, again := replace(), replace()
	for _, f := range []*File{out, again} {
		if err := errors.Join(f.Finish(), f.Close()); err != nil {
			t.Error(err)
		}
	}
	if err := kept.Close(); err != nil {
		t.Error(err)
	}
	want = append(want, path, kept.PartialPath())
	slices.Sort(want)
	if got, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q; %v", got, want, err)
	}
}
