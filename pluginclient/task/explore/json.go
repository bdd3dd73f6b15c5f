package explore

import (
	"encoding/json"
	"io"
	"math"

	"qhsh/engine"
)

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
	return writeLine(w, j)
}

// writeLine writes a value as a line of JSON.
func writeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
