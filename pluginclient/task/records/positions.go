package records

import (
	"encoding/json"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// A Position is a position of a game, with its origin.
type Position struct {
	File string `json:"file,omitempty"` // empty if there is only one file
	Game int    `json:"game"`
	Ply  int    `json:"ply"`
	FEN  string `json:"fen"`

	// Of training data:
	Move string `json:"move,omitempty"` // that was played
	engine.ScoreJSON
	Result string `json:"result,omitempty"`
	Player string `json:"player,omitempty"` // who gave the score
}

// A PositionWriter returns a function that writes positions to w.
type PositionWriter = func(w io.Writer) func(Position) error

// PositionFormats returns the output formats for positions. The first is the default.
func PositionFormats() format.Table[PositionWriter] {
	return format.Table[PositionWriter]{
		{Name: "text", Extensions: []string{".fen", ".txt", ".epd"}, Write: func(w io.Writer) func(Position) error {
			return func(p Position) error {
				_, err := fmt.Fprintln(w, p.FEN)
				return err
			}
		}},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: func(w io.Writer) func(Position) error {
			return func(p Position) error { return json.NewEncoder(w).Encode(p) }
		}},
	}
}

// Positions selects positions of games. It must not be copied after first use.
type Positions struct {
	Unique     bool // skip positions that occurred before in any game
	Last       bool // only the last position of each game
	Variations bool // include variations

	seen map[uint64]bool
}

// Each calls f for each selected position of g with its ply.
func (c *Positions) Each(g *record.Game, f func(ply int, p engine.Position) error) error {
	if c.seen == nil {
		c.seen = map[uint64]bool{}
	}
	ply := -1
	for n, p := range g.Positions(c.Variations) {
		ply++
		if c.Variations {
			_, moves := p.History()
			ply = len(moves)
		}
		if c.Last && len(n.Next) > 0 {
			continue
		}
		if c.Unique {
			if c.seen[p.Key()] {
				continue
			}
			c.seen[p.Key()] = true
		}
		if err := f(ply, p); err != nil {
			return err
		}
	}
	return nil
}
