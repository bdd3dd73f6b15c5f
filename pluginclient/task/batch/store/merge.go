package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"qhsh/pluginclient/sqlitefile"
)

// Merge combines the databases of all shards, in order, into that of an undivided run. It must be
// finished by the caller.
func Merge(ctx context.Context, path string, parts []string) (*DB, error) {
	d, err := Create(path, Run{})
	if err != nil {
		return nil, err
	}
	if _, err = d.db.ExecContext(ctx, "DELETE FROM runs"); err != nil {
		err = d.wrap(err)
	}
	for i, part := range parts {
		if err == nil {
			err = d.mergePart(ctx, part, i, len(parts))
		}
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// mergePart copies the answers of a part, and from the first part the run's row.
func (d *DB) mergePart(ctx context.Context, part string, index, of int) error {
	path, err := sqlitefile.Resolve(part)
	if err == nil {
		err = checkPart(path)
	}
	if err == nil {
		_, err = d.db.ExecContext(ctx, "ATTACH ? AS part", sqlitefile.DSN(path, "mode=ro"))
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", part, err)
	}
	if index == 0 {
		_, err = d.db.ExecContext(ctx, "INSERT INTO runs SELECT * FROM part.runs")
	}
	for _, table := range []string{"positions", "hints"} {
		if err == nil {
			err = d.mergeRows(ctx, table, index, of)
		}
	}
	if err != nil {
		err = fmt.Errorf("database %s: %w", part, err)
	}
	_, detachErr := d.db.Exec("DETACH part")
	return errors.Join(err, detachErr)
}

func checkPart(path string) error {
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		return err
	}
	return errors.Join(kind.Check(db), db.Close())
}

// mergeRows copies a table's rows. Position ids are those of the whole input.
func (d *DB) mergeRows(ctx context.Context, table string, index, of int) error {
	columns, err := otherColumns(d.db, table)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (position_id%s) SELECT (position_id - 1) * ? + ?%s FROM part.%s",
		table, columns, columns, table), of, index+1)
	return err
}

// otherColumns returns the columns of a table other than position_id, each preceded by a comma.
func otherColumns(db *sql.DB, table string) (columns string, err error) {
	err = db.QueryRow("SELECT group_concat(', ' || name, '') FROM pragma_table_info(?) WHERE name <> 'position_id'", table).Scan(&columns)
	return columns, err
}
