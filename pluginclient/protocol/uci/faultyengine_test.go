package uci_test

import (
	"slices"
	"strings"

	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// Shorthands for these tests.
type (
	act       = plugintest.Action
	behaviour = plugintest.Behaviour
)

var (
	obey      = plugintest.Obey
	say       = plugintest.Send
	on        = plugintest.On
	position  = xiangqitest.After
	mustMoves = xiangqitest.Moves
)

// mischievous returns a faulty engine with the given behaviour.
func mischievous(program pluginclient.Program) *plugintest.FaultyEngine {
	return &plugintest.FaultyEngine{Engine: program.Start}
}

// asProgram returns the Program that starts the engine.
func asProgram(m *plugintest.FaultyEngine) pluginclient.Program {
	return pluginclient.Program{Name: "mischief", Start: m.Start}
}

// endless returns limits without an end.
func endless(then behaviour) behaviour {
	return func(line string) act {
		if strings.HasPrefix(line, "go ") {
			return obey("go infinite")
		}
		return then(line)
	}
}

func plain(line string) act { return obey(line) }

// hide removes some options from the engine's introduction.
func hide(names ...string) func(string) string {
	return func(line string) string {
		if opt, ok := uci.ParseOption(line); ok && slices.Contains(names, opt.Name) {
			return ""
		}
		return line + "\n"
	}
}
