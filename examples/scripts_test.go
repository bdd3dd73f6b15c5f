package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qhsh/engine/enginetest/golden"
)

// commandMark starts the line of a script's first comment that says how to run it.
const commandMark = "#     qhsh "

// expectedDir has the expected output of NAME.star, NAME.out, and the files that it writes.
const expectedDir = "expected"

// commandOf returns the arguments of the command in a script's first comment, without qhsh. As in
// a shell, text in single quotes is one argument.
func commandOf(t *testing.T, script string) []string {
	t.Helper()
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		command, found := strings.CutPrefix(line, commandMark)
		if !found {
			continue
		}
		var words []string
		for i, part := range strings.Split(command, "'") {
			if i%2 == 1 {
				words = append(words, part)
				continue
			}
			words = append(words, strings.Fields(part)...)
		}
		return words
	}
	t.Fatalf("no comment says how to run %s, as in %q", script, commandMark+"run "+script)
	return nil
}

// runScript runs a script as its comment says, and compares all its output.
func runScript(t *testing.T, qhsh, script string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(qhsh, commandOf(t, script)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "AppData="+dir, "QHSH_ENGINE=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %v\n%s", cmd.Args[1:], err, stderr.String())
	}
	expect(t, strings.TrimSuffix(script, ".star")+".out", out)
	for _, pattern := range []string{"*", "out/*"} {
		written, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range written {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(dir, file)
			if _, err := os.Stat(name); err == nil || info.IsDir() {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, filepath.Base(file), text)
		}
	}
}

// pageParts matches the style and the program of a page. They are the same in all pages, and have tests of
// their own.
var pageParts = regexp.MustCompile(`(?s)(<style>|<script type="module">).*?(</style>|</script>)`)

// expect compares an output with the expected file.
func expect(t *testing.T, name string, got []byte) {
	t.Helper()
	got = pageParts.ReplaceAll(got, []byte("$1...$2"))
	golden.Compare(t, filepath.Join(expectedDir, name), string(got))
}

// isInput checks that a script's comment runs the script on a file.
func isInput(t *testing.T, _, file string) {
	scripts, err := filepath.Glob("*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		for _, word := range commandOf(t, script) {
			if strings.Contains(word, file) {
				return
			}
		}
	}
	t.Error("no test for this example")
}

// allExpected checks that every file of expected output belongs to a script.
func allExpected(t *testing.T, _, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	scripts, err := filepath.Glob("*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		sources.WriteString(strings.TrimSuffix(script, ".star") + ".out\n" + string(text))
	}
	for _, entry := range entries {
		if !strings.Contains(sources.String(), entry.Name()) {
			t.Errorf("no script writes %s", entry.Name())
		}
	}
}
