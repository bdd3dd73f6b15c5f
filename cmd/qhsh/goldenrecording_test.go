package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// A recording is a case in progress.
type recording struct {
	t      *testing.T
	id     string // source/name
	name   string
	dir    string
	sums   bool                // keep checksums only
	before map[string]struct{} // the files that are not outputs
	seen   map[[32]byte]string // earlier outputs, and their names
	text   strings.Builder
	steps  int
}

func newRecording(t *testing.T, source, name, dir string) *recording {
	return &recording{
		t: t, id: source + "/" + name, name: name, dir: dir, sums: strings.HasPrefix(source, dataPrefix),
		before: map[string]struct{}{}, seen: map[[32]byte]string{},
	}
}

// link makes a folder of the repository available to the commands.
func (r *recording) link(name, to string) {
	r.t.Helper()
	if to != "" {
		link(r.t, r.dir, name, to)
		r.before[name] = struct{}{}
	}
}

func link(t testing.TB, dir, name, to string) {
	t.Helper()
	to, err := filepath.Abs(to)
	if err == nil {
		err = os.Symlink(to, filepath.Join(dir, name))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// shell runs a line of a case in a shell.
func (r *recording) shell(line string) result {
	r.t.Helper()
	return call{Line: line, Dir: r.dir, Process: *goldenProgram != "", Env: append(
		os.Environ(), "HOME="+r.dir, "XDG_CONFIG_HOME="+r.dir+"/.config", "XDG_STATE_HOME="+r.dir+"/.state",
		"TMPDIR="+r.t.TempDir(), engineVariable+"=", "PATH="+programPath(r.t),
	)}.run(r.t)
}

// programPath returns the PATH in which another build replaces qhsh, if there is one.
func programPath(t *testing.T) string {
	if *goldenProgram == "" {
		return os.Getenv("PATH")
	}
	program, err := filepath.Abs(*goldenProgram)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "qhsh")); err != nil {
		t.Fatal(err)
	}
	return dir + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// command records the outcome of a command.
func (r *recording) command(command string, got result) {
	r.steps++
	command = "$ " + strings.ReplaceAll(command, r.dir, "$WORK")
	fmt.Fprintln(&r.text, command)
	if len(got.Stdout) > 0 {
		r.output(command, fmt.Sprintf("stdout of command %d", r.steps), got.Stdout)
	}
	fmt.Fprintf(&r.text, "exit %d\n", got.Status)
}

// end records the files that are left.
func (r *recording) end(commands []string) goldenCase {
	r.t.Helper()
	var files []string
	err := filepath.WalkDir(r.dir, func(path string, entry os.DirEntry, err error) error {
		name, _ := filepath.Rel(r.dir, path)
		if _, known := r.before[name]; known || err != nil || !entry.Type().IsRegular() {
			return err
		}
		files = append(files, name)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasPrefix(name, ".state") || strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") {
			continue
		}
		path := filepath.Join(r.dir, name)
		content, err := os.ReadFile(path)
		if err != nil {
			r.t.Fatal(err)
		}
		name = processID.ReplaceAllString(name, "/PID")
		what, content := readable(r.t, path, content)
		fmt.Fprintf(&r.text, "file %s%s\n", name, what)
		r.output(name, name, content)
	}
	return goldenCase{r.name, commands, r.text.String()}
}

// processID matches a file that is named after a process.
var processID = regexp.MustCompile(`/[0-9]+$`)

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// readable returns a file's content in a form that does not depend on libraries: decompressed, and
// for a database the contents of its tables.
func readable(t *testing.T, path string, content []byte) (what string, plain []byte) {
	t.Helper()
	var err error
	switch {
	case bytes.HasPrefix(content, []byte{0x1f, 0x8b}):
		what = " (gzip)"
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(content)); err == nil {
			content, err = io.ReadAll(z)
		}
	case bytes.HasPrefix(content, zstdMagic):
		what = " (zstd)"
		var z *zstd.Decoder
		if z, err = zstd.NewReader(bytes.NewReader(content)); err == nil {
			content, err = io.ReadAll(z)
			z.Close()
		}
	case bytes.HasPrefix(content, []byte("SQLite format 3\x00")):
		what = " (sqlite)"
		content, err = dumpTables(path)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return what, content
}

// output records what a command has written to stdout or to a file, under a name.
func (r *recording) output(source, what string, content []byte) {
	if byChance.MatchString(r.id + "/" + source) {
		fmt.Fprintln(&r.text, "# by chance")
		return
	}
	content = mask(bytes.ReplaceAll(content, []byte(r.dir), []byte("$WORK")))
	r.keep(what, content)
	sum := sha256.Sum256(content)
	if before, ok := r.seen[sum]; ok && len(content) > 200 {
		fmt.Fprintf(&r.text, "# the same as %s\n", before)
		return
	}
	r.seen[sum] = what
	lines := bytes.SplitAfter(content, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		lines = lines[:last]
	}
	whole := len(content) <= maxKept && utf8.Valid(content) && !r.sums
	if !whole {
		fmt.Fprintf(&r.text, "# %d bytes, %d lines, sha256 %x\n", len(content), len(lines), sum)
		if !utf8.Valid(content) || r.sums {
			return
		}
		lines = lines[:min(len(lines), keptLines)]
	}
	for _, line := range lines {
		text, ended := strings.CutSuffix(string(line), "\n")
		mark := "|"
		if !ended {
			mark = "-"
		}
		if !whole && len(text) > 300 {
			text = strings.ToValidUTF8(text[:300], "") + "..."
		}
		fmt.Fprintln(&r.text, strings.TrimRight(mark+" "+visible(text), " "))
	}
}

// visible returns a line in which control and format characters and a trailing blank are visible.
// The program itself writes nothing that looks the same.
func visible(line string) string {
	var b strings.Builder
	for _, c := range line {
		if c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			fmt.Fprintf(&b, "<U+%04X>", c)
			continue
		}
		b.WriteRune(c)
	}
	text := b.String()
	if strings.HasSuffix(text, " ") {
		text = strings.TrimSuffix(text, " ") + "<U+0020>"
	}
	return text
}

// keep writes a whole output to the folder of -golden-keep.
func (r *recording) keep(what string, content []byte) {
	if *goldenKeep == "" {
		return
	}
	path := filepath.Join(*goldenKeep, filepath.FromSlash(r.id), filepath.FromSlash(what))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666)); err != nil {
		r.t.Fatal(err)
	}
}
