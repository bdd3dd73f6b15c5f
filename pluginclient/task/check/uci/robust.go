package uci

import (
	"fmt"
	"math/rand/v2"

	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/task/check/boards"
)

// longGame is the number of plies of the long game.
const longGame = 1000

func robustGame(e *exam) error {
	if err := e.fresh(); err != nil {
		return err
	}
	t, err := e.ask(boards.Played(start, boards.RandomGame(longGame, true)...), "go depth 1")
	if err != nil {
		return err
	}
	if best, _ := ucifamily.ParseBest(t.best); best.Move == "" {
		return e.alive("a long game") // it counts it as drawn
	}
	_, err = e.legal(boards.Played(start, boards.RandomGame(longGame, true)...), t)
	return err
}

// Ten thousand random lines go in batches.
const (
	noiseLines = 10000
	batch      = 50
)

func robustNoise(e *exam) error {
	if err := e.alone(); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(9, 9)) //nolint:gosec // the same lines every time
	for sent := 0; sent < noiseLines; sent += batch {
		lines := make([]string, batch)
		for i := range lines {
			text := make([]byte, r.IntN(120))
			for j := range text {
				for text[j] == 0 || text[j] == '\n' {
					text[j] = byte(r.IntN(256))
				}
			}
			lines[i] = "~" + string(text)
		}
		if err := e.Send(lines...); err != nil {
			return e.Missing(fmt.Sprintf("an engine that goes on after %d random lines", sent), err)
		}
		e.Drain()
	}
	return e.alive("ten thousand random lines")
}
