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
	var blocks [][]string
	total, most := -gap, 0
	var widths []int
	for i, text := range texts {
		block := append([]string{titles[i], strings.Repeat("-", printable.Width.StringWidth(titles[i]))},
			strings.Split(strings.TrimRight(printable.Text(text), "\n"), "\n")...)
		w := 0
		for _, line := range block {
			w = max(w, printable.Width.StringWidth(line))
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
			line.WriteString(printable.Width.FillRight(cell, widths[i]+gap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
