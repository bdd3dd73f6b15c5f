package uci

import (
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check/boards"
)

// longGame is the number of plies of the long game.
const longGame = 1000

func robustGame(e *exam) error {
	t, err := e.ask(boards.MustPlay(start, boards.RandomGame(longGame, true)...), "go depth 1")
	if err != nil {
		return err
	}
	if best, _ := uci.ParseBestMove(t.best); best.Move == "" {
		return e.checkAlive("a long game") // the engine regards it as a draw
	}
	_, err = e.parseLegal(boards.MustPlay(start, boards.RandomGame(longGame, true)...), t)
	return err
}

func robustNoise(e *exam) error {
	if err := e.SendNoise("an engine"); err != nil {
		return err
	}
	return e.checkAlive("ten thousand random lines")
}
