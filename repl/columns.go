package repl

import (
	"strings"

	"qhsh/engine/printable"
)

// columns formats rows of cells as aligned columns, one row per line. Cells are escaped.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			cell = printable.Line(cell)
			row[i] = cell
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], wide.StringWidth(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(wide.FillRight(cell, widths[i]) + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// sideBySide places escaped texts next to each other, each under its title, or below each other if
// they do not fit the width.
func sideBySide(titles, texts []string, width int) string {
	const gap = 3
	var blocks [][]string
	total, most := -gap, 0
	var widths []int
	for i, text := range texts {
		block := append([]string{titles[i], strings.Repeat("-", wide.StringWidth(titles[i]))},
			strings.Split(strings.TrimRight(printable.Text(text), "\n"), "\n")...)
		w := 0
		for _, line := range block {
			w = max(w, wide.StringWidth(line))
		}
		blocks, widths = append(blocks, block), append(widths, w)
		total, most = total+w+gap, max(most, len(block))
	}
	var b strings.Builder
	if total > width {
		for _, block := range blocks {
			b.WriteString(strings.Join(block, "\n") + "\n")
		}
		return b.String()
	}
	for row := range most {
		var line strings.Builder
		for i, block := range blocks {
			cell := ""
			if row < len(block) {
				cell = block[row]
			}
			line.WriteString(wide.FillRight(cell, widths[i]+gap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
