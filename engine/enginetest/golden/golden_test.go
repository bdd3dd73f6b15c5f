package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listener records test failures.
type listener struct {
	testing.TB
	heard string
}

func (l *listener) Errorf(format string, args ...any) { l.heard += fmt.Sprintf(format, args...) }

func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	l := &listener{TB: t}
	if Compare(l, file, "one\n"); l.heard != "" {
		t.Error(l.heard)
	}
	Compare(l, file, "two\n")
	for _, want := range []string{"-run TestCompare -update", "one", "two"} {
		if !strings.Contains(l.heard, want) {
			t.Errorf("%q is not told: %s", want, l.heard)
		}
	}
	*update = true
	defer func() { *update = false }()
	Compare(t, file, "two\n")
	if text, err := os.ReadFile(file); string(text) != "two\n" {
		t.Errorf("-update has left %q, %v", text, err)
	}
}
