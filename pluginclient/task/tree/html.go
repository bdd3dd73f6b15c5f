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

// HTML writes one page that needs nothing from elsewhere, and may not load anything:
// the tree, and next to it the position of the branch under the mouse, or of the one
// chosen with the arrow keys. The fragment of its address chooses a node by its id, as
// JSON numbers them: tree.html#2.1. The script draws the boards, see WriteOptions.
func (t *Tree) HTML(w io.Writer, title, script string) error {
	doc := t.document()
	doc.Root.escape()
	data, err := json.Marshal(doc) // it escapes <, > and &
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

// escape escapes what the engine has said: a page is for people.
func (n *jsonNode) escape() {
	n.Text, n.Error = printable.Line(n.Text), printable.Line(n.Error)
	for i := range n.Children {
		n.Children[i].escape()
	}
}
