package supervisor_test

import (
	"bytes"
	"os/exec"
	"testing"

	"qhsh/engine/supervisor"
)

// TestFirst: a supervisor starts the engine before packages are initialised that most programs
// initialise before their own.
func TestFirst(t *testing.T) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{supervisor.Name, "/bin/true"}
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	out, err := cmd.CombinedOutput()
	if !bytes.Contains(out, []byte("init os ")) {
		t.Fatalf("no trace of initialisations: %v: %s", err, out)
	}
	for _, late := range []string{"unicode", "reflect", "flag"} {
		if bytes.Contains(out, []byte("init "+late+" ")) {
			t.Errorf("%s is initialised first", late)
		}
	}
}
