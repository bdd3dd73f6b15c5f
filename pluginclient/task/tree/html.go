package tree

import (
	"io"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/page"
)

// A treePage is the data of a [page.Tree].
type treePage struct {
	page.Game
	Title    string      `json:"title,omitempty"`  // empty: by Engine
	Engine   string      `json:"engine,omitempty"` // whose hints they are
	Searched int         `json:"searched"`
	Failed   int         `json:"failed,omitempty"`
	Open     int         `json:"open,omitempty"`
	Size     int         `json:"size"`
	Before   []page.Node `json:"before"` // the moves that led to the root
	Root     pageNode    `json:"root"`
}

// A pageNode is a node of the tree; the keys are those of JSON, but for state, the Kind.
type pageNode struct {
	page.Node
	ID   string  `json:"id"`
	Rank int     `json:"rank,omitempty"`
	Odds float64 `json:"odds,omitempty"`
	engine.ScoreJSON
	Value    engine.ScoreJSON `json:"value,omitzero"`
	Depth    int              `json:"depth,omitempty"`
	Nodes    int64            `json:"nodes,omitempty"`
	PV       []string         `json:"pv,omitempty"`       // of a node with children, in each of the page's notations
	Expected []page.Node      `json:"expected,omitempty"` // of a leaf: the line after its move
	Text     string           `json:"text,omitempty"`
	State    string           `json:"state"`
	Result   string           `json:"result,omitempty"`
	Over     string           `json:"over,omitempty"`
	Loop     bool             `json:"loop,omitempty"`
	Same     string           `json:"same,omitempty"`
	Error    string           `json:"error,omitempty"`
	Children []pageNode       `json:"children,omitempty"`
}

// HTML writes the tree as a page, see package page. The fragment of its address selects a node by
// the id in JSON: tree.html#2.1.
func (t *Tree) HTML(w io.Writer, o WriteOptions) error {
	played := record.FromPosition(t.Root.Pos)
	common, err := page.NewGame(o.Games, played, "", o.Notation)
	if err != nil {
		return err
	}
	doc := &treePage{
		Game: common, Title: printable.Line(o.Title), Engine: printable.Line(o.Engine),
		Searched: t.Searched, Failed: t.Failed, Open: t.Open(), Size: t.Size, Before: []page.Node{},
	}
	number := doc.Game.Root(played.Start).Number
	pos := played.Start
	for n := played.Root; len(n.Next) > 0; n = n.Next[0] {
		node, next := doc.Play(pos, n.Next[0].Move, number)
		doc.Before, pos, number = append(doc.Before, node), next, node.NextNumber(next)
	}
	b := pageBuilder{&doc.Game, t.ids()}
	root := b.page.Root(t.Root.Pos)
	root.Number = number
	doc.Root = b.node(t.Root, root)
	return doc.Write(w, page.Tree, o.title(), doc)
}

// title returns the title of the page in English; the page itself translates that of an engine.
func (o WriteOptions) title() string {
	switch {
	case o.Title != "":
		return o.Title
	case o.Engine != "":
		return "Hints of " + o.Engine
	}
	return "A tree of hints"
}

type pageBuilder struct {
	page *page.Game
	ids  map[*Node]string
}

// node returns a node with those below it. own is its move and position.
func (b pageBuilder) node(n *Node, own page.Node) pageNode {
	out := pageNode{
		Node: own, ID: b.ids[n], Rank: n.Rank, Odds: n.Odds,
		ScoreJSON: n.Score.JSON(), Value: n.Value.JSON(), Depth: n.Depth, Nodes: n.Nodes,
		Text: printable.Line(n.Text), State: n.Kind.String(), Same: b.ids[n.Same], Loop: n.loop,
	}
	if n.Kind == Over {
		result := n.Pos.Result()
		out.Result, out.Over = result.Outcome.String(), result.Reason
	}
	if n.Err != nil {
		out.Error = printable.Line(n.Err.Error())
	}
	number := own.NextNumber(n.Pos)
	for _, child := range n.Children {
		if played, next := b.page.Play(n.Pos, child.Move, number); next != nil {
			out.Children = append(out.Children, b.node(child, played))
		}
	}
	if len(n.Children) > 0 && n.Parent != nil {
		out.PV = b.page.Lines(n.Parent.Pos, n.expected)
	} else {
		pos := n.Pos
		for _, m := range n.expected[min(1, len(n.expected)):] { // the first is its own
			node, next := b.page.Play(pos, m, number)
			if next == nil {
				break
			}
			out.Expected = append(out.Expected, node)
			pos, number = next, node.NextNumber(next)
		}
	}
	return out
}
