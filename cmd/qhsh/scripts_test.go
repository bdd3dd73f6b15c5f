package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
)

// TestScripts runs testdata/script. Beside the commands of testscript the scripts have these:
//
//	qhsh ARG... [<FILE]              runs qhsh, which must succeed (or, after !, fail)
//	exits STATUS qhsh ARG... [<FILE] the same, with an expected exit status
//	exits STATUS exec qhsh ARG...    the same, in a process of its own
//	timeless [-files] FILE...        removes times, and what identifies programs, from files
//	torn FILE                        removes the second half of a file's last line
//
// Whole outputs are compared; -update rewrites them. What the calls of qhsh write is also part of
// the golden corpus, each script a case in testdata/golden/scripts.
func TestScripts(t *testing.T) {
	params := testscript.Params{
		Dir: "testdata/script", UpdateScripts: golden.Updating(), RequireUniqueNames: true, WorkdirRoot: *keep,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"qhsh": scriptQhsh, "exits": scriptExits, "timeless": scriptTimeless, "torn": scriptTorn,
		},
	}
	if enginetest.Race {
		all, err := filepath.Glob(params.Dir + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		params.Dir, params.Files = "", slices.DeleteFunc(enginetest.SampleUnderRace(3, all), func(file string) bool {
			return filepath.Base(file) == "runhostile.txtar" // it tests memory, and is slow
		})
	}
	params.Setup = setUpScript
	testscript.RunT(&scriptTest{T: t}, params)
}

// A scriptTest is a running script of TestScripts, or the test of all of them.
type scriptTest struct {
	*testing.T
	recording *recording
	variables []string // names of its environment variables
	recorded  goldenCase
}

func (*scriptTest) Verbose() bool { return testing.Verbose() }

// Run runs a script, and compares what it has recorded with the golden corpus.
func (s *scriptTest) Run(name string, run func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) {
		sayHowToKeep(t)
		script := &scriptTest{T: t}
		run(script)
		if runtime.GOOS != "windows" {
			compareGolden(t, filepath.Join(goldenScripts, name+".txt"), []goldenCase{script.recorded})
		}
	})
}

func setUpScript(env *testscript.Env) error {
	s := env.T().(*scriptTest)
	s.recording = newRecording(s.T, "scripts", "", env.WorkDir)
	s.recording.everythingIsKnown()
	env.Values[scriptKey{}] = s
	env.Defer(func() { s.recorded = s.recording.end(nil) })
	for name, value := range map[string]string{
		"HOME": env.WorkDir, "XDG_CONFIG_HOME": env.WorkDir + "/config", "AppData": env.WorkDir + "/config",
		engineVariable: "", "GORACE": os.Getenv("GORACE"), "PATH": programPath(s.T),
	} {
		env.Setenv(name, value)
	}
	for _, variable := range env.Vars {
		name, _, _ := strings.Cut(variable, "=")
		s.variables = append(s.variables, name)
	}
	return nil
}

type scriptKey struct{}

// scriptQhsh is the script command "qhsh ARG... [<FILE]".
func scriptQhsh(ts *testscript.TestScript, neg bool, args []string) {
	if status := runInScript(ts, false, args); (status == exitOK) == neg {
		ts.Fatalf("exit status %d", status)
	}
}

// scriptExits is the script command "exits STATUS [exec] qhsh ARG... [<FILE]".
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	process := len(args) > 1 && args[1] == "exec"
	if process {
		args = slices.Delete(args, 1, 2)
	}
	if neg || len(args) < 2 || args[1] != "qhsh" {
		ts.Fatalf("usage: exits STATUS [exec] qhsh ARG... [<FILE]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if status := runInScript(ts, process, args[2:]); status != want {
		ts.Fatalf("exit status %d, want %d", status, want)
	}
}

// runInScript runs qhsh, records it and returns its exit status. Help is not recorded.
func runInScript(ts *testscript.TestScript, process bool, args []string) int {
	s := ts.Value(scriptKey{}).(*scriptTest)
	c := call{Args: args, Dir: ts.MkAbs("."), Process: process || *goldenProgram != ""}
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		c.Args, c.Stdin = args[:last], []byte(ts.ReadFile(args[last][1:]))
	}
	for _, name := range s.variables {
		c.Env = append(c.Env, name+"="+ts.Getenv(name))
	}
	r := c.run(s.T)
	_, _ = ts.Stdout().Write(r.Stdout)
	_, _ = ts.Stderr().Write(r.Stderr)
	if slices.ContainsFunc(c.Args, isHelp) {
		r.Stdout = nil
	}
	s.recording.id, s.recording.name = "scripts/"+ts.Name()+"/"+ts.Name(), ts.Name()
	s.recording.command(strings.Join(append([]string{"qhsh"}, c.Args...), " "), r)
	return r.Status
}

func isHelp(arg string) bool {
	return slices.Contains([]string{"help", "-h", "-help", "--help", "-pyi"}, arg) || strings.Contains(arg, ".help")
}

// scriptTimeless is the script command "timeless [-files] FILE...".
func scriptTimeless(ts *testscript.TestScript, _ bool, args []string) {
	change := timeless
	if args[0] == "-files" {
		args, change = args[1:], func(text string) string { return programs.ReplaceAllString(text, "") }
	}
	for _, file := range args {
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(change(ts.ReadFile(file))), 0o666))
	}
}

func timeless(text string) string { return times.ReplaceAllString(text, "$1") }

var (
	times    = regexp.MustCompile(`,?"(?:seconds|stopped)":\d+\.\d+|,?"date":"[-0-9]+"|\[Date ".*"\]\n| \d+\.\d\ds|(\{)\d+\.\d\ds`)
	programs = regexp.MustCompile(`"engine_files":\[[^\]]*\],`)
)

// scriptTorn is the script command "torn FILE".
func scriptTorn(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	last := strings.LastIndexByte(strings.TrimSpace(text), '\n')
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:(last+len(text))/2]), 0o666))
}
