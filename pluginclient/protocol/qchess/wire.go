// Package qchess is the text protocol of qchess, the quantum chess of the UCC programming
// competition (2013), both ends: a [Client] makes an agent a Searcher and a pluginclient.Session,
// and a [Server] makes any Searcher of quantum chess an agent.
//
// An agent is told its colour, then what happens, and is asked for squares:
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
//   - wire.go: the words, and how an answer is read.
//   - verdict.go: what an agent does to lose a game, in the server's words.
//   - client.go (the conversation), syncposition.go (bringing an agent to a position), search.go (the
//     Searcher), raw.go (lines as they are, and what people type).
//   - server.go: the agent's end, built on package serving.
//
// An agent knows nothing but the game that it is in. So a Client follows a game with it as long as
// positions go on from each other, and restarts it for any other. A position that no game from
// the usual start has led to is told by BOARD; an agent that ignores that, as a trial with a board
// of its own shows, cannot be asked there.
//
// The agent cannot be told limits, and nothing stops it. A limit on time is held by the client,
// which ends an agent that oversteps it.
package qchess

import (
	"fmt"
	"regexp"
	"strings"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// Protocol is the protocol's name. It has no version.
const Protocol = "qchess"

// The words of the server.
const (
	Selection = "SELECTION?"
	Move      = "MOVE?"
	Quit      = "QUIT"
	Board     = "BOARD"
	EndBoard  = "END BOARD"
)

// answerPattern is what the server reads of an answer: two numbers at its start.
var answerPattern = regexp.MustCompile(`^\s*(\d+)\s+(\d+)`)

// parseAnswer reads a square as an agent names it. It need not be on the board.
func parseAnswer(line string) (x, y string, ok bool) {
	m := answerPattern.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return trimZeros(m[1]), trimZeros(m[2]), true
}

// trimZeros is a number without leading zeros.
func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}

// formatAnswer is a square as an agent names it.
func formatAnswer(at qchess.Square) string { return fmt.Sprintf("%d %d", at.X(), at.Y()) }

// colour is the line that tells an agent its side.
func colour(side engine.Turn) string { return qchess.ColourName(side) }

// BoardLines are the lines of BOARD: what both sides know of a board. There is no blank before
// "at", as from the server.
func BoardLines(b *qchess.Board) []string {
	view := b.View()
	lines := []string{Board}
	for _, line := range view.ServerLines() {
		lines = append(lines, strings.Replace(line, "] at ", "]at ", 1))
	}
	return append(lines, "", EndBoard)
}
