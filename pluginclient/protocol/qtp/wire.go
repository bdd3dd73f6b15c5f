// Package qtp is the Quoridor Text Protocol of 2015 (Avlonitis, Chatziagapis), both ends: a
// [Client] makes a program that speaks it a Searcher and a pluginclient.Session, and a
// [Server] makes any Quoridor Searcher such a program. The sections named here are the
// document's.
//
// A command is a line, a response is "= result" or "? message" and an empty line behind it.
// An engine has a board on which either colour may be played; genmove makes it play itself.
// There are no levels, no limits, no lists of moves and nothing that stops an engine.
//
// From the bottom up:
//
//   - wire.go: commands, responses, and what is done to a line before it is read (2.1).
//   - game.go: a game as the protocol has it, which both ends keep. It goes on after a win,
//     either colour may move twice, and undo takes back any number of moves.
//   - server.go: the server, built on package serving.
//   - client.go (the conversation), listen.go (responses, read as leniently as they can be),
//     deviation.go (what was wrong with them), place.go and route.go (bringing an engine to a
//     position), search.go (the Searcher), verbs.go (what the shell asks for), raw.go (lines
//     as they are).
//
// What the client takes for granted is little. The game is this side's: only legal moves are
// sent, and what an engine plays is checked; an illegal move is an error and never played.
// Engines are known that end a response with one line feed, answer "? false", leave out the
// blank behind the sign or begin the result on a line of its own, print text between
// responses, and let a side build one wall too many. All of them can be played with; with
// Options.Strict each deviation is told.
//
// A position is told by the moves that lead to it, from the start of a game. One that was
// read from text has no such moves, so some are made up: the pawns walk to their places,
// then the walls are built. That can be done unless the numbers of walls do not add up.
//
// The two ends undo each other as far as the protocol carries: for a position and the
// Server's own limits, a Client of a Server of s plays what s plays. Limits on nodes and
// depth are refused, since they cannot be told; a limit on time is held by the client, which
// ends an engine that oversteps it by far. More lines than one are never given, and an engine
// that plays a banned move is an error, since it cannot be told of the ban.
package qtp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
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

// A Command is a command of the protocol and how it is used.
type Command struct {
	Word    string
	Usage   string // what follows the word
	Summary string // one line, lower case
	Result  Result

	least, most int // how many words follow
}

// A Result is the shape of a successful response.
type Result int

// The shapes.
const (
	Nothing Result = iota // an empty one
	OneLine
	Lines // on lines of their own
)

var commands = []Command{
	{Name, "", "ask for the engine's name", OneLine, 0, 0},
	{KnownCommand, "COMMAND", "ask whether the engine knows a command", OneLine, 1, 1},
	{ListCommands, "", "list the commands that the engine knows", Lines, 0, 0},
	{Quit, "", "end the engine", Nothing, 0, 0},
	{BoardSize, "N", "set the size; clear_board and walls have to follow", Nothing, 1, 1},
	{ClearBoard, "", "put the pawns back and take the walls away", Nothing, 0, 0},
	{Walls, "N", "give each side N walls", Nothing, 1, 1},
	{PlayMove, "COLOUR CELL", "move a pawn, as in playmove black E8", Nothing, 2, 2},
	{PlayWall, "COLOUR CELL ORIENTATION", "build a wall, as in playwall white B5 horizontal", Nothing, 3, 3},
	{GenMove, "COLOUR", "have the engine play for a colour", OneLine, 1, 1},
	{Undo, "[N]", "take back N moves, or one", Nothing, 0, 1},
	{Winner, "", "ask whether somebody has won, and who", OneLine, 0, 0},
	{ShowBoard, "", "have the engine draw its board", Lines, 0, 0},
}

// Commands are all commands, in the document's order.
func Commands() []Command { return slices.Clone(commands) }

// Find is the command that a word names. One that the protocol does not have may be answered
// in any shape, and is not known.
func Find(word string) (c Command, known bool) {
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Word == word })
	if i < 0 {
		return Command{Word: word, Result: Lines}, false
	}
	return commands[i], true
}

// takes is the error of a number of words behind a command.
func (c Command) takes(words int) error {
	switch {
	case c.least <= words && words <= c.most:
		return nil
	case c.most == 0:
		return fmt.Errorf("nothing follows %s", c.Word)
	}
	return fmt.Errorf("%s wants %s", c.Word, c.Usage)
}

// The messages of failures. The document has all but the last two (2.6, section 4).
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
	text   []string // the result or the message: what is on the line of the sign, and the lines after it

	raw []string // the lines as they came, without the empty one
}

// lines are the response on the wire, without the empty line that ends it.
func (r reply) lines() []string {
	sign := "= "
	switch {
	case r.failed:
		sign = "? "
	case len(r.text) > 1 && r.text[0] == "":
		sign = "="
	}
	return strings.Split(sign+strings.Join(r.text, "\n"), "\n")
}

// line is the first line of the text that says something.
func (r reply) line() string {
	for _, line := range r.text {
		if line != "" {
			return line
		}
	}
	return ""
}

// forController does to a line what a controller has to (2.1): control characters are
// dropped and tabs are blanks.
func forController(line string) string {
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

// isStray tells a control character that has no meaning in the protocol (1.2).
func isStray(r rune) bool { return (r < ' ' || r == 0x7f) && r != '\t' && r != '\r' }

// forEngine does to a line what an engine has to (2.1): beyond that, comments are dropped.
func forEngine(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return forController(line)
}

// squeeze is what matters of a line that is too long to be kept: control characters are
// dropped, and blanks that follow a blank.
func squeeze(line string) string {
	last := ' '
	return strings.Map(func(r rune) rune {
		if r == ' ' && last == ' ' {
			return -1
		}
		last = r
		return r
	}, forController(line))
}

// fields are the words of a line after that, and blanks are all that parts them.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
}

// playing is the command that plays an action.
func playing(a quoridor.Action) string {
	colour := quoridor.ColourName(a.Side())
	switch a.Kind() {
	case quoridor.Horizontal:
		return fmt.Sprintf("%s %s %v horizontal", PlayWall, colour, a.Cell())
	case quoridor.Vertical:
		return fmt.Sprintf("%s %s %v vertical", PlayWall, colour, a.Cell())
	}
	return fmt.Sprintf("%s %s %v", PlayMove, colour, a.Cell())
}

// played is the answer to a genmove that plays an action.
func played(a quoridor.Action) string {
	switch a.Kind() {
	case quoridor.Horizontal:
		return a.Cell().String() + " h"
	case quoridor.Vertical:
		return a.Cell().String() + " v"
	}
	return a.Cell().String()
}

// readPlayed reads such an answer.
func readPlayed(text string, side engine.Turn) (quoridor.Action, error) {
	words := fields(text)
	if len(words) == 0 || len(words) > 2 || strings.Contains(text, ":") {
		return 0, fmt.Errorf("%q: %w", pluginclient.Excerpt(text), quoridor.ErrMalformed)
	}
	return quoridor.ParseAction(strings.Join(words, " "), side)
}

// errOffBoard is the error of a vertex that no board has.
var errOffBoard = errors.New("no board has such a vertex")

// readVertex reads a letter and a number (2.2). The error wraps errOffBoard where they are
// such, but beyond the largest board.
func readVertex(text string) (quoridor.Cell, error) {
	row, ok := 0, false
	if len(text) > 1 {
		row, ok = readInt(text[1:])
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

// readPlaying reads what follows playmove or playwall. Nothing is amiss with the words if the
// error wraps errOffBoard.
func readPlaying(word string, args []string) (quoridor.Action, error) {
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
	at, err := readVertex(args[1])
	return quoridor.NewAction(side, kind, at), err
}

// maxInt is the largest int (2.2).
const maxInt = 1<<31 - 1

// readInt reads an int: digits alone.
func readInt(text string) (n int, ok bool) {
	for _, c := range []byte(text) {
		digit := int(c) - '0'
		if digit < 0 || digit > 9 || n > (maxInt-digit)/10 {
			return 0, false
		}
		n = n*10 + digit
	}
	return n, text != ""
}
