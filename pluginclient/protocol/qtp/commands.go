package qtp

import (
	"errors"
	"strconv"
	"strings"

	"qhsh/engine/quoridor"
)

// handlers are what the commands do that are about more than the game. They are given as many
// arguments as there have to be.
var handlers = map[string]func(c *conversation, args []string) Reply{
	Name:         func(c *conversation, _ []string) Reply { return result(c.server.Name) },
	KnownCommand: (*conversation).knownCommand,
	ListCommands: (*conversation).listCommands,
	Quit:         func(*conversation, []string) Reply { return result("") },
	GenMove:      (*conversation).genMove,
	Winner:       (*conversation).winner,
	ShowBoard:    (*conversation).showBoard,
}

func result(lines ...string) Reply    { return Reply{Text: lines} }
func failure(message string) Reply    { return Reply{Failed: true, Text: []string{message}} }
func linesBelow(lines []string) Reply { return result(append([]string{""}, lines...)...) }

// carryOut answers a command. Words are case-sensitive, what follows them is not.
func (c *conversation) carryOut(word string, args []string) Reply {
	command, known := Find(word)
	switch handler := handlers[word]; {
	case !known:
		return failure(unknownCommand)
	case command.takes(len(args)) != nil:
		return failure(invalidSyntax)
	case handler != nil:
		return handler(c, args)
	}
	return c.toGame(word, args)
}

// toGame carries out a command that is about the game alone. One that fails changes nothing.
func (c *conversation) toGame(word string, args []string) Reply {
	_, err := c.game.obey(word, args)
	if refused := (refusal{}); errors.As(err, &refused) {
		return failure(refused.message)
	}
	return result("")
}

func (c *conversation) knownCommand(args []string) Reply {
	_, known := Find(args[0])
	return result(strconv.FormatBool(known))
}

func (c *conversation) listCommands([]string) Reply {
	var words []string
	for _, command := range commands {
		words = append(words, command.Word)
	}
	return linesBelow(words)
}

func (c *conversation) winner([]string) Reply {
	board := c.game.board()
	side, over := board.Winner()
	if !over {
		return result("false")
	}
	return result("true " + quoridor.ColourName(side))
}

func (c *conversation) showBoard([]string) Reply {
	board := c.game.board()
	return linesBelow(strings.Split(strings.TrimRight(board.Diagram(), "\n"), "\n"))
}
