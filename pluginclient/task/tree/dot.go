package tree

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
)

// DOT writes the tree as a Graphviz graph. Equal positions are one node; dashed edges lead to a
// position drawn elsewhere. Edges are labelled with moves, odds and values; the best move of a position
// is bold.
func (t *Tree) DOT(w io.Writer) error {
	ids := t.ids()
	var b strings.Builder
	b.WriteString("digraph tree {\n\trankdir=LR;\n\tnode [shape=point, fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n")
	t.walk(func(n *Node) {
		if n.Kind != Merged && (n.Kind != Return || n.Same == nil) {
			fmt.Fprintf(&b, "\t%q%s;\n", ids[n], n.dotNode())
		}
	})
	t.walk(func(n *Node) {
		for i, child := range n.Children {
			fmt.Fprintf(&b, "\t%q -> %q [%s];\n", ids[n], ids[child.target()], child.dotEdge(i == 0 && child.Rank > 0))
		}
	})
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// target returns the node that represents n's position.
func (n *Node) target() *Node {
	if n.Same != nil {
		return n.Same
	}
	return n
}

// dotNode returns the attributes of a node.
func (n *Node) dotNode() string {
	switch {
	case n.Parent == nil:
		return fmt.Sprintf(" [shape=box, label=%s]", dotString(n.Pos.String()))
	case n.Kind == Over || n.Kind == Failed || n.Kind == Return:
		return fmt.Sprintf(" [shape=plaintext, label=%s]", dotString(n.note()))
	}
	return ""
}

// dotEdge returns the attributes of the edge to a node.
func (n *Node) dotEdge(best bool) string {
	attributes := "label=" + dotString(strings.Join(n.summary(), "\n"))
	switch {
	case n.Kind == Return && n.Same != nil:
		attributes += ", style=dashed, constraint=false"
	case n.Kind == Merged:
		attributes += ", style=dashed"
	case best:
		attributes += ", penwidth=2"
	}
	return attributes
}

// dotString returns a quoted DOT string. A line feed becomes a line break.
func dotString(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable.Line(line))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
