//go:build unix

package pluginclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLocate: where a program is found, where it runs, and what is said if it or one of its
// arguments is elsewhere. HERE is the current folder.
func TestLocate(t *testing.T) {
	here, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	t.Setenv("PATH", filepath.Join(here, "bin"))
	for _, name := range []string{"bin/python3", "bin/lib.py", "eng", "eng.py", "D/eng", "D/own.py", "only", "books/deep/book.dat"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command, dir string
		want         string // path, folder and what is misplaced, or the error
	}{
		{"python3 eng.py", "", "HERE/bin/python3 HERE"},
		{"python3 ./eng.py -plugin", "", "HERE/bin/python3 HERE"},
		{"python3 own.py", "D", "HERE/bin/python3 HERE/D"},
		{"python3 nowhere.py", "", "HERE/bin/python3 HERE"},
		{"python3 eng.py", "D", "HERE/bin/python3 HERE/D there is no eng.py in HERE/D, where the engine runs, but in HERE: dir=HERE runs it there"},
		{"python3 lib.py", "", "HERE/bin/python3 HERE there is no lib.py in HERE, where the engine runs, but in HERE/bin: dir=HERE/bin runs it there"},
		{"./bin/python3 -u eng.py", "", "HERE/bin/python3 HERE/bin there is no eng.py in HERE/bin, where the engine runs, but in HERE: dir=HERE runs it there"},
		{"./bin/python3 lib.py", "", "HERE/bin/python3 HERE/bin"},
		{"./eng -book books/deep/book.dat", "", "HERE/eng HERE"},
		{"./eng -book books/deep/book.dat", "D", "HERE/D/eng HERE/D there is no books/deep/book.dat in HERE/D, where the engine runs, but in HERE: dir=HERE runs it there"},
		{"HERE/eng", "D", "HERE/eng HERE/D"},
		{"./only", "D", `exec: "HERE/D/only": stat HERE/D/only: no such file or directory, but there is HERE/only: leave out dir= or name it by that path`},
		{"./none", "D", `exec: "HERE/D/none": stat HERE/D/none: no such file or directory`},
		{"only", "", `exec: "only": executable file not found in $PATH, but there is HERE/only: name it ./only`},
		{"eng", "D", `exec: "eng": executable file not found in $PATH, but there is HERE/D/eng: name it ./eng`},
		{"./D", "", "is a directory; name the program in it"},
		{"./eng", "nodir", "working directory: stat nodir: no such file or directory"},
		{"./eng", "only", "working directory: open only: not a folder"},
	} {
		words := strings.Fields(strings.ReplaceAll(c.command, "HERE", here))
		cmd := Command{Path: words[0], Args: words[1:], Dir: c.dir}
		path, dir, err := cmd.Locate()
		got := strings.TrimSpace(path + " " + dir + " " + cmd.Misplaced())
		if err != nil {
			got = err.Error()
		}
		if got = strings.ReplaceAll(got, here, "HERE"); got != c.want {
			t.Errorf("%s, dir=%s:\n got %s\nwant %s", c.command, c.dir, got, c.want)
		}
	}
}
