package repl

import "qhsh/engine"

const (
	send       = ".send"
	attachName = ".attach"
)

// engineCommands are those that deal with engines as a whole.
func engineCommands() []*command {
	commands := []*command{
		{
			name: attachName, usage: "SPEC [as NAME]",
			summary: "start an engine and talk to it from now on",
			help: `A SPEC is 'builtin', the embedded engine, with options if need be as in
'builtin,nodes=20000,hash=64'; or the command line of a program that speaks QHPLUGIN,
as './engine' or 'qh,dir=/opt/books:./engine'; or a name in engines.json. The engine gets the
board of the one before.
`,
			complete: specs, run: runAttach,
		},
		{
			name: ".engines", needs: needsNothing,
			summary: "list the engines; * is the current one",
			run:     runEngines,
		},
		{
			name: ".use", usage: "NAME",
			summary:  "talk to another engine from now on; each has its own board",
			complete: engineNames, run: runUse,
		},
		{
			name: ".sync", needs: needsEngine,
			summary: "bring all other engines to the board of the current one",
			run:     runSync,
		},
		{
			name: ".detach", usage: "[NAME]",
			summary:  "end an engine, or the current one, and forget it",
			complete: engineNames, run: runDetach,
		},
		{
			name: ".restart", usage: "[NAME]",
			summary:  "end an engine, or the current one, and start it again at the same position",
			complete: engineNames, run: runRestart,
		},
		{
			name: ".forget", aliases: []string{".ucinewgame"}, needs: needsEngine,
			summary: "have the engine forget what it has searched, and keep the board",
			help: `An engine that remembers may answer the same question otherwise the second time. The board
is set anew by FEN and LOAD, which begins a new game for the engine; one that speaks UCI is
sent ucinewgame before it thinks again. A BAN that still stands ends.
`,
			run: runForget,
		},
		{
			name: ".all", usage: "COMMAND", needs: needsEngine,
			summary:  "give a command to every engine, and show the answers side by side",
			help:     "Protocol words go to all engines at the same time.\n",
			complete: completeAll, run: runAll,
		},
		{
			name: ".raw", usage: "LINE", needs: needsEngine, many: true,
			summary: "send a line of its own protocol to an engine that speaks UCI, UCCI or XBoard's",
			help: `Everything else in the shell speaks QHPLUGIN to such an engine. The answer goes up to the
best move after go, and else up to where the engine is ready again. It stands where the
board stands; a position that is told in this way holds until the board changes, and is the
engine's alone. While it thinks, .raw stop and .raw ponderhit reach it, and Ctrl-C sends stop.
`,
			run: runNative,
		},
		{
			name: send, usage: "LINE", needs: needsEngine, many: true,
			summary: "send a line to the engine, whatever it is",
			help:    "It goes out byte for byte, from behind the first blank. LOAD and BAN read their lines here too.\n",
			run:     runRaw,
		},
	}
	for _, c := range commands {
		c.group = groupEngines
	}
	return commands
}

// runForget is .forget.
func runForget(c *call) error {
	if _, err := c.argsUpTo(0); err != nil {
		return err
	}
	engine.Forget(c.engine.session)
	return c.setBoard(c.engine.session.Position())
}
