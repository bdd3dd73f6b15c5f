package main

// The golden corpus: what the commands of all documents, examples, script tests and of
// testdata/golden write to stdout and to files, and with which status they exit, kept in
// testdata/golden and compared whole. A file of it has cases:
//
//	=== NAME        a case, which begins in an empty folder
//	$ COMMAND       is run by sh; it may call qhsh and fakeplugin, and read examples, files
//	                (testdata/golden/files), ccpd and, in files named data-*, data ($QHSH_DATA)
//	| LINE          of its stdout, or of a file that the case has left
//	- LINE          the same, and no line feed ends it
//	# ...           what is not kept as text: its size and its sum
//	exit STATUS     of the command
//	file NAME       is left by the case
//
// What is said on stderr and help texts are not in it; times and dates are masked (see
// goldenmask_test.go). A case is called as its file and itself: hints/csv, scripts/match/match.
//
//	go test ./cmd/qhsh -run TestGolden                               compares
//	go test ./cmd/qhsh -run TestGolden -golden 'hints/csv|stats/.*'  writes the cases that match anew
//	go test ./cmd/qhsh -run TestGolden -golden-program OLD    has another build run, to compare with
//	go test ./cmd/qhsh -run TestGolden -golden-keep DIR       writes all outputs whole below DIR
//
// A new case is its name and its commands, written anew by -golden. A commit that writes cases
// anew names the pattern, and says why they change.

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

var (
	goldenUpdate  = flag.String("golden", "", "write the golden cases that match this `pattern` anew")
	goldenProgram = flag.String("golden-program", "", "run the golden cases with this `program` in the place of qhsh")
	goldenKeep    = flag.String("golden-keep", "", "write the outputs of the golden cases whole below this `folder`")
)

const (
	goldenDir = "testdata/golden"
	// maxKept is how many bytes of an output are kept as text. Of a longer one the first lines
	// are, and the sum of all.
	maxKept   = 16 << 10
	keptLines = 12
	// dataPrefix begins the name of a file whose cases read $QHSH_DATA. Their outputs are
	// kept as sums, since not all of that may be copied.
	dataPrefix = "data-"
)

// TestGolden compares what all commands write with the golden corpus.
func TestGolden(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes it slow, and sees the same in TestScripts")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of a POSIX shell")
	}
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(name, dataPrefix) && os.Getenv("QHSH_DATA") == "" {
				t.Skip("QHSH_DATA is not set")
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []goldenCase
			for _, c := range parseGolden(string(text)) {
				got = append(got, runGolden(t, name, c.name, c.commands))
			}
			compareGolden(t, file, got)
		})
	}
}

// A goldenCase is a case with what its commands have written.
type goldenCase struct {
	name     string
	commands []string
	text     string // as in the file, from the first command on
}

func parseGolden(text string) (cases []goldenCase) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "=== "); ok {
			cases = append(cases, goldenCase{name: strings.TrimSpace(name)})
			continue
		}
		if len(cases) == 0 {
			continue // blank lines
		}
		c := &cases[len(cases)-1]
		c.text += line
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			c.commands = append(c.commands, strings.TrimSuffix(command, "\n"))
		}
	}
	return cases
}

func formatGolden(cases []goldenCase) string {
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "=== %s\n%s", c.name, c.text)
	}
	return b.String()
}

// compareGolden fails the test if cases are not as in the file. Those whose identifiers match
// -golden are written anew, or are there no more.
func compareGolden(t *testing.T, file string, got []goldenCase) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	source := goldenSource(file)
	if *goldenUpdate != "" {
		pattern, err := regexp.Compile("^(?:" + *goldenUpdate + ")$")
		if err != nil {
			t.Fatal(err)
		}
		old = []byte(formatGolden(merged(parseGolden(string(old)), got, func(c goldenCase) bool {
			return pattern.MatchString(source + "/" + c.name)
		})))
		if err := os.WriteFile(file, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(formatGolden(got), "\n")); diff != "" {
		t.Errorf("%s: if this change is wanted, go test ./cmd/qhsh -run '%s' -golden '%s/CASE' writes it anew (-kept +now):\n%s",
			file, t.Name(), source, diff)
	}
}

// goldenSource is how the identifiers of a file's cases begin.
func goldenSource(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), goldenDir+"/"), ".txt")
}

// merged are the cases of now, in their order, with those of before in the place of what is not to
// be written; of the others before, those that are not to be written stay.
func merged(before, now []goldenCase, write func(goldenCase) bool) (cases []goldenCase) {
	find := func(in []goldenCase, name string) int {
		return slices.IndexFunc(in, func(c goldenCase) bool { return c.name == name })
	}
	for _, c := range now {
		at := find(before, c.name)
		switch {
		case write(c):
			cases = append(cases, c)
		case at >= 0:
			cases = append(cases, before[at])
		}
	}
	for _, c := range before {
		if find(now, c.name) < 0 && !write(c) {
			cases = append(cases, c)
		}
	}
	return cases
}

// TestGoldenFiles: every file of the corpus has a script, document or server that it is about.
func TestGoldenFiles(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		dir, name := filepath.Split(goldenSource(file))
		known := false
		switch dir {
		case "scripts/":
			_, err := os.Stat("testdata/script/" + name + ".txtar")
			known = err == nil
		case "documents/":
			_, err := os.Stat("../../" + name + ".md")
			known = err == nil || name == "examples"
		case "servers/":
			known = slices.ContainsFunc(goldenServers, func(s goldenServer) bool { return s.name == name })
		}
		if !known {
			t.Errorf("%s: nothing is there any more that it is about", file)
		}
	}
}

// runGolden runs the commands of a case in a folder of its own.
func runGolden(t *testing.T, source, name string, commands []string) goldenCase {
	t.Helper()
	r := newRecording(t, source, name, t.TempDir())
	for _, link := range []struct{ name, to string }{
		{"examples", "../../examples"},
		{"files", goldenDir + "/files"},
		{"ccpd", "../../engine/xiangqi/record/testdata/ccpd"},
		{"data", os.Getenv("QHSH_DATA")},
	} {
		r.link(link.name, link.to)
	}
	for _, command := range commands {
		r.command(command, r.shell(command))
	}
	return r.end(commands)
}

// A recording is a case under way.
type recording struct {
	t      *testing.T
	id     string // source/name
	name   string
	dir    string
	sums   bool                // keep sums alone
	before map[string]struct{} // the files that are no outputs
	seen   map[[32]byte]string // what was written already, and what it is called
	text   strings.Builder
	steps  int
}

func newRecording(t *testing.T, source, name, dir string) *recording {
	return &recording{
		t: t, id: source + "/" + name, name: name, dir: dir, sums: strings.HasPrefix(source, dataPrefix),
		before: map[string]struct{}{}, seen: map[[32]byte]string{},
	}
}

// link makes a folder of the repository known to the commands.
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

// A result is how a command has ended.
type result struct {
	stdout []byte
	status int
}

func (r *recording) shell(command string) result {
	r.t.Helper()
	sh := exec.Command("sh", "-c", command)
	sh.Dir = r.dir
	sh.Env = append(os.Environ(), "HOME="+r.dir, "XDG_CONFIG_HOME="+r.dir+"/.config", "XDG_STATE_HOME="+r.dir+"/.state", "TMPDIR="+r.t.TempDir(), engineVariable+"=", "PATH="+r.path())
	out, err := sh.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		r.t.Fatal(err)
	}
	return result{out, sh.ProcessState.ExitCode()}
}

// path is the PATH in which another build stands in the place of qhsh, if there is one.
func (r *recording) path() string {
	if *goldenProgram == "" {
		return os.Getenv("PATH")
	}
	program, err := filepath.Abs(*goldenProgram)
	if err != nil {
		r.t.Fatal(err)
	}
	dir := r.t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "qhsh")); err != nil {
		r.t.Fatal(err)
	}
	return dir + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// command writes down what a command has done.
func (r *recording) command(command string, got result) {
	r.steps++
	fmt.Fprintf(&r.text, "$ %s\n", strings.ReplaceAll(command, r.dir, "$WORK"))
	if len(got.stdout) > 0 {
		r.output(fmt.Sprintf("stdout of command %d", r.steps), got.stdout)
	}
	fmt.Fprintf(&r.text, "exit %d\n", got.status)
}

// end writes down the files that are left.
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
		r.output(name, content)
	}
	return goldenCase{r.name, commands, r.text.String()}
}

// processID is a file that is called as a process.
var processID = regexp.MustCompile(`/[0-9]+$`)

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// readable is a file's content in a shape that does not depend on libraries: unpacked, and of a
// database what its tables hold.
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

// output writes down what was written, and what it is called.
func (r *recording) output(what string, content []byte) {
	if byChance.MatchString(r.id + "/" + what) {
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

// visible is a line in which control and format characters, and a blank at the end, can be
// seen. They are written as nothing else that the program writes.
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

// keep writes an output whole to where -golden-keep says.
func (r *recording) keep(what string, content []byte) {
	if *goldenKeep == "" {
		return
	}
	path := filepath.Join(*goldenKeep, filepath.FromSlash(r.id), filepath.FromSlash(what))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666)); err != nil {
		r.t.Fatal(err)
	}
}
