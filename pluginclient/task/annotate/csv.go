package annotate

import (
	"fmt"
	"io"
	"strconv"

	"qhsh/engine"
	"qhsh/pluginclient/format"
)

// csvColumns are the columns of a table of moves. Scores and chances of a move are the mover's, also those of the best move.
// Chances are from 0 to 1, an accuracy is from 0 to 100.
var csvColumns = []string{
	"file", "game", "date", "event", "opening", "first", "second", "result", "ply", "side", "player", "phase", "fen", "move",
	"cp", "mate", "win", "class", "loss", "accuracy", "book", "best", "best_cp", "best_mate", "depth", "error",
}

// csvSink returns a sink for a table with a row for every move.
func csvSink(w io.Writer, o WriteOptions) (Sink, error) {
	return Sink{Write: func(at GameID, a *Annotated) error {
		var rows [][]string
		for ply := range a.Plies[1:] {
			rows = append(rows, a.csvRow(at, ply+1, o.Notation))
		}
		return format.CSV(w, rows...)
	}}, format.CSV(w, csvColumns)
}

func (a *Annotated) csvRow(at GameID, ply int, notation string) []string {
	game, players, before, p, m := a.Game.Start.Game(), a.players(), &a.Plies[ply-1], &a.Plies[ply], a.jsonMove(ply, notation)
	side, player, accuracy := "", "", ""
	if p.By != engine.Chance {
		side, player = engine.SideName(game, p.By), players[p.By]
	}
	if p.Class != Unjudged {
		accuracy = fmt.Sprintf("%.1f", accuracyOf(p.Loss))
	}
	best, depth := jsonBest{}, ""
	if m.Best != nil {
		best, depth = *m.Best, text(&before.Depth)
	}
	return []string{
		at.File, strconv.Itoa(at.Number), a.Game.Tags.Known("Date"), a.event(), a.Options.Games.Opening(a.Game), players[0], players[1],
		a.Options.Games.PGN(game).FormatResult(a.Game.Result), strconv.Itoa(ply), side, player, a.phase(ply), before.Pos.String(), m.Move,
		text(m.CP), text(m.Mate), text(m.Win), m.Class, text(m.Loss), accuracy, strconv.FormatBool(m.Book),
		best.Move, text(best.CP), text(best.Mate), depth, m.Error,
	}
}

// text returns a number as text; "" if there is none.
func text[T int | float64](n *T) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}
