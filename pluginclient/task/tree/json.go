package tree

import (
	"io"

	"qhsh/engine"
	"qhsh/pluginclient/format"
)

// JSON writes the tree as one object and a line feed. The keys come in this order, and
// are omitted if they do not apply:
//
//	game      the game's name
//	start     the game's first position
//	moves     the moves played from there, in the game's notation
//	width     requested moves per position
//	depth     requested depth in plies
//	searched  number of successful searches
//	failed    number of failed searches
//	open      number of positions within depth that were not searched
//	size      number of moves in the tree
//	root      the root, a node
//
// and of a node:
//
//	id        "0" of the root, "2" of its second child, "2.1" of the first child of that
//	move      the move before the position, in the game's notation
//	label     the move in the requested notation, if any
//	rank      the engine's rank of the move, from 1
//	odds      the probability of an outcome of chance
//	cp, mate  the engine's score of the move
//	value     the backed-up score of the move: an object with cp or mate
//	depth     depth of the engine's search
//	nodes     nodes of the engine's search
//	pv        the principal variation, starting with move
//	line      pv in the requested notation
//	text      other information from the engine
//	position  the position after the move
//	turn      the side to move: first, second or chance
//	kind      searched, unsearched, failed, over, return or merged
//	result    of a finished game: first wins, second wins or draw
//	over      the reason of the result, such as checkmate
//	loop      true if a merged node keeps its own score to avoid a cycle
//	same      the id of the node with the same position, for merged and return
//	error     why the search failed
//	children  child nodes, best first
//
// cp, mate and value are for the side that makes the move, value at the root for the
// side to move; where chance draws they are for the first side. A mate is counted in moves of the winner, negative for the losing side.
func (t *Tree) JSON(w io.Writer) error {
	start, moves := t.Root.Pos.History()
	return format.JSONLine(w, jsonTree{
		Game: start.Game().Name(), Start: start.String(), Moves: engine.FormatMoves(start, moves),
		Width: t.Options.Width, Depth: t.Options.Depth,
		Searched: t.Searched, Failed: t.Failed, Open: t.Open(), Size: t.Size,
		Root: toJSONNode(t.Root, t.ids()),
	})
}

type jsonTree struct {
	Game     string   `json:"game"`
	Start    string   `json:"start"`
	Moves    []string `json:"moves,omitempty"`
	Width    int      `json:"width"`
	Depth    int      `json:"depth"`
	Searched int      `json:"searched"`
	Failed   int      `json:"failed,omitempty"`
	Open     int      `json:"open,omitempty"`
	Size     int      `json:"size"`
	Root     jsonNode `json:"root"`
}

type jsonNode struct {
	ID    string  `json:"id"`
	Move  string  `json:"move,omitempty"`
	Label string  `json:"label,omitempty"`
	Rank  int     `json:"rank,omitempty"`
	Odds  float64 `json:"odds,omitempty"`
	engine.ScoreJSON
	Value    engine.ScoreJSON `json:"value,omitzero"`
	Depth    int              `json:"depth,omitempty"`
	Nodes    int64            `json:"nodes,omitempty"`
	PV       []string         `json:"pv,omitempty"`
	Line     []string         `json:"line,omitempty"`
	Text     string           `json:"text,omitempty"`
	Position string           `json:"position"`
	Turn     string           `json:"turn"`
	Kind     string           `json:"kind"`
	Result   string           `json:"result,omitempty"`
	Over     string           `json:"over,omitempty"`
	Loop     bool             `json:"loop,omitempty"`
	Same     string           `json:"same,omitempty"`
	Error    string           `json:"error,omitempty"`
	Children []jsonNode       `json:"children,omitempty"`
}

func toJSONNode(n *Node, ids map[*Node]string) jsonNode {
	out := jsonNode{
		ID: ids[n], Move: n.Name, Label: n.Label, Rank: n.Rank, Odds: n.Odds,
		ScoreJSON: n.Score.JSON(), Value: n.Value.JSON(),
		Depth: n.Depth, Nodes: n.Nodes, PV: n.PV, Line: n.Line, Text: n.Text,
		Position: n.Pos.String(), Turn: n.Pos.Turn().String(), Kind: n.Kind.String(), Same: ids[n.Same], Loop: n.loop,
	}
	if n.Kind == Over {
		result := n.Pos.Result()
		out.Result, out.Over = result.Outcome.String(), result.Reason
	}
	if n.Err != nil {
		out.Error = n.Err.Error()
	}
	for _, child := range n.Children {
		out.Children = append(out.Children, toJSONNode(child, ids))
	}
	return out
}
