package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// Defaults of Options.
const (
	DefaultWidth    = 3
	DefaultDepth    = 4
	DefaultMaxNodes = 10_000
)

// Options are the options of Grow.
type Options struct {
	Width int // moves per position; 0: DefaultWidth
	Depth int // plies from the root; 0: DefaultDepth
	// Limits are the limits of each search. Lines is set to Width, and Ban applies only at the
	// root.
	Limits engine.Limits
	// MaxNodes is the maximum number of nodes without the root; 0: DefaultMaxNodes. Grow stops
	// before a search that might exceed it.
	MaxNodes int
	// Judge scores a position that occurred before, for the side to move. The position's History
	// has all occurrences. If the score is unknown, the engine's is kept. nil: by the rules if the
	// position is an engine.Adjudicator, where a loss is as many centipawns as a mate counts;
	// otherwise a draw.
	Judge func(engine.Position) engine.Score
	// Label formats consecutive legal moves, the first played at pos, for readers. nil: in the
	// game's notation.
	Label func(pos engine.Position, moves []engine.Move) []string
	// Progress, if not nil, is called after every search. It must not keep the tree. Children are
	// still in the engine's order.
	Progress func(*Tree)
}

func (o Options) withDefaults() (Options, error) {
	for _, n := range []struct {
		name  string
		value *int
		def   int
	}{
		{"width", &o.Width, DefaultWidth},
		{"depth", &o.Depth, DefaultDepth},
		{"maximum nodes", &o.MaxNodes, DefaultMaxNodes},
	} {
		if *n.value < 0 {
			return o, fmt.Errorf("tree: %s %d: want 1 or more", n.name, *n.value)
		}
		*n.value = cmp.Or(*n.value, n.def)
	}
	if o.MaxNodes < o.Width {
		return o, fmt.Errorf("tree: maximum nodes %d: want at least the width, %d", o.MaxNodes, o.Width)
	}
	o.Limits.Lines = o.Width
	if o.Judge == nil {
		o.Judge = repetitionScore
	}
	return o, nil
}

// Grow builds a tree from a position, as both sides see it ([engine.View]). Each search follows
// package asking, so its result does not depend on earlier ones; with a deterministic Searcher the
// same root and Options give the same tree.
//
// A result without a legal move is a failure; illegal moves besides a legal one are skipped. A
// failed search makes the node Failed, and growth continues elsewhere. Unless the Options are
// invalid, Grow returns the tree so far even with an error. The error is that of the root's search,
// that of an engine that cannot be started (it wraps pluginclient.ErrStart), or wraps the cause of
// ctx. The cause engine.ErrMoveNow stops growth after the current search without an error.
func Grow(ctx context.Context, s engine.Searcher, root engine.Position, o Options) (*Tree, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	root = engine.View(root)
	g := &grower{
		Options: o, searcher: s,
		tree:    &Tree{Root: &Node{Pos: root}, Options: o},
		nodes:   map[positionID]*Node{},
		earlier: earlierPositions(root),
	}
	g.classify(g.tree.Root)
	err = g.grow(ctx)
	g.tree.Root.walk(func(n *Node) {
		if n.Pos.Turn() != engine.Chance {
			slices.SortStableFunc(n.Children, byValue(n.Children))
		}
	})
	return g.tree, err
}

type grower struct {
	Options
	searcher engine.Searcher
	tree     *Tree
	nodes    map[positionID]*Node // the node that has, or may get, a position's children
	earlier  map[positionID]bool  // positions of the game before the root
}

func (g *grower) grow(ctx context.Context) error {
	for {
		n := nextToSearch(g.tree.Root)
		if n == nil {
			return nil
		}
		children := len(n.Pos.Moves())
		if n.Pos.Turn() != engine.Chance {
			children = min(children, g.Width)
		}
		if g.tree.Size+children > g.MaxNodes {
			return nil
		}
		if done, err := g.done(ctx); done {
			return err
		}
		if err := g.expand(ctx, n); err != nil {
			return err
		}
		if g.Progress != nil {
			g.Progress(g.tree)
		}
	}
}

// done reports whether ctx ends growth. With engine.ErrMoveNow the root is still searched.
func (g *grower) done(ctx context.Context) (bool, error) {
	if ctx.Err() == nil {
		return false, nil
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, engine.ErrMoveNow) {
		return g.tree.Root.Kind != Unsearched, nil
	}
	return true, fmt.Errorf("tree: %w", cause)
}

// expand adds the children of a node. An error ends growth.
func (g *grower) expand(ctx context.Context, n *Node) error {
	var children []*Node
	if n.Pos.Turn() == engine.Chance {
		for m, odds := range engine.Outcomes(n.Pos) {
			if next, err := n.Pos.Play(m); err == nil {
				child := n.child(m, next)
				child.Odds = odds
				children = append(children, child)
			}
		}
		g.attach(n, children)
		return nil
	}
	limits := g.Limits
	if n.Parent != nil {
		limits.Ban = nil
	}
	policy := asking.Policy{Accept: func(lines []engine.Line) (err error) {
		children, err = childrenFromLines(n, lines, g.Width)
		return err
	}}
	_, err := policy.Ask(ctx, g.searcher, n.Pos, limits)
	switch {
	case err == nil:
		g.tree.Searched++
		g.attach(n, children)
		return nil
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		return fmt.Errorf("tree: %w", err)
	}
	g.tree.Failed++
	n.Kind, n.Err = Failed, err
	backUp(n)
	if n.Parent == nil || errors.Is(err, pluginclient.ErrStart) {
		return fmt.Errorf("tree: %w", err)
	}
	return nil
}

func (g *grower) attach(n *Node, children []*Node) {
	n.Kind, n.Children = Searched, children
	g.tree.Size += len(children)
	for _, child := range children {
		if g.Label != nil {
			child.Label = strings.Join(g.Label(n.Pos, []engine.Move{child.Move}), " ")
			child.Line = g.Label(n.Pos, child.expected)
		}
		g.classify(child)
	}
	backUp(n)
}

// childrenFromLines returns the children for an engine's lines. Illegal and duplicate moves are
// skipped.
func childrenFromLines(n *Node, lines []engine.Line, width int) ([]*Node, error) {
	var children []*Node
	for i, line := range lines {
		if len(children) == width {
			break
		}
		if len(line.Moves) == 0 || slices.ContainsFunc(children, func(c *Node) bool { return c.Move == line.Move() }) {
			continue
		}
		next, err := n.Pos.Play(line.Move())
		if err != nil {
			continue
		}
		child := n.child(line.Move(), next)
		child.Rank, child.Score, child.Depth, child.Nodes, child.Text = i+1, line.Score, line.Depth, line.Nodes, line.Text
		child.PV, child.expected = engine.FormatMoves(n.Pos, line.Moves), line.Moves
		children = append(children, child)
	}
	if len(children) == 0 {
		return nil, fmt.Errorf("%w, and no legal one in %d lines", pluginclient.ErrIllegal, len(lines))
	}
	return children, nil
}

func (n *Node) child(m engine.Move, next engine.Position) *Node {
	return &Node{Parent: n, ply: n.ply + 1, Pos: next, Move: m, Name: n.Pos.Format(m)}
}
