package tree

import (
	"io"

	"qhsh/engine"
	"qhsh/pluginclient/format"
)

// JSON writes the tree as one object and a line feed. The keys are those of jsonTree and of jsonNode, in that
// order, and are omitted if they do not apply. Scores are for the side that makes the move, the value of the root
// for the side to move; where chance draws they are for the first side. A mate is counted in moves of the winner,
// negative for the losing side.
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
	Start    string   `json:"start"`           // the first position
	Moves    []string `json:"moves,omitempty"` // from there to the root, in the game's notation
	Width    int      `json:"width"`           // requested moves per position
	Depth    int      `json:"depth"`           // requested plies
	Searched int      `json:"searched"`        // positions
	Failed   int      `json:"failed,omitempty"`
	Open     int      `json:"open,omitempty"` // positions within depth that were not searched
	Size     int      `json:"size"`           // moves
	Root     jsonNode `json:"root"`
}

type jsonNode struct {
	ID    string  `json:"id"`              // see ids
	Move  string  `json:"move,omitempty"`  // before the position, in the game's notation
	Label string  `json:"label,omitempty"` // the move in the requested notation
	Rank  int     `json:"rank,omitempty"`  // the engine's, from 1
	Odds  float64 `json:"odds,omitempty"`
	engine.ScoreJSON
	Value    engine.ScoreJSON `json:"value,omitzero"` // backed up
	Depth    int              `json:"depth,omitempty"`
	Nodes    int64            `json:"nodes,omitempty"`
	PV       []string         `json:"pv,omitempty"`   // starts with the move
	Line     []string         `json:"line,omitempty"` // the pv in the requested notation
	Text     string           `json:"text,omitempty"` // other information from the engine
	Position string           `json:"position"`       // after the move
	Turn     string           `json:"turn"`
	Kind     string           `json:"kind"`
	Result   string           `json:"result,omitempty"`
	Over     string           `json:"over,omitempty"` // the reason of the result
	Loop     bool             `json:"loop,omitempty"` // it is merged and keeps its own score to avoid a cycle
	Same     string           `json:"same,omitempty"` // the node with the same position
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
