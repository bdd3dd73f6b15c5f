package annotate

import (
	"encoding/json"
	"io"
	"math"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A jsonGame is an annotated game as a line of JSON. Scores are for the side that makes the
// move, those of best for the side that could have made it. Chances are from 0 to 1.
type jsonGame struct {
	File   string               `json:"file,omitempty"`
	Game   int                  `json:"game,omitempty"`
	Tags   map[string]string    `json:"tags,omitempty"`
	FEN    string               `json:"fen"`
	Result string               `json:"result"`
	Engine string               `json:"engine"`
	Level  *int                 `json:"level,omitempty"`
	Moves  []jsonMove           `json:"moves"`
	Over   string               `json:"over,omitempty"`
	Sides  map[string]jsonTally `json:"sides"`
}

type jsonMove struct {
	Move string `json:"move"`
	jsonScore
	Win   *float64  `json:"win,omitempty"`
	Class string    `json:"class,omitempty"`
	Loss  *float64  `json:"loss,omitempty"`
	Best  *jsonBest `json:"best,omitempty"`
	Error string    `json:"error,omitempty"`
}

type jsonScore struct {
	CP   *int `json:"cp,omitempty"`
	Mate *int `json:"mate,omitempty"`
}

// jsonBest is what the engine would have played.
type jsonBest struct {
	Move string `json:"move"`
	jsonScore
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	PV    []string `json:"pv"`
}

type jsonTally struct {
	Judged     int     `json:"judged"`
	Best       int     `json:"best"`
	Good       int     `json:"good"`
	Inaccuracy int     `json:"inaccuracy"`
	Mistake    int     `json:"mistake"`
	Blunder    int     `json:"blunder"`
	Loss       float64 `json:"loss"`
}

// A Place tells which game it is.
type Place struct {
	File   string // empty where there is but one
	Number int    // in its file, from 1; 0: not told
}

// JSON writes the game as a line, with the moves in a notation. A move's error is that of
// the position behind it.
func (a *Annotated) JSON(w io.Writer, at Place, style notation.Style) error {
	g := a.Game
	j := jsonGame{
		File: at.File, Game: at.Number, Tags: map[string]string{}, FEN: g.Start.String(), Result: record.FormatResult(g.Result),
		Engine: a.Engine, Moves: []jsonMove{}, Sides: map[string]jsonTally{},
	}
	for _, tag := range g.Tags {
		j.Tags[tag.Name] = tag.Value
	}
	if a.HasLevel {
		j.Level = &a.Level
	}
	b := g.Start.(*xiangqi.Position).Board()
	for i := range a.Plies[1:] {
		j.Moves = append(j.Moves, a.jsonMove(i+1, b, style))
		b.Do(a.Plies[i+1].Move)
	}
	if last := a.Plies[len(a.Plies)-1]; last.Over.Over() {
		j.Over = last.Over.Reason
	}
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		t := a.Tally(side)
		j.Sides[side.String()] = jsonTally{t.Judged, t.Best, t.Good, t.Inaccuracy, t.Mistake, t.Blunder, Round(t.Loss)}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(j)
}

// jsonMove is a move, in front of which the board stands.
func (a *Annotated) jsonMove(ply int, b *xiangqi.Board, style notation.Style) jsonMove {
	before, p := &a.Plies[ply-1], &a.Plies[ply]
	m := jsonMove{Move: notation.Format(b, p.Move, style), jsonScore: scoreJSON(p.After()), Class: p.Class.String()}
	if chance, ok := a.Chance(ply); ok {
		chance = Round(1 - chance)
		m.Win = &chance
	}
	if p.Class != Unjudged {
		loss := Round(p.Loss)
		m.Loss = &loss
	}
	if len(before.Line) > 0 {
		pv := notation.Line(b, before.Line, style)
		m.Best = &jsonBest{Move: pv[0], jsonScore: scoreJSON(before.Score), Depth: before.Depth, Nodes: before.Nodes, PV: pv}
	}
	if p.Err != nil {
		m.Error = p.Err.Error()
	}
	return m
}

func scoreJSON(s engine.Score) (j jsonScore) {
	if cp, ok := s.Centipawns(); ok {
		j.CP = &cp
	}
	if n, ok := s.Mate(); ok {
		j.Mate = &n
	}
	return j
}

// Round keeps four digits, so that every machine writes the same.
func Round(chance float64) float64 { return math.Round(chance*1e4) / 1e4 }
