package repl

import "qhsh/engine"

const (
	send       = ".send"
	attachName = ".attach"
)

func engineCommands() []*command {
	return []*command{
		{
			name: attachName, usage: "[-raw] SPEC [as NAME]", text: true, missing: "SPEC", trusted: true,
			summary: "start an engine and make it the current one",
			help: `A SPEC is 'builtin', the embedded engine, optionally with options as in
'builtin,nodes=20000,hash=64'; or the command line of a program that speaks QHPLUGIN,
such as './engine' or 'qh,dir=/opt/books:./engine'; or a name in engines.json. The engine
gets the board of the previous engine.

With -raw a program is started without a handshake, and every line that does not begin with a
dot is sent to it. What it says until it is quiet is the answer. What it says later is shown when
it comes; if commands are read from a pipe or a file, before the next one, and .wait gives it time.
'.limits reply TIME' sets how long the first line is waited for.
`,
			complete: specs, run: runAttach,
		},
		{
			name:    ".engines",
			summary: "list the engines; * is the current one",
			run:     runEngines,
		},
		{
			name: ".use", usage: "NAME", most: 1, missing: "name of an engine",
			summary:  "make another engine the current one; each has its own board",
			complete: engineNames, run: runUse,
		},
		{
			name: ".sync", needs: needsEngine,
			summary: "set the boards of all other engines to that of the current one",
			help: `An engine whose answer shows that its board may be another than the shell's, such as an ERROR
to a legal PLAY or an illegal answer to AI, is asked for its board by SCR, at the prompt of a
person only, and the shell says how it differs. .sync sets the board again by FEN and LOAD.
`,
			run: runSync,
		},
		{
			name: ".detach", usage: "[NAME]", most: 1,
			summary:  "end an engine, by default the current one",
			complete: engineNames, run: runDetach,
		},
		{
			name: ".restart", usage: "[NAME]", most: 1,
			summary:  "restart an engine, by default the current one, at the same position",
			complete: engineNames, run: runRestart,
		},
		{
			name: ".forget", aliases: []string{".ucinewgame"}, needs: needsEngine,
			summary: "make the engine clear its memory of searches, and keep the board",
			help: `An engine with a hash table may answer the same question differently the second time. The
board is set again by FEN and LOAD, which starts a new game for the engine; an engine that
speaks UCI gets ucinewgame before the next search. A BAN in effect ends.
`,
			run: runForget,
		},
		{
			name: ".all", usage: "COMMAND", text: true, missing: "command", needs: needsEngine,
			summary:  "run a command on every engine, and show the answers side by side",
			help:     "Protocol commands go to all engines at the same time.\n",
			complete: completeAll, run: runAll,
		},
		{
			name: ".raw", usage: "LINE", text: true, missing: "line", needs: needsEngine, many: true,
			summary: "send a line of its own protocol to an engine that speaks UCI, UCCI or XBoard's",
			help: `All other commands of the shell speak QHPLUGIN to such an engine. The answer to go ends with
the best move, any other answer when the engine is ready again. The engine gets the shell's
board first; a position that you set by .raw is used until the board changes, and does not
change the board. While the engine thinks, you can send .raw stop and .raw ponderhit, and
Ctrl-C sends stop.
`,
			run: runRaw,
		},
		{
			name: send, usage: "LINE", text: true, needs: needsEngine, many: true,
			summary: "send any line to the engine",
			help:    "Everything after the first blank is sent unchanged. LOAD and BAN read their lines here too.\n",
			run:     runSend,
		},
	}
}

func runForget(c *call) error {
	engine.Forget(c.engine.session)
	return c.setBoard(c.engine.session.Position())
}
