package manual

import (
	"fmt"
	"strings"
)

// A Header is what a page of the manual begins with.
type Header struct {
	Name    string // such as qhsh-hints
	Section int
	Summary string
	Date    string // such as 2026-11-23; may be empty
	Source  string // the program and its version
}

// Roff returns a page for man(7). Its title is left out, its headings are sections. refer returns
// what to write in place of a link. The requests are those that groff and mandoc have in common.
func Roff(h Header, page string, refer func(text, target string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s %d \"%s\" %s\n", roffArgument(strings.ToUpper(h.Name)), h.Section, h.Date, roffArgument(h.Source))
	b.WriteString(".nh\n.ad l\n") // as terminals show it best
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roffText(h.Name), roffText(h.Summary))
	last := Title
	for _, block := range Parse(page) {
		isRunning := block.Kind == Code || block.Kind == Paragraph && !strings.HasPrefix(block.Lines[0], bullet)
		if last != Title && last != Heading && isRunning {
			b.WriteString(".PP\n")
		}
		last = block.Kind
		switch block.Kind {
		case Heading:
			b.WriteString(".SH " + roffArgument(strings.ToUpper(Plain(block.Lines[0], refer))) + "\n")
		case Code:
			b.WriteString(".RS 4\n.nf\n")
			for _, line := range block.Lines {
				b.WriteString(roffLine(roffText(line)) + "\n")
			}
			b.WriteString(".fi\n.RE\n")
		case Table:
			roffTable(&b, block.Rows, refer)
		case Paragraph:
			for _, line := range block.Lines { // or a list, whose items may follow a line that announces them
				item, isItem := strings.CutPrefix(line, bullet)
				if isItem {
					b.WriteString(".IP \\(bu 2\n")
				}
				b.WriteString(roffLine(roffInline(strings.TrimSpace(item), refer)) + "\n")
			}
		}
	}
	return b.String()
}

// bullet begins an item of a list.
const bullet = "- "

// roffTable writes the rows of a table as items: the first cell, and the others below it. Roff's
// own tables do not fit their columns to the width of a terminal.
func roffTable(b *strings.Builder, rows [][]string, refer func(text, target string) string) {
	if len(rows) == 0 {
		return
	}
	for _, row := range rows[1:] {
		b.WriteString(".TP\n" + roffLine(roffInline(row[0], refer)) + "\n")
		var rest []string
		for _, cell := range row[1:] {
			if cell != "" {
				rest = append(rest, roffInline(cell, refer))
			}
		}
		b.WriteString(roffLine(strings.Join(rest, ": ")) + "\n")
	}
}

// roffInline returns a line of a paragraph. Code and bold text are bold.
func roffInline(text string, refer func(text, target string) string) string {
	text = withoutLinks(text, refer)
	var b strings.Builder
	end := 0
	for _, m := range marked().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(roffText(text[end:m[0]]) + `\fB` + roffText(strings.Trim(text[m[0]:m[1]], "`*")) + `\fR`)
		end = m[1]
	}
	return b.String() + roffText(text[end:])
}

// roffSpecial has the escapes of characters that roff would not print as they are.
var roffSpecial = map[rune]string{
	'\\': `\e`, '-': `\-`, '\'': `\(aq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`,
}

// firstWide is the first of the characters of East Asia, between which are no blanks.
const firstWide = 0x2E80

// roffText returns text in which nothing has a meaning for roff, in ASCII.
func roffText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch special, ok := roffSpecial[r]; {
		case ok:
			b.WriteString(special)
		case r >= firstWide:
			fmt.Fprintf(&b, `\[u%04X]\:`, r) // a line may end behind it
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// roffArgument returns text as one argument of a request.
func roffArgument(text string) string {
	return `"` + strings.ReplaceAll(roffText(text), `"`, `\(dq`) + `"`
}

// roffLine returns a line of text that is no request: one that begins with a dot, or is empty,
// would be.
func roffLine(text string) string {
	if text == "" || strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
