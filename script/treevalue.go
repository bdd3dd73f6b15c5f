package script

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/printable"
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

// other returns another node of the tree; nil for nil.
func (n node) other(to *tree.Node) any {
	if to == nil {
		return nil
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

func (n node) class() *class { return nodeClass }

// MarshalJSON returns the whole tree for the root, and other nodes without their children.
func (n node) MarshalJSON() ([]byte, error) {
	if n.Parent == nil {
		var b strings.Builder
		err := n.tree.JSON(&b)
		return []byte(strings.TrimSuffix(b.String(), "\n")), err
	}
	out := struct {
		Path []string `json:"path"`
		batch.HintJSON
		Value    engine.ScoreJSON `json:"value,omitzero"`
		Position string           `json:"position"`
		Kind     string           `json:"kind"`
		Error    string           `json:"error,omitempty"`
	}{Path: n.path(), HintJSON: n.hint().json(), Value: n.Value.JSON(), Position: n.Pos.String(), Kind: n.Kind.String()}
	if n.Err != nil {
		out.Error = n.Err.Error()
	}
	return printable.JSON(out)
}

func (n node) hint() *hint {
	return &hint{batch.Hint{Move: n.Name, Score: n.Score, Depth: n.Depth, Nodes: n.Nodes, PV: n.PV, Text: n.Text}}
}

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
	attribute("move: str | None", `The move that leads to the node. None at the root.`, func(n node) string {
		if n.Parent == nil {
			return ""
		}
		return n.Name
	}),
	attribute("board: Board", `A new board with the position and its history.`,
		func(n node) *board { return n.kind.newBoard(n.Pos) }),
	attribute("score: Score | None", `The engine's score of the move. None at the root, and if the engine gave none.`,
		func(n node) starlark.Value {
			if n.Parent == nil {
				return starlark.None
			}
			return scoreValue(n.Score)
		}),
	attribute("value: Score | None", `The minimax value of the move in the tree; at the root, of the position. None if unknown.`,
		func(n node) starlark.Value { return scoreValue(n.Value) }),
	attribute("best_line: tuple[str, ...]", `The best line from here according to the tree. board.play(*best_line) plays it.`,
		func(n node) []string { return moveNames(n.Best()) }),
	attribute("children: tuple[Node, ...]", `The nodes of the moves proposed by the engine, best first.`, func(n node) (all []node) {
		for _, child := range n.Children {
			all = append(all, node{n.kind, n.tree, child})
		}
		return all
	}),
	attribute("parent: Node | None", `The parent node. None at the root.`,
		func(n node) any { return n.other(n.Parent) }),
	attribute("root: Node", `The tree's first node.`,
		func(n node) any { return n.other(n.tree.Root) }),
	attribute("path: tuple[str, ...]", `The moves from the root to the node.`,
		node.path),
	attribute("rank: int", `The engine's rank of the move, from 1. 0 at the root.`,
		func(n node) int { return n.Rank }),
	attribute("depth: int", `The search depth of the score in plies. 0 if unknown.`,
		func(n node) int { return n.Depth }),
	attribute("nodes: int", `The number of positions visited. 0 if unknown.`,
		func(n node) int64 { return n.Nodes }),
	attribute("pv: tuple[str, ...]", `The principal variation, this move first.`,
		func(n node) []string { return n.PV }),
	attribute("comment: str", `Other text from the engine about the move.`,
		func(n node) string { return n.Text }),
	attribute("kind: str", `"searched" if there are children. Otherwise "unsearched", "failed", "over" if the game is over, "return" if the position has occurred before, or "merged" if its children are at another node with the same position.`,
		func(n node) string { return n.Kind.String() }),
	attribute("same: Node | None", `For a merged node, the one that has the children; for a return, the earlier one.`,
		func(n node) any { return n.other(n.Same) }),
	attribute("error: str | None", `Why the search of a failed node failed.`, func(n node) error { return n.Err }),

	method("walk() -> list[Node]", `This node and its descendants, each before its children.`,
		func(n node) []node { return n.all(nil) }),
	method("find(fn: Callable[[Node], object]) -> Node | None", `The first node of walk() for which fn is true. None if there is none.`, node.find),
	method("text(width: int = 0) -> str", `The tree as text, cut at width columns; 0: not cut. Only for the root, like all output formats.`,
		func(n node, width int) (string, error) {
			if width < 0 {
				return "", fmt.Errorf("width %d: want 0 or more", width)
			}
			text, err := n.written(func(t *tree.Tree, w io.Writer) error { return t.Text(w, width) })
			return strings.TrimSuffix(text, "\n"), err // print ends the line
		}),
	method("json() -> str", `The tree as one object of JSON, as qhsh tree writes it.`, func(n node) (string, error) {
		text, err := n.written((*tree.Tree).JSON)
		return strings.TrimSuffix(text, "\n"), err
	}),
	method("dot() -> str", `The tree as a graph for Graphviz.`, func(n node) (string, error) { return n.written((*tree.Tree).DOT) }),
	method("svg() -> str", `The tree as SVG.`, func(n node) (string, error) { return n.written((*tree.Tree).SVG) }),
	method(`html(title: str = "") -> str`, `The tree as a self-contained HTML page with a board that follows the mouse and the arrow keys.`,
		func(n node, title string) (string, error) {
			return n.written(func(t *tree.Tree, w io.Writer) error {
				return t.HTML(w, tree.WriteOptions{Title: title, Games: n.kind.Table})
			})
		}),
)

// all appends the node and its descendants.
func (n node) all(nodes []node) []node {
	nodes = append(nodes, n)
	for _, child := range n.Children {
		nodes = node{n.kind, n.tree, child}.all(nodes)
	}
	return nodes
}

func (n node) find(thread *starlark.Thread, fn starlark.Callable) (any, error) {
	for _, candidate := range n.all(nil) {
		found, err := starlark.Call(thread, fn, starlark.Tuple{object{candidate}}, nil)
		if err != nil {
			return nil, bareError{err}
		}
		if found.Truth() {
			return candidate, nil
		}
	}
	return nil, nil
}

// written returns the tree in an output format.
func (n node) written(write func(*tree.Tree, io.Writer) error) (string, error) {
	var b strings.Builder
	err := errors.New("only the root can be written: use node.root")
	if n.Parent == nil {
		err = write(n.tree, &b)
	}
	if err != nil {
		return "", fmt.Errorf("tree of %s: %w", n.tree.Root.Pos, err)
	}
	return b.String(), nil
}
