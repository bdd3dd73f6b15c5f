package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
)

// A sharedCase is a command line that would overwrite or remove a file that it must not touch.
type sharedCase struct {
	name  string
	files string // existing files: NAME, or NAME=CONTENT; NAME/ is a folder, NAME->OTHER a link, NAME=>OTHER a hard link
	stdin string // the file that is standard input
	args  string
	want  string // the error message
}

var sharedCases = []sharedCase{
	{"the log is an input", "b.jsonl.gz.run", "", "hints -o b.jsonl.gz b.jsonl.gz.run", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"the log is an input", "b.jsonl.run", "", "hints -o b.jsonl b.jsonl.run", "-o b.jsonl: b.jsonl.run beside it is an input: rename that file, or choose another -o"},
	{"a hard link to an input", "x.fen b.jsonl.gz.run=>x.fen", "", "hints -o b.jsonl.gz x.fen", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"a symbolic link to an input", "x.fen b.jsonl.run->x.fen", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run beside it is an input: rename that file, or choose another -o"},
	{"an input by another path", "b.jsonl.run d/", "", "hints -o b.jsonl d/../b.jsonl.run", "-o b.jsonl: b.jsonl.run beside it is an input: rename that file, or choose another -o"},
	{"an input of a pattern", "b.jsonl.gz.run", "", "hints -o b.jsonl.gz b.*.run", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"an input of a folder", "d/x.fen b.jsonl.gz.run=>d/x.fen", "", "hints -o b.jsonl.gz d", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"standard input", "b.jsonl.gz.run", "b.jsonl.gz.run", "hints -o b.jsonl.gz", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"an output by a link", "b.jsonl.gz.run l.gz->b.jsonl.gz", "", "hints -format json -o l.gz b.jsonl.gz.run", "-o l.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"the next log is an input", "b.jsonl.run-new", "", "hints -o b.jsonl b.jsonl.run-new", "-o b.jsonl: b.jsonl.run-new beside it is an input: rename that file, or choose another -o"},
	{"the next database is an input", "b.db-new", "", "hints -o b.db b.db-new", "-o b.db: b.db-new beside it is an input: rename that file, or choose another -o"},
	{"the database's log is an input", "b.db-wal", "", "hints -o b.db b.db-wal", "-o b.db: b.db-wal beside it is an input: rename that file, or choose another -o"},
	{"the cache's journal is an input", "c.db-journal", "", "hints -cache c.db c.db-journal", "-cache c.db: c.db-journal beside it is an input: rename that file, or choose another -cache"},
	{"the cache's log is an input", "c.db-wal", "", "hints -cache c.db c.db-wal", "-cache c.db: c.db-wal beside it is an input: rename that file, or choose another -cache"},
	{"the cache's index is an input", "c.db-shm", "", "hints -cache c.db c.db-shm", "-cache c.db: c.db-shm beside it is an input: rename that file, or choose another -cache"},
	{"the log of an existing cache is an input", "c.db=SQLite c.db-wal", "", "hints -cache c.db c.db-wal", "-cache c.db: c.db-wal beside it is an input: rename that file, or choose another -cache"},
	{"the cache's log is the output", "x.fen", "", "hints -cache c.db -format json -o c.db-wal x.fen", "-o c.db-wal: that is the file that is kept beside -cache c.db"},
	{"the cache's log belongs to another program", "x.fen c.db-wal", "", "hints -cache c.db x.fen", "-cache c.db: c.db-wal exists and was not written by qhsh: rename it, or choose another -cache"},
	{"the cache's index belongs to another program", "x.fen c.db-shm", "", "hints -cache c.db x.fen", "-cache c.db: c.db-shm exists and was not written by qhsh: rename it, or choose another -cache"},
	{"the log is an engine's", "x.fen b.jsonl.gz.run=#!x b.jsonl.gz.run!", "", "hints -engine ./b.jsonl.gz.run -o b.jsonl.gz x.fen", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"the log is engines.json", "x.fen engines.json={} b.jsonl.gz.run=>engines.json", "", "hints -o b.jsonl.gz x.fen", "-o b.jsonl.gz: b.jsonl.gz.run beside it is an input: rename that file, or choose another -o"},
	{"the log is the trace", "x.fen", "", "hints -o b.jsonl.gz -trace b.jsonl.gz.run x.fen", "-trace b.jsonl.gz.run: that is the file needed to resume -o b.jsonl.gz"},
	{"the next log is the summary", "x.fen", "", "hints -o b.jsonl -summary b.jsonl.run-new x.fen", "-summary b.jsonl.run-new: that is the file needed to resume -o b.jsonl"},
	{"the next database is the cache", "x.fen", "", "hints -o b.db -cache b.db-new x.fen", "-cache b.db-new: that is the file that is kept beside -o b.db"},
	{"a link to the log is the summary", "x.fen s.json->b.jsonl.run", "", "hints -o b.jsonl -summary s.json x.fen", "-summary s.json: that is the file needed to resume -o b.jsonl"},

	{"the log belongs to another program", "x.fen b.jsonl.run", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"other JSON is the journal", `x.fen b.jsonl.run={"hints":["a"]}`, "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"a folder is the journal", "x.fen b.jsonl.run/", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"a link is the journal", `x.fen y.run={"hints":1} b.jsonl.run->y.run`, "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"a link to nothing is the journal", "x.fen b.jsonl.run->none", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"a pipe is the journal", "x.fen b.jsonl.run|", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run exists and was not written by qhsh: rename it, or choose another -o"},
	{"the next log belongs to another program", "x.fen b.jsonl.run-new", "", "hints -o b.jsonl x.fen", "-o b.jsonl: b.jsonl.run-new exists and was not written by qhsh: rename it, or choose another -o"},
	{"the next database belongs to another program", "x.fen b.db-new", "", "hints -o b.db x.fen", "-o b.db: b.db-new exists and was not written by qhsh: rename it, or choose another -o"},
	{"the database's log belongs to another program", "x.fen b.db-wal", "", "hints -o b.db x.fen", "-o b.db: b.db-wal exists and was not written by qhsh: rename it, or choose another -o"},

	{"the sorted match is an input", "m.jsonl-new", "", "match -o m.jsonl -openings m.jsonl-new builtin builtin", "-o m.jsonl: m.jsonl-new beside it is an input: rename that file, or choose another -o"},
	{"the sorted match is the PGN", "", "", "match -o m.jsonl -pgnout m.jsonl-new builtin builtin", "-pgnout m.jsonl-new: that is the file that is kept beside -o m.jsonl"},
	{"the sorted match belongs to another program", "m.jsonl-new", "", "match -o m.jsonl builtin builtin", "-o m.jsonl: m.jsonl-new exists and was not written by qhsh: rename it, or choose another -o"},
	{"the sorted match of a link is the PGN", "sub/ m.jsonl->sub/m.jsonl", "", "match -o m.jsonl -pgnout sub/m.jsonl-new builtin builtin", "-pgnout sub/m.jsonl-new: that is the file that is kept beside -o m.jsonl"},

	{"games over a log", `x.pgn b.jsonl.run={"hints":1}` + "\n", "", "convert -format pgn -o b.jsonl.run x.pgn", "-o b.jsonl.run: belongs to a run of 'qhsh hints': name another file"},
	{"a summary over its log", `b.jsonl b.jsonl.run={"hints":1}` + "\n", "", "stats -format json -o b.jsonl.run b.jsonl", "-o b.jsonl.run: belongs to a run of 'qhsh hints': name another file"},
	{"a summary over the run's", "b.jsonl s.json={}", "", "stats -summary s.json -o s.json b.jsonl", "-o s.json: that is an input"},
	{"statistics of standard input", "b.json", "b.json", "stats -o b.json -", "-o b.json: that is an input"},
	{"games of standard input", "x.pgn", "x.pgn", "convert -o x.pgn", "-o x.pgn: that is an input"},
	{"engines.json is the output", "x.fen engines.json={}", "", "hints -o engines.json x.fen", "-o engines.json: that is an input"},
	{"engines.json is the trace", "engines.json={}", "", "tree -depth 1 -level 1 -trace engines.json", "-trace engines.json: that is an input"},
	{"engines.json is the trace of a mode", "engines.json={}", "", "-uci -trace engines.json", "-trace engines.json: that is an input"},
	{"an input is the cache", "x.fen=", "", "hints -cache x.fen x.fen", "-cache x.fen: that is an input"},
	{"the positions of a benchmark", "x.txt", "", "bench -positions x.txt -level 1 -format text -o x.txt", "-o x.txt and -positions x.txt are the same file"},
	{"the report of a check is the trace", "", "", "check -o x.txt -trace x.txt -list builtin", "-o x.txt and -trace x.txt are the same file"},
	{"a script is the trace", "s.star", "", "run -trace s.star s.star", "-trace s.star: that is an input"},
	{"the shell's commands are the trace", "cmds.qh=LEVEL\n", "cmds.qh", "shell -trace cmds.qh", "-trace cmds.qh: that is an input"},
	{"the host's commands are the trace", "cmds.qh=LEVEL\n", "cmds.qh", "-plugin -trace cmds.qh", "-trace cmds.qh: that is an input"},
	{"the shell's engine is the trace", "pl.sh=#!x pl.sh!", "", "shell -c LEVEL -engine ./pl.sh -trace pl.sh", "-trace pl.sh: that is an input"},
	{"a mode's engine is the trace", "pl.sh=#!x pl.sh!", "", "-uci -engine ./pl.sh -trace pl.sh", "-trace pl.sh: that is an input"},
	{"a script's engine is the trace", "s.star pl.sh=#!x pl.sh!", "", "run -engine ./pl.sh -trace pl.sh s.star", "-trace pl.sh: that is an input"},
	{"an engine that a script may start is the trace", "s.star pl.sh=#!x pl.sh!", "", "run -allow-engine ./pl.sh -trace pl.sh s.star", "-trace pl.sh: not a trace: name another file"},
	{"a module is the trace", `s.star=load("lib.star","x") lib.star=x=1`, "", "run -trace lib.star s.star", "-trace lib.star: not a trace: name another file"},
	{"a file that the shell reads later is the trace", "in.qh=.source\tlib.qh lib.qh=LEVEL", "in.qh", "shell -trace lib.qh", "-trace lib.qh: not a trace: name another file"},
}

// TestSharedFiles: such a command line is refused before any file is changed.
func TestSharedFiles(t *testing.T) {
	for _, c := range sharedCases {
		t.Run(c.name, func(t *testing.T) {
			dir := layOut(t, c.files)
			before := snapshot(t, dir)
			got := runQhsh(t.Context(), func(h *host) {
				h.ConfigDir = dir
				h.Stdin = strings.NewReader("")
				if c.stdin != "" {
					file, err := os.Open(c.stdin)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { file.Close() })
					h.Stdin = file
				}
			}, strings.Fields(c.args)...)
			command := strings.Fields(c.args)[0]
			help := "help " + command
			if strings.HasPrefix(command, "-") {
				help = command + " -h"
			}
			want := "qhsh " + command + ": " + c.want + "\nrun 'qhsh " + help + "' for its usage\n"
			if got.status != exitUsage || got.stderr != want {
				t.Errorf("status %d, and it says\n%swant\n%s", got.status, got.stderr, want)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("the files have changed:\n%s", diff)
			}
		})
	}
}

// layOut creates the files of a case in a folder and makes it the current one.
func layOut(t *testing.T, files string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for file := range strings.SplitSeq(files, " ") {
		if err := layOutOne(file); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip(err)
			}
			t.Fatal(err)
		}
	}
	return dir
}

func layOutOne(file string) error {
	if name, other, ok := strings.Cut(file, "=>"); ok {
		return os.Link(other, name)
	}
	name, content, ok := strings.Cut(file, "=")
	if !ok {
		content = "startpos\n"
	}
	switch last := name[max(0, len(name)-1):]; {
	case name == "":
		return nil
	case strings.Contains(name, "->"):
		link, other, _ := strings.Cut(name, "->")
		return os.Symlink(other, link)
	case last == "/":
		return os.Mkdir(name, 0o777)
	case last == "!":
		return os.Chmod(strings.TrimSuffix(name, last), 0o777)
	case last == "|":
		return makePipe(strings.TrimSuffix(name, last))
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o666)
}

// snapshot returns the contents of a folder and its subfolders.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		all[path] = entry.Type().String()
		if entry.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(dir, path))
			all[path] += string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOwnSiblings: the files of an earlier run do not stop the next one.
func TestOwnSiblings(t *testing.T) {
	hints := func(args ...string) outcome {
		return runQhsh(t.Context(), nil, append([]string{"hints", "-level", "1", "-o", "b.jsonl.gz"}, args...)...)
	}
	const log = "b.jsonl.gz.run"
	for _, c := range []struct {
		name  string
		leave func(t *testing.T)
		args  string
		want  int
	}{
		{"a new run over a finished one", func(*testing.T) {}, "x.fen", exitOK},
		{"a broken run", func(t *testing.T) {
			remove(t, "b.jsonl.gz")
			remove(t, log)
			if got := hints("-strict", "two.fen"); got.status != exitFailed {
				t.Fatalf("%+v", got)
			}
		}, "-resume two.fen", exitFailed},
		{"a run that was killed before its first answer", func(t *testing.T) {
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			terms, _, _ := strings.Cut(string(text), "\n")
			write(t, log, terms+"\n")
		}, "x.fen", exitOK},
		{"a run that was killed at once", func(t *testing.T) {
			write(t, log, `{"hin`)
		}, "x.fen", exitOK},
		{"a run that has come to nothing", func(t *testing.T) {
			if got := hints("-strict", "bad.fen"); got.status != exitFailed {
				t.Fatalf("%+v", got)
			}
		}, "-resume x.fen", exitOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			layOut(t, "x.fen two.fen=startpos\nrubbish\n bad.fen=rubbish\n")
			if got := hints("x.fen"); got.status != exitOK {
				t.Fatalf("%+v", got)
			}
			c.leave(t)
			if got := hints(strings.Fields(c.args)...); got.status != c.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSiblingIsGone: it is no error if another run removes a file at the same time.
func TestSiblingIsGone(t *testing.T) {
	layOut(t, "c.db-wal")
	gone := output.Sibling{Path: "c.db-wal", Own: func(path string) (bool, error) {
		remove(t, path)
		return output.HasPrefix(path, "SQLite")
	}}
	if err := output.CheckSiblings(output.WrittenFile("-cache", "c.db"), []output.Sibling{gone}); err != nil {
		t.Error(err)
	}
}

// TestDatabaseIsRead: reading a database leaves files next to it unchanged if they are not
// SQLite's, and uses those that are.
func TestDatabaseIsRead(t *testing.T) {
	dir := layOut(t, "x.fen")
	hints := func(args ...string) {
		t.Helper()
		if got := runQhsh(t.Context(), nil, append([]string{"hints", "-level", "1"}, args...)...); got.status != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	hints("-o", "s.db", "x.fen")
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		t.Run("a foreign s.db"+suffix, func(t *testing.T) {
			if err := layOutOne("s.db" + suffix + "=mine\n"); err != nil {
				t.Fatal(err)
			}
			defer remove(t, "s.db"+suffix)
			for _, args := range []string{"s.db", "- s.db"} {
				before := snapshot(t, dir)
				got := runQhsh(t.Context(), nil, append([]string{"stats"}, strings.Fields(args)...)...)
				want := "qhsh stats: s.db: s.db" + suffix + " exists and was not written by qhsh: rename it\nrun 'qhsh help stats' for its usage\n"
				if got.status != exitUsage || got.stderr != want {
					t.Errorf("stats %s: status %d, and it says\n%swant\n%s", args, got.status, got.stderr, want)
				}
				if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
					t.Errorf("stats %s: the files have changed:\n%s", args, diff)
				}
			}
		})
	}
	t.Run("the output is beside it", func(t *testing.T) {
		got := runQhsh(t.Context(), nil, "stats", "-format", "json", "-o", "s.db-wal", "s.db")
		want := "qhsh stats: -o s.db-wal: that is the file that is kept beside s.db\nrun 'qhsh help stats' for its usage\n"
		if got.status != exitUsage || got.stderr != want {
			t.Errorf("%+v", got)
		}
	})
	t.Run("beside a file that is no database", func(t *testing.T) {
		hints("-o", "s.jsonl", "x.fen")
		if err := layOutOne("s.jsonl-wal=mine\n"); err != nil {
			t.Fatal(err)
		}
		if got := runQhsh(t.Context(), nil, "stats", "s.jsonl"); got.status != exitOK {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a run that was killed", func(t *testing.T) {
		db, err := store.Create("live.db", store.Run{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := errors.Join(db.Write(batch.Answer{Item: batch.Item{Line: 1, Input: "x"}}), db.Commit()); err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			copyTo(t, "live.db"+suffix, "killed.db"+suffix)
		}
		got := runQhsh(t.Context(), nil, "stats", "-format", "json", "killed.db")
		if got.status != exitOK || !strings.Contains(got.stdout, `"positions":1`) {
			t.Errorf("%+v", got)
		}
	})
}

// TestTraceReplacesATrace: a trace replaces an earlier trace or an empty file.
func TestTraceReplacesATrace(t *testing.T) {
	layOut(t, "empty.txt=")
	for _, path := range []string{"new.txt", "new.txt", "empty.txt"} {
		got := runQhsh(t.Context(), nil, "shell", "-level", "1", "-trace", path, "-c", "LEVEL")
		text, err := os.ReadFile(path)
		if got.status != exitOK || err != nil || strings.Count(string(text), "LEVEL 1") != 1 {
			t.Errorf("%+v, %v, the trace is\n%s", got, err, text)
		}
	}
}
