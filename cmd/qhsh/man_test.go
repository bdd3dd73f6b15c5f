package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qhsh/engine/games"
)

// manFolder returns a folder with all pages, of a made-up build.
func manFolder(t *testing.T) (dir string, files []string) {
	dir = t.TempDir()
	h := host{Games: games.Default}
	for _, p := range h.manPages() {
		file := filepath.Join(dir, fmt.Sprintf("%s.%d", p.name, p.section))
		write(t, file, p.roff(buildInfo{Version: "1.2.3", Time: "2026-01-02T03:04:05Z"}))
		files = append(files, file)
	}
	return dir, files
}

// TestManPages: groff and mandoc have nothing to say about any page.
func TestManPages(t *testing.T) {
	_, files := manFolder(t)
	for _, check := range [][]string{
		{"groff", "-man", "-ww", "-Tutf8", "-z"},
		{"mandoc", "-Tlint", "-W", "warning"},
	} {
		program, err := exec.LookPath(check[0])
		if err != nil {
			t.Log(err)
			continue
		}
		if out, err := exec.Command(program, append(check[1:], files...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", check[0], err, out)
		}
	}
}

// TestManPage: a page has what the table of commands has.
func TestManPage(t *testing.T) {
	got := runQhsh(t.Context(), nil, "man", "version")
	for _, want := range []string{
		`.TH "QHSH\-VERSION" 1 `, ".SH NAME\nqhsh\\-version \\- print the version\n",
		".SH \"SYNOPSIS\"\n\\fBqhsh version\\fR [FLAG...]", ".SH \"OPTIONS\"\n.TP\n\\fB\\-format\\fR FORMAT\n",
		".SH \"EXIT STATUS\"\n.TP\n0\nsuccess\n", ".SH \"SEE ALSO\"\n\\fBqhsh(1)\\fR\n",
	} {
		if got.status != exitOK || !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing in\n%s%s", want, got.stdout, got.stderr)
		}
	}
	all := runQhsh(t.Context(), nil, "man").stdout
	for _, c := range listedCommands() {
		if !strings.Contains(all, `\fBqhsh\-`+c.name+"(1)\\fR\n") {
			t.Errorf("qhsh(1) does not name %s", c.name)
		}
	}
}

// TestManFolder: -o writes the page of each command and topic.
func TestManFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	if got := runQhsh(t.Context(), nil, "man", "-o", dir); got != (outcome{}) {
		t.Fatalf("got %+v", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	want := []string{"qhsh.1"}
	for _, c := range listedCommands() {
		want = append(want, "qhsh-"+c.name+".1")
	}
	for _, topic := range topics() {
		want = append(want, "qhsh-"+topic.name+".7")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, args := range [][]string{{"man", "-o", dir, "hints"}, {"man", "hint"}, {"man", "a", "b"}} {
		if got := runQhsh(t.Context(), nil, args...); got.status != exitUsage {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
