package printable

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Width computes how many columns of a terminal a text takes. Characters of ambiguous width are narrow, as
// box-drawing ones are on terminals; the library's default depends on the locale.
var Width = &runewidth.Condition{}

// Table returns rows of cells in columns, two blanks apart. Cells are escaped as by [Line]. align has l, r or
// c for each column, left, right or centred; its last letter goes for the columns behind, too.
func Table(rows [][]string, align string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			row[i] = Line(cell)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width.StringWidth(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			fill := Width.FillRight
			switch align[min(i, len(align)-1)] {
			case 'r':
				fill = Width.FillLeft
			case 'c':
				cell = strings.Repeat(" ", (widths[i]-Width.StringWidth(cell))/2) + cell
			}
			line.WriteString(fill(cell, widths[i]) + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Wrap breaks text at blanks into lines of the given width, if its words are not longer.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width.StringWidth(line)+1+Width.StringWidth(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
