package main

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// clockExceptions are the functions that may wait for a time, by file and function, with the reason.
var clockExceptions = map[string]string{
	"cmd/qhsh/bugtable_test.go late":                                      inBubble,
	"cmd/qhsh/hintsfault_test.go killedRun.kill":                          anyMoment,
	"cmd/qhsh/linebugs_test.go lineBug.start":                             inBubble,
	"cmd/qhsh/stop_bench_test.go BenchmarkInterrupt":                      benchmark,
	"cmd/qhsh/stopped_unix_test.go TestStopped":                           "real deadlines that pass while the process is stopped",
	"engine/games/perft_test.go TestDivideErrors":                         anyMoment,
	"pluginclient/attach/stop_bench_test.go host.interrupt":               benchmark,
	"pluginclient/process_test.go play":                                   "a process that is slow to quit, within a deadline of seconds",
	"pluginclient/protocol/qhplugin/deadlines_test.go TestDeadlines":      inBubble,
	"pluginclient/protocol/uci/misbehaviour_test.go TestMisbehaviour":     inBubble,
	"pluginclient/supervisor_linux_test.go wake.alive":                    "a process that lives says nothing: an end that is noticed late fails nothing",
	"pluginclient/task/batch/fake_test.go slowly":                         inBubble,
	"pluginclient/task/batch/resume_test.go TestResumeInterrupted":        anyMoment,
	"pluginclient/task/bench/fake_test.go counter.Perft":                  inBubble,
	"pluginclient/task/bench/fake_test.go fake.Search":                    inBubble,
	"pluginclient/protocol/jsonl/jsonlcheck/jsonl_test.go TestBad":        fault,
	"pluginclient/protocol/qhplugin/qhcheck/plugin_test.go player.Search": inBubble,
	"pluginclient/task/cluster/cluster_test.go TestFaults":                fault,
	"pluginclient/task/cluster/cluster_test.go slowly":                    fault,
	"pluginclient/task/cluster/cluster_test.go startMortal":               fault,
	"pluginclient/task/cluster/program_test.go TestKills":                 fault,
	"pluginclient/task/cluster/program_test.go TestNetwork":               fault,
	"pluginclient/task/cluster/server_test.go proxy.pass":                 fault,
	"pluginclient/task/explore/killed_test.go adding":                     anyMoment,
	"pluginclient/task/explore/locked_test.go TestCommitWaits":            anyMoment,
	"repl/transcript_test.go typist.schedule":                             "when a person types or interrupts in a transcript",
	"script/run_test.go TestInterrupt":                                    anyMoment,
}

const (
	inBubble  = "a fake engine of tests in bubbles"
	anyMoment = "ends what does not end by itself, or what may end at any moment"
	benchmark = "measures time"
	fault     = "how long a fault or an answer takes, which changes no result"
)

// waits are the functions with a deadline or a wait, and the position of its argument.
var waits = map[string]int{
	"time.Sleep": 0, "time.After": 0, "time.NewTimer": 0, "time.NewTicker": 0, "time.Tick": 0, "time.AfterFunc": 0,
	"context.WithTimeout": 1, "context.WithTimeoutCause": 1, "context.WithDeadline": 1, "context.WithDeadlineCause": 1,
	"SetDeadline": 0, "SetReadDeadline": 0, "SetWriteDeadline": 0,
}

// shortestDeadline is long enough that only a test that hangs reaches it.
const shortestDeadline = 10 * time.Second

// TestNoClock: no test depends on the speed of the machine. Outside the bubbles of testing/synctest
// none sleeps, and every wait and deadline is a constant of at least shortestDeadline. The helpers in a
// file with bubbles are for them.
func TestNoClock(t *testing.T) {
	packages, files := map[string][]*ast.File{}, token.NewFileSet()
	eachSource(t, files, func(path string, file *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			key := filepath.Dir(path) + " " + file.Name.Name
			packages[key] = append(packages[key], file)
		}
	})
	excepted := map[string]bool{}
	for _, p := range packages {
		config := types.Config{Importer: clockImporter{importer.Default()}, Error: func(error) {}}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		_, _ = config.Check("", files, p, info) // without the other packages
		for _, file := range p {
			hasBubbles := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` })
			for _, d := range file.Decls {
				name := declarationName(d)
				if hasBubbles && !isTest(name) {
					continue
				}
				ast.Inspect(d, func(n ast.Node) bool {
					call, is := n.(*ast.CallExpr)
					if !is || types.ExprString(call.Fun) == "synctest.Test" {
						return !is
					}
					what, short := shortWait(info, call)
					if !short {
						return true
					}
					pos := files.Position(call.Pos())
					key := pos.Filename + " " + name
					if excepted[key] = true; clockExceptions[key] == "" {
						t.Errorf("%s: line %d: %s: wait for an event or run in a bubble of testing/synctest; deadlines have at least %v", key, pos.Line, what, shortestDeadline)
					}
					return true
				})
			}
		}
	}
	allMatch(t, clockExceptions, excepted)
}

// allMatch reports the exceptions that have matched nothing.
func allMatch(t *testing.T, exceptions map[string]string, matched map[string]bool) {
	t.Helper()
	for key := range exceptions {
		if !matched[key] {
			t.Errorf("the exception for %s matches nothing: remove it", key)
		}
	}
}

// isTest reports whether a function is run by the testing package.
func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// shortWait returns the name of a call, and whether it sleeps or waits for less than shortestDeadline, or for
// a time that is no constant.
func shortWait(info *types.Info, call *ast.CallExpr) (name string, short bool) {
	name = types.ExprString(call.Fun)
	at, is := waits[name]
	if !is {
		name = name[strings.LastIndexByte(name, '.')+1:]
		if at, is = waits[name]; !is {
			return "", false
		}
	}
	arg := call.Args[at]
	if add, is := arg.(*ast.CallExpr); is && types.ExprString(add.Fun) == "time.Now().Add" {
		arg = add.Args[0]
	}
	value := info.Types[arg].Value
	return name, value == nil || constant.Compare(value, token.LSS, constant.MakeInt64(int64(shortestDeadline)))
}

// A clockImporter imports the constants of package time.
type clockImporter struct{ types.Importer }

func (i clockImporter) Import(path string) (*types.Package, error) {
	if path != "time" {
		return nil, errors.ErrUnsupported
	}
	return i.Importer.Import(path)
}

// declarationName returns the name of a function, with that of its receiver.
func declarationName(d ast.Decl) string {
	f, is := d.(*ast.FuncDecl)
	switch {
	case !is:
		return "a variable"
	case f.Recv == nil:
		return f.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "." + f.Name.Name
}

// eachSource calls visit with all Go files and their paths in the repository.
func eachSource(t *testing.T, files *token.FileSet, visit func(path string, file *ast.File)) {
	root, err := os.Getwd()
	for err == nil && !exists(filepath.Join(root, "go.mod")) {
		root = filepath.Dir(root)
	}
	sources := os.DirFS(root)
	err = errors.Join(err, fs.WalkDir(sources, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != "." && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := fs.ReadFile(sources, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(files, path, text, parser.ParseComments)
		if err == nil {
			visit(path, file)
		}
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }
