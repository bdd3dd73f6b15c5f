package main

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// mayImport lists the packages of this module that a package may import. The most specific rule is
// first. A pattern that ends in /... includes all packages below it.
var mayImport = []struct {
	of      string
	allowed []string
}{
	{"qhsh/engine", nil},
	{"qhsh/engine/interruptible", nil},
	{"qhsh/engine/lazyregexp", nil},
	{"qhsh/engine/supervisor", nil},
	{"qhsh/engine/record", []string{"qhsh/engine"}},
	{"qhsh/engine/filelock", nil},
	{"qhsh/engine/...", []string{"qhsh/engine/..."}},
	{"qhsh/pluginclient", []string{"qhsh/engine", "qhsh/engine/supervisor"}},
	{"qhsh/pluginclient/format", []string{}},
	{"qhsh/pluginclient/suggest", nil},
	{"qhsh/pluginclient/protocol/qhplugin", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient", "qhsh/pluginclient/serving"}},
	{"qhsh/pluginclient/protocol/uci", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient", "qhsh/pluginclient/serving", "qhsh/pluginclient/suggest"}},
	{"qhsh/pluginclient/protocol/xboard", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient", "qhsh/pluginclient/serving", "qhsh/pluginclient/protocol/uci"}},
	{"qhsh/pluginclient/protocol/qtp", []string{"qhsh/engine", "qhsh/engine/quoridor", "qhsh/pluginclient", "qhsh/pluginclient/serving"}},
	{"qhsh/pluginclient/protocol/qchess", []string{"qhsh/engine", "qhsh/engine/qchess", "qhsh/pluginclient", "qhsh/pluginclient/serving"}},
	{"qhsh/pluginclient/protocol/chessdb", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient"}},
	{"qhsh/pluginclient/protocol/jsonl", []string{"qhsh/engine", "qhsh/engine/printable", "qhsh/pluginclient"}},
	// The engine is a program: it has an engine of the game behind the API.
	{"qhsh/pluginclient/protocol/checkerboard/engine", []string{"qhsh/engine/...", "qhsh/pluginclient/protocol/checkerboard/abi"}},
	{"qhsh/pluginclient/protocol/checkerboard/cbcheck", []string{"qhsh/engine/checkers", "qhsh/pluginclient", "qhsh/pluginclient/task/check", "qhsh/pluginclient/protocol/checkerboard/..."}},
	{"qhsh/pluginclient/protocol/checkerboard/...", []string{"qhsh/engine", "qhsh/engine/checkers", "qhsh/pluginclient", "qhsh/pluginclient/protocol/checkerboard/..."}},
	{"qhsh/pluginclient/plugintest", []string{"qhsh/engine", "qhsh/engine/enginetest/...", "qhsh/pluginclient"}},
	{"qhsh/pluginclient/attach", []string{"qhsh/engine/...", "qhsh/pluginclient/..."}},
	{"qhsh/pluginclient/asking", []string{"qhsh/engine", "qhsh/pluginclient"}},
	{"qhsh/pluginclient/task/batch", []string{"qhsh/engine", "qhsh/engine/record", "qhsh/pluginclient", "qhsh/pluginclient/protocol/jsonl", "qhsh/pluginclient/asking", "qhsh/pluginclient/format"}},
	{"qhsh/pluginclient/task/batch/stats", []string{"qhsh/engine", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/...", "qhsh/pluginclient/format", "qhsh/engine/render/plot"}},
	{"qhsh/pluginclient/task/batch/...", []string{"qhsh/engine", "qhsh/engine/record", "qhsh/pluginclient", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/output", "qhsh/engine/filelock", "qhsh/pluginclient/sqlitefile"}},
	// An examiner talks to the process directly, in its protocol, beside which it stands; tasks know no protocol.
	{"qhsh/pluginclient/task/check", []string{"qhsh/pluginclient", "qhsh/pluginclient/format"}},
	{"qhsh/pluginclient/task/check/boards", []string{"qhsh/engine", "qhsh/engine/xiangqi"}},
	{"qhsh/pluginclient/protocol/qhplugin/qhcheck", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient", "qhsh/pluginclient/task/check/...", "qhsh/pluginclient/protocol/qhplugin"}},
	{"qhsh/pluginclient/protocol/qtp/qtpcheck", []string{"qhsh/engine", "qhsh/engine/quoridor", "qhsh/pluginclient", "qhsh/pluginclient/task/check", "qhsh/pluginclient/protocol/qtp"}},
	{"qhsh/pluginclient/protocol/qchess/qchesscheck", []string{"qhsh/engine", "qhsh/engine/qchess", "qhsh/pluginclient", "qhsh/pluginclient/task/check", "qhsh/pluginclient/protocol/qchess"}},
	{"qhsh/pluginclient/protocol/jsonl/jsonlcheck", []string{"qhsh/engine", "qhsh/pluginclient", "qhsh/pluginclient/task/check", "qhsh/pluginclient/protocol/jsonl"}},
	{"qhsh/pluginclient/protocol/uci/ucicheck", []string{"qhsh/engine", "qhsh/engine/xiangqi", "qhsh/pluginclient", "qhsh/pluginclient/task/check/...", "qhsh/pluginclient/protocol/uci"}},
	{"qhsh/pluginclient/task/analyze", []string{"qhsh/engine", "qhsh/pluginclient", "qhsh/pluginclient/protocol/jsonl", "qhsh/pluginclient/asking", "qhsh/pluginclient/task/batch"}},
	{"qhsh/pluginclient/task/puzzle", []string{"qhsh/engine", "qhsh/pluginclient/format", "qhsh/pluginclient/task/batch"}},
	{"qhsh/pluginclient/sqlitefile", []string{"qhsh/engine/filelock", "qhsh/engine/record"}},
	{"qhsh/pluginclient/task/runlog", []string{"qhsh/engine", "qhsh/engine/filelock"}},
	{"qhsh/pluginclient/task/output", []string{"qhsh/engine/filelock"}},
	{"qhsh/pluginclient/task/hints", []string{"qhsh/engine", "qhsh/engine/filelock", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/input", "qhsh/pluginclient/task/batch/stats", "qhsh/pluginclient/task/batch/store", "qhsh/pluginclient/task/output", "qhsh/pluginclient/task/runlog"}},
	{"qhsh/pluginclient/task/match", []string{"qhsh/engine", "qhsh/pluginclient/asking", "qhsh/engine/record", "qhsh/pluginclient", "qhsh/pluginclient/format", "qhsh/engine/filelock", "qhsh/pluginclient/task/runlog"}},
	// What is carried is bytes; package job defines what they mean.
	{"qhsh/pluginclient/task/cluster", []string{"qhsh/pluginclient/format"}},
	{"qhsh/pluginclient/task/cluster/job", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient", "qhsh/pluginclient/asking", "qhsh/pluginclient/attach",
		"qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/cluster", "qhsh/pluginclient/task/hints", "qhsh/pluginclient/task/match",
	}},
	{"qhsh/pluginclient/task/tune", []string{"qhsh/engine", "qhsh/pluginclient", "qhsh/pluginclient/format", "qhsh/engine/filelock", "qhsh/pluginclient/task/match", "qhsh/engine/render/plot", "qhsh/pluginclient/task/runlog"}},
	{"qhsh/pluginclient/task/records", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient/format", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/input",
	}},
	{"qhsh/pluginclient/task/explore", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient/format", "qhsh/pluginclient/sqlitefile", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/records",
	}},
	// Records define how games are annotated.
	{"qhsh/pluginclient/task/annotate", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/page", "qhsh/pluginclient/format",
	}},
	{"qhsh/pluginclient/task/tree", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient", "qhsh/pluginclient/asking", "qhsh/pluginclient/task/page", "qhsh/pluginclient/format",
	}},
	{"qhsh/pluginclient/task/exercise", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/pluginclient/format", "qhsh/pluginclient/task/annotate", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/input", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/page",
	}},
	{"qhsh/pluginclient/task/serve", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/filelock", "qhsh/engine/interruptible", "qhsh/engine/record", "qhsh/engine/render/raster", "qhsh/pluginclient", "qhsh/pluginclient/task/analyze", "qhsh/pluginclient/task/annotate", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/exercise", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/output", "qhsh/pluginclient/task/page", "qhsh/pluginclient/task/records",
	}},
	{"qhsh/pluginclient/task/mcpserver", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record", "qhsh/engine/render/raster", "qhsh/pluginclient/protocol/jsonl", "qhsh/pluginclient/task/annotate", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/puzzle", "qhsh/pluginclient/task/records",
	}},
	{"qhsh/pluginclient/task/page", []string{"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record"}},
	// What is built on Session and Searcher does not depend on a protocol or a game.
	{"qhsh/pluginclient/...", []string{"qhsh/engine", "qhsh/pluginclient", "qhsh/pluginclient/asking", "qhsh/pluginclient/format"}},
	// A script gets a function that opens engines, so it does not depend on a protocol.
	{"qhsh/script", []string{
		"qhsh/engine", "qhsh/engine/games", "qhsh/engine/record",
		"qhsh/pluginclient", "qhsh/pluginclient/asking", "qhsh/pluginclient/task/tree", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/input", "qhsh/pluginclient/task/annotate", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/puzzle",
		"qhsh/script/quietlog",
	}},
	{"qhsh/script/confine", []string{"qhsh/engine/supervisor"}},
	{"qhsh/script/quietlog", nil},
	// The shell does not depend on a game or a protocol.
	{"qhsh/repl", []string{
		"qhsh/engine", "qhsh/engine/filelock", "qhsh/engine/games", "qhsh/engine/record", "qhsh/script",
		"qhsh/pluginclient", "qhsh/pluginclient/format", "qhsh/pluginclient/asking", "qhsh/pluginclient/task/analyze", "qhsh/pluginclient/task/annotate", "qhsh/pluginclient/task/batch", "qhsh/pluginclient/task/batch/input", "qhsh/pluginclient/suggest", "qhsh/pluginclient/task/explore", "qhsh/pluginclient/task/tree",
	}},
	{"qhsh/cmd/qhsh/manual", []string{"qhsh/engine/printable"}},
	{"qhsh/cmd/qhsh/fakeplugin", []string{"qhsh/engine", "qhsh/engine/enginetest/first", "qhsh/pluginclient/protocol/qhplugin"}},
	{"qhsh/cmd/qhsh", []string{"qhsh/..."}},
	{"qhsh/examples", []string{"qhsh/..."}},
}

// everywhere lists the packages that every package except the contract may import.
var everywhere = []string{"qhsh/engine/interruptible", "qhsh/engine/printable", "qhsh/engine/lazyregexp"}

// forTests lists the packages that only tests and packages of this list import.
var forTests = []string{"qhsh/cmd/qhsh/fakeplugin", "qhsh/engine/enginetest/...", "qhsh/engine/games/gamestest", "qhsh/engine/xiangqi/xiangqitest/...", "qhsh/pluginclient/plugintest/..."}

// TestImportsGoDown checks that imports follow the layers of the packages.
func TestImportsGoDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "qhsh/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		allowed := allowedImports(t, words[0])
		for _, imported := range words[1:] {
			if strings.HasPrefix(imported, "qhsh/") && !matchesAny(allowed, imported) {
				t.Errorf("%s must not import %s", words[0], imported)
			}
			if matchesAny(forTests, imported) && !matchesAny(forTests, words[0]) {
				t.Errorf("%s must not import %s, which is for tests", words[0], imported)
			}
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types", "misc"}, path.Base(words[0])) {
			t.Errorf("the name of %s says nothing", words[0])
		}
	}
}

// TestNoServer checks that the server that tests embed is not part of the program.
func TestNoServer(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "qhsh/cmd/qhsh").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "github.com/nats-io/nats-server") {
		t.Error("qhsh contains nats-server, which is for tests")
	}
}

func allowedImports(t *testing.T, of string) []string {
	for _, rule := range mayImport {
		if matches(rule.of, of) {
			if rule.allowed == nil {
				return nil
			}
			return slices.Concat(everywhere, rule.allowed)
		}
	}
	t.Errorf("%s is not in mayImport", of)
	return nil
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func matches(pattern, name string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == base || strings.HasPrefix(name, base+"/")
	}
	return name == pattern
}
