package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTarget: links are followed to a file that is there, and to one that is not.
func TestTarget(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	if err := os.MkdirAll(at("a", "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("a", "there"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"folder": filepath.Join("a", "b"), "there": filepath.Join("a", "there"), "missing": filepath.Join("a", "missing"),
		"twice": "missing", filepath.Join("a", "b", "up"): filepath.Join("..", "new"), "round": "round",
	} {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct{ path, want string }{
		{at("there"), at("a", "there")},
		{at("missing"), at("a", "missing")},
		{at("twice"), at("a", "missing")},
		{at("folder", "up"), at("a", "new")},
		{at("folder", "none"), at("a", "b", "none")},
		{at("none"), at("none")},
	} {
		if got, err := Resolve(c.path); err != nil || got != c.want {
			t.Errorf("%s leads to %s, %v; want %s", c.path, got, err, c.want)
		}
	}
	if got, err := Resolve(at("round")); err == nil {
		t.Errorf("a link to itself leads to %s", got)
	}
}
