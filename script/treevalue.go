package script

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/pluginclient/task/tree"
)

// A node is a position in a tree of hints. A script's tree is its root. There may be
// several values for one node; they are equal.
type node struct {
	kind *kind // of its boards
	tree *tree.Tree
	*tree.Node
}

var (
	_ hasClass            = node{}
	_ starlark.HasAttrs   = node{}
	_ starlark.Comparable = node{}
)

// newTree returns a tree that has grown, as the value of its root.
func newTree(k *kind, t *tree.Tree) node { return node{k, t, t.Root} }

// other returns a value for another node of the tree, None for none.
func (n node) other(to *tree.Node) starlark.Value {
	if to == nil {
		return starlark.None
	}
	return node{n.kind, n.tree, to}
}

// String returns a line for a person: of the root how large the tree is, of another node the
// moves that lead to it and its value.
func (n node) String() string {
	if n.Parent == nil {
		return "tree of " + n.tree.Summary()
	}
	text := strings.Join(n.path(), " ")
	if n.Value.Known() {
		text += " " + n.Value.Pawns()
	}
	return text
}

func (n node) Type() string                             { return "node" }
func (n node) Freeze()                                  {} // it never changes
func (n node) Truth() starlark.Bool                     { return true }
func (n node) class() *class                            { return nodeClass }
func (n node) Attr(name string) (starlark.Value, error) { return nodeClass.attr(n, name) }
func (n node) AttrNames() []string                      { return nodeClass.attrNames(n) }
func (n node) Hash() (uint32, error)                    { return starlark.String(strings.Join(n.path(), " ")).Hash() }

// CompareSameType knows whether it is the same node of the same tree.
func (n node) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return compareEqual(op, n.Node == other.(node).Node, "node")
}

// MarshalJSON returns the whole tree for the root, and for another node what is said of it,
// without the nodes below.
func (n node) MarshalJSON() ([]byte, error) {
	if n.Parent == nil {
		var b strings.Builder
		err := n.tree.JSON(&b)
		return []byte(strings.TrimSuffix(b.String(), "\n")), err
	}
	out := jsonNode{
		Path: n.path(), jsonHint: toJSONHint(n.hint()), Value: n.Value.JSON(),
		Position: n.Pos.String(), Kind: n.Kind.String(),
	}
	if n.Err != nil {
		out.Error = n.Err.Error()
	}
	return marshal(out)
}

// hint returns what the engine said of the node's move.
func (n node) hint() *hint {
	return &hint{move: n.Name, score: n.Score, depth: n.Depth, nodes: n.Nodes, pv: n.PV, text: n.Text}
}

// path returns the moves from the root.
func (n node) path() []string { return moveNames(n.Path()) }

func moveNames(nodes []*tree.Node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.Name
	}
	return names
}

var nodeClass = newClass("Node",
	`A position in a tree of hints; the tree is its root. Scores are for the side that makes
the move that leads to the node, at the root for the side to move. Nodes never change, and
are equal if they are the same node of the same tree. In JSON the root is the whole tree
as qhsh tree writes it; another node is an object with path, move, cp or mate, value,
depth, nodes, pv, text, position and kind, without the nodes below.`,
	attribute("move: str | None", `The move that leads to the node. None at the root.`, nodeMove),
	attribute("board: Board", `The position, on a new board with the whole game: it may be changed.`,
		func(n node) (starlark.Value, error) { return n.kind.newBoard(n.Pos), nil }),
	attribute("score: Score | None", `What the engine said the move is worth. None at the root, and if it gave no score.`,
		func(n node) (starlark.Value, error) {
			if n.Parent == nil {
				return starlark.None, nil
			}
			return scoreValue(n.Score), nil
		}),
	attribute("value: Score | None", `What the tree says the move is worth, judged by what comes after it; at the root, what
the position is worth. None if it is not known.`,
		func(n node) (starlark.Value, error) { return scoreValue(n.Value), nil }),
	attribute("best_line: tuple[str, ...]", `The moves from here on that the tree believes in. board.play(*best_line) plays them.`,
		func(n node) (starlark.Value, error) { return moveTuple(moveNames(n.Best())), nil }),
	attribute("children: tuple[Node, ...]", `The nodes after the moves that the engine proposed, the best first.`, nodeChildren),
	attribute("parent: Node | None", `The node that the move was proposed at. None at the root.`,
		func(n node) (starlark.Value, error) { return n.other(n.Parent), nil }),
	attribute("root: Node", `The tree's first node.`,
		func(n node) (starlark.Value, error) { return n.other(n.tree.Root), nil }),
	attribute("path: tuple[str, ...]", `The moves from the root to the node.`,
		func(n node) (starlark.Value, error) { return moveTuple(n.path()), nil }),
	attribute("rank: int", `The engine's rank of the move, from 1. 0 at the root.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt(n.Rank), nil }),
	attribute("depth: int", `How many plies the engine looked ahead for the score. 0 if it does not tell.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt(n.Depth), nil }),
	attribute("nodes: int", `How many positions the engine had visited by then. 0 if it does not tell.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt64(n.Nodes), nil }),
	attribute("pv: tuple[str, ...]", `The line of moves that the engine expected, this move first.`,
		func(n node) (starlark.Value, error) { return moveTuple(n.PV), nil }),
	attribute("comment: str", `What else the engine said of the move.`,
		func(n node) (starlark.Value, error) { return starlark.String(n.Text), nil }),
	attribute("kind: str", `"searched" if there are children. A node without is "unsearched", "failed", "over" if
the game is, "return" if the position has occurred before, "merged" if it stands
elsewhere in the tree too and has its children there.`,
		func(n node) (starlark.Value, error) { return starlark.String(n.Kind.String()), nil }),
	attribute("same: Node | None", `Of a merged node, the one that has the children; of a return, the earlier one.`,
		func(n node) (starlark.Value, error) { return n.other(n.Same), nil }),
	attribute("error: str | None", `Why the search of a failed node failed.`, nodeError),

	method("walk() -> list[Node]", `This node and all below it, each before its children.`, walk),
	method("find(fn: Callable[[Node], object]) -> Node | None", `The first node of walk() for which fn is true. None if there is none.`, find),
	method("text(width: int = 0) -> str", `The tree as lines of text, cut at so many columns; 0: not cut. Of the root alone, like
all the forms.`,
		func(n node, c *call) (starlark.Value, error) {
			width := 0
			if err := c.unpack(&width); err != nil {
				return nil, err
			}
			if width < 0 {
				return nil, fmt.Errorf("text: width %d: want 0 or more", width)
			}
			return n.lines(c, func(w io.Writer) error { return n.tree.Text(w, width) })
		}),
	method("json() -> str", `The tree as one object of JSON, as qhsh tree writes it.`,
		func(n node, c *call) (starlark.Value, error) {
			if err := c.unpack(); err != nil {
				return nil, err
			}
			return n.lines(c, n.tree.JSON)
		}),
	method("dot() -> str", `The tree as a graph for Graphviz.`, form((*tree.Tree).DOT)),
	method("svg() -> str", `The tree as a picture in SVG.`, form((*tree.Tree).SVG)),
	method(`html(title: str = "") -> str`, `The tree as a page that needs nothing from elsewhere, with a board that follows the
mouse and the arrow keys.`,
		func(n node, c *call) (starlark.Value, error) {
			var title string
			if err := c.unpack(&title); err != nil {
				return nil, err
			}
			return n.written(c, func(w io.Writer) error { return n.tree.HTML(w, title, n.kind.Script(n.kind.game)) })
		}),
)

func nodeMove(n node) (starlark.Value, error) {
	if n.Parent == nil {
		return starlark.None, nil
	}
	return moveValue(n.Name), nil
}

func nodeChildren(n node) (starlark.Value, error) {
	children := make(starlark.Tuple, len(n.Children))
	for i, child := range n.Children {
		children[i] = n.other(child)
	}
	return children, nil
}

func nodeError(n node) (starlark.Value, error) {
	if n.Err == nil {
		return starlark.None, nil
	}
	return starlark.String(n.Err.Error()), nil
}

func walk(n node, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return starlark.NewList(n.all(nil)), nil
}

// all appends the node and those below it.
func (n node) all(nodes []starlark.Value) []starlark.Value {
	nodes = append(nodes, n)
	for _, child := range n.Children {
		nodes = node{n.kind, n.tree, child}.all(nodes)
	}
	return nodes
}

func find(n node, c *call) (starlark.Value, error) {
	var fn starlark.Callable
	if err := c.unpack(&fn); err != nil {
		return nil, err
	}
	for _, candidate := range n.all(nil) {
		found, err := starlark.Call(c.thread, fn, starlark.Tuple{candidate}, nil)
		if err != nil {
			return nil, err
		}
		if found.Truth() {
			return candidate, nil
		}
	}
	return starlark.None, nil
}

// form returns a method that writes the tree and takes nothing.
func form(write func(*tree.Tree, io.Writer) error) func(node, *call) (starlark.Value, error) {
	return func(n node, c *call) (starlark.Value, error) {
		if err := c.unpack(); err != nil {
			return nil, err
		}
		return n.written(c, func(w io.Writer) error { return write(n.tree, w) })
	}
}

var errNotRoot = errors.New("it is written from its root: take node.root")

// written returns the tree in one of its forms.
func (n node) written(c *call, write func(io.Writer) error) (starlark.Value, error) {
	if n.Parent != nil {
		return nil, n.at(c, errNotRoot)
	}
	var b strings.Builder
	if err := write(&b); err != nil {
		return nil, n.at(c, err)
	}
	return starlark.String(b.String()), nil
}

// lines returns what is written without the last line end, which print brings.
func (n node) lines(c *call, write func(io.Writer) error) (starlark.Value, error) {
	v, err := n.written(c, write)
	if err != nil {
		return nil, err
	}
	return starlark.String(strings.TrimSuffix(string(v.(starlark.String)), "\n")), nil
}

// at returns an error with the position that it is about.
func (n node) at(c *call, err error) error {
	return fmt.Errorf("%s: the tree of %s: %w", c.fn.Name(), n.tree.Root.Pos, err)
}
