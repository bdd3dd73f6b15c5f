package explore

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// Each calls f with the games that match a filter, without duplicates, in the order in which they
// were added: their main lines, players, event, date, opening and result. It returns the error of f,
// of ctx or of the database.
func (d *DB) Each(ctx context.Context, filter Filter, f func(GameID, *record.Game) error) error {
	conditions, args, err := d.where(ctx, filter)
	if err != nil {
		return d.wrap(err)
	}
	style := d.games.PGN(d.game)
	var id GameID
	var result engine.Outcome
	var date Date
	var first, second, event, opening string
	var line storedLine
	var stopped error // that of f
	err = each(ctx, d.db, []any{&id.Source, &id.Number, &result, &date, &first, &second, &event, &opening, &line.start, &line.moves}, func() error {
		start, moves, err := line.read(d.game)
		if err != nil {
			return err
		}
		g := record.NewGame(start)
		g.Result = result
		for _, tag := range []record.Tag{
			{Name: "Event", Value: event},
			{Name: "Date", Value: date.PGN()},
			{Name: style.First, Value: first},
			{Name: style.Second, Value: second},
			{Name: "Opening", Value: opening},
		} {
			g.Tags.Add(tag.Name, tag.Value)
		}
		n := g.Root
		for _, m := range moves {
			n = n.Append(m)
		}
		stopped = f(id, g)
		return stopped
	}, `SELECT s.name, g.number, g.result, g.date, a.name, b.name, e.name, o.name, ifnull(l.start, ''), l.moves
		FROM games g JOIN lines l USING (game_id) JOIN sources s USING (source_id)
		JOIN names a ON a.name_id = g.first JOIN names b ON b.name_id = g.second
		JOIN names e ON e.name_id = g.event JOIN names o ON o.name_id = g.opening
		WHERE true`+conditions+` ORDER BY g.game_id`, args...)
	if stopped != nil {
		return stopped
	}
	return d.wrap(err)
}

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
