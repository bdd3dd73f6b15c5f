package explore

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// Results are the results of the games of a player or an opening.
type Results struct {
	Name string
	Counts
	Last Date // of the last game; 0 if not known
}

// Players returns the results of the players in the games that match a filter, most games first.
// Spellings of a name count as one. A player whose name is not known is left out.
func (d *DB) Players(ctx context.Context, f Filter) ([]Results, error) {
	name := func(text string) string { return f.Aliases.of(d.games.PlayerName(d.game, text)) }
	all := map[string]*Results{}
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		column := [...]string{engine.First: "first", engine.Second: "second"}[side]
		if err := d.addResults(ctx, all, column, side, name, f); err != nil {
			return nil, d.wrap(err)
		}
	}
	return sorted(all), nil
}

// Openings returns the results of the first side in the openings that the records name, in the games
// that match a filter, most games first.
func (d *DB) Openings(ctx context.Context, f Filter) ([]Results, error) {
	all := map[string]*Results{}
	same := func(text string) string { return text }
	if err := d.addResults(ctx, all, "opening", engine.First, same, f); err != nil {
		return nil, d.wrap(err)
	}
	return sorted(all), nil
}

// addResults adds the results of a side to those of the names in a column of games.
func (d *DB) addResults(ctx context.Context, all map[string]*Results, column string, side engine.Turn, nameOf func(string) string, f Filter) error {
	conditions, args, err := d.where(ctx, f)
	if err != nil {
		return err
	}
	lost := engine.Win(side.Other())
	rows, err := d.db.QueryContext(ctx, `SELECT n.name, count(*), sum(g.result = ?), sum(g.result = ?), sum(g.result = ?), max(g.date)
		FROM games g JOIN names n ON n.name_id = g.`+column+` WHERE g.original IS NULL AND n.name <> ''`+conditions+` GROUP BY n.name_id`,
		slices.Concat([]any{int(engine.Win(side)), int(engine.Draw), int(lost)}, args)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r Results
		if err := rows.Scan(&r.Name, &r.Games, &r.Wins, &r.Draws, &r.Losses, &r.Last); err != nil {
			return err
		}
		r.Name = nameOf(r.Name)
		sum := all[r.Name]
		if sum == nil {
			sum = &Results{Name: r.Name}
			all[r.Name] = sum
		}
		sum.Counts, sum.Last = sum.plus(r.Counts), max(sum.Last, r.Last)
	}
	return rows.Err()
}

// sorted returns results by number of games, and then by name.
func sorted(all map[string]*Results) []Results {
	var list []Results
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, *all[name])
	}
	slices.SortStableFunc(list, func(a, b Results) int { return cmp.Compare(b.Games, a.Games) })
	return list
}

// WriteResults writes results as a table for a person. what is the head of the names.
func WriteResults(w io.Writer, what string, list []Results) error {
	rows := [][]string{{what, "games", "won", "drawn", "lost", "average", "last"}}
	for _, r := range list {
		rows = append(rows, []string{
			printable.Line(r.Name), fmt.Sprint(r.Games), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), r.percent(), r.Last.String(),
		})
	}
	var b strings.Builder
	writeTable(&b, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// A resultsJSON is Results as a line of JSON.
type resultsJSON struct {
	Name string `json:"name"`
	countsJSON
	Last string `json:"last,omitempty"`
}

// WriteResultsJSON writes results as lines of JSON.
func WriteResultsJSON(w io.Writer, list []Results) error {
	for _, r := range list {
		if err := writeLine(w, resultsJSON{r.Name, r.json(), r.Last.String()}); err != nil {
			return err
		}
	}
	return nil
}
