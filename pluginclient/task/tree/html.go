package tree

import (
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"strings"

	"qhsh/engine/printable"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// HTML writes a self-contained page that cannot load anything. It shows the tree and the position
// of the branch under the mouse or selected by arrow keys. The fragment of its address selects a
// node by the id in JSON: tree.html#2.1. script draws boards, see WriteOptions.
func (t *Tree) HTML(w io.Writer, title, script string) error {
	doc := t.document()
	doc.Root.escape()
	data, err := json.Marshal(doc) // escapes <, > and &
	if err != nil {
		return err
	}
	if title == "" {
		title = "A tree of hints"
	}
	page := strings.NewReplacer(
		"{{title}}", html.EscapeString(printable.Line(title)),
		"{{style}}", pageCSS,
		"{{summary}}", html.EscapeString(t.Summary()),
		"{{data}}", string(data),
		"{{board}}", script,
		"{{script}}", pageJS,
	).Replace(pageHTML)
	_, err = io.WriteString(w, page)
	return err
}

// escape makes texts from the engine printable: a page is read by people.
func (n *jsonNode) escape() {
	n.Text, n.Error = printable.Line(n.Text), printable.Line(n.Error)
	for i := range n.Children {
		n.Children[i].escape()
	}
}
