// Package exercise has positions in which a reader finds a move: those before the mistakes of games, and those of a
// repertoire of openings. They are written as answers (package batch), as cards for Anki, and as a page.
//
// # Mistakes
//
// [Mistakes] returns the moves that a record marks as bad with a better one; package serve has them retried. A
// [Collector] takes those of annotated games ([annotate.Game]) that are worse than inaccuracies, and keeps the positions
// in which the better move alone is right: a search without it (Only of package puzzle) finds only mistakes, so that what was played is
// one by two searches.
//
// # Repertoires
//
// A [Repertoire] is what games and their variations have for one side. Equal positions are one, however they came
// about. Each in which the side moves is an exercise: the moves of the games that are not marked as bad are right. The
// weight of a move is the number of lines through it.
//
// # When positions come again
//
// A [Memory] is what is kept of the tries at a position, by [Key]. Its rule stands in memory.go: what was failed comes
// first, what was solved after an interval that grows. Package serve keeps memories in training.json. A page that
// is opened from a file keeps them in the browser, and reads and writes files of the same form. Its spacing.js says the
// rule once more, because such a page has no server; it gets the intervals from here, and a test compares both.
package exercise

import (
	"cmp"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// An Exercise is a position in which a move is to be found.
type Exercise struct {
	ID     string
	Start  engine.Position // from which Path leads to the position
	Path   []engine.Move
	Pos    engine.Position // without its history
	Right  [][]engine.Move // lines that begin with the moves that are right, the main one first
	Played []engine.Move   // of a mistake: the move of the game, and what the engine replies

	answered batch.Answer // of a mistake: what proves it
	fields   batch.Fields
	said     []string // sentences on the mistake, or on the right moves
	source   string   // the game's players, date and event
	loss     float64
	times    int // how often the mistake was made
	excerpt  *annotate.Excerpt
	place    *place // of a repertoire
}

// answer returns the exercise as the answer of its position.
func (e *Exercise) answer(number int) batch.Answer {
	a := e.answered
	a.Item = batch.Item{Line: number, ID: e.ID, Fields: e.fields, Text: e.Pos.String(), Pos: e.Pos}
	if len(e.said) > 0 {
		a.Ops = []batch.Op{{Code: "c0", Args: batch.Quoted(strings.Join(e.said, " "))}}
	}
	if len(e.Played) > 0 {
		a.AM = []string{e.Pos.Format(e.Played[0])}
	}
	for _, line := range e.Right {
		a.BM = append(a.BM, e.Pos.Format(line[0]))
		if len(e.answered.Hints) == 0 {
			names := engine.FormatMoves(e.Pos, line)
			a.Hints = append(a.Hints, batch.Hint{Move: names[0], PV: names})
		}
	}
	return a
}

// describe returns the players and the date of a game.
func describe(all games.Table, g *record.Game) string {
	parts := []string{record.Versus(all.PGN(g.Start.Game()).Names(g.Tags)), g.Tags.Known("Date"), cmp.Or(g.Tags.Known("Event"), g.Tags.Known("Title"))}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
