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

// A PositionSink writes a position.
type PositionSink func(p Position) error

// A PositionWriter returns a PositionSink that writes to w.
type PositionWriter = func(w io.Writer) PositionSink

// PositionFormats returns the output formats for positions. The first is the default.
func PositionFormats() format.Table[PositionWriter] {
	return format.Table[PositionWriter]{
		{Name: "text", Extensions: []string{".fen", ".txt", ".epd"}, Write: func(w io.Writer) PositionSink {
			return func(p Position) error {
				_, err := fmt.Fprintln(w, p.FEN)
				return err
			}
		}},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: func(w io.Writer) PositionSink {
			return func(p Position) error { return json.NewEncoder(w).Encode(p) }
		}},
	}
}

// Positions selects positions of games. It must not be copied after first use.
type Positions struct {
	Unique     bool // skip positions that occurred before in any game
	Last       bool // only the last position of each game
	Variations bool // include variations

	seen map[uint64]struct{}
}

// Each calls f for each selected position of g with its ply.
func (c *Positions) Each(g *record.Game, f func(ply int, p engine.Position) error) error {
	ply := -1
	for n, p := range g.Positions(c.Variations) {
		ply++
		if c.Variations {
			_, moves := p.History()
			ply = len(moves)
		}
		if c.Last && len(n.Next) > 0 || c.Unique && !c.isNew(p) {
			continue
		}
		if err := f(ply, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *Positions) isNew(p engine.Position) bool {
	if c.seen == nil {
		c.seen = map[uint64]struct{}{}
	}
	_, seen := c.seen[p.Key()]
	c.seen[p.Key()] = struct{}{}
	return !seen
}
