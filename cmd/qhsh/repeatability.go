package main

import "flag"

// repeatabilityHelp says which engines repeat their answers.
const repeatabilityHelp = `Which engines repeat their answers, even with other -jobs or another order of the input:

  - builtin on one thread: always, on every machine, unless there is a -timeout
  - a program that clears its memory on the command for a new game, with one thread and no time
    limit: on every run of the same program; qhsh sends that command before each position
  - a program that does not clear it: only with -restart, which starts a new process for each
    position. 'qhsh check -only newgame.forgets SPEC' shows which of the two a UCI or UCCI
    engine is; Fairy-Stockfish, for example, does not clear everything
  - an engine with several threads, or with a time limit: never

`

// defineRestart defines -restart.
func defineRestart(fs *flag.FlagSet, restart *bool) {
	fs.BoolVar(restart, "restart", false, "start a new engine process for each position, see above")
}
