package qtp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// NewGame sets the conversation's position.
func (c *Client) NewGame(ctx context.Context, pos engine.Position) error {
	board, ok := pos.(*quoridor.Position)
	if !ok || board == nil {
		return c.otherGame(pos)
	}
	return c.link.Do(ctx, func() error { return c.changeGame(newGameTo(board)) })
}

func (c *Client) otherGame(pos engine.Position) error {
	return fmt.Errorf("%s: %w", c.Name(), engine.OtherGame(pos, quoridor.Default))
}

// changeGame sets the engine's game, and with it the conversation's.
func (c *Client) changeGame(g *game) error {
	if err := c.link.Start(); err != nil {
		return err
	}
	c.outOfSync = true
	if err := c.syncGame(g); err != nil {
		return err
	}
	c.setGame(g)
	c.outOfSync = false
	return nil
}

// Load makes moves.
func (c *Client) Load(ctx context.Context, moves ...engine.Move) error {
	return c.link.Do(ctx, func() error {
		g := c.game.clone()
		for i, m := range moves {
			if _, err := g.position().Play(m); err != nil {
				return fmt.Errorf("move %d: %w", i+1, err)
			}
			g.do(quoridor.Action(m))
		}
		return c.changeGame(g)
	})
}

// Undo takes back a move.
func (c *Client) Undo(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		g := c.game.clone()
		if !g.undo(1) {
			return errors.New("there is no move to take back")
		}
		return c.changeGame(g)
	})
}

// CheckResult asks the engine for the winner of a finished game. It returns an error if the engine
// disagrees.
func (c *Client) CheckResult(ctx context.Context, pos engine.Position) error {
	board, ok := pos.(*quoridor.Position)
	if !ok || board == nil {
		return c.otherGame(pos)
	}
	return c.link.Do(ctx, func() error {
		if err := c.link.Start(); err != nil {
			return err
		}
		c.outOfSync = true
		if err := c.syncGame(newGameTo(board)); err != nil {
			return err
		}
		reply, err := c.request(Winner)
		if err != nil {
			return err
		}
		return c.checkWinner(board, reply)
	})
}

// checkWinner returns an error if the reply to winner is wrong. A right answer with the wrong sign
// is accepted: some engines send that.
func (c *Client) checkWinner(pos *quoridor.Position, r reply) error {
	switch {
	case r.failed, !startsWithBoolean(r.line()):
		c.judgeAt(winnerAnswers, pos.String(), "%q", r.raw[0])
	case expandWinner(r.line()) != expectedWinner(pos):
		c.judgeAt(winnerRight, pos.String(), "%q, not %q", r.raw[0], expectedWinner(pos))
	}
	want := expectedWinner(pos)
	if expandWinner(r.line()) == want {
		return nil
	}
	return fmt.Errorf("%w: winner answered %q at %v, want %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(r.line()), pos, want)
}

// expectedWinner returns the right result of winner.
func expectedWinner(pos *quoridor.Position) string {
	board := pos.Board()
	if side, over := board.Winner(); over {
		return "true " + quoridor.ColourName(side)
	}
	return "false"
}

// expandWinner returns a result of winner in lower case and without the short forms of 2.2.
func expandWinner(text string) string {
	long := map[string]string{"t": "true", "f": "false", "b": "black", "w": "white"}
	words := fields(strings.ToLower(text))
	for i, word := range words {
		words[i] = cmp.Or(long[word], word)
	}
	return strings.Join(words, " ")
}

// Language returns the protocol's commands.
func Language() pluginclient.Language {
	var specs []pluginclient.CommandSpec
	for _, k := range commands {
		r := references[k.Word]
		specs = append(specs, pluginclient.CommandSpec{
			Word: k.Word, Usage: k.Usage, Summary: k.Summary, Thinks: k.Word == GenMove, Quits: k.Word == Quit,
			NewGame: slices.Contains([]string{BoardSize, ClearBoard, Walls}, k.Word),
			Section: r.section, Replies: r.replies, Example: r.example,
		})
	}
	return pluginclient.Language{Name: "QTP", OneMove: true, Commands: specs, Failed: isFailure}
}

// Language returns the protocol's commands, with completion of legal moves.
func (c *Client) Language() pluginclient.Language {
	l := Language()
	for i, k := range commands {
		l.Commands[i].Complete = func(before []string) []pluginclient.Completion {
			return pluginclient.Completions(c.complete(k, before), len(before)+1 < k.least)
		}
	}
	return l
}

// complete returns completions for the next argument of a command.
func (c *Client) complete(k Command, before []string) (words []string) {
	switch {
	case k.Word == KnownCommand && len(before) == 0:
		for _, other := range commands {
			words = append(words, other.Word)
		}
		return words
	case k.Word != PlayMove && k.Word != PlayWall && k.Word != GenMove, len(before) >= k.least:
		return nil
	case len(before) == 0:
		return []string{quoridor.ColourName(quoridor.Black), quoridor.ColourName(quoridor.White)}
	}
	side, err := quoridor.ParseColour(before[0])
	if err != nil {
		return nil
	}
	for _, a := range c.playable(k.Word, side) {
		args := fields(formatPlay(a))[2:] // the cell, and the orientation of a wall
		if len(before) == 2 && strings.EqualFold(before[1], args[0]) {
			words = append(words, args[1])
		} else if len(before) == 1 && !slices.Contains(words, args[0]) {
			words = append(words, args[0])
		}
	}
	return words
}

// playable returns the steps of a side, or its walls.
func (c *Client) playable(word string, side engine.Turn) []quoridor.Action {
	board := c.Position().(*quoridor.Position).Board()
	if word == PlayWall {
		return board.AppendWalls(nil, side)
	}
	return board.AppendSteps(nil, side)
}

// isFailure reports whether one of the responses to Raw is a failure. "true" and "false" are never
// failures, whatever their sign, since some engines send them with the wrong one.
func isFailure(answer []string) bool {
	return slices.ContainsFunc(answer, func(line string) bool {
		text, failed := strings.CutPrefix(strings.TrimLeft(cleanReply(line), " "), "?")
		return failed && !startsWithBoolean(text)
	})
}

// startsWithBoolean reports whether the first word of text is true or false, or t or f (2.2).
func startsWithBoolean(text string) bool {
	words := fields(strings.ToLower(text))
	return len(words) > 0 && slices.Contains([]string{"true", "false", "t", "f"}, words[0])
}
