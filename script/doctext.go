package script

import (
	"strings"

	"qhsh/engine/printable"
)

// A docText is a parsed doc text: prose, and examples, which are an expression after ">>> " and its
// result.
type docText struct {
	prose    string // one line
	examples []example
}

type example struct {
	expr, result string
}

const promptMark = ">>> "

func parseText(doc string) docText {
	var t docText
	var prose []string
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, "\n")
		last := len(t.examples) - 1
		switch expr, isExpr := strings.CutPrefix(line, promptMark); {
		case isExpr:
			t.examples = append(t.examples, example{expr: expr})
		case last >= 0:
			t.examples[last].result += line + "\n"
		default:
			prose = append(prose, strings.Fields(line)...)
		}
	}
	t.prose = strings.Join(prose, " ")
	for i := range t.examples {
		t.examples[i].result = strings.TrimRight(t.examples[i].result, "\n")
	}
	return t
}

// session returns the examples as shown at a prompt.
func (t docText) session() string {
	var b strings.Builder
	for _, e := range t.examples {
		b.WriteString(promptMark + e.expr + "\n")
		if e.result != "" {
			b.WriteString(e.result + "\n")
		}
	}
	return b.String()
}

// write returns the text for a terminal, indented by margin.
func (t docText) write(margin string) string {
	return wrap(t.prose, margin) + indent(t.session(), margin)
}

func firstSentence(doc string) string {
	prose := parseText(doc).prose
	if i := strings.Index(prose, ". "); i >= 0 {
		return prose[:i+1]
	}
	return prose
}

// wrap breaks text into lines of a terminal's width, indented by margin.
func wrap(text, margin string) string {
	return indent(strings.Join(printable.Wrap(text, 80-len(margin)), "\n"), margin)
}

// indent adds a margin to every line that is not empty. Each line ends in a newline.
func indent(text, margin string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" {
			line = margin + line
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// dedent removes the margin of a docstring's lines except the first.
func dedent(doc string) string {
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	margin := -1
	for _, line := range lines[1:] {
		if blank := len(line) - len(strings.TrimLeft(line, " \t")); blank < len(line) && (margin < 0 || blank < margin) {
			margin = blank
		}
	}
	for i, line := range lines[1:] {
		lines[i+1] = line[min(max(margin, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}
