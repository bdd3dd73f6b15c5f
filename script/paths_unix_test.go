//go:build unix

package script

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// pathCalls are the parameters that name a path, each with a call in which PATH is one. load is a
// statement.
var pathCalls = map[string]string{
	"load":            `load(PATH, "x")`,
	"positions.path":  `list(positions(PATH))`,
	"games.path":      `list(games(PATH))`,
	"lines.path":      `list(lines(PATH))`,
	"read_csv.path":   `list(read_csv(PATH))`,
	"explore.path":    `explore(PATH, board())`,
	"annotate.book":   `game(board()).annotate(engine(), book=PATH)`,
	"write.name":      `write(PATH, "text")`,
	"save_games.name": `save_games(PATH, [])`,
	"save_csv.name":   `save_csv(PATH, [])`,
}

// textParameters are the other parameters that are texts. The SPEC of engine has options, and the
// commands of the shell are for its own tests.
var textParameters = []string{
	"align", "arrows", "ban", "column", "comments", "encoding", "event", "fen", "first", "flag.name", "form", "game", "header", "language",
	"line", "marks", "move", "moves", "notation", "player", "result", "rules", "second", "side", "since", "spec", "square",
	"style", "tags", "text", "timeout", "title", "until", "variant",
}

// plainOptions are the options of embedded engines that name no file.
var plainOptions = []string{
	"agent", "bookgames", "bookseed", "hash", "hints", "margin.NAME", "nodes", "off", "on", "rules", "seed", "size", "threads",
	"variant", "walls",
}

// pathsOf returns everything by which a script can name a path, as pathCalls has it.
func pathsOf(t *testing.T) map[string]string {
	calls := map[string]string{"load": pathCalls["load"]}
	members := append(functions(testGames), shellFunction)
	for _, c := range classes() {
		members = append(members, c.members...)
	}
	for _, m := range members {
		for _, p := range m.params {
			name := m.name + "." + p.name
			switch call, isPath := pathCalls[name]; {
			case isPath:
				calls[name] = call
			case strings.Contains(p.typ, "str") && !slices.Contains(textParameters, name) && !slices.Contains(textParameters, p.name):
				t.Errorf("%s is a text: does it name a path?", name)
			}
		}
	}
	if len(calls) != len(pathCalls) {
		t.Errorf("%d of %d calls have parameters", len(calls), len(pathCalls))
	}
	for _, k := range attach.DefaultKinds(games.Default).All() {
		for _, o := range k.Options {
			switch {
			case !k.Embedded || k.Network: // not for scripts
			case o.File:
				calls[k.Name+","+o.Name] = fmt.Sprintf("engine(%q + PATH)", k.Name+","+o.Name+"=")
			case !slices.Contains(plainOptions, o.Name):
				t.Errorf("%s,%s= is new: does it name a file?", k.Name, o.Name)
			}
		}
	}
	return calls
}

// realEngines makes the stage open engines of SPECs.
func (s *stage) realEngines() {
	options := func(e EngineOptions) attach.Options { return attach.Options{Games: games.Default, File: e.File} }
	s.opener = func(ctx context.Context, spec string, e EngineOptions) (pluginclient.Session, error) {
		return attach.Open(ctx, spec, options(e))
	}
	s.Embedded = func(spec string, e EngineOptions) (int, bool) {
		d, _ := attach.Parse(spec, options(e))
		return d.Memory, d.Embedded
	}
}

// TestPaths: whatever names a path outside of a script's folders is an error, the same one whether
// the file exists or not, and nothing that blocks is opened.
func TestPaths(t *testing.T) {
	top := t.TempDir()
	dir, outside := filepath.Join(top, "scripts"), filepath.Join(top, "outside")
	for _, folder := range []string{dir, outside} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s := stageIn(t, dir)
	s.realEngines()
	make := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	run := func(call, path string) string {
		main := filepath.Join(dir, "main.star")
		make(os.WriteFile(main, []byte(strings.ReplaceAll(call, "PATH", strconv.Quote(path))+"\n"), 0o666))
		o := s.Options
		o.Open = s.open
		e := newEnv(o)
		defer e.Close(t.Context())
		if err := e.RunFile(t.Context(), main, nil); err != nil {
			return err.Error()
		}
		return ""
	}
	states := []struct {
		name string
		make func(path string) error
	}{
		{"missing", func(string) error { return nil }},
		{"a file", func(path string) error { return os.WriteFile(path, nil, 0o666) }},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o777) }},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o666) }},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
	}
	make(os.Symlink(outside, filepath.Join(dir, "folder")))
	make(os.MkdirAll(filepath.Join(dir, "deep", "er"), 0o777))
	make(os.Symlink("deep/er", filepath.Join(dir, "inside")))
	for name, call := range pathsOf(t) {
		file := "x.pgn"
		if name == "load" {
			file = "x.star"
		}
		target, link := filepath.Join(outside, file), filepath.Join(dir, file)
		make(os.Symlink(target, link))
		make(os.WriteFile(filepath.Join(dir, "deep", file), nil, 0o666))
		paths := []string{"../outside/" + file, "deep/../../outside/" + file, target, file, "folder/" + file}
		if !strings.HasPrefix(name, "write") && !strings.HasPrefix(name, "save") {
			paths = append(paths, "inside/../"+file) // for the system it is deep/FILE, and not the link FILE
		}
		for _, path := range paths {
			want := run(call, path)
			if !strings.Contains(want, "outside the script's folder") && !strings.Contains(want, "in the -out folder: ") {
				t.Errorf("%s of %s: %s", name, path, want)
			}
			for _, state := range states {
				make(state.make(target))
				if got := run(call, path); got != want {
					t.Errorf("%s of %s, %s: %s, want %s", name, path, state.name, got, want)
				}
				make(os.RemoveAll(target))
			}
		}
		make(os.Remove(link))
		make(syscall.Mkfifo(link, 0o666))
		if got := run(call, file); !strings.Contains(got, errNotRegular.Error()) {
			t.Errorf("%s of a pipe: %s", name, got)
		}
		make(os.Remove(link))
		if got := run(call, "deep/"+file); strings.Contains(got, "outside") || strings.Contains(got, "regular") {
			t.Errorf("%s of a file inside: %s", name, got)
		}
	}
}
