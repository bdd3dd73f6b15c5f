package enginetest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// Program puts the program qhsh into a folder, and returns its path.
func Program(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "qhsh.exe")
	if err := Link("qhsh/cmd/qhsh", path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Link builds a program.
func Link(program, path string) error {
	// Unlike go build, go run keeps what it has linked in the cache, for all packages with such tests.
	args := []string{"run", "-exec", "cp", program, path}
	if _, err := exec.LookPath("cp"); err != nil {
		args = []string{"build", "-o", path, program}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}
