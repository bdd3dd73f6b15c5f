// Package jsonlines is a protocol for tests: a request and an answer are a line of JSON
// each. It shows, and its test in cmd/qhsh keeps it so, that a protocol is its package and one row
// in the table of engine kinds ([attach.Row]).
//
//	{"do":"hello"}                                     {"name":"ranker","levels":3}
//	{"do":"search","position":"7 first 2","level":2}   {"lines":[{"moves":["take 2"],"cp":12}]}
//	{"do":"stop"}                                      (the search answers with what it has)
//	{"do":"quit"}                                      (the engine ends)
//
// A position is as qhsh hints reads it. What goes wrong is answered with {"error":"..."}.
//
// Rooms: wire.go has the lines, client.go and server.go the two ends, language.go the words of the
// prompt, row.go the row with its checks and its mode.
package jsonlines

import (
	"encoding/json"
	"time"

	"qhsh/engine"
)

// A request is what a host says.
type request struct {
	Do       string   `json:"do"`
	Position string   `json:"position,omitempty"`
	Level    int      `json:"level,omitempty"`
	Nodes    int64    `json:"nodes,omitempty"`
	Depth    int      `json:"depth,omitempty"`
	MS       int64    `json:"ms,omitempty"`
	Lines    int      `json:"lines,omitempty"`
	Ban      []string `json:"ban,omitempty"`
}

// A reply is what an engine says.
type reply struct {
	Name   string `json:"name,omitempty"`
	Levels int    `json:"levels,omitempty"`
	Lines  []line `json:"lines,omitempty"`
	Error  string `json:"error,omitempty"`
}

type line struct {
	Moves []string `json:"moves"`
	CP    *int     `json:"cp,omitempty"`
	Depth int      `json:"depth,omitempty"`
}

// encode is a request or a reply as a line.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // nothing in them can fail
	}
	return string(text)
}

// limits are those of a request about a position.
func (r request) limits(pos engine.Position) (lim engine.Limits, err error) {
	lim = engine.Limits{Level: r.Level, Nodes: r.Nodes, Depth: r.Depth, Time: time.Duration(r.MS) * time.Millisecond, Lines: r.Lines}
	for _, text := range r.Ban {
		m, err := pos.Parse(text)
		if err != nil {
			return lim, err
		}
		lim.Ban = append(lim.Ban, m)
	}
	return lim, nil
}

// ask is the request of a search.
func ask(pos engine.Position, text string, lim engine.Limits) request {
	r := request{Do: "search", Position: text, Level: lim.Level, Nodes: lim.Nodes, Depth: lim.Depth, MS: lim.Time.Milliseconds(), Lines: lim.Lines}
	for _, m := range lim.Ban {
		r.Ban = append(r.Ban, pos.Format(m))
	}
	return r
}

// answer is what a search has found.
func answer(pos engine.Position, lines []engine.Line) (r reply) {
	for _, l := range lines {
		out := line{Moves: engine.FormatMoves(pos, l.Moves), Depth: l.Depth}
		if cp, ok := l.Score.Centipawns(); ok {
			out.CP = &cp
		}
		r.Lines = append(r.Lines, out)
	}
	return r
}

// read is what a reply says of a position.
func (r reply) read(pos engine.Position) (lines []engine.Line, err error) {
	for _, l := range r.Lines {
		at, out := pos, engine.Line{Depth: l.Depth}
		for _, text := range l.Moves {
			m, err := at.Parse(text)
			if err != nil {
				return nil, err
			}
			out.Moves = append(out.Moves, m)
			if at, err = at.Play(m); err != nil {
				return nil, err
			}
		}
		if l.CP != nil {
			out.Score = engine.Centipawns(*l.CP)
		}
		lines = append(lines, out)
	}
	return lines, nil
}
