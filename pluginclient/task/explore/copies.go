package explore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"qhsh/engine"
)

// A gameCopy is a row of the table games, of several with the same start and moves. The best of them
// stands for all: its row has no original, and the line and the plies are those of its id. The order of
// the copies is total, so it does not matter in which order they were added.
type gameCopy struct {
	id     int64
	result engine.Outcome
	date   Date
	names  [4]int64 // of players, event and opening
	source string
	number int
}

// copyColumns are the columns of a gameCopy, of games g and sources s.
const copyColumns = "g.game_id, g.result, g.date, g.first, g.second, g.event, g.opening, s.name, g.number"

// columns returns where the columns of a row go.
func (c *gameCopy) columns() []any {
	return []any{&c.id, &c.result, &c.date, &c.names[0], &c.names[1], &c.names[2], &c.names[3], &c.source, &c.number}
}

// compare returns a negative number if c is better than o: if it has a result, a more precise date, or
// more names, in this order, or else if its source comes first by name. unknown is the id of no name.
func (c *gameCopy) compare(o *gameCopy, unknown int64) int {
	return cmp.Or(slices.Compare(o.known(unknown), c.known(unknown)), cmp.Compare(c.source, o.source), cmp.Compare(c.number, o.number))
}

// known returns how much is known of the result, the date, the players, the event and the opening.
func (c *gameCopy) known(unknown int64) []int {
	one := func(known bool) int {
		if known {
			return 1
		}
		return 0
	}
	return []int{
		one(c.result != engine.Ongoing), c.date.precision(), one(c.names[0] != unknown) + one(c.names[1] != unknown),
		one(c.names[2] != unknown), one(c.names[3] != unknown),
	}
}

// handOver makes a copy of a game stand for all. The two rows exchange what their sources say, so that
// the plies keep their game.
func handOver(tx *sql.Tx, original, better int64) error {
	_, err := tx.Exec(`UPDATE games SET (result, date, first, second, event, opening, source_id, number)
			= (o.result, o.date, o.first, o.second, o.event, o.opening, o.source_id, o.number)
		FROM games o WHERE games.game_id IN (?1, ?2) AND o.game_id IN (?1, ?2) AND o.game_id <> games.game_id`, original, better)
	return err
}

// handOverElsewhere makes the best copies in other sources stand for the games of a source.
func handOverElsewhere(ctx context.Context, tx *sql.Tx, source int64) error {
	unknown, err := nameCache{}.id(tx, "")
	if err != nil {
		return err
	}
	best := map[int64]gameCopy{} // by the id of the original
	var original int64
	var c gameCopy
	err = each(ctx, tx, append([]any{&original}, c.columns()...), func() error {
		if b, ok := best[original]; !ok || c.compare(&b, unknown) < 0 {
			best[original] = c
		}
		return nil
	}, `SELECT stands.game_id, `+copyColumns+` FROM games stands
		JOIN games g ON g.original = stands.game_id JOIN sources s ON s.source_id = g.source_id
		WHERE stands.source_id = ?1 AND g.source_id <> ?1`, source)
	for original, c := range best {
		if err == nil {
			err = handOver(tx, original, c.id)
		}
	}
	return err
}
