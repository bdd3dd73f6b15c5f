package explore

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// A Found is a position that was searched for: the first one in its game.
type Found struct {
	GameID
	Ply int    `json:"ply"` // moves before it
	FEN string `json:"fen"`
}

// String describes the position in a line.
func (f Found) String() string {
	return fmt.Sprintf("%v ply %d  %s", f.GameID, f.Ply, printable.Line(f.FEN))
}

// Find calls f with the first position that matches in each game, in the order in which the games
// were added. It plays the games through, so its time grows with their number.
func (d *DB) Find(ctx context.Context, filter Filter, matches func(engine.Position) bool, f func(Found) error) error {
	return d.Each(ctx, filter, func(id GameID, g *record.Game) error {
		ply := 0
		for _, pos := range g.Positions(false) {
			if matches(pos) {
				return f(Found{id, ply, pos.String()})
			}
			ply++
		}
		return nil
	})
}
