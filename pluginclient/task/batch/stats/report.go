package stats

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// Report writes a Summary for display.
func (s Summary) Report(b *strings.Builder) {
	fmt.Fprintf(b, "%s\n", printable.Line(s.File))
	fmt.Fprintf(b, "  %s, %s, %s\n", printable.Plural(s.Positions, "position"), printable.Plural(s.Errors, "error"), printable.Plural(s.Finished, "finished game"))
	if s.Unreadable > 0 {
		fmt.Fprintf(b, "  no answer on %s\n", printable.Plural(s.Unreadable, "line"))
	}
	s.writeSuite(b)
	for _, e := range s.Engines {
		fmt.Fprintf(b, "  %s by %s\n", printable.Plural(e.Answers, "answer"), printable.Line(batch.Who(e.Name, e.Limits, e.Spec)))
	}
	if d := s.Depth; d != nil {
		fmt.Fprintf(b, "  depth  %d to %d, mean %.1f, median %d\n", d.Min, d.Max, d.Mean, *d.Median)
	}
	if n := s.Nodes; n != nil {
		fmt.Fprintf(b, "  nodes  %d to %d, mean %.0f", n.Min, n.Max, n.Mean)
		if n.Total != nil {
			fmt.Fprintf(b, ", total %d", *n.Total)
		}
		fmt.Fprintln(b)
	}
	if r := s.Run; r != nil {
		fmt.Fprintf(b, "  time   %.1f s, %.1f positions a second", r.Seconds, r.Rate)
		if r.Resumed > 0 {
			fmt.Fprintf(b, ", since %d had been answered before", r.Resumed)
		}
		fmt.Fprintln(b)
	}
	bars(b, s.Scores)
	if s.Against != nil {
		s.Against.report(b)
	}
}

const barWidth = 40

func bars(b *strings.Builder, bins []Bin) {
	if len(bins) == 0 {
		return
	}
	most, digits, labels := 0, 0, 0
	for _, bin := range bins {
		most = max(most, bin.Count)
		digits = max(digits, len(fmt.Sprint(bin.Count)))
		labels = max(labels, len(bin.label()))
	}
	b.WriteString("  score of the best hint, for the side to move\n")
	for _, bin := range bins {
		bar := strings.Repeat("#", (bin.Count*barWidth+most-1)/most)
		fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("    %-*s  %*d  %s", labels, bin.label(), digits, bin.Count, bar), " "))
	}
}

// Report writes a Comparison for display: both Summaries, the agreement, then a table of the
// differences.
func (c Comparison) Report(b *strings.Builder) {
	c.First.Report(b)
	b.WriteByte('\n')
	c.Second.Report(b)
	c.report(b)
	c.table(b)
}

func (c *Agreement) report(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s in both files, %d only in the first, %d only in the second\n",
		printable.Plural(c.Both, "position"), c.OnlyFirst, c.OnlySecond)
	if moves := c.SameMove + c.OtherMove; moves > 0 {
		fmt.Fprintf(b, "  same best move in %d of %d (%s)\n", c.SameMove, moves, percentOf(c.SameMove, moves))
	}
	if len(c.Bands) > 0 {
		rows := [][]string{{"  score in the first", "same move", ""}}
		for _, band := range c.Bands {
			rows = append(rows, []string{"  " + band.label(), fmt.Sprintf("%d of %d", band.SameMove, band.Count), percentOf(band.SameMove, band.Count)})
		}
		align(b, rows)
	}
	if s := c.Scores; s != nil {
		fmt.Fprintf(b, "  scores of the second are %+.2f on average; apart by %.2f on average, %.2f at most\n",
			s.Mean/100, s.MeanAbs/100, float64(s.MaxAbs)/100)
	}
	if r := c.Chances; r != nil {
		fmt.Fprintf(b, "  %s: %.2f\n", correlationTitle, r.Pearson)
	}
	if s := c.Solved; s != nil {
		fmt.Fprintf(b, "  solved by both %d, only by the first %d, only by the second %d, by neither %d\n",
			s.Both, s.OnlyFirst, s.OnlySecond, s.Neither)
	}
}

const correlationTitle = "correlation of the scores as chances of winning (Pearson)"

func (c *Agreement) table(b *strings.Builder) {
	if c.Differences == 0 {
		b.WriteString("\nno differences\n")
		return
	}
	fmt.Fprintf(b, "\n%s", printable.Plural(c.Differences, "difference"))
	if n := len(c.Listed); n < c.Differences {
		fmt.Fprintf(b, ", of which the first %d (-max N lists more)", n)
	}
	b.WriteString("\n")
	rows := [][]string{{"place", "id", "first", "score", "second", "score", "position"}}
	for _, p := range c.Listed {
		rows = append(rows, []string{p.Place, p.ID, p.First.text(), p.First.Score.Pawns(), p.Second.text(), p.Second.Score.Pawns(), positionText(p.FEN, p.Moves)})
	}
	align(b, rows)
}

func positionText(fen string, moves []string) string {
	if len(moves) == 0 {
		return fen
	}
	return fen + " moves " + strings.Join(moves, " ")
}

// text returns an outcome without the score.
func (v Outcome) text() string {
	switch {
	case v.Error != "":
		return "error"
	case v.Over != "":
		return v.Over
	}
	return v.Move
}

// align writes a table. Columns that are empty except for their header are omitted.
func align(b *strings.Builder, rows [][]string) {
	shown := make([][]string, len(rows))
	for column := range rows[0] {
		if slices.ContainsFunc(rows[1:], func(row []string) bool { return row[column] != "" }) {
			for i, row := range rows {
				shown[i] = append(shown[i], row[column])
			}
		}
	}
	for line := range strings.Lines(printable.Table(shown, "l")) {
		b.WriteString("  " + line)
	}
}

// percentOf returns a percentage, or "" if of is 0.
func percentOf(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}
