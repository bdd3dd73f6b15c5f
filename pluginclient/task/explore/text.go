package explore

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// WriteText writes a report as a table for a person:
//
//	rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//	1391 games, red to move: 683 won, 447 drawn, 261 lost, average 65.2 %
//
//	move   games     %  won  drawn  lost  average  last        score
//	H2-E2    612  44.0  310    190   112   66.2 %  1998.11.20  +0.35 depth 12
//
// Results, averages and scores are for the side to move.
func WriteText(w io.Writer, r *Report, o WriteOptions) error {
	var b strings.Builder
	side := engine.SideName(r.Position.Game(), r.Position.Turn())
	fmt.Fprintf(&b, "%s\n%s, %s to move%s\n", printable.Line(r.Position.String()), plural(r.Games, "game"), side, r.results())
	if len(r.Moves) > 0 {
		b.WriteByte('\n')
		writeTable(&b, r.table(o))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// results returns the results after the number of games.
func (c Counts) results() string {
	average := c.percent()
	if average == "" {
		return ""
	}
	return fmt.Sprintf(": %d won, %d drawn, %d lost, average %s", c.Wins, c.Draws, c.Losses, average)
}

// percent returns the average result, or "" if there is none.
func (c Counts) percent() string {
	average, ok := c.Average()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*average)
}

// table returns the rows of the table, the head first.
func (r *Report) table(o WriteOptions) [][]string {
	rows := [][]string{{"move", "games", "%", "won", "drawn", "lost", "average", "last", "score"}}
	for _, m := range r.Moves {
		rows = append(rows, []string{
			o.name(r.Position, m.Move), fmt.Sprint(m.Games), fmt.Sprintf("%.1f", 100*float64(m.Games)/float64(r.Games)),
			fmt.Sprint(m.Wins), fmt.Sprint(m.Draws), fmt.Sprint(m.Losses), m.percent(), m.Last.String(), m.Score.text(),
		})
	}
	return rows
}

// text returns a score with its depth; s may be nil.
func (s *Score) text() string {
	switch {
	case s == nil:
		return ""
	case s.Depth == 0:
		return s.Pawns()
	}
	return fmt.Sprintf("%s depth %d", s.Pawns(), s.Depth)
}

// leftColumns are the columns of tables whose cells are aligned to the left, by their heads.
var leftColumns = map[string]bool{"move": true, "player": true, "opening": true, "last": true, "score": true}

// writeTable writes rows in aligned columns. The first row has their heads.
func writeTable(b *strings.Builder, rows [][]string) {
	align := ""
	for _, head := range rows[0] {
		align += map[bool]string{true: "l", false: "r"}[leftColumns[head]]
	}
	b.WriteString(printable.Table(rows, align))
}

// plural returns a number of things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
