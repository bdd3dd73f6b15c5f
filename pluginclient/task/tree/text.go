package tree

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// Text writes the tree for a person, a line a move with its value, the engine's depth,
// and the engine's own score where the value is another:
//
//	rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//	├── H2-E2  +0.20  depth 7  engine +0.35
//	│   ├── H9-G7  -0.20  depth 7
//	│   └── B9-C7  -0.31  depth 6
//	└── H0-G2  +0.12  depth 7
//
//	3 positions searched, 4 moves
//
// Scores are in pawns, or "mate 3", for the side that makes the move. A width above 0
// cuts lines to so many terminal columns.
func (t *Tree) Text(w io.Writer, width int) error {
	var b strings.Builder
	start, moves := t.Root.Pos.History()
	b.WriteString(truncate(start.String(), width) + "\n")
	if len(moves) > 0 {
		b.WriteString(truncate("after "+strings.Join(t.Options.formatMoves(start, moves), " "), width) + "\n")
	}
	if note := t.Root.note(); note != "" {
		b.WriteString(truncate(printable.Line(note), width) + "\n")
	}
	for i, child := range t.Root.Children {
		child.text(&b, "", i == len(t.Root.Children)-1, width)
	}
	fmt.Fprintf(&b, "\n%s\n", truncate(t.Summary(), width))
	_, err := io.WriteString(w, b.String())
	return err
}

// formatMoves formats consecutive moves for readers.
func (o *Options) formatMoves(start engine.Position, moves []engine.Move) []string {
	if o.Label != nil {
		return o.Label(start, moves)
	}
	return engine.FormatMoves(start, moves)
}

// Summary returns the size of the tree as text.
func (t *Tree) Summary() string {
	text := plural(t.Searched, "position") + " searched, " + plural(t.Size, "move")
	if t.Failed > 0 {
		text += fmt.Sprintf(", %d failed", t.Failed)
	}
	if open := t.Open(); open > 0 {
		text += fmt.Sprintf(", %d not reached", open)
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// text writes the lines of a node and its descendants. prefix is the branches to the left.
func (n *Node) text(b *strings.Builder, prefix string, last bool, width int) {
	branch, below := "├── ", "│   "
	if last {
		branch, below = "└── ", "    "
	}
	b.WriteString(truncate(prefix+branch+strings.Join(n.fields(), "  "), width) + "\n")
	for i, child := range n.Children {
		child.text(b, prefix+below, i == len(n.Children)-1, width)
	}
}

// fields returns the parts of a node's line.
func (n *Node) fields() []string {
	words := n.summary()
	add := func(text string) {
		if text != "" {
			words = append(words, printable.Line(text))
		}
	}
	if n.Depth > 0 {
		add(fmt.Sprintf("depth %d", n.Depth))
	}
	if n.Score.Known() && n.Score != n.Value {
		add("engine " + n.Score.Pawns())
	}
	add(n.Text)
	add(n.note())
	return words
}

// truncate shortens a line to a number of terminal columns, if that is above 0.
func truncate(line string, width int) string {
	if width <= 0 {
		return line
	}
	column, end := 0, 0
	for i, r := range line {
		column += runeWidth(r)
		if column > width {
			return strings.TrimRight(line[:end], " ") + "…"
		}
		if column < width {
			end = i + len(string(r))
		}
	}
	return line
}

// runeWidth returns a conservative guess: characters that may be wide count as wide.
func runeWidth(r rune) int {
	const firstWide = 0x1100 // Hangul Jamo, the first wide block; box-drawing is excepted
	if r >= firstWide && (r < 0x2000 || r >= 0x2e80) {
		return 2
	}
	return 1
}

// textWidth returns the width of a text in terminal columns.
func textWidth(text string) int {
	sum := 0
	for _, r := range text {
		sum += runeWidth(r)
	}
	return sum
}
