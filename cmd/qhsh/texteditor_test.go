package main

import (
	"os/exec"
	"testing"
)

// TestEditorCommand: the user's choice has priority; the default editor must exist.
func TestEditorCommand(t *testing.T) {
	found := func(name string) (string, error) { return "/bin/" + name, nil }
	missing := func(name string) (string, error) {
		return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	for _, c := range []struct {
		editor, visual, system string
		find                   func(string) (string, error)
		want, err              string
	}{
		{"nano -w", "emacs", "linux", missing, "nano -w", ""},
		{"", "emacs", "linux", missing, "emacs", ""},
		{"", "", "linux", found, "vi", ""},
		{" ", "", "darwin", found, "vi", ""},
		{"", "", "windows", found, "notepad", ""},
		{"", "", "linux", missing, "", `no text editor: set EDITOR to the command of one (exec: "vi": executable file not found in $PATH)`},
	} {
		env := map[string]string{"EDITOR": c.editor, "VISUAL": c.visual}
		got, err := editorCommand(func(name string) string { return env[name] }, c.system, c.find)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("EDITOR=%q VISUAL=%q on %s: %q, %v; want %q, %s", c.editor, c.visual, c.system, got, err, c.want, c.err)
		}
	}
}
