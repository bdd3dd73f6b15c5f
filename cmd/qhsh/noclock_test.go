package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clockExceptions are the functions that may wait for a time, by file and function, with the reason.
var clockExceptions = map[string]string{
	"cmd/qhsh/bugtable_test.go late":                                        inBubble,
	"cmd/qhsh/hintsfault_test.go killedRun.kill":                            anyMoment,
	"cmd/qhsh/linebugs_test.go lineBug.start":                               inBubble,
	"cmd/qhsh/stop_bench_test.go BenchmarkInterrupt":                        benchmark,
	"cmd/qhsh/stopped_unix_test.go TestStopped":                             "real deadlines that pass while the process is stopped",
	"engine/xiangqi/perft_test.go TestDivideErrors":                         anyMoment,
	"pluginclient/attach/stop_bench_test.go host.interrupt":                 benchmark,
	"pluginclient/plugintest/plugintest_test.go echo":                       inBubble,
	"pluginclient/process_test.go play":                                     "a process that is slow to quit, within a deadline of seconds",
	"pluginclient/protocol/qhplugin/deadlines_test.go TestDeadlines":        inBubble,
	"pluginclient/protocol/qhplugin/ponder_test.go witness.Search":          inBubble,
	"pluginclient/protocol/qhplugin/serve_test.go thinks":                   inBubble,
	"pluginclient/protocol/ucifamily/misbehaviour_test.go TestMisbehaviour": inBubble,
	"pluginclient/serving/search_test.go given.Search":                      inBubble,
	"pluginclient/supervisor_linux_test.go wake.alive":                      "a process that lives says nothing: an end that is noticed late fails nothing",
	"pluginclient/task/batch/resume_test.go TestResumeInterrupted":          anyMoment,
	"pluginclient/task/batch/run_test.go goneFrom":                          inBubble,
	"pluginclient/task/bench/fake_test.go fake.Search":                      inBubble,
	"pluginclient/task/check/check_test.go suite":                           inBubble,
	"pluginclient/task/check/qh/faults_test.go a variable":                  inBubble,
	"pluginclient/task/cluster/cluster_test.go TestFaults":                  fault,
	"pluginclient/task/cluster/cluster_test.go startMortal":                 fault,
	"pluginclient/task/cluster/program_test.go TestKills":                   fault,
	"pluginclient/task/cluster/program_test.go TestNetwork":                 fault,
	"pluginclient/task/cluster/server_test.go proxy.pass":                   fault,
	"pluginclient/task/explore/killed_test.go adding":                       anyMoment,
	"pluginclient/task/explore/locked_test.go TestCommitWaits":              anyMoment,
	"pluginclient/task/match/game_test.go ignoreContext":                    inBubble,
	"pluginclient/task/match/ponder_test.go pondering.Ponder":               inBubble,
	"pluginclient/task/match/ponder_test.go pondering.Search":               inBubble,
	"repl/abort_test.go late.Raw":                                           inBubble,
	"script/run_test.go TestInterrupt":                                      anyMoment,
}

const (
	inBubble  = "a fake engine of tests in bubbles"
	anyMoment = "ends what does not end by itself, or what may end at any moment"
	benchmark = "measures time"
	fault     = "how long a fault lasts, which changes no result"
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
// none sleeps, and no wait and no deadline is shorter than shortestDeadline.
func TestNoClock(t *testing.T) {
	packages, files := map[string]*clockCheck{}, token.NewFileSet()
	eachSource(t, files, func(path string, file *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		if c := packages[filepath.Dir(path)]; c != nil {
			c.add(file)
		} else {
			packages[filepath.Dir(path)] = newClockCheck().add(file)
		}
	})
	excepted := map[string]bool{}
	for _, c := range packages {
		for _, call := range c.calls {
			pos := files.Position(call.Pos())
			key := pos.Filename + " " + c.functionAt(call.Pos()).name
			if what := c.refused(call); what == "" {
				continue
			} else if excepted[key] = true; clockExceptions[key] == "" {
				t.Errorf("%s: line %d: %s: wait for an event or run in a bubble of testing/synctest; deadlines have at least %v", key, pos.Line, what, shortestDeadline)
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
		file, err := parser.ParseFile(files, path, text, 0)
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

// A clockCheck examines the test files of a package.
type clockCheck struct {
	calls     []*ast.CallExpr // of waits
	bubbles   []ast.Node      // functions that run in a bubble
	functions []testFunction
	uses      map[string][]token.Pos // of identifiers
	values    map[string]ast.Expr    // of constants and variables
}

// A testFunction is a declaration. Its owner is the receiver's type, or else the function: where all
// uses of the owner are in bubbles, the function runs in bubbles only.
type testFunction struct {
	ast.Node
	name, owner string
}

func newClockCheck() *clockCheck {
	return &clockCheck{uses: map[string][]token.Pos{}, values: map[string]ast.Expr{}}
}

func (c *clockCheck) add(file *ast.File) *clockCheck {
	declared := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			f := testFunction{n, n.Name.Name, n.Name.Name}
			declared[n.Name] = true
			if n.Recv != nil {
				ast.Inspect(n.Recv.List[0].Type, func(n ast.Node) bool {
					if id, is := n.(*ast.Ident); is {
						f.owner, declared[id] = id.Name, true
					}
					return true
				})
				f.name = f.owner + "." + f.name
			}
			c.functions = append(c.functions, f)
		case *ast.TypeSpec:
			declared[n.Name] = true
		case *ast.ValueSpec:
			for i, value := range n.Values {
				c.assign(n.Names[i], value)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					c.assign(left, n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			name := calledName(n)
			if _, is := waits[name]; is {
				c.calls = append(c.calls, n)
			} else if name == "synctest.Test" {
				c.bubbles = append(c.bubbles, n.Args[1])
			}
		case *ast.Ident:
			if !declared[n] {
				c.uses[n.Name] = append(c.uses[n.Name], n.Pos())
			}
		}
		return true
	})
	return c
}

// assign notes the value of a variable, or none if there are several.
func (c *clockCheck) assign(left, value ast.Expr) {
	if id, is := left.(*ast.Ident); is {
		if _, again := c.values[id.Name]; again {
			value = nil
		}
		c.values[id.Name] = value
	}
}

// calledName returns the name of a call as in waits.
func calledName(call *ast.CallExpr) string {
	s, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return ""
	}
	if p, is := s.X.(*ast.Ident); is && (p.Name == "time" || p.Name == "context" || p.Name == "synctest") {
		return p.Name + "." + s.Sel.Name
	}
	return s.Sel.Name
}

func (c *clockCheck) functionAt(pos token.Pos) testFunction {
	for _, f := range c.functions {
		if f.Pos() <= pos && pos < f.End() {
			return f
		}
	}
	return testFunction{name: "a variable"}
}

// bubbled reports whether code at pos runs in bubbles only. Functions in seen are assumed to.
func (c *clockCheck) bubbled(pos token.Pos, seen map[string]bool) bool {
	for _, b := range c.bubbles {
		if b.Pos() <= pos && pos < b.End() {
			return true
		}
	}
	f := c.functionAt(pos)
	if seen[f.owner] {
		return true
	}
	seen[f.owner] = true
	for _, use := range c.uses[f.owner] {
		if !c.bubbled(use, seen) {
			return false
		}
	}
	return len(c.uses[f.owner]) > 0
}

// refused returns what is wrong with a call, or "".
func (c *clockCheck) refused(call *ast.CallExpr) string {
	name := calledName(call)
	d, known := c.duration(call.Args[waits[name]], 0)
	if c.bubbled(call.Pos(), map[string]bool{}) || d >= float64(shortestDeadline) || name != "time.Sleep" && (!known || d <= 0) {
		return ""
	}
	return name
}

var units = map[string]time.Duration{
	"Nanosecond": 1, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// duration evaluates an expression as far as its text tells its value.
func (c *clockCheck) duration(e ast.Expr, depth int) (d float64, known bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		d, err := strconv.ParseFloat(e.Value, 64)
		return d, err == nil
	case *ast.ParenExpr:
		return c.duration(e.X, depth)
	case *ast.SelectorExpr:
		unit, known := units[e.Sel.Name]
		return float64(unit), known
	case *ast.Ident:
		if value := c.values[e.Name]; value != nil && depth < 5 {
			return c.duration(value, depth+1)
		}
	case *ast.BinaryExpr:
		x, knownX := c.duration(e.X, depth)
		y, knownY := c.duration(e.Y, depth)
		switch e.Op {
		case token.MUL:
			return x * y, knownX && knownY
		case token.QUO:
			return x / y, knownX && knownY
		case token.ADD:
			return x + y, knownX && knownY
		}
	case *ast.CallExpr: // time.Now().Add(d), time.Duration(d)
		if name := calledName(e); (name == "Add" || name == "time.Duration") && len(e.Args) == 1 {
			return c.duration(e.Args[0], depth)
		}
	}
	return 0, false
}
