package tree

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine/games"
	"qhsh/pluginclient/format"
)

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

// A Format is an output format for a tree.
type Format = format.Format[Writer]

// Formats returns the output formats. The first is the default. Each writes the same bytes for the
// same tree.
func Formats() format.Table[Writer] {
	return []Format{
		{
			Name: "text", Extensions: []string{".txt"},
			Write: func(w io.Writer, t *Tree, o WriteOptions) error { return t.Text(w, o.Width) },
		},
		{
			Name: "json", Extensions: []string{".json"},
			Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.JSON(w) },
		},
		{
			Name: "dot", Extensions: []string{".dot", ".gv"},
			Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.DOT(w) },
		},
		{
			Name: "svg", Extensions: []string{".svg"},
			Write: func(w io.Writer, t *Tree, _ WriteOptions) error { return t.SVG(w) },
		},
		{
			Name: "html", Extensions: []string{".html", ".htm"},
			Write: func(w io.Writer, t *Tree, o WriteOptions) error { return t.HTML(w, o) },
		},
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
	t.walk(func(n *Node) {
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
