package match

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// RatingFormats returns the output formats for Ratings. The first is the default.
func RatingFormats() format.Table[func(io.Writer, *Ratings) error] {
	return format.Table[func(io.Writer, *Ratings) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeRatings},
		{Name: "csv", Extensions: []string{".csv"}, Write: writeRatingsCSV},
		{Name: "json", Extensions: []string{".json"}, Write: func(w io.Writer, r *Ratings) error { return format.JSONLine(w, r.rounded()) }},
	}
}

// writeRatings writes the ratings, and the likelihood that the player of a row is superior to that of a column.
func writeRatings(w io.Writer, r *Ratings) error {
	rows := [][]string{{"", "player", "Elo", "+/-", "games", "points", "%"}}
	matrix := [][]string{{"", "LOS"}}
	for i, p := range r.Players {
		rank := fmt.Sprint(i + 1)
		rows = append(rows, []string{
			rank, p.Name, strings.TrimPrefix(formatElo(p.Elo), "+"), formatError(p.Error),
			fmt.Sprint(p.Games), fmt.Sprint(p.Points), fmt.Sprintf("%.1f", 100*p.Points/float64(p.Games)),
		})
		matrix[0] = append(matrix[0], rank)
		row := []string{rank, p.Name}
		for j, los := range p.LOS {
			if i == j {
				row = append(row, "-")
			} else {
				row = append(row, fmt.Sprintf("%.1f%%", 100*los))
			}
		}
		matrix = append(matrix, row)
	}
	anchor := "the mean"
	if r.Anchor != "" {
		anchor = printable.Line(r.Anchor)
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n%d games of %d players, where %s has %g Elo\n",
		printable.Table(rows, "rlr"), printable.Table(matrix, "rlr"), r.Games, len(r.Players), anchor, r.Elo)
	return err
}

// rounded returns the ratings in four digits.
func (r Ratings) rounded() Ratings {
	r.Players = slices.Clone(r.Players)
	for i := range r.Players {
		p := &r.Players[i]
		p.Elo, p.Error, p.LOS = round(p.Elo), round(p.Error), slices.Clone(p.LOS)
		for j := range p.LOS {
			p.LOS[j] = round(p.LOS[j])
		}
	}
	return r
}

// writeRatingsCSV writes a row for each player. The last columns are its likelihoods of superiority over each.
func writeRatingsCSV(w io.Writer, r *Ratings) error {
	rows := [][]string{{"player", "elo", "elo_error", "games", "points"}}
	for _, p := range r.Players {
		rows[0] = append(rows[0], "los "+p.Name)
	}
	for _, p := range r.rounded().Players {
		row := []string{p.Name, fmt.Sprint(p.Elo), fmt.Sprint(p.Error), fmt.Sprint(p.Games), fmt.Sprint(p.Points)}
		for _, los := range p.LOS {
			row = append(row, fmt.Sprint(los))
		}
		rows = append(rows, row)
	}
	return format.CSV(w, rows...)
}
