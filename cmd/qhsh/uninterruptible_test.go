package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// uninterruptible are the functions that may start a context or open a file themselves, by file and
// function, with the reason.
var uninterruptible = map[string]string{
	"engine/filelock/filelock.go Open":                                    file,
	"engine/filelock/filelock.go RemoveAbandoned":                         own,
	"engine/filelock/filelock.go SyncName":                                "a folder",
	"engine/filelock/filelock.go writeSynced":                             file,
	"engine/interruptible/interruptible.go Open":                          door,
	"engine/interruptible/interruptible.go OpenRegular":                   door,
	"engine/lab/train/load.go Loader.games":                               "a file that the trainer is given",
	"engine/supervisor/supervisor_linux.go releaseFiles":                  system,
	"engine/supervisor/supervisor_linux.go Children":                      system,
	"pluginclient/onemove.go OneMove.Forget":                              forget,
	"pluginclient/onemove.go AwaitMove":                                   bounded,
	"pluginclient/attach/server.go behind":                                "the engine has been closed",
	"pluginclient/protocol/checkerboard/library/load_unix.go separate":    system,
	"pluginclient/protocol/checkerboard/library/load_windows.go separate": system,
	"pluginclient/protocol/checkerboard/client.go Client.await":           bounded,
	"pluginclient/protocol/jsonl/client.go Client.settle":                 bounded,
	"pluginclient/protocol/qhplugin/search.go Client.Forget":              forget,
	"pluginclient/protocol/qhplugin/think.go exchange.abort":              bounded,
	"pluginclient/protocol/uci/client.go Client.Forget":                   forget,
	"pluginclient/protocol/uci/pendinggo.go pendingGo.stopSearch":         bounded,
	"pluginclient/protocol/uci/raw.go Client.rawReply":                    bounded,
	"pluginclient/protocol/uci/sync.go Client.readQuiet":                  bounded,
	"pluginclient/protocol/uci/sync.go Client.settle":                     bounded,
	"pluginclient/protocol/uci/sync.go Client.endSearch":                  bounded,
	"pluginclient/streams.go Pipe":                                        closed,
	"pluginclient/task/batch/store/store.go DB.Write":                     "a transaction of many calls, of which each is short",
	"pluginclient/task/cluster/client.go Connect":                         closed,
	"pluginclient/task/cluster/joined.go worker.join":                     closed,
	"pluginclient/task/cluster/run.go Run.Close":                          bounded,
	"pluginclient/task/cluster/store.go Run.later":                        bounded,
	"pluginclient/task/explore/explore.go DB.Close":                       bounded,
	"pluginclient/task/output/output.go Open":                             file,
	"pluginclient/task/output/pipe_unix.go openPipe":                      "does not wait: it opens a pipe without blocking",
	"pluginclient/task/output/pipe_windows.go openPipe":                   "a pipe whose reader is there",
	"pluginclient/task/output/replace.go Replace":                         file,
	"pluginclient/task/output/replace.go createTemp":                      file,
	"pluginclient/task/serve/edit.go keepCopy":                            file,
	"pluginclient/turn.go NewTurn":                                        closed,
	"pluginclient/link.go Link.Quit":                                      bounded,
	"repl/edit.go call.editText":                                          own,
	"repl/repl.go Shell.close":                                            "the script has been stopped",
	"repl/history.go openHistory":                                         own,
	"repl/history.go history.add":                                         own,
	"repl/listen.go Shell.listen":                                         closed,
	"repl/readline.go readline.Keys":                                      closed,
	"script/confine/confine_linux.go limitSelf":                           system,
	"script/declaredflags.go DeclaredFlags":                               file,
}

const (
	bounded = "has a deadline: an engine or a connection is made idle or closed after its caller has gone"
	closed  = "lasts until it is closed"
	door    = "opens the files of others"
	file    = "the file is known to be regular, or is written"
	forget  = "sets a field when the engine is idle, which has a deadline"
	own     = "a file that qhsh itself has written"
	system  = "a file of the system"
)

// TestUninterruptible: below the commands, all work ends with the context of its caller, and files are
// opened by package interruptible.
func TestUninterruptible(t *testing.T) {
	starts := []string{"context.Background", "context.TODO", "os.Open", "os.OpenFile", "os.ReadFile"}
	files, excepted := token.NewFileSet(), map[string]bool{}
	eachSource(t, files, func(path string, file *ast.File) {
		if strings.HasSuffix(path, "_test.go") || file.Name.Name == "main" || matchesAny(forTests, "qhsh/"+filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		for _, d := range file.Decls {
			key := path + " " + declarationName(d)
			ast.Inspect(d, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is || !slices.Contains(starts, types.ExprString(call.Fun)) {
					return true
				}
				if excepted[key] = true; uninterruptible[key] == "" {
					t.Errorf("%s: line %d: %s: pass the context of the caller on, and open files by package interruptible", key, files.Position(call.Pos()).Line, types.ExprString(call.Fun))
				}
				return true
			})
		}
	})
	allMatch(t, uninterruptible, excepted)
}
