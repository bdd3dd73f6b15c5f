package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// leakGrace is how long goroutines and processes may take to end after the last test.
const leakGrace = 5 * time.Second

// randomChecks is how many cases a random test tries by default. The command line can ask for more.
const randomChecks = "25"

// Main runs a package's tests and what stops what they share, and fails if they leave a goroutine or, on
// Linux, a child process behind. Unless -rapid.checks says otherwise, random tests make randomChecks. Use it in TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
func Main(m *testing.M, stop ...func() error) int {
	if f := flag.Lookup("rapid.checks"); f != nil {
		_ = f.Value.Set(randomChecks) // a number; flags are parsed later
	}
	before := runtime.NumGoroutine()
	status := m.Run()
	for _, f := range stop {
		if err := f(); err != nil {
			fmt.Println(err)
			status = 1
		}
	}
	fuzz := flag.Lookup("test.fuzz")
	if status != 0 || fuzz != nil && fuzz.Value.String() != "" { // fuzzing leaves a goroutine of its own behind
		return status
	}
	deadline := time.Now().Add(leakGrace)
	for runtime.NumGoroutine() > before || len(children()) > 0 {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			fmt.Printf("left behind: child processes %q, and of these goroutines some:\n%s\n", children(), stacks)
			return 1
		}
		time.Sleep(10 * time.Millisecond)
	}
	return 0
}

// children returns the command lines of this process's children, if they can be determined.
func children() []string {
	var found []string
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, pid := range strings.Fields(string(text)) {
			line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			found = append(found, pid+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
