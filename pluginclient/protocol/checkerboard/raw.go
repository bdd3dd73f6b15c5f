package checkerboard

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// Raw calls enginecommand with the rest of the line, and returns its result and its reply; or
// islegal with the squares of a move on the conversation's board, and returns its result and the
// move. Raw does not restart an engine that has died.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	return pluginclient.Call(ctx, c.link, func(context.Context) (answer []string, err error) {
		if err := c.link.CheckRunning(); err != nil {
			return nil, err
		}
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

// isLegal calls islegal for a move on the conversation's board.
func (c *Client) isLegal(ctx context.Context, words []string) (string, error) {
	position, _ := c.Position().(*checkers.Position)
	if !c.hasIsLegal || position == nil || len(words) != 2 {
		return "", fmt.Errorf("%w: %s wants two squares, and a library that exports it", pluginclient.ErrRefused, IsLegal)
	}
	board := position.Board()
	legal, m, err := c.legal(ctx, &board, words[0], words[1])
	if err != nil || !legal {
		return "0", err
	}
	return "1 " + board.Format(m), nil
}

// legal calls islegal. If the result is 1, it returns the move, too.
func (c *Client) legal(ctx context.Context, board *checkers.Board, from, to string) (bool, checkers.Move, error) {
	numbers := make([]string, 2)
	for i, word := range []string{from, to} {
		s, err := board.Variant().ParseSquare(word)
		if err != nil {
			return false, 0, fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
		}
		numbers[i] = strconv.Itoa(board.Variant().Number(s))
	}
	given := abi.BoardOf(board)
	request := fmt.Sprintf("%s %d %s %s %s", IsLegal, abi.Color(board.Turn()), numbers[0], numbers[1], abi.FormatInts(given.Ints()))
	if err := c.link.Send(pluginclient.Sent, request); err != nil {
		return false, 0, err
	}
	line, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return false, 0, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	}
	returned, cbmove, _ := strings.Cut(line, " ")
	switch {
	case returned == "0":
		return false, 0, nil
	case returned != "1":
		return false, 0, fmt.Errorf("%w: %s answered %q", pluginclient.ErrInvalidReply, IsLegal, pluginclient.Excerpt(line))
	}
	var move abi.Move
	if cbmove != "-" {
		if move, err = abi.ParseMove(cbmove); err != nil {
			return false, 0, fmt.Errorf("%w: CBmove: %w", pluginclient.ErrInvalidReply, err)
		}
	}
	m, err := move.Read(board)
	if err != nil {
		return false, 0, fmt.Errorf("%w: %s %s %s: %w", pluginclient.ErrIllegal, IsLegal, from, to, err)
	}
	return true, m, nil
}

// An EngineCommand is a text that enginecommand accepts.
type EngineCommand struct{ Text, Summary string }

// EngineCommands returns the commands of the document, and get movelist, which is newer.
func EngineCommands() []EngineCommand {
	return []EngineCommand{
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

// completeCommand returns completions for the next word after enginecommand.
func completeCommand(before []string) (all []pluginclient.Completion) {
	seen := map[string]bool{}
	for _, k := range EngineCommands() {
		words := strings.Fields(k.Text)
		if len(words) <= len(before) || strings.Join(words[:len(before)], " ") != strings.Join(before, " ") {
			continue
		}
		next := words[len(before)]
		if !seen[next] {
			seen[next] = true
			note := k.Summary
			if len(words) > len(before)+1 {
				note = ""
			}
			all = append(all, pluginclient.Completion{Text: next, Note: note, More: len(words) > len(before)+1})
		}
	}
	return all
}
