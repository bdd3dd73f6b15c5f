package explore

import (
	"context"
	"fmt"
	"strings"

	"qhsh/engine/printable"
)

// Sources returns the sources in the order in which they were added.
func (d *DB) Sources(ctx context.Context) (all []Source, err error) {
	var s Source
	err = each(ctx, d.db, []any{&s.Name, &s.Games, &s.Duplicates, &s.Damaged}, func() error { all = append(all, s); return nil },
		`SELECT name, count(g.game_id), count(g.original), damaged
		FROM sources LEFT JOIN games g USING (source_id) GROUP BY source_id ORDER BY source_id`)
	return all, d.wrap(err)
}

// String describes the source in a line.
func (s Source) String() string {
	text := fmt.Sprintf("%s  %s", printable.Line(s.Name), printable.Plural(s.Games, "game"))
	if s.Duplicates > 0 {
		text += ", " + printable.Plural(s.Duplicates, "duplicate")
	}
	if s.Damaged > 0 {
		text += fmt.Sprintf(", %d damaged", s.Damaged)
	}
	return text
}

// A GameID is a game of a source.
type GameID struct {
	Source string `json:"source"`
	Number int    `json:"game"` // from 1
}

func (g GameID) String() string {
	return strings.TrimPrefix(fmt.Sprintf("%s game %d", printable.Line(g.Source), g.Number), " ")
}

// A Duplicate is a game with the same start and moves as another.
type Duplicate struct {
	GameID
	Original GameID `json:"original"`
	Plies    int    `json:"plies"`
}

// String describes the duplicate in a line.
func (d Duplicate) String() string {
	return fmt.Sprintf("%v is %v (%d plies)", d.GameID, d.Original, d.Plies)
}

// Duplicates returns the duplicates in the order of their sources' names.
func (d *DB) Duplicates(ctx context.Context) (all []Duplicate, err error) {
	var x Duplicate
	err = each(ctx, d.db, []any{&x.Source, &x.Number, &x.Original.Source, &x.Original.Number, &x.Plies}, func() error { all = append(all, x); return nil },
		`SELECT s.name, g.number, t.name, o.number, g.plies
		FROM games g JOIN sources s ON s.source_id = g.source_id
		JOIN games o ON o.game_id = g.original JOIN sources t ON t.source_id = o.source_id
		WHERE g.original IS NOT NULL ORDER BY s.name, g.number`)
	return all, d.wrap(err)
}
