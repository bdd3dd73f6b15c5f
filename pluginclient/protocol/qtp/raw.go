package qtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// Raw sends one or more commands unchanged, separated by line feeds, and returns the engine's lines
// without empty ones. All commands are sent before the first response is read. A line without a
// command, such as a comment, has no response. Raw does not restart an engine that has died. If
// another call has left the engine at another position, Raw first restores it, by lines that the
// trace marks as added.
//
// Raw updates the position when the engine accepts a command. If that is impossible, such as after an
// illegal wall, or if the response to winner is wrong, it returns an error together with the reply. A
// genmove cannot be stopped: when ctx ends, Raw waits for it like Search. It is sent even if ctx has
// already ended.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	lines := strings.Split(text, "\n")
	searches := slices.ContainsFunc(lines, func(line string) bool {
		words := fields(cleanCommand(line))
		return len(words) > 0 && words[0] == GenMove
	})
	return pluginclient.CallRaw(ctx, c.link, searches, func(ctx context.Context) ([]string, error) {
		if c.outOfSync {
			if err := c.syncHome(); err != nil {
				return nil, err
			}
		}
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return nil, err
		}
		var answer []string
		var invalid error
		for _, line := range lines {
			words := fields(cleanCommand(line))
			if len(words) == 0 {
				continue
			}
			more, err := c.rawReply(ctx, words[0], words[1:])
			answer = append(answer, more...)
			switch {
			case err != nil && !errors.Is(err, pluginclient.ErrInvalidReply):
				return answer, err
			case err != nil:
				invalid = err
			case words[0] == Quit && c.link.Conn == nil:
				return answer, nil
			}
		}
		if len(answer) > 0 || c.nameReply == "" {
			return answer, invalid
		}
		// No response is due, but there may be one.
		err := c.ping(func(r reply) {
			c.judge("response.single", "%q though nothing was asked", r.raw[0])
			answer = append(answer, r.raw...)
		})
		return answer, err
	})
}

func (c *Client) rawReply(ctx context.Context, word string, args []string) ([]string, error) {
	switch word {
	case Quit: // the lines that the engine sends until it exits
		p := c.link.ReadUntilExit()
		c.judgeParting(p)
		return slices.DeleteFunc(p.Lines, func(line string) bool { return line == "" }), nil
	case GenMove:
		return c.rawGenMove(ctx, args)
	}
	r, err := c.awaitReply(word)
	if err == nil {
		err = c.applyReply(word, args, r)
	}
	return r.raw, err
}

// rawGenMove waits for the response to a genmove. A move that arrives after ctx has ended is not
// part of the game, and is taken back later.
func (c *Client) rawGenMove(ctx context.Context, args []string) ([]string, error) {
	a, r, err := c.readGenMove(ctx, strings.Join(args, " "), 0)
	switch {
	case len(r.text) == 0 || errors.Is(err, pluginclient.ErrInvalidReply):
		return r.raw, err
	case r.failed && errors.Is(err, pluginclient.ErrRefused):
		return r.raw, nil // the user sees the failure in the reply
	case err == nil:
		g := c.game.clone()
		if err = c.playEngineMove(g, a); err == nil {
			c.setGame(g)
			return r.raw, nil
		}
	}
	if errors.Is(err, pluginclient.ErrIllegal) {
		return r.raw, fmt.Errorf("%w: %w", pluginclient.ErrInvalidReply, err)
	}
	c.outOfSync = true
	return r.raw, err
}

// applyReply applies a command that the engine has executed to the conversation's game. It returns
// an error if the engine has accepted what it should not.
func (c *Client) applyReply(word string, args []string, r reply) error {
	if word == Winner && len(args) == 0 {
		return c.checkWinner(c.game.position(), r)
	}
	if r.failed {
		c.judgeFailure(word, args, r)
		return nil
	}
	g := c.game.clone()
	known, err := g.execute(word, args)
	switch {
	case err != nil:
		c.engineGame = nil
		if command, _ := Find(word); command.illegal != "" {
			c.judgeAt(command.illegal, c.game.position().String(), "%q to %q, but %v", r.raw[0], c.asked, err)
		}
		return fmt.Errorf("%w: %q, but %w", pluginclient.ErrInvalidReply, r.raw[0], err)
	case !known:
		return nil
	}
	c.setGame(g)
	switch word {
	case BoardSize, ClearBoard:
		c.engineGame, c.cleared = nil, word == ClearBoard
	case Walls:
		if c.engineGame != nil || c.cleared {
			c.engineGame, c.cleared = g.clone(), false
		}
	default:
		if c.engineGame != nil {
			c.engineGame = g.clone()
		}
	}
	return nil
}

// Language returns the protocol's commands.
func Language() pluginclient.Language {
	var specs []pluginclient.CommandSpec
	for _, k := range commands {
		specs = append(specs, pluginclient.CommandSpec{
			Word: k.Word, Usage: k.Usage, Summary: k.Summary, Thinks: k.Word == GenMove, Quits: k.Word == Quit,
			NewGame: slices.Contains([]string{BoardSize, ClearBoard, Walls}, k.Word),
			Section: k.section, Replies: k.replies, Example: k.example,
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
	board := c.Position().(*quoridor.Position).Board()
	playable := board.AppendSteps
	if k.Word == PlayWall {
		playable = board.AppendWalls
	}
	for _, a := range playable(nil, side) {
		args := fields(formatPlay(a))[2:] // the cell, and the orientation of a wall
		if len(before) == 2 && strings.EqualFold(before[1], args[0]) {
			words = append(words, args[1])
		} else if len(before) == 1 && !slices.Contains(words, args[0]) {
			words = append(words, args[0])
		}
	}
	return words
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
