package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plays has a program that knows a game's rules play a match with itself and be examined. The page about
// such programs must show it as it is.
func plays(t *testing.T, qhsh, program string) {
	code, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../cmd/qhsh/help/jsonl.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```python\n"+string(code)+"```\n") {
		t.Errorf("the page does not show %s as it is", program)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	config := t.TempDir()
	path, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	names := filepath.Join(config, "qhsh", "engines.json")
	if err := os.Mkdir(filepath.Dir(names), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(names, []byte(`{"game=breakthrough": "jsonl:python3 '`+filepath.ToSlash(path)+`'"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", config)
	table, err := exec.Command(qhsh, "match", "-games", "2", "-format", "json", "a=breakthrough", "b=breakthrough").Output()
	if err != nil || !strings.Contains(string(table), `"breakthrough":2`) {
		t.Errorf("%v: the games do not end as the rules say:\n%s", err, table)
	}
	if report := run(t, qhsh, "check", "breakthrough"); !strings.Contains(report, "12 checks binding: 11 passed, 1 do not apply\n") {
		t.Error(report)
	}
}
