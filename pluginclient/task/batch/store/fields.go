package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// maxColumns bounds the columns of the view "fields". SQLite's limit is 2,000.
const maxColumns = 1000

// selectNames selects the names of fields in order of first occurrence. An id in fields only marks
// the column id as a number.
const selectNames = `SELECT f.key FROM positions p, json_each(p.fields) f WHERE p.fields IS NOT NULL AND f.key <> 'id'
	GROUP BY f.key ORDER BY min(p.position_id * 65536 + f.id) LIMIT ?`

// viewFields creates the view "fields" with a column for each field name, which are known only at
// the end. It exists even without fields.
func viewFields(db *sql.DB) error {
	names, err := fieldNames(db)
	if err != nil {
		return err
	}
	view := "SELECT position_id"
	for _, name := range names {
		path, err := json.Marshal(name)
		if err != nil {
			return err
		}
		view += fmt.Sprintf(",\n\tfields ->> %s AS %s", quoted(`'`, "$."+string(path)), quoted(`"`, name))
	}
	_, err = db.Exec("DROP VIEW IF EXISTS fields; CREATE VIEW fields AS " + view + "\n\tFROM positions")
	return err
}

// quoted returns a quoted SQL string or identifier.
func quoted(quote, text string) string {
	return quote + strings.ReplaceAll(text, quote, quote+quote) + quote
}

func fieldNames(db *sql.DB) (names []string, err error) {
	rows, err := db.Query(selectNames, maxColumns)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
