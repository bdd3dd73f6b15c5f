// Package qchess implements both sides of the text protocol of qchess, the quantum chess of the UCC
// programming competition (2013): a [Client] makes an agent a Searcher and a pluginclient.Session,
// and a [Server] makes any Searcher of quantum chess an agent.
//
// An agent gets its colour and then the events of the game, and is asked for squares:
//
//	<< white
//	<< SELECTION?
//	>> 3 6
//	<< 3 6 1 rook         the piece shows a kind; if it cannot move, the turn is over
//	<< MOVE?
//	>> 3 5
//	<< 3 6 -> 3 5
//	<< 3 1 0 pawn         the other side's turn
//	<< 3 1 -> 3 3
//	<< QUIT white         or QUIT alone
//
// It answers nothing else. Undocumented, but sent by the server when it resumes a game: BOARD, a
// line for each piece, an empty line, and END BOARD.
//
// From the bottom up:
//
//   - wire.go: the commands, and the parser of answers.
//   - verdict.go: the faults by which an agent loses, in the server's words.
//   - client.go (the conversation), syncposition.go (setting the agent's position), search.go (the
//     Searcher), raw.go (lines typed by the user).
//   - server.go: the server, built on package serving.
//
// An agent knows only the current game. A Client therefore continues that game as long as each
// position continues the one before, and restarts the agent otherwise. A position that is not
// reached from the usual start is sent by BOARD. The client tests once, with a board of its own,
// whether the agent obeys BOARD; if it does not, such positions are errors.
//
// The protocol has no limits and no way to stop an agent. The client enforces a time limit by
// ending an agent that exceeds it.
package qchess

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/qchess"
)

// Protocol is the protocol's name. It has no version.
const Protocol = "qchess"

// The commands of the server.
const (
	Selection = "SELECTION?"
	Move      = "MOVE?"
	Quit      = "QUIT"
	Board     = "BOARD"
	EndBoard  = "END BOARD"
)

// answerPattern matches what the server reads of an answer: two numbers at its start.
var answerPattern = lazyregexp.New(`^\s*(\d+)\s+(\d+)`)

// parseAnswer parses a square of an agent's answer. It need not be on the board.
func parseAnswer(line string) (x, y string, ok bool) {
	m := answerPattern().FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return trimZeros(m[1]), trimZeros(m[2]), true
}

// trimZeros removes leading zeros.
func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}

// formatAnswer formats a square as an agent's answer.
func formatAnswer(at qchess.Square) string { return fmt.Sprintf("%d %d", at.X(), at.Y()) }

// colour returns the line that tells an agent its side.
func colour(side engine.Turn) string { return qchess.ColourName(side) }

// BoardLines returns the lines of BOARD: what both sides know of a board. There is no space before
// "at", as in the server's lines.
func BoardLines(b *qchess.Board) []string {
	view := b.View()
	lines := []string{Board}
	for _, line := range view.ServerLines() {
		lines = append(lines, strings.Replace(line, "] at ", "]at ", 1))
	}
	return append(lines, "", EndBoard)
}
