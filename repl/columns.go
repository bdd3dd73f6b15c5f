package repl

import (
	"strings"

	"qhsh/engine/printable"
)

// wrap breaks lines that are wider than a width at blanks, unless the width is 0. The rest is indented as
// the line is or, if there is room, as its second column, two blanks behind the first.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if first, rest, ok := strings.Cut(line[indent:], "  "); ok {
			if second := indent + printable.Width.StringWidth(first) + 2 + len(rest) - len(strings.TrimLeft(rest, " ")); second < width/2 {
				indent = second
			}
		}
		for width > 0 && printable.Width.StringWidth(line) > width {
			head := printable.Width.Truncate(line, width+1, "")
			at := strings.LastIndexByte(head, ' ')
			if at <= indent { // a word that does not fit
				if at = strings.IndexByte(line[len(head):], ' '); at < 0 {
					break
				}
				at += len(head)
			}
			b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", indent) + line[at+1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// fill is wrap for prose: a paragraph with a line that is too wide is filled anew.
func fill(text string, width int) string {
	const apart = "\n\n"
	paragraphs := strings.Split(strings.TrimSuffix(text, "\n"), apart)
	for i, p := range paragraphs {
		if wrap(p, width) != p && !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
		}
	}
	return wrap(strings.Join(paragraphs, apart)+"\n", width)
}

// sideBySide places escaped texts next to each other, each under its title, or below each other if
// they do not fit the width.
func sideBySide(titles, texts []string, width int) string {
	const gap = 3
	var below, rows []string
	column := 0
	for i, text := range texts {
		block := append([]string{titles[i], strings.Repeat("-", printable.Width.StringWidth(titles[i]))},
			strings.Split(strings.TrimRight(printable.Text(text), "\n"), "\n")...)
		below, rows = append(below, block...), beside(rows, block, column)
		widest := 0
		for _, line := range block {
			widest = max(widest, printable.Width.StringWidth(line))
		}
		column += widest + gap
	}
	if column-gap > width {
		return strings.Join(below, "\n") + "\n"
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

// beside appends the lines of a block to rows, from a column on that is right of all that they have.
func beside(rows, block []string, column int) []string {
	for i, line := range block {
		if i == len(rows) {
			rows = append(rows, "")
		}
		rows[i] = printable.Width.FillRight(rows[i], column) + line
	}
	return rows
}
