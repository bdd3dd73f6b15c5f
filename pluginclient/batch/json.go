package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// JSON is a Sink that writes JSON lines: one object for each input position. The keys
// come in this order, and are absent where they do not apply:
//
//	file    the input's name, where there are several
//	line    its line in the file, from 1
//	input   a bad line's beginning, at most MaxInput bytes
//	fen     the position's own text
//	moves   the moves played on it
//	engine  who was asked
//	level   at which level
//	hints   best first: move, cp or mate, depth, nodes, pv, text
//	over    how a finished game has ended; hints are empty then
//	error   why there are no hints
//
// Scores are for the side to move. A mate is counted in moves of the winner, negative
// when the side to move is mated.
type JSON struct{ w io.Writer }

// NewJSON writes to w, one call of Write for each answer.
func NewJSON(w io.Writer) *JSON { return &JSON{w} }

type jsonAnswer struct {
	File   string     `json:"file,omitempty"`
	Line   int        `json:"line"`
	Input  *string    `json:"input,omitempty"`
	FEN    string     `json:"fen,omitempty"`
	Moves  []string   `json:"moves,omitempty"`
	Engine string     `json:"engine,omitempty"`
	Level  *int       `json:"level,omitempty"`
	Hints  []jsonHint `json:"hints,omitzero"`
	Over   string     `json:"over,omitempty"`
	Error  string     `json:"error,omitempty"`
}

type jsonHint struct {
	Move  string   `json:"move"`
	CP    *int     `json:"cp,omitempty"`
	Mate  *int     `json:"mate,omitempty"`
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	PV    []string `json:"pv"`
	Text  string   `json:"text,omitempty"`
}

// Write writes an answer's line.
func (j *JSON) Write(a Answer) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(toJSON(a)); err != nil {
		return fmt.Errorf("line %d: %w", a.Line, err)
	}
	_, err := j.w.Write(line.Bytes())
	return err
}

func toJSON(a Answer) jsonAnswer {
	out := jsonAnswer{File: a.File, Line: a.Line, FEN: a.Text, Moves: a.Moves, Engine: a.Engine, Over: a.Over}
	if a.HasLevel {
		out.Level = &a.Level
	}
	switch {
	case a.Err != nil:
		out.Error = a.Err.Error()
	default:
		out.Hints = make([]jsonHint, len(a.Hints))
	}
	if a.Pos == nil {
		out.Input = &a.Input
	}
	for i := range out.Hints {
		out.Hints[i] = toJSONHint(a.Hints[i])
	}
	return out
}

func toJSONHint(h Hint) jsonHint {
	out := jsonHint{Move: h.Move, Depth: h.Depth, Nodes: h.Nodes, PV: h.PV, Text: h.Text}
	if n, ok := h.Score.Centipawns(); ok {
		out.CP = &n
	}
	if n, ok := h.Score.Mate(); ok {
		out.Mate = &n
	}
	return out
}
