package script

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/tree"
)

// A node is a position in a tree of hints. A script's tree is its root. There may be several values
// for one node; they are equal.
type node struct {
	kind *kind // of its boards
	tree *tree.Tree
	*tree.Node
}

var _ starlark.Comparable = node{}

// newTree returns a tree as the value of its root.
func newTree(k *kind, t *tree.Tree) node { return node{k, t, t.Root} }

// other returns the value of another node of the tree, None for nil.
func (n node) other(to *tree.Node) starlark.Value {
	if to == nil {
		return starlark.None
	}
	return node{n.kind, n.tree, to}
}

// String returns a summary: for the root the size of the tree, for other nodes the moves that lead
// to it and its value.
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

// CompareSameType compares identity.
func (n node) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return compareEqual(op, n.Node == other.(node).Node, "node")
}

// MarshalJSON returns the whole tree for the root, and other nodes without their children.
func (n node) MarshalJSON() ([]byte, error) {
	if n.Parent == nil {
		var b strings.Builder
		err := n.tree.JSON(&b)
		return []byte(strings.TrimSuffix(b.String(), "\n")), err
	}
	out := jsonNode{
		Path: n.path(), HintJSON: n.hint().json(), Value: n.Value.JSON(),
		Position: n.Pos.String(), Kind: n.Kind.String(),
	}
	if n.Err != nil {
		out.Error = n.Err.Error()
	}
	return marshal(out)
}

// hint returns the engine's evaluation of the node's move.
func (n node) hint() *hint {
	return &hint{batch.Hint{Move: n.Name, Score: n.Score, Depth: n.Depth, Nodes: n.Nodes, PV: n.PV, Text: n.Text}}
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
	`A position in a tree of hints; the tree is its root. Scores are for the side that makes the node's move, at the root for the side to move. Nodes are immutable, and equal if they are the same node of the same tree. In JSON the root is the whole tree as from qhsh tree; another node is an object with path, move, cp or mate, value, depth, nodes, pv, text, position and kind, without its children.`,
	attribute("move: str | None", `The move that leads to the node. None at the root.`, nodeMove),
	attribute("board: Board", `A new board with the position and its history.`,
		func(n node) (starlark.Value, error) { return n.kind.newBoard(n.Pos), nil }),
	attribute("score: Score | None", `The engine's score of the move. None at the root, and if the engine gave none.`,
		func(n node) (starlark.Value, error) {
			if n.Parent == nil {
				return starlark.None, nil
			}
			return scoreValue(n.Score), nil
		}),
	attribute("value: Score | None", `The minimax value of the move in the tree; at the root, of the position. None if unknown.`,
		func(n node) (starlark.Value, error) { return scoreValue(n.Value), nil }),
	attribute("best_line: tuple[str, ...]", `The best line from here according to the tree. board.play(*best_line) plays it.`,
		func(n node) (starlark.Value, error) { return moveTuple(moveNames(n.Best())), nil }),
	attribute("children: tuple[Node, ...]", `The nodes of the moves proposed by the engine, best first.`, nodeChildren),
	attribute("parent: Node | None", `The parent node. None at the root.`,
		func(n node) (starlark.Value, error) { return n.other(n.Parent), nil }),
	attribute("root: Node", `The tree's first node.`,
		func(n node) (starlark.Value, error) { return n.other(n.tree.Root), nil }),
	attribute("path: tuple[str, ...]", `The moves from the root to the node.`,
		func(n node) (starlark.Value, error) { return moveTuple(n.path()), nil }),
	attribute("rank: int", `The engine's rank of the move, from 1. 0 at the root.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt(n.Rank), nil }),
	attribute("depth: int", `The search depth of the score in plies. 0 if unknown.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt(n.Depth), nil }),
	attribute("nodes: int", `The number of positions visited. 0 if unknown.`,
		func(n node) (starlark.Value, error) { return starlark.MakeInt64(n.Nodes), nil }),
	attribute("pv: tuple[str, ...]", `The principal variation, this move first.`,
		func(n node) (starlark.Value, error) { return moveTuple(n.PV), nil }),
	attribute("comment: str", `Other text from the engine about the move.`,
		func(n node) (starlark.Value, error) { return starlark.String(n.Text), nil }),
	attribute("kind: str", `"searched" if there are children. Otherwise "unsearched", "failed", "over" if the game is over, "return" if the position has occurred before, or "merged" if its children are at another node with the same position.`,
		func(n node) (starlark.Value, error) { return starlark.String(n.Kind.String()), nil }),
	attribute("same: Node | None", `For a merged node, the one that has the children; for a return, the earlier one.`,
		func(n node) (starlark.Value, error) { return n.other(n.Same), nil }),
	attribute("error: str | None", `Why the search of a failed node failed.`, nodeError),

	method("walk() -> list[Node]", `This node and its descendants, each before its children.`, walk),
	method("find(fn: Callable[[Node], object]) -> Node | None", `The first node of walk() for which fn is true. None if there is none.`, find),
	method("text(width: int = 0) -> str", `The tree as text, cut at width columns; 0: not cut. Only for the root, like all output formats.`,
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
			return n.lines(c, n.tree.JSON)
		}),
	method("dot() -> str", `The tree as a graph for Graphviz.`, form((*tree.Tree).DOT)),
	method("svg() -> str", `The tree as SVG.`, form((*tree.Tree).SVG)),
	method(`html(title: str = "") -> str`, `The tree as a self-contained HTML page with a board that follows the mouse and the arrow keys.`,
		func(n node, c *call) (starlark.Value, error) {
			var title string
			if err := c.unpack(&title); err != nil {
				return nil, err
			}
			return n.written(c, func(w io.Writer) error { return n.tree.HTML(w, tree.WriteOptions{Title: title, Games: n.kind.Table}) })
		}),
)

func nodeMove(n node) (starlark.Value, error) {
	if n.Parent == nil {
		return starlark.None, nil
	}
	return starlark.String(n.Name), nil
}

func nodeChildren(n node) (starlark.Value, error) {
	return tupleOf(n.Children, n.other), nil
}

func nodeError(n node) (starlark.Value, error) {
	if n.Err == nil {
		return starlark.None, nil
	}
	return starlark.String(n.Err.Error()), nil
}

func walk(n node, c *call) (starlark.Value, error) {
	return starlark.NewList(n.all(nil)), nil
}

// all appends the node and its descendants.
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

// form returns a method without arguments that writes the tree.
func form(write func(*tree.Tree, io.Writer) error) func(node, *call) (starlark.Value, error) {
	return func(n node, c *call) (starlark.Value, error) {
		return n.written(c, func(w io.Writer) error { return write(n.tree, w) })
	}
}

var errNotRoot = errors.New("only the root can be written: use node.root")

// written returns the tree in an output format.
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

// lines returns the output without the trailing newline, because print adds one.
func (n node) lines(c *call, write func(io.Writer) error) (starlark.Value, error) {
	v, err := n.written(c, write)
	if err != nil {
		return nil, err
	}
	return starlark.String(strings.TrimSuffix(string(v.(starlark.String)), "\n")), nil
}

// at adds the root position to an error.
func (n node) at(c *call, err error) error {
	return fmt.Errorf("%s: tree of %s: %w", c.fn.Name(), n.tree.Root.Pos, err)
}
