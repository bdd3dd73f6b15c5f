package explore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

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

// removeSource removes a source in a transaction.
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
		"DELETE FROM sources WHERE source_id = ?",
	} {
		if _, err := tx.Exec(text, source); err != nil {
			return err
		}
	}
	return nil
}

// deletePlies deletes the plies of a source's games.
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
