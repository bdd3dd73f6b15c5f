//go:build unix

package cluster_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
)

// TestRefusedPipe: a worker does not open a file that a run names, which might block.
func TestRefusedPipe(t *testing.T) {
	t.Parallel()
	own, err := job.NewEngines(t.Context(), attachOptions(nil), "build")
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, option := range []string{"eval", "book"} {
		wanted := cluster.Engine{Spec: "builtin," + option + "=" + pipe}
		if err := own.Check(cluster.Terms{Engines: []cluster.Engine{wanted}, Build: "build"}); !errors.Is(err, job.ErrEngine) {
			t.Errorf("%s: %v", option, err)
		}
	}
}
