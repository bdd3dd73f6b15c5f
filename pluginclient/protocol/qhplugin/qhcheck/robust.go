package qhcheck

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// The amount of bad input.
const (
	badCommands = 2000
	batchOfBad  = 50
)

func robustArguments(e *exam) error {
	r := rand.New(rand.NewPCG(8, 8)) //nolint:gosec // the same lines every time
	for sent := 0; sent < badCommands; sent += batchOfBad {
		batch := make([]string, batchOfBad)
		for i := range batch {
			batch[i] = badCommand(r)
		}
		if err := e.Send(batch...); err != nil {
			return e.MissingReply("a plugin that goes on", err)
		}
		for _, command := range batch {
			expected := fmt.Sprintf("OK or ERROR to each of %d commands such as %q", batchOfBad, command)
			answer, err := e.lineOf(expected, e.Deadlines.Reply)
			if err != nil {
				return err
			}
			if !hasWord(answer, "OK") && !hasWord(answer, "ERROR") {
				return check.Faultf(expected, "%q", answer)
			}
		}
	}
	return silence("the answers")(e)
}

// badCommand returns a command with a random argument. Commands with lists are excluded: the
// specification does not say how lines after an invalid count are read.
func badCommand(r *rand.Rand) string {
	const letters = "ABCDEFGHIabckrheZ0123456789-/ .*%s"
	words := []string{"LEVEL ", "FEN ", "PLAY "}
	text := make([]byte, 1+r.IntN(30))
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}
	return words[r.IntN(len(words))] + "?" + strings.TrimSpace(string(text))
}

func robustNoise(e *exam) error {
	if err := e.SendNoise("a plugin"); err != nil {
		return err
	}
	if err := e.Ping("LEVEL"); err != nil {
		return e.MissingReply("an answer to LEVEL", err)
	}
	_, _, err := check.ReadUntil(e, e.Deadlines.Think, e.isLevel)
	switch {
	case errors.Is(err, check.ErrSilent):
		return check.Faultf("an answer to LEVEL after so many lines", "%v", err)
	case err != nil:
		return e.MissingReply("a plugin that goes on", err)
	}
	return nil
}

// longGame is the number of plies of the long game.
const longGame = 1000

func gameLong(e *exam) error {
	for i, m := range boards.RandomGame(longGame, true) {
		if err := okTo("PLAY " + m)(e); err != nil {
			return inMove(i+1, err)
		}
	}
	return nil
}

func undoLong(e *exam) error {
	if err := gameLong(e); err != nil {
		return err
	}
	for i := range longGame {
		if err := okTo("UNDO")(e); err != nil {
			return inMove(longGame-i, err)
		}
	}
	return errorTo("UNDO")(e)
}

// loadLong sends a thousand moves, with a longer timeout than for other commands.
func loadLong(e *exam) error {
	e.Drain()
	game := boards.RandomGame(longGame, true)
	if err := e.Send(list("LOAD", game...)...); err != nil {
		return err
	}
	answer, err := e.lineOf("an answer to LOAD", e.Deadlines.Start)
	if err != nil {
		return err
	}
	if err := isAnswer("OK", answer, "LOAD"); err != nil {
		return err
	}
	if err := e.dropExtraAnswers(); err != nil {
		return err
	}
	moves := boards.MustPlay(start, game...).LegalMoves()
	moved := slices.IndexFunc(moves, func(m xiangqi.Move) bool { return start.At(m.From()) == xiangqi.Empty })
	return okTo("PLAY " + moves[moved].ICCS())(e)
}

func inMove(n int, err error) error {
	fault, ok := errors.AsType[*check.Fault](err)
	if !ok {
		return err
	}
	return check.Faultf(fault.Expected+" (move "+itoa(n)+")", "%s", fault.Got)
}
