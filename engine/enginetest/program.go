package enginetest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Program puts the program qhsh into a folder, and returns its path.
func Program(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "qhsh.exe")
	// Unlike go build, go run keeps what it has linked in the cache, for all packages with such tests.
	args := []string{"run", "-exec", "cp", "qhsh/cmd/qhsh", path}
	if _, err := exec.LookPath("cp"); err != nil {
		args = []string{"build", "-o", path, "qhsh/cmd/qhsh"}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
