package main

import (
	"os/exec"
	"testing"
)

// TestPagerCommand: the user's choice has priority; the default pager must exist.
func TestPagerCommand(t *testing.T) {
	found := func(name string) (string, error) { return "/bin/" + name, nil }
	missing := func(name string) (string, error) {
		return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	for _, c := range []struct {
		pager, term string
		find        func(string) (string, error)
		want        string
	}{
		{"", "xterm", found, "less"},
		{"", "xterm", missing, ""},
		{"more -s", "xterm", missing, "more -s"},
		{"cat", "xterm", found, ""},
		{"more", "dumb", found, ""},
	} {
		env := map[string]string{"PAGER": c.pager, "TERM": c.term}
		if got := pagerCommand(func(name string) string { return env[name] }, c.find); got != c.want {
			t.Errorf("PAGER=%q TERM=%s: %q, want %q", c.pager, c.term, got, c.want)
		}
	}
}
