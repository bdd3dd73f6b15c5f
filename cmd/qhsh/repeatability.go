package main

import "flag"

// repeatabilityHelp says which engines repeat their answers.
const repeatabilityHelp = `Which answers are the same again, also with other -jobs or in another order of the input:

  - builtin on one thread: always, on every machine, unless there is a -timeout
  - a process that forgets when it is told of a new game, on one thread and without a time:
    the same program does on every run; each position begins with that command
  - a process that does not forget: only with -restart, which starts it anew for each position.
    That costs its start each time. 'qhsh check -only newgame.forgets SPEC' asks an engine that
    speaks UCI or UCCI which of the two it is; Fairy-Stockfish, for one, does not forget all
  - on several threads, or with a time: none

`

// defineRestart defines -restart.
func defineRestart(fs *flag.FlagSet, restart *bool) {
	fs.BoolVar(restart, "restart", false, "start the engine anew for each position, see above")
}
