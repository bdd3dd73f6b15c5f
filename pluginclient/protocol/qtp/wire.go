// Package qtp implements both sides of the Quoridor Text Protocol of 2015 (Avlonitis, Chatziagapis): a
// [Client] makes an engine a Searcher and a pluginclient.Session, and a [Server] makes any Quoridor
// Searcher an engine. Section numbers refer to the protocol's document.
//
// A command is a line. A response is "= result" or "? message", followed by an empty line. An engine
// has a board on which both colours may be played; genmove makes it play a move. The protocol has no
// levels, no limits, no lists of moves and no way to stop an engine.
//
// The client trusts an engine as little as possible. It keeps the game, sends only legal moves and
// checks the engine's moves; an illegal move is an error and is never played. Known engines end a
// response with a single line feed, answer "? false", omit the space after the sign, put the result
// on a separate line, print text between responses, or allow one wall too many. The client works
// with all of them and reports what they do; with Options.Strict it is an error.
//
// A position is sent as the moves from the start of a game. For a position without a history the
// client constructs such moves: the pawns walk to their places, then the walls are built. That
// fails only if the numbers of walls are inconsistent.
//
// For a position and the Server's own limits, a Client connected to a Server of s plays what s plays.
// Limits on nodes and depth are errors, since the protocol cannot express them. The client enforces a
// time limit by ending an engine that exceeds it by far. A search returns only one line. A banned
// move is an error, since the protocol cannot exclude moves.
package qtp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// Protocol is the protocol's name. It has no version.
const Protocol = "QTP"

// The commands (section 4).
const (
	Name         = "name"
	KnownCommand = "known_command"
	ListCommands = "list_commands"
	Quit         = "quit"
	BoardSize    = "boardsize"
	ClearBoard   = "clear_board"
	Walls        = "walls"
	PlayMove     = "playmove"
	PlayWall     = "playwall"
	GenMove      = "genmove"
	Undo         = "undo"
	Winner       = "winner"
	ShowBoard    = "showboard"
)

// A Command describes a command of the protocol.
type Command struct {
	Word    string
	Usage   string // the arguments
	Summary string // one line, lower case
	Result  Result

	least, most int // the number of arguments

	section, replies, example string // where the document says what it is answered with, and an example

	legal, illegal string // the rules by which it must succeed, and must fail
}

// A Result is the form of a successful response.
type Result int

// The forms of a successful response.
const (
	Nothing Result = iota // empty
	OneLine
	Lines // several lines, after the line of the sign
)

var commands = []Command{
	{Name, "", "ask for the engine's name", OneLine, 0, 0, "4.1", "= NAME", "> name\n< = qhsh\n", "", ""},
	{
		KnownCommand, "COMMAND", "ask whether the engine knows a command", OneLine, 0, 1,
		"4.1", "= true or = false", "> known_command genmove\n< = true\n> known_command go\n< = false\n", "", "",
	},
	{ListCommands, "", "list the commands that the engine knows", Lines, 0, 0, "4.1", "= and the commands, one a line", "> list_commands\n< =\n< name\n< ...\n", "", ""},
	{Quit, "", "end the engine", Nothing, 0, 0, "4.1", "=; then the connection is closed", "> quit\n< =\n", "", ""},
	{
		BoardSize, "N", "set the size; clear_board and walls have to follow", Nothing, 1, 1,
		"4.2", "=, or ? unacceptable size", "> boardsize 7\n< =\n> clear_board\n< =\n> walls 5\n< =\n> boardsize 1\n< ? unacceptable size\n", "", "size.unacceptable",
	},
	{ClearBoard, "", "put the pawns back and take the walls away", Nothing, 0, 0, "4.2", "=", "> clear_board\n< =\n> walls 10\n< =\n", "setup.never", ""},
	{Walls, "N", "give each side N walls", Nothing, 1, 1, "4.2", "=", "> walls 10\n< =\n", "setup.never", ""},
	{
		PlayMove, "COLOUR CELL", "move a pawn, as in playmove black E8", Nothing, 2, 2,
		"4.3", "=, or ? illegal move", "> playmove black E8\n< =\n> playmove white E9\n< ? illegal move\n", "move.legal", "move.illegal",
	},
	{
		PlayWall, "COLOUR CELL ORIENTATION", "build a wall, as in playwall white B5 horizontal", Nothing, 3, 3,
		"4.3", "=, or ? illegal move", "> playwall white B5 horizontal\n< =\n> playwall black B5 vertical\n< ? illegal move\n", "wall.legal", "wall.illegal",
	},
	{
		GenMove, "COLOUR", "have the engine play for a colour", OneLine, 1, 1,
		"4.3", "= CELL for a move, = CELL ORIENTATION for a wall; the engine has played it", "> genmove black\n< = ...\n", "", "",
	},
	{
		Undo, "[N]", "take back N moves, or one", Nothing, 0, 1,
		"4.3", "=, or ? cannot undo", "> playmove black E8\n< =\n> undo\n< =\n> undo\n< ? cannot undo\n", "undo.many", "undo.toomany",
	},
	{Winner, "", "ask whether a side has won, and which", OneLine, 0, 0, "4.4", "= false, or = true and a colour", "> winner\n< = false\n", "", ""},
	{ShowBoard, "", "have the engine draw its board", Lines, 0, 0, "4.5", "= and a drawing", "> showboard\n< =\n< ...\n", "", ""},
}

// Commands returns all commands, in the document's order.
func Commands() []Command { return slices.Clone(commands) }

// Find returns the command with the given word. known is false for a word that the protocol does not
// have; its response may have any form.
func Find(word string) (c Command, known bool) {
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Word == word })
	if i < 0 {
		return Command{Word: word, Result: Lines}, false
	}
	return commands[i], true
}

// takes returns an error if the command does not take that number of arguments.
func (c Command) takes(words int) error {
	switch {
	case c.least <= words && words <= c.most:
		return nil
	case c.most == 0:
		return fmt.Errorf("%s takes no arguments", c.Word)
	}
	return fmt.Errorf("%s wants %s", c.Word, c.Usage)
}

// The messages of failures. The document defines all but the last two (2.6, section 4).
const (
	unknownCommand   = "unknown command"
	unacceptableSize = "unacceptable size"
	illegalMove      = "illegal move"
	cannotUndo       = "cannot undo"
	invalidSyntax    = "invalid syntax"
	noLegalMove      = "no legal move"
)

// A reply is a response.
type reply struct {
	failed bool
	text   []string // the result or the message, from the line of the sign on

	raw []string // the unchanged lines, without the empty one
}

// lines returns the response as lines to send, without the empty line that ends it.
func (r reply) lines() []string {
	sign := "= "
	switch {
	case r.failed:
		sign = "? "
	case len(r.text) > 1 && r.text[0] == "":
		sign = "="
	}
	return strings.Split(sign+printableASCII(strings.Join(r.text, "\n")), "\n")
}

// printableASCII returns a text in the characters of a response (1.1 to 1.3). Others, of an engine's name
// or an error, are escaped.
func printableASCII(text string) string {
	var b strings.Builder
	for _, r := range printable.Text(text) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// line returns the first line of the text that is not empty.
func (r reply) line() string {
	for _, line := range r.text {
		if line != "" {
			return line
		}
	}
	return ""
}

// cleanReply cleans a line as a controller must (2.1): it removes control characters and replaces
// tabs by spaces.
func cleanReply(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == '\r' || isStray(r):
			return -1
		}
		return r
	}, line)
}

// isStray reports whether a control character has no meaning in the protocol (1.2).
func isStray(r rune) bool { return (r < ' ' || r == 0x7f) && r != '\t' && r != '\r' }

// cleanCommand cleans a line as an engine must (2.1): like cleanReply, and it removes comments.
func cleanCommand(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return cleanReply(line)
}

// collapse shortens a line that is too long: it removes control characters and repeated spaces.
func collapse(line string) string {
	last := ' '
	return strings.Map(func(r rune) rune {
		if r == ' ' && last == ' ' {
			return -1
		}
		last = r
		return r
	}, cleanReply(line))
}

// fields returns the words of a cleaned line, which are separated by spaces.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
}

func formatPlay(a quoridor.Action) string {
	colour := quoridor.ColourName(a.Side())
	switch a.Kind() {
	case quoridor.Horizontal:
		return fmt.Sprintf("%s %s %v horizontal", PlayWall, colour, a.Cell())
	case quoridor.Vertical:
		return fmt.Sprintf("%s %s %v vertical", PlayWall, colour, a.Cell())
	}
	return fmt.Sprintf("%s %s %v", PlayMove, colour, a.Cell())
}

func formatGenMove(a quoridor.Action) string {
	switch a.Kind() {
	case quoridor.Horizontal:
		return a.Cell().String() + " h"
	case quoridor.Vertical:
		return a.Cell().String() + " v"
	}
	return a.Cell().String()
}

func parseGenMove(text string, side engine.Turn) (quoridor.Action, error) {
	words := fields(text)
	if len(words) == 0 || len(words) > 2 || strings.Contains(text, ":") {
		return 0, fmt.Errorf("%q: %w", pluginclient.Excerpt(text), quoridor.ErrMalformed)
	}
	return quoridor.ParseAction(strings.Join(words, " "), side)
}

// errOffBoard is the error for a vertex beyond the largest board.
var errOffBoard = errors.New("vertex is beyond the largest board")

// parseVertex parses a letter and a number (2.2). The error wraps errOffBoard if they are valid but
// beyond the largest board.
func parseVertex(text string) (quoridor.Cell, error) {
	row, ok := 0, false
	if len(text) > 1 {
		row, ok = parseInt(text[1:])
	}
	if letter := text[0] | 0x20; !ok || letter < 'a' || letter > 'z' {
		return 0, fmt.Errorf("vertex %q: %w", pluginclient.Excerpt(text), quoridor.ErrMalformed)
	}
	at, err := quoridor.ParseVertex(text[:1] + strconv.Itoa(row))
	if err != nil {
		return 0, fmt.Errorf("vertex %q: %w", pluginclient.Excerpt(text), errOffBoard)
	}
	return at, nil
}

// parsePlay parses the arguments of playmove or playwall. If the error wraps errOffBoard, the
// syntax is valid.
func parsePlay(word string, args []string) (quoridor.Action, error) {
	side, err := quoridor.ParseColour(args[0])
	if err != nil {
		return 0, err
	}
	kind := quoridor.Step
	if word == PlayWall {
		if kind, err = quoridor.ParseOrientation(args[2]); err != nil {
			return 0, err
		}
	}
	at, err := parseVertex(args[1])
	return quoridor.NewAction(side, kind, at), err
}

// maxInt is the largest int (2.2).
const maxInt = 1<<31 - 1

// parseInt parses an int (2.2), which consists of digits only.
func parseInt(text string) (n int, ok bool) {
	u, err := strconv.ParseUint(text, 10, 31)
	return int(u), err == nil
}
