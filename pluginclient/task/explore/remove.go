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
	tx, err := d.db.BeginTx(ctx, nil)
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
		err = d.removeSource(tx, id)
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
func (d *DB) removeSource(tx *sql.Tx, source int64) error {
	if err := promote(tx, source); err != nil {
		return err
	}
	if err := d.deletePlies(tx, source); err != nil {
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

// promote gives the rows of a source's originals to their first duplicates in other sources.
func promote(tx *sql.Tx, source int64) error {
	pairs, err := pairsOf(tx.Query(`SELECT o.game_id, min(d.game_id) FROM games o JOIN games d ON d.original = o.game_id
		WHERE o.source_id = ?1 AND d.source_id <> ?1 GROUP BY o.game_id`, source))
	if err != nil {
		return err
	}
	const columns = "result, date, first, second, event, opening, source_id, number"
	for _, p := range pairs {
		_, err := tx.Exec("UPDATE games SET ("+columns+") = (SELECT "+columns+" FROM games WHERE game_id = ?2) WHERE game_id = ?1", p[0], p[1])
		if err == nil {
			_, err = tx.Exec("DELETE FROM games WHERE game_id = ?", p[1])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pairsOf returns rows of two integers.
func pairsOf(rows *sql.Rows, err error) (pairs [][2]int64, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p [2]int64
		if err := rows.Scan(&p[0], &p[1]); err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, rows.Err()
}

// deletePlies deletes the plies of a source's games.
func (d *DB) deletePlies(tx *sql.Tx, source int64) error {
	stmt, err := tx.Prepare("DELETE FROM plies WHERE key = ? AND move = ? AND game = ?")
	if err != nil {
		return err
	}
	lines, err := linesOf(tx, source)
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

// linesOf returns the lines of a source's games.
func linesOf(tx *sql.Tx, source int64) (map[int64]storedLine, error) {
	rows, err := tx.Query("SELECT game_id, start, moves FROM lines JOIN games USING (game_id) WHERE source_id = ?", source)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	lines := map[int64]storedLine{}
	for rows.Next() {
		var id int64
		var start sql.NullString
		var moves []byte
		if err := rows.Scan(&id, &start, &moves); err != nil {
			return nil, err
		}
		lines[id] = storedLine{start.String, moves}
	}
	return lines, rows.Err()
}
