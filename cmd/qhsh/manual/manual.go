// Package manual formats the pages of the help, which are Markdown, as text for a terminal and for
// man.
//
// It knows the Markdown that the pages use: headings, paragraphs, lists, fenced code, tables, and
// in a line code, bold text and links. Comments are dropped. Lines keep their breaks, as the pages
// are written for a terminal's width; only the last column of a table is wrapped.
package manual

import (
	"strings"

	"qhsh/engine/lazyregexp"
)

// A Kind is what a [Block] is.
type Kind int

// The kinds of blocks. A list is a paragraph whose lines begin with their marks.
const (
	Paragraph Kind = iota
	Title          // the heading of the page
	Heading
	Code
	Table
)

// fence surrounds code.
const fence = "```"

// A Block is a part of a page.
type Block struct {
	Kind     Kind
	Language string     // of [Code]
	Lines    []string   // the text; of [Code] without its fences
	Rows     [][]string // of a [Table]: the cells of each row, the header first
}

// Parse divides a page into blocks.
func Parse(page string) (blocks []Block) {
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	for len(lines) > 0 {
		line := lines[0]
		n := 1
		switch {
		case line == "" || isComment(line):
		case strings.HasPrefix(line, "# "):
			blocks = append(blocks, Block{Kind: Title, Lines: []string{line[2:]}})
		case strings.HasPrefix(line, "#"):
			blocks = append(blocks, Block{Kind: Heading, Lines: []string{strings.TrimLeft(line, "# ")}})
		case strings.HasPrefix(line, fence):
			end := count(lines[1:], func(l string) bool { return !strings.HasPrefix(l, fence) })
			blocks = append(blocks, Block{Kind: Code, Language: line[len(fence):], Lines: lines[1 : 1+end]})
			n = min(end+2, len(lines))
		case strings.HasPrefix(line, "|"):
			n = count(lines, func(l string) bool { return strings.HasPrefix(l, "|") })
			blocks = append(blocks, Block{Kind: Table, Rows: rowsOf(lines[:n])})
		default:
			n = count(lines, isText)
			blocks = append(blocks, Block{Kind: Paragraph, Lines: lines[:n]})
		}
		lines = lines[n:]
	}
	return blocks
}

// count returns how many of the first lines satisfy is.
func count(lines []string, is func(string) bool) int {
	for i, line := range lines {
		if !is(line) {
			return i
		}
	}
	return len(lines)
}

func isComment(line string) bool { return strings.HasPrefix(line, "<!--") }

func isText(line string) bool {
	return line != "" && !isComment(line) && !strings.HasPrefix(line, "#") &&
		!strings.HasPrefix(line, "|") && !strings.HasPrefix(line, fence)
}

// rowsOf returns the cells of a table without the row that separates the header.
func rowsOf(lines []string) (rows [][]string) {
	const bar = "\x00"
	for _, line := range lines {
		if strings.Trim(line, "|-: ") == "" && strings.Contains(line, "-") {
			continue
		}
		line = strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|")
		var cells []string
		for cell := range strings.SplitSeq(line, "|") {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), bar, "|"))
		}
		rows = append(rows, cells)
	}
	return rows
}

var (
	link   = lazyregexp.New(`\[([^\]\[]+)\]\(([^)\s]+)\)`)
	marked = lazyregexp.New("`([^`]+)`|\\*\\*([^*]+)\\*\\*")
)

// Plain returns text without its markup. refer returns what to write in place of a link.
func Plain(text string, refer func(text, target string) string) string {
	return marked().ReplaceAllString(withoutLinks(text, refer), "$1$2")
}

func withoutLinks(text string, refer func(text, target string) string) string {
	return link().ReplaceAllStringFunc(text, func(found string) string {
		m := link().FindStringSubmatch(found)
		return refer(m[1], m[2])
	})
}
