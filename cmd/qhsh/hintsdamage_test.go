package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
)

// A damagedRun is an unfinished run with two answers that is then damaged.
type damagedRun struct {
	input, out, log string // files
}

// damagedInput has its positions after the part of the file that is compared before anything is
// read.
var damagedInput = strings.Repeat("# "+strings.Repeat("-", 61)+"\n", 1024) +
	"startpos moves h2e2\nstartpos moves b2e2\n4k4/9/9/9/9/9/9/9/4A4/4K4 w\nstartpos moves h2d2\n"

// edit replaces a text in a file with another of the same length.
func edit(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(from) != len(to) || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%q is not in %s, or not as long as %q", from, path, to)
	}
	write(t, path, strings.Replace(string(text), from, to, 1))
}

// write writes a file, which may exist.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// content returns the contents of a file; "(none)" if it does not exist.
func content(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "(none)"
	}
	return string(text)
}

// begin starts the run, or an equal one.
func (r damagedRun) begin(t *testing.T, args ...string) {
	t.Helper()
	write(t, r.input, damagedInput)
	args = append([]string{r.input, "-o", r.out, "-strict", "-engine", "fakeplugin -refuse -at 4k4"}, args...)
	if status, _, stderr := runHints(t, "", args...); status != exitFailed {
		t.Fatalf("status %d: %s", status, stderr)
	}
}

// resume resumes the run to its end.
func (r damagedRun) resume(t *testing.T) (status int, stderr string) {
	t.Helper()
	status, _, stderr = runHints(t, "", r.input, "-o", r.out, "-resume", "-engine", "fakeplugin -refuse -at 4k4")
	stderr = strings.ReplaceAll(stderr, filepath.Dir(r.out)+string(filepath.Separator), "")
	return status, engineMarks.ReplaceAllString(stderr, "MARK")
}

// engineMarks matches the fingerprints of the test binary, which is the engine.
var engineMarks = regexp.MustCompile(`"[0-9]+-[0-9a-f]{8}"`)

// TestDamagedRun damages an unfinished run as disks, users and other programs do. A run that is
// resumed nevertheless has the output of an uninterrupted run. A refused resume leaves the files
// unchanged, and the run can be resumed once the files are restored.
func TestDamagedRun(t *testing.T) {
	const (
		failed = "qhsh hints: line 1027: Fake 1.0: HINTS 1: refused: the search failed: no; last lines: >\"FEN 4k4/9/9/9/9/9/9/9/4A4/4K4 w\" <\"OK\" >\"HINTS 1\" <\"ERROR the search failed: no\"\n" +
			"qhsh hints: 4 positions, 1 failed\n"
		usage = "run 'qhsh help hints' for its usage\n"
	)
	for _, c := range enginetest.SampleUnderRace(8, []struct {
		name   string
		damage func(t *testing.T, r damagedRun)
		status int
		said   string
		want   string // the output then; empty: that of an uninterrupted run
	}{
		{"nothing", func(*testing.T, damagedRun) {}, exitFailed, failed, ""},
		{"the log is cut in its second record", func(t *testing.T, r damagedRun) {
			text := content(r.log)
			write(t, r.log, text[:len(text)-1])
		}, exitFailed, failed, ""},
		{"the log is cut behind its terms", func(t *testing.T, r damagedRun) {
			terms, _, _ := strings.Cut(content(r.log), "\n")
			write(t, r.log, terms+"\n")
		}, exitFailed, failed, ""},
		{
			"the log is cut in its terms", func(t *testing.T, r damagedRun) {
				write(t, r.log, content(r.log)[:20])
			}, exitUsage,
			"qhsh hints: -resume: out.jsonl exists, but its log out.jsonl.run is empty: remove it, or omit -resume to overwrite it\n" + usage, "kept",
		},
		{
			"the log is emptied", func(t *testing.T, r damagedRun) { write(t, r.log, "") }, exitUsage,
			"qhsh hints: -resume: out.jsonl exists, but its log out.jsonl.run is empty: remove it, or omit -resume to overwrite it\n" + usage, "kept",
		},
		{
			"the log is deleted", func(t *testing.T, r damagedRun) { remove(t, r.log) }, exitUsage,
			"qhsh hints: -resume: out.jsonl exists without its log out.jsonl.run: remove it, or omit -resume to overwrite it\n" + usage, "kept",
		},
		{
			"a bit of the first record", func(t *testing.T, r damagedRun) {
				terms, records, _ := strings.Cut(content(r.log), "\n")
				write(t, r.log, terms+"\n"+records[:9]+"\xff"+records[10:])
			}, exitFailed,
			"qhsh hints: out.jsonl.run is damaged after its first 0 answers: the others are searched again\n" + failed, "",
		},
		{
			"zeros behind the log", func(t *testing.T, r damagedRun) {
				write(t, r.log, content(r.log)+strings.Repeat("\x00", 4096))
			}, exitFailed,
			"qhsh hints: out.jsonl.run is damaged after its first 2 answers: the others are searched again\n" + failed, "",
		},
		{
			"a bit of the terms", func(t *testing.T, r damagedRun) {
				edit(t, r.log, `"lines":1`, `"lines":3`)
			}, exitUsage,
			"qhsh hints: -resume: the unfinished run differs from this one: lines is 3 there and 1 here\n" + usage, "kept",
		},
		{
			"a bit of what makes the terms JSON", func(t *testing.T, r damagedRun) {
				edit(t, r.log, `"lines":1`, `"lines";1`)
			}, exitUsage,
			"qhsh hints: -o out.jsonl: out.jsonl.run exists and was not written by qhsh: rename it, or choose another -o\n" + usage, "kept",
		},
		{
			"the log is something else", func(t *testing.T, r damagedRun) { write(t, r.log, "my notes\n") }, exitUsage,
			"qhsh hints: -o out.jsonl: out.jsonl.run exists and was not written by qhsh: rename it, or choose another -o\n" + usage, "kept",
		},
		{
			"the log of another engine", func(t *testing.T, r damagedRun) {
				other := damagedRun{r.input, r.out + ".other", r.out + ".other.run"}
				other.begin(t, "-format", "json", "-hints", "2", "-level", "2")
				write(t, r.log, content(other.log))
			}, exitUsage,
			"qhsh hints: -resume: the unfinished run differs from this one: limits.level is 2 there and 1 here; lines is 2 there and 1 here\n" + usage, "kept",
		},
		{"the output is deleted", func(t *testing.T, r damagedRun) { remove(t, r.out) }, exitFailed, failed, ""},
		{"the output is cut", func(t *testing.T, r damagedRun) { write(t, r.out, content(r.out)[:50]) }, exitFailed, failed, ""},
		{"the output is edited", func(t *testing.T, r damagedRun) { write(t, r.out, "x"+content(r.out)) }, exitFailed, failed, ""},
		{
			"the input is another", func(t *testing.T, r damagedRun) { edit(t, r.input, "--", "++") }, exitUsage,
			"qhsh hints: -resume: the unfinished run differs from this one: input.fen has changed since the run began\n" + usage, "kept",
		},
		{
			"an answered position is another", func(t *testing.T, r damagedRun) { edit(t, r.input, "h2e2", "h2f2") }, exitUsage,
			"qhsh hints: -resume: input.fen has changed since the run began\n" + usage, "kept",
		},
		{
			"the second answered position is another", func(t *testing.T, r damagedRun) { edit(t, r.input, "b2e2", "b2f2") }, exitUsage,
			"qhsh hints: -resume: input.fen has changed since the run began\n" + usage, "replayed up to there",
		},
		{
			"a position that is not answered is another", func(t *testing.T, r damagedRun) { edit(t, r.input, "h2d2", "h2f2") }, exitFailed,
			failed, "of the input that is there",
		},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := damagedRun{filepath.Join(dir, "input.fen"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "out.jsonl.run")}
			r.begin(t)
			out, log := content(r.out), content(r.log)
			c.damage(t, r)
			before := content(r.out) + content(r.log)
			status, said := r.resume(t)
			if diff := cmp.Diff(c.said, said); diff != "" || status != c.status {
				t.Errorf("status %d, want %d\n%s", status, c.status, diff)
			}
			switch first, _, _ := strings.Cut(out, "\n"); {
			case c.want == "kept" && content(r.out)+content(r.log) != before:
				t.Errorf("the output is %q, the log %q", content(r.out), content(r.log))
			case c.want == "replayed up to there" && (content(r.out) != first+"\n" || content(r.log) != log):
				t.Errorf("the output is %q, the log %q", content(r.out), content(r.log))
			}
			if status == exitUsage {
				write(t, r.input, damagedInput)
				write(t, r.log, log)
				if status, said := r.resume(t); status != exitFailed || said != failed {
					t.Errorf("repaired: status %d: %s", status, said)
				}
			}
			whole := filepath.Join(dir, "whole.jsonl")
			runHints(t, "", r.input, "-o", whole, "-engine", "fakeplugin -refuse -at 4k4")
			same(t, whole, r.out)
		})
	}
}
