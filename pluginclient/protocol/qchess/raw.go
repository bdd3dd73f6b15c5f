package qchess

import (
	"context"
	"slices"
	"strings"

	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// Raw sends lines unchanged, separated by line feeds, and returns the agent's answers: one line to
// SELECTION? and MOVE?, and none to other lines. A colour starts a new game, with a new process if
// the agent already has a side. Updates change the conversation's position; one that is illegal
// there is sent, too, and returned as an error.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	lines := strings.Split(text, "\n")
	return pluginclient.CallRaw(ctx, c.link, slices.ContainsFunc(lines, isRequest), func(ctx context.Context) (answer []string, err error) {
		for i, line := range lines {
			more, err := c.rawLine(ctx, line, lines[i:])
			answer = append(answer, more...)
			if err != nil || c.link.Conn == nil {
				return answer, err
			}
		}
		return answer, nil
	})
}

func isRequest(line string) bool { return line == Selection || line == Move }

func (c *Client) rawLine(ctx context.Context, line string, rest []string) ([]string, error) {
	side, err := qchess.ParseColour(line)
	begins := err == nil
	if begins && c.inGame {
		c.quit("")
		if err := c.link.Start(); err != nil {
			return nil, err
		}
	}
	surplus := c.link.Conn.Drain()
	if err := c.link.Send(pluginclient.Sent, line); err != nil {
		return surplus, err
	}
	switch word, _, _ := strings.Cut(line, " "); {
	case begins:
		c.inGame, c.side, c.agentPos = true, side, qchess.Rules.Start().(*qchess.Position)
		c.link.SetPosition(c.agentPos)
	case word == Quit:
		return append(surplus, c.link.ReadUntilExit().Lines...), nil
	case isRequest(line):
		pluginclient.SearchStarted(ctx)
		answer, err := c.await(ctx, 0)
		if err != nil {
			return surplus, err
		}
		return append(surplus, answer), nil
	case line == Board:
		return surplus, c.applyBoard(rest)
	default:
		return surplus, c.applyUpdate(line)
	}
	return surplus, nil
}

func (c *Client) applyBoard(lines []string) error {
	end := slices.Index(lines, EndBoard)
	if end < 0 {
		return nil
	}
	board, err := qchess.ParseServerLines(lines[1:end])
	if err != nil {
		return err
	}
	board.SetTurn(c.side)
	c.agentPos = qchess.NewPosition(board)
	c.link.SetPosition(c.agentPos)
	return nil
}

func (c *Client) applyUpdate(line string) error {
	u, err := qchess.ParseUpdate(line)
	if err != nil {
		return nil // not an update
	}
	pos := c.Position().(*qchess.Position)
	board := pos.Board()
	steps, err := board.Apply(u)
	if err != nil {
		c.agentPos = nil
		return err
	}
	for _, s := range steps {
		if pos, err = pos.Do(s); err != nil {
			return err
		}
	}
	c.agentPos = pos
	c.link.SetPosition(pos)
	return nil
}

// Language returns the commands of the server for the user. It does not include updates, since they
// are the moves of the game.
func (c *Client) Language() pluginclient.Language {
	return pluginclient.Language{
		Name: Protocol, OneMove: true,
		Commands: []pluginclient.CommandSpec{
			{Word: qchess.ColourName(qchess.White), NewGame: true, Summary: "begin a new game, in which the agent plays White"},
			{Word: qchess.ColourName(qchess.Black), NewGame: true, Summary: "begin a new game, in which the agent plays Black"},
			{Word: Selection, Summary: "ask for a selection", Thinks: true},
			{Word: Move, Summary: "ask for a move of the piece that is selected", Thinks: true},
			{Word: Board, NewGame: true, Summary: "set the board up; lines of pieces and END BOARD follow", IsComplete: func([]string) bool { return true }},
			{Word: Quit, Usage: "[RESULT]", Summary: "end the agent", Quits: true},
		},
	}
}
