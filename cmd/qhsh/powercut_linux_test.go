package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPowerCut: a run can be resumed from what a power cut keeps of its folder. A system call that has not been followed by
// a sync of its file or folder may be lost, and a later one kept nevertheless: so a file gets another's name
// only when its contents and everything done in the folder before are on disk, and the program ends
// only when that name is.
func TestPowerCut(t *testing.T) {
	if err := exec.Command("strace", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("strace: ", err)
	}
	dir := t.TempDir()
	positions, err := filepath.Abs("../../examples/twelve.fen")
	if err != nil {
		t.Fatal(err)
	}
	game, err := filepath.Abs("../../examples/game.txt")
	if err != nil {
		t.Fatal(err)
	}
	match := []string{"match", "-level", "1", "-maxmoves", "4", "-o", "m.jsonl", "-resume", "one=builtin", "two=builtin", "-games"}
	for _, c := range []struct {
		args    []string
		renames int
	}{
		{[]string{"hints", "-level", "1", "-o", "x.db", positions}, 2},
		{[]string{"hints", "-level", "1", "-o", "x.db", positions}, 2}, // in place of the former
		{[]string{"hints", "-level", "1", "-o", "x.jsonl", positions}, 1},
		{append(match, "2"), 0},
		{append(match, "4"), 1}, // with other terms
		{[]string{"convert", "-o", "x.pgn", game}, 1},
	} {
		d := disk{t: t, dir: dir, names: map[string]bool{}, written: map[string]bool{}}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			d.names[f.Name()] = true
		}
		trace := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command("strace", append([]string{
			"-f", "-y", "-o", trace, "-e", "trace=?open,openat,write,pwrite64,ftruncate,fsync,fdatasync,?rename,renameat,renameat2,?unlink,unlinkat", "qhsh",
		}, c.args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", c.args, err, out)
		}
		for line := range strings.Lines(content(trace)) {
			d.call(line)
		}
		lost := append(d.renamed, slices.DeleteFunc(d.changed, func(name string) bool { return !slices.Contains(c.args, name) })...)
		if len(lost) > 0 || d.renames != c.renames {
			t.Errorf("%v: %d renames, want %d; a power cut may lose %v", c.args, d.renames, c.renames, lost)
		}
	}
}

// A disk is a folder without what a power cut may lose.
type disk struct {
	t       *testing.T
	dir     string
	names   map[string]bool // of the folder's files
	written map[string]bool // files with contents that are not on disk
	changed []string        // names that are not on disk: of new and removed files
	renamed []string        // and of those that replaced another
	renames int
}

var (
	systemCall = regexp.MustCompile(`^\d+ +(\w+)\((.*)`)
	pathOfCall = regexp.MustCompile(`[<"]([^<>"]+)[>"]`)
)

// call follows a line of the trace.
func (d *disk) call(line string) {
	m := systemCall.FindStringSubmatch(line)
	if m == nil || strings.Contains(line, " = -1 ") {
		return
	}
	var files []string // of the folder; "." is the folder
	for _, path := range pathOfCall.FindAllStringSubmatch(m[2], -1) {
		name := path[1]
		if filepath.IsAbs(name) {
			name, _ = filepath.Rel(d.dir, name)
		}
		if filepath.IsLocal(name) && (name != "." || strings.HasSuffix(m[1], "sync")) {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return
	}
	switch file := files[0]; m[1] {
	case "open", "openat":
		if strings.Contains(line, "O_CREAT") && !d.names[file] {
			d.names[file], d.changed = true, append(d.changed, file)
		}
	case "write", "pwrite64", "ftruncate":
		d.written[file] = true
	case "fsync", "fdatasync":
		delete(d.written, file)
		if file == "." {
			d.changed, d.renamed = nil, nil
		}
	case "unlink", "unlinkat":
		if d.names[file] {
			delete(d.names, file)
			d.changed = append(d.changed, file)
		}
	default:
		to := files[1]
		if d.written[file] || len(d.changed)+len(d.renamed) > 0 {
			d.t.Errorf("%s gets the name %s: contents not on disk: %v; names not on disk: %v %v", file, to, d.written[file], d.changed, d.renamed)
		}
		d.names[to], d.renamed, d.renames = true, append(d.renamed, to), d.renames+1
		delete(d.names, file)
	}
}
