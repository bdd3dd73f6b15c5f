package qtp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	do := func(ctx context.Context) ([]string, error) {
		if err := c.link.CheckRunning(); err != nil {
			return nil, err
		}
		if c.outOfSync {
			if err := c.syncHome(); err != nil {
				return nil, err
			}
		}
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return nil, err
		}
		var reply []string
		var invalid error
		for _, line := range lines {
			words := fields(cleanCommand(line))
			if len(words) == 0 {
				continue
			}
			more, err := c.rawReply(ctx, words[0], words[1:])
			reply = append(reply, more...)
			switch {
			case err != nil && !errors.Is(err, pluginclient.ErrInvalidReply):
				return reply, err
			case err != nil:
				invalid = err
			case words[0] == Quit && c.link.Conn == nil:
				return reply, nil
			}
		}
		if len(reply) == 0 {
			return c.unsolicited()
		}
		return reply, invalid
	}
	if slices.ContainsFunc(lines, startsSearch) {
		return pluginclient.CallAlways(ctx, c.link, do)
	}
	return pluginclient.Call(ctx, c.link, do)
}

// startsSearch reports whether a line makes the engine search.
func startsSearch(line string) bool {
	words := fields(cleanCommand(line))
	return len(words) > 0 && words[0] == GenMove
}

// rawReply waits for the response to a command.
func (c *Client) rawReply(ctx context.Context, word string, args []string) ([]string, error) {
	switch word {
	case Quit:
		return c.rawQuit(), nil
	case GenMove:
		return c.rawGenMove(ctx, args)
	}
	wait, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	r, err := c.readReply(wait, word)
	if err != nil {
		return r.raw, c.checkAlive(err)
	}
	return r.raw, c.applyReply(word, args, r)
}

// rawQuit returns the lines that the engine sends until it exits.
func (c *Client) rawQuit() []string {
	p := c.link.ReadUntilExit()
	c.judgeParting(p)
	return slices.DeleteFunc(p.Lines, func(line string) bool { return line == "" })
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

// unsolicited returns lines that the engine has sent although no response is due.
func (c *Client) unsolicited() ([]string, error) {
	if c.nameReply == "" {
		return nil, nil
	}
	if err := c.send(pluginclient.Pinged, Name); err != nil {
		return nil, err
	}
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	var reply []string
	for range maxStray {
		r, err := c.readReply(ctx, Name)
		if err != nil || r.line() == c.nameReply {
			return reply, err
		}
		c.judge(responseSingle, "%q though nothing was asked", r.raw[0])
		reply = append(reply, r.raw...)
	}
	return reply, pluginclient.ErrFlood
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
		if rule := illegalRules[word]; rule != "" {
			c.judgeAt(rule, c.game.position().String(), "%q to %q, but %v", r.raw[0], c.asked, err)
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
