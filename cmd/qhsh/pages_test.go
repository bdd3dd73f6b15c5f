package main

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qhsh/pluginclient/task/batch/store"
)

// TestSchemaInHelp: the help describes the tables of the database as they are.
func TestSchemaInHelp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d, err := store.Create(path, store.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"runs", "positions", "hints"} {
		told := regexp.MustCompile("(?s)`" + table + "`: ([a-z_,\\s]+)").FindStringSubmatch(guide("formats"))
		var columns string
		err := db.QueryRow("SELECT group_concat(name, ', ') FROM pragma_table_info(?)", table).Scan(&columns)
		if err != nil || told == nil || strings.Join(strings.Fields(told[1]), " ") != columns {
			t.Errorf("%s has %s, %v; the help tells %q", table, columns, err, told)
		}
	}
}
