package tree

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
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
// Scores are in pawns, or "mate 3", for the side that makes the move, and for First of an outcome of
// chance, which has its odds. A width above 0 cuts lines to so many terminal columns.
func (t *Tree) Text(w io.Writer, width int) error {
	var b strings.Builder
	start, moves := t.Root.Pos.History()
	b.WriteString(truncate(start.String(), width) + "\n")
	if len(moves) > 0 {
		format := t.Options.Label
		if format == nil {
			format = engine.FormatMoves
		}
		b.WriteString(truncate("after "+strings.Join(format(start, moves), " "), width) + "\n")
	}
	if t.Root.Pos.Turn() == engine.Chance && t.Root.Value.Known() {
		average := fmt.Sprintf("%s for %s, the average of the outcomes", t.Root.Value.Pawns(), engine.SideName(start.Game(), engine.First))
		b.WriteString(truncate(average, width) + "\n")
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

// Summary returns the size of the tree as text.
func (t *Tree) Summary() string {
	text := printable.Plural(t.Searched, "position") + " searched, " + printable.Plural(t.Size, "move")
	if t.Failed > 0 {
		text += fmt.Sprintf(", %d failed", t.Failed)
	}
	if open := t.Open(); open > 0 {
		text += fmt.Sprintf(", %d not reached", open)
	}
	return text
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
	if width <= 0 || printable.Width.StringWidth(line) <= width {
		return line
	}
	return strings.TrimRight(printable.Width.Truncate(line, width-1, ""), " ") + "…"
}

// WriteOptions are options of some formats. The zero value works for all.
type WriteOptions struct {
	// Width is the maximum width of text lines in terminal columns; 0: unlimited.
	Width int
	// Title is the title of the page; empty: it names the Engine.
	Title  string
	Engine string
	// Games has the words, notations and boards of the page's game.
	Games games.Table
	// Notation is the notation that the page begins with; empty: the usual one of the reader's
	// language.
	Notation string
}

// A Writer writes a tree.
type Writer = func(w io.Writer, t *Tree, o WriteOptions) error

// Formats returns the output formats. The first is the default. Each writes the same bytes for the
// same tree.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer, t *Tree, o WriteOptions) error { return t.Text(w, o.Width) }},
		{Name: "json", Extensions: []string{".json"}, Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.JSON(w) }},
		{Name: "dot", Extensions: []string{".dot", ".gv"}, Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.DOT(w) }},
		{Name: "svg", Extensions: []string{".svg"}, Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.SVG(w) }},
		{Name: "html", Extensions: []string{".html", ".htm"}, Write: func(w io.Writer, t *Tree, o WriteOptions) error { return t.HTML(w, o) }},
	}
}

// moves returns the moves from the root to a node, formatted for readers.
func (n *Node) moves() string {
	names := make([]string, 0, n.ply)
	for _, step := range n.Path() {
		names = append(names, step.moveText())
	}
	return strings.Join(names, " ")
}

// note returns a remark on a leaf; empty for most nodes.
func (n *Node) note() string {
	switch n.Kind {
	case Over:
		return n.Pos.Result().Why()
	case Failed:
		return "error: " + n.Err.Error()
	case Merged:
		note := "as after " + n.Same.moves()
		if n.loop {
			note += ", which leads here"
		}
		return note
	case Return:
		switch {
		case n.Same == nil:
			return "repeats a position of the game"
		case n.Same.Parent == nil:
			return "back at the first position"
		}
		return "back at the position after " + n.Same.moves()
	}
	return ""
}

// ids numbers the nodes by their position among their siblings: "0" is the root, "2" its second
// child, "2.1" the first child of that.
func (t *Tree) ids() map[*Node]string {
	ids := map[*Node]string{t.Root: "0"}
	t.Root.walk(func(n *Node) {
		for i, child := range n.Children {
			prefix := ""
			if n.Parent != nil {
				prefix = ids[n] + "."
			}
			ids[child] = fmt.Sprintf("%s%d", prefix, i+1)
		}
	})
	return ids
}
