package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
)

// TestMain makes the test binary run the programs that the scripts use.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise every program that a test starts takes a second to exit
	testscript.Main(m, map[string]func(){"qhsh": main, "fakeplugin": fakePlugin, "hostileplugin": hostilePlugin, "timeless": timeless, "torn": torn})
}

// TestScripts runs testdata/script. Whole outputs are compared; -update rewrites them.
func TestScripts(t *testing.T) {
	params := scriptParams("testdata/script")
	if enginetest.Race {
		all, err := filepath.Glob(params.Dir + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		params.Dir, params.Files = "", slices.DeleteFunc(enginetest.SampleUnderRace(3, all), func(file string) bool {
			return filepath.Base(file) == "runhostile.txtar" // it tests memory, and is slow
		})
	}
	testscript.Run(t, params)
}

func scriptParams(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		UpdateScripts:       golden.Updating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("AppData", env.WorkDir+"/config")
			env.Setenv(engineVariable, "")
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
	}
}

// exits is the script command "exits STATUS PROGRAM [ARG...]": exec with an expected exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	status := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		status = exit.ExitCode()
	}
	if status != want {
		ts.Fatalf("exit status %d, want %d", status, want)
	}
}

func TestStateDir(t *testing.T) {
	for _, c := range []struct{ system, state, home, want string }{
		{"linux", "/s", "/h", "/s/qhsh"},
		{"linux", "", "/h", "/h/.local/state/qhsh"},
		{"linux", "relative", "/h", "/h/.local/state/qhsh"},
		{"linux", "", "", ""},
		{"darwin", "/s", "/h", "/config/qhsh"},
		{"windows", "", "", "/config/qhsh"},
	} {
		env := map[string]string{"XDG_STATE_HOME": filepath.FromSlash(c.state), "HOME": filepath.FromSlash(c.home)}
		got := stateDir(c.system, func(key string) string { return env[key] }, "/config/qhsh")
		if filepath.ToSlash(got) != c.want && runtime.GOOS != "windows" { // there /s is not absolute
			t.Errorf("%+v: %s", c, got)
		}
	}
}
