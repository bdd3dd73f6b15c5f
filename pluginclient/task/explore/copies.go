package explore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	for _, text := range []string{ // in two steps, since ids are unique after each row
		"UPDATE records SET game_id = -game_id WHERE game_id IN (?1, ?2)",
		"UPDATE records SET game_id = iif(game_id = -?1, ?2, ?1) WHERE game_id IN (-?1, -?2)",
	} {
		if err == nil {
			_, err = tx.Exec(text, original, better)
		}
	}
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

// ErrNoSource is wrapped by the error of a source that is not in the database.
var ErrNoSource = errors.New("no such source")

// Remove removes what a source has brought. A game that another source has too stays as that
// source's.
func (d *DB) Remove(ctx context.Context, source string) (err error) {
	tx, err := d.begin(ctx, ctx)
	if err != nil {
		return d.wrap(err)
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	var id int64
	err = tx.QueryRow("SELECT source_id FROM sources WHERE name = ?", source).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return d.wrap(fmt.Errorf("%s: %w", source, ErrNoSource))
	}
	if err == nil {
		err = d.removeSource(ctx, tx, id)
	}
	if err == nil {
		_, err = tx.Exec(deleteUnusedNames)
	}
	if err == nil {
		err = tx.Commit()
	}
	return d.wrap(err)
}

const deleteUnusedNames = `DELETE FROM names WHERE name_id NOT IN (
	SELECT first FROM games UNION SELECT second FROM games UNION SELECT event FROM games
	UNION SELECT opening FROM games UNION SELECT engine FROM scores)`

func (d *DB) removeSource(ctx context.Context, tx *sql.Tx, source int64) error {
	if err := handOverElsewhere(ctx, tx, source); err != nil {
		return err
	}
	if err := d.deletePlies(ctx, tx, source); err != nil {
		return err
	}
	for _, text := range []string{
		"DELETE FROM lines WHERE game_id IN (SELECT game_id FROM games WHERE source_id = ?)",
		"DELETE FROM games WHERE source_id = ?",
		"DELETE FROM stamps WHERE source_id = ?",
		"DELETE FROM sources WHERE source_id = ?",
	} {
		if _, err := tx.Exec(text, source); err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) deletePlies(ctx context.Context, tx *sql.Tx, source int64) error {
	lines := map[int64]storedLine{} // by game
	var id int64
	var line storedLine
	err := each(ctx, tx, []any{&id, &line.start, &line.moves}, func() error { lines[id] = line; return nil },
		"SELECT game_id, ifnull(start, ''), moves FROM lines JOIN games USING (game_id) WHERE source_id = ?", source)
	if err != nil {
		return err
	}
	stmt, err := tx.Prepare("DELETE FROM plies WHERE key = ? AND move = ? AND game = ?")
	if err != nil {
		return err
	}
	lib := d.games.Records(d.game)
	for id, line := range lines {
		start, moves, err := line.read(d.game)
		if err != nil {
			return err
		}
		for _, p := range pliesOf(lib.Board(start, ""), moves) {
			if _, err := stmt.Exec(p.key, p.move, id); err != nil {
				return err
			}
		}
	}
	return nil
}
