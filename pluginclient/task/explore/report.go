package explore

import (
	"fmt"
	"io"
	"math"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// WriteOptions say how a report is written.
type WriteOptions struct {
	Games    games.Table
	Notation string // of moves; "" for that of the game's positions
}

// name returns a move in the notation.
func (o WriteOptions) name(p engine.Position, m engine.Move) string {
	return o.Games.MoveName(p, m, o.Notation)
}

// A Writer writes a report.
type Writer = func(w io.Writer, r *Report, o WriteOptions) error

// Formats returns the output formats of reports. The first is the default.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: WriteText},
		{Name: "json", Extensions: []string{".json", ".jsonl"}, Write: WriteJSON},
	}
}

// WriteText writes a report as a table for a person:
//
//	rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//	1391 games, red to move: 683 won, 447 drawn, 261 lost, average 65.2 %
//
//	move   games     %  won  drawn  lost  average  last        score
//	H2-E2    612  44.0  310    190   112   66.2 %  1998.11.20  +0.35 depth 12
//
// Results, averages and scores are for the side to move.
func WriteText(w io.Writer, r *Report, o WriteOptions) error {
	side, results := engine.SideName(r.Position.Game(), r.Position.Turn()), ""
	if average := r.percent(); average != "" {
		results = fmt.Sprintf(": %d won, %d drawn, %d lost, average %s", r.Wins, r.Draws, r.Losses, average)
	}
	text := fmt.Sprintf("%s\n%s, %s to move%s\n", printable.Line(r.Position.String()), printable.Plural(r.Games, "game"), side, results)
	rows := [][]string{{"move", "games", "%", "won", "drawn", "lost", "average", "last", "score"}}
	for _, m := range r.Moves {
		score, share := "", ""
		if r.Games > 0 {
			share = fmt.Sprintf("%.1f", 100*float64(m.Games)/float64(r.Games))
		}
		if m.Score != nil {
			score = m.Score.Pawns()
		}
		if m.Score != nil && m.Score.Depth != 0 {
			score += fmt.Sprintf(" depth %d", m.Score.Depth)
		}
		rows = append(rows, []string{
			o.name(r.Position, m.Move), fmt.Sprint(m.Games), share,
			fmt.Sprint(m.Wins), fmt.Sprint(m.Draws), fmt.Sprint(m.Losses), m.percent(), m.Last.String(), score,
		})
	}
	if len(r.Moves) > 0 {
		text += "\n" + printable.Table(rows, "lrrrrrrl")
	}
	_, err := io.WriteString(w, text)
	return err
}

// percent returns the average result, or "" if there is none.
func (c Counts) percent() string {
	average, ok := c.Average()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*average)
}

// countsJSON are Counts with their average, from 0 to 1 in thousandths.
type countsJSON struct {
	Counts
	Average *float64 `json:"average,omitempty"`
}

func (c Counts) json() countsJSON {
	average, ok := c.Average()
	if !ok {
		return countsJSON{Counts: c}
	}
	average = math.Round(average*1000) / 1000
	return countsJSON{c, &average}
}

// reportJSON is a report as a line of JSON.
type reportJSON struct {
	FEN  string `json:"fen"`
	Turn string `json:"turn"`
	countsJSON
	Moves []MoveJSON `json:"moves"`
}

// MoveJSON is a move of a report in JSON.
type MoveJSON struct {
	Move string `json:"move"`
	countsJSON
	Last string `json:"last,omitempty"`
	engine.ScoreJSON
	Depth  int    `json:"depth,omitempty"`
	Engine string `json:"engine,omitempty"`
}

// JSON returns the report about a move for JSON. name is the move.
func (m *MoveReport) JSON(name string) MoveJSON {
	j := MoveJSON{Move: name, countsJSON: m.json(), Last: m.Last.String()}
	if m.Score != nil {
		j.ScoreJSON, j.Depth, j.Engine = m.Score.JSON(), m.Score.Depth, m.Score.Engine
	}
	return j
}

// WriteJSON writes a report as a line of JSON. Results, averages and scores are for the side to move.
func WriteJSON(w io.Writer, r *Report, o WriteOptions) error {
	pos := r.Position
	j := reportJSON{
		FEN: pos.String(), Turn: engine.SideName(pos.Game(), pos.Turn()),
		countsJSON: r.json(), Moves: make([]MoveJSON, len(r.Moves)),
	}
	for i, m := range r.Moves {
		j.Moves[i] = m.JSON(o.name(pos, m.Move))
	}
	return format.JSONLine(w, j)
}
