package manual

import (
	"strings"

	"qhsh/engine/printable"
)

// indent is what stands before the lines of code.
const indent = "    "

// Text returns a page as text. The last column of a table ends at the given width. refer returns
// what to write in place of a link.
func Text(page string, width int, refer func(text, target string) string) string {
	var parts []string
	for _, block := range Parse(page) {
		switch block.Kind {
		case Title:
			parts = append(parts, Plain(block.Lines[0], refer)+"\n")
		case Heading:
			parts = append(parts, strings.ToUpper(Plain(block.Lines[0], refer))+"\n")
		case Code:
			parts = append(parts, code(block.Lines))
		case Table:
			parts = append(parts, table(block.Rows, width, refer))
		case Paragraph:
			parts = append(parts, Plain(strings.Join(block.Lines, "\n"), refer)+"\n")
		}
	}
	return strings.Join(parts, "\n")
}

// code indents lines, without the blank ones at the end.
func code(lines []string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(strings.Join(lines, "\n"), "\n"), "\n") {
		if line != "" {
			b.WriteString(indent + line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// maxColumn is the width up to which a column is padded. A wider cell moves the rest of its row to
// the next line.
const maxColumn = 34

// table aligns the columns of a table. A header without text is left out.
func table(rows [][]string, width int, refer func(text, target string) string) string {
	var widths []int
	for r, row := range rows {
		for i, cell := range row {
			rows[r][i] = Plain(cell, refer)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if w := printable.Width.StringWidth(rows[r][i]); w <= maxColumn {
				widths[i] = max(widths[i], w)
			}
		}
	}
	if len(rows) > 0 && strings.Join(rows[0][1:], "") == "" {
		rows = rows[1:]
	}
	var b strings.Builder
	for _, row := range rows {
		writeRow(&b, row, widths, width)
	}
	return b.String()
}

// writeRow writes a row whose last cell is wrapped.
func writeRow(b *strings.Builder, row []string, widths []int, width int) {
	const gap = 2
	line, start := strings.Repeat(" ", gap), gap
	last := len(row) - 1
	for i, cell := range row[:last] {
		line += cell
		start += widths[i] + gap
		if pad := start - printable.Width.StringWidth(line); pad >= gap {
			line += strings.Repeat(" ", pad)
			continue
		}
		b.WriteString(line + "\n")
		line = strings.Repeat(" ", start)
	}
	for i, part := range printable.Wrap(row[last], max(width-start, maxColumn)) {
		if i > 0 {
			line = strings.Repeat(" ", start)
		}
		b.WriteString(strings.TrimRight(line+part, " ") + "\n")
	}
}
