package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/games/gamestest"
)

// runProcess is what a process called qhsh runs.
var runProcess = main

// TestMain puts the programs of the tests into PATH. Those that are not built are the test binary
// under another name.
func TestMain(m *testing.M) {
	gamestest.EvaluateSmall() // also in the qhsh of the tests, which is the same program
	switch strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
	case "qhsh":
		runProcess()
	case workerName:
		work()
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise every program that a test starts takes a second to exit
	dir, err := os.MkdirTemp("", "qhsh-programs")
	if err == nil {
		err = errors.Join(installPrograms(dir), os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")))
	}
	status := 1
	if err == nil {
		status = m.Run()
		err = errors.Join(browser.Stop(), stopWorkers(), os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// installPrograms puts the programs of the tests into dir. The fake engines are a program of their
// own, which starts faster.
func installPrograms(dir string) error {
	path := func(name string) string {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		return filepath.Join(dir, name)
	}
	self, err := os.Executable()
	if err = errors.Join(err, enginetest.Link("./fakeplugin", path("fakeplugin"))); err != nil {
		return err
	}
	for name, program := range map[string]string{"qhsh": self, workerName: self, "hostileplugin": path("fakeplugin")} {
		if runtime.GOOS != "windows" { // where a link to a program needs a privilege
			err = errors.Join(err, os.Symlink(program, path(name)))
			continue
		}
		file, err2 := os.ReadFile(program)
		err = errors.Join(err, err2, os.WriteFile(path(name), file, 0o777))
	}
	return err
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

// TestNoHome: without a folder for settings qhsh works as with an empty one.
func TestNoHome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, args := range [][]string{{"-info"}, {"hints", "-level", "1"}} {
		p := exec.Command("qhsh", args...)
		p.Stdin, p.Env = strings.NewReader("startpos\n"), append(os.Environ(), "HOME="+file, "XDG_CONFIG_HOME=", "AppData="+file)
		var stderr strings.Builder
		p.Stderr = &stderr
		if out, err := p.Output(); err != nil || len(out) == 0 || stderr.Len() > 0 {
			t.Errorf("%v: %v: %q, %q", args, err, out, stderr.String())
		}
	}
}
