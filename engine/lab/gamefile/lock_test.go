//go:build windows || (unix && !solaris && !illumos && !aix)

package gamefile_test

import (
	"errors"
	"testing"

	"qhsh/engine/filelock"
	"qhsh/engine/lab/gamefile"
)

// A file has one writer at a time, and the next one when that is gone.
func TestOneWriter(t *testing.T) {
	path := write(t, three(t)...)
	w, err := gamefile.Open(path, terms, func(*gamefile.Game) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gamefile.Open(path, terms, func(*gamefile.Game) {}); !errors.Is(err, filelock.ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if old := appendTo(t, path); len(old) != 3 {
		t.Errorf("%d games", len(old))
	}
}
