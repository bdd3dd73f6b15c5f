package explore

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// Results are the results of the games of a player or an opening.
type Results struct {
	Name string
	Counts
	Last      Date     // of the last game; 0 if not known
	Ambiguous []string // spellings of a player's name that may be of another, such as 餘 of 余
}

// Players returns the results of the players in the games that match a filter, most games first.
// Spellings of a name count as one, the most frequent. A player whose name is not known is left out.
func (d *DB) Players(ctx context.Context, f Filter) ([]Results, error) {
	list, err := d.results(ctx, f, func(text string) string { return f.Aliases.of(d.games.PlayerName(d.game, text)) }, "first", "second")
	if err != nil {
		return nil, err
	}
	var names record.Spellings
	for _, r := range list {
		names.Add(r.Name, r.Games)
	}
	players := map[string]Results{}
	for _, r := range list {
		name := names.Usual(r.Name)
		sum := players[name]
		players[name] = Results{Name: name, Counts: sum.plus(r.Counts), Last: max(sum.Last, r.Last)}
	}
	for _, pair := range names.Ambiguous() {
		r := players[names.Usual(pair[0])]
		for _, name := range pair {
			if name != r.Name && !slices.Contains(r.Ambiguous, name) {
				r.Ambiguous = append(r.Ambiguous, name)
			}
		}
		players[r.Name] = r
	}
	return sorted(players), nil
}

// Openings returns the results of the first side in the openings that the records name, in the games
// that match a filter, most games first.
func (d *DB) Openings(ctx context.Context, f Filter) ([]Results, error) {
	return d.results(ctx, f, func(text string) string { return text }, "opening")
}

// results returns the results of the first side by the names in the first column of games, with those of the
// second side by the names in the second column, by number of games and then by name.
func (d *DB) results(ctx context.Context, f Filter, nameOf func(string) string, columns ...string) ([]Results, error) {
	conditions, args, err := d.where(ctx, f)
	if err != nil {
		return nil, d.wrap(err)
	}
	all := map[string]Results{}
	for i, column := range columns {
		won := engine.Win(engine.Turn(i))
		lost := engine.Win(engine.Turn(i).Other())
		var r Results
		err := each(ctx, d.db, []any{&r.Name, &r.Games, &r.Wins, &r.Draws, &r.Losses, &r.Last}, func() error {
			name := nameOf(r.Name)
			sum := all[name]
			all[name] = Results{Name: name, Counts: sum.plus(r.Counts), Last: max(sum.Last, r.Last)}
			return nil
		}, `SELECT n.name, count(*), sum(g.result = ?), sum(g.result = ?), sum(g.result = ?), max(g.date)
			FROM games g JOIN names n ON n.name_id = g.`+column+` WHERE g.original IS NULL AND n.name <> ''`+conditions+` GROUP BY n.name_id`,
			slices.Concat([]any{int(won), int(engine.Draw), int(lost)}, args)...)
		if err != nil {
			return nil, d.wrap(err)
		}
	}
	return sorted(all), nil
}

// sorted returns results by number of games and then by name.
func sorted(all map[string]Results) []Results {
	return slices.SortedFunc(maps.Values(all), func(a, b Results) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
	})
}

// WriteResults writes results as a table for a person. what is the head of the names.
func WriteResults(w io.Writer, what string, list []Results) error {
	rows := [][]string{{what, "games", "won", "drawn", "lost", "average", "last"}}
	for _, r := range list {
		rows = append(rows, []string{
			printable.Line(r.Name), fmt.Sprint(r.Games), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), r.percent(), r.Last.String(),
		})
	}
	_, err := io.WriteString(w, printable.Table(rows, "lrrrrrl"))
	return err
}

// WriteResultsJSON writes results as lines of JSON.
func WriteResultsJSON(w io.Writer, list []Results) error {
	type line struct {
		Name string `json:"name"`
		countsJSON
		Last      string   `json:"last,omitempty"`
		Ambiguous []string `json:"ambiguous,omitempty"`
	}
	for _, r := range list {
		if err := format.JSONLine(w, line{r.Name, r.json(), r.Last.String(), r.Ambiguous}); err != nil {
			return err
		}
	}
	return nil
}
