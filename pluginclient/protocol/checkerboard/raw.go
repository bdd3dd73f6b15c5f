package checkerboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// Raw calls enginecommand with the rest of the line, and returns its result and its reply; or
// islegal with the squares of a move on the conversation's board, and returns its result and the
// move. Raw does not restart an engine that has died.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	return pluginclient.CallRaw(ctx, c.link, false, func(context.Context) (answer []string, err error) {
		for line := range strings.SplitSeq(text, "\n") {
			reply, err := c.rawLine(strings.TrimSpace(line))
			if err != nil {
				return answer, err
			}
			answer = append(answer, reply)
		}
		return answer, nil
	})
}

func (c *Client) rawLine(line string) (string, error) {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	word, rest, _ := strings.Cut(line, " ")
	switch strings.ToLower(word) {
	case Command:
		reply, understood, err := c.command(ctx, pluginclient.Sent, strings.TrimSpace(rest))
		returned := "1"
		if !understood {
			returned = "0"
		}
		return strings.TrimSpace(returned + " " + reply), err
	case IsLegal:
		return c.isLegal(ctx, strings.Fields(rest))
	}
	return "", fmt.Errorf("%w: unknown call %q: want %s or %s", pluginclient.ErrRefused, word, Command, IsLegal)
}

func (c *Client) isLegal(ctx context.Context, words []string) (string, error) {
	position, _ := c.Position().(*checkers.Position)
	if !c.hasIsLegal || position == nil || len(words) != 2 {
		return "", fmt.Errorf("%w: %s wants two squares, and a library that exports it", pluginclient.ErrRefused, IsLegal)
	}
	board := position.Board()
	from, err := board.Variant().ParseSquare(words[0])
	to, err2 := board.Variant().ParseSquare(words[1])
	if err := cmp.Or(err, err2); err != nil {
		return "0", fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	if err := c.link.Send(pluginclient.Sent, LegalRequest(&board, from, to)); err != nil {
		return "0", err
	}
	line, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return "0", c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	}
	returned, cbmove, _ := strings.Cut(line, " ")
	switch {
	case returned == "0":
		return "0", nil
	case returned != "1":
		return "0", fmt.Errorf("%w: %s answered %q", pluginclient.ErrInvalidReply, IsLegal, pluginclient.Excerpt(line))
	}
	var move abi.Move
	if cbmove != "-" {
		if move, err = abi.ParseMove(cbmove); err != nil {
			return "0", fmt.Errorf("%w: CBmove: %w", pluginclient.ErrInvalidReply, err)
		}
	}
	m, err := move.Read(&board)
	if err != nil {
		return "0", fmt.Errorf("%w: %s %s %s: %w", pluginclient.ErrIllegal, IsLegal, words[0], words[1], err)
	}
	return "1 " + board.Format(m), nil
}

// engineCommands are the texts that enginecommand accepts: those of the document, and get movelist, which
// is newer.
var engineCommands = []struct{ text, summary string }{
	{"name", "ask for the engine's name"},
	{"about", "ask what the engine says of itself"},
	{"help", "ask for the name of a help file"},
	{"hint", "ask for a hint for beginners"},
	{"get protocolversion", "ask for the version of the API"},
	{"get gametype", "ask for the number of the variant"},
	{"get book", "ask for the strength of the book, 0 to 3"},
	{"set book", "set it"},
	{"get hashsize", "ask for the size of the table in MB"},
	{"set hashsize", "set it"},
	{"get dbmbytes", "ask for the size of the cache of endgames in MB"},
	{"set dbmbytes", "set it"},
	{"get allscores", "ask whether all moves are told with scores"},
	{"set allscores", "set it"},
	{"get movelist", "ask for the legal moves of a FEN"},
	{"set gamehist", "tell the game so far"},
}

// Language returns the commands that the user can type.
func (c *Client) Language() pluginclient.Language {
	return pluginclient.Language{
		Name: "CheckerBoard", OneMove: true, AnyCase: true,
		Commands: []pluginclient.CommandSpec{
			{
				Word: Command, Usage: "TEXT", Summary: "call enginecommand: what it returns, and its reply",
				Help: "A return value of 0 means that the engine has not understood.", Complete: completeCommand,
			},
			{Word: IsLegal, Usage: "FROM TO", Summary: "call islegal for a move on the board"},
		},
		Failed: func(answer []string) bool { return len(answer) == 1 && strings.HasPrefix(answer[0]+" ", "0 ") },
	}
}

func completeCommand(before []string) (all []pluginclient.Completion) {
	for _, k := range engineCommands {
		words, n := strings.Fields(k.text), len(before)
		if len(words) <= n || !slices.Equal(words[:n], before) || slices.ContainsFunc(all, func(c pluginclient.Completion) bool { return c.Text == words[n] }) {
			continue
		}
		next := pluginclient.Completion{Text: words[n], Note: k.summary}
		if next.More = len(words) > n+1; next.More {
			next.Note = ""
		}
		all = append(all, next)
	}
	return all
}
