package explore

import (
	"context"
	"database/sql"

	"qhsh/engine"
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
	rows, err := d.db.QueryContext(ctx, `SELECT s.name, g.number, g.result, g.date, a.name, b.name, e.name, o.name, l.start, l.moves
		FROM games g JOIN lines l USING (game_id) JOIN sources s USING (source_id)
		JOIN names a ON a.name_id = g.first JOIN names b ON b.name_id = g.second
		JOIN names e ON e.name_id = g.event JOIN names o ON o.name_id = g.opening
		WHERE true`+conditions+` ORDER BY g.game_id`, args...)
	if err != nil {
		return d.wrap(err)
	}
	defer rows.Close()
	style := d.games.PGN(d.game)
	for rows.Next() {
		var id GameID
		var result, date int
		var first, second, event, opening string
		var start sql.NullString
		var moves []byte
		if err := rows.Scan(&id.Source, &id.Number, &result, &date, &first, &second, &event, &opening, &start, &moves); err != nil {
			return d.wrap(err)
		}
		g, err := storedLine{start.String, moves}.game(d.game)
		if err != nil {
			return d.wrap(err)
		}
		g.Result = engine.Outcome(result)
		for _, tag := range []record.Tag{
			{Name: "Event", Value: event},
			{Name: "Date", Value: Date(date).PGN()},
			{Name: style.First, Value: first},
			{Name: style.Second, Value: second},
			{Name: "Opening", Value: opening},
		} {
			g.Tags.Add(tag.Name, tag.Value)
		}
		if err := f(id, g); err != nil {
			return err
		}
	}
	return d.wrap(rows.Err())
}

// game returns the record of a line, without tags.
func (l storedLine) game(rules engine.Game) (*record.Game, error) {
	start, moves, err := l.read(rules)
	if err != nil {
		return nil, err
	}
	g := record.NewGame(start)
	n := g.Root
	for _, m := range moves {
		n = n.Append(m)
	}
	return g, nil
}
