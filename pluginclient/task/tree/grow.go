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

// What holds where Options say nothing.
const (
	DefaultWidth    = 3
	DefaultDepth    = 4
	DefaultMaxNodes = 10_000
)

// Options say how a tree grows.
type Options struct {
	Width int // moves at a position; 0: DefaultWidth
	Depth int // plies from the root; 0: DefaultDepth
	// Limits are those of every search. Lines is Width whatever stands here, and Ban
	// holds at the root alone.
	Limits engine.Limits
	// MaxNodes bounds the moves in the tree; 0: DefaultMaxNodes. Growth ends before a
	// search that might exceed it.
	MaxNodes int
	// Judge scores a position that has occurred before, for the side to move there. Its
	// History has every occurrence. The unknown Score is no verdict, and the engine's
	// score stands. Nil: the rules of a game that has an engine.Adjudicator, and else a
	// draw. What is lost by the rules counts like a mate, but is a number of centipawns.
	Judge func(engine.Position) engine.Score
	// Label writes moves that follow each other, the first played at a position, as who
	// reads the tree wants them, as far as they are legal. Nil: in the game's notation.
	Label func(pos engine.Position, moves []engine.Move) []string
	// Progress, if not nil, is called after every search. It may read the tree while it
	// runs, and must not keep it. Children are in the engine's order then.
	Progress func(*Tree)
}

// withDefaults is o with the defaults in place.
func (o Options) withDefaults() (Options, error) {
	for _, n := range []struct {
		name  string
		value *int
		def   int
	}{
		{"width", &o.Width, DefaultWidth},
		{"depth", &o.Depth, DefaultDepth},
		{"most nodes", &o.MaxNodes, DefaultMaxNodes},
	} {
		if *n.value < 0 {
			return o, fmt.Errorf("tree: %s %d: want 1 or more", n.name, *n.value)
		}
		*n.value = cmp.Or(*n.value, n.def)
	}
	if o.MaxNodes < o.Width {
		return o, fmt.Errorf("tree: %d nodes at most: want as many as the width, %d", o.MaxNodes, o.Width)
	}
	o.Limits.Lines = o.Width
	if o.Judge == nil {
		o.Judge = repetitionScore
	}
	return o, nil
}

// Grow grows a tree from a position. The Searcher is asked as package asking says, so that
// what it says of a position does not depend on the way the tree has grown; with a
// deterministic one, the same root and Options give the same tree.
//
// An answer without a legal move is a failure; illegal moves beside a legal one are skipped.
// Where the engine fails the node is Failed, and growth goes on elsewhere. There is
// a tree even with an error, unless the Options make no sense: the tree so far. The error is that of the root's search, or of an engine that
// cannot be started (it wraps pluginclient.ErrStart), or wraps the cause of the
// context's end. The cause engine.ErrMoveNow ends growth after the search that is
// under way, and is no error.
func Grow(ctx context.Context, s engine.Searcher, root engine.Position, o Options) (*Tree, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	g := newGrower(s, root, o)
	err = g.grow(ctx)
	g.tree.walk(func(n *Node) { sortBestFirst(n) })
	return g.tree, err
}

// grower is a tree that grows.
type grower struct {
	Options
	searcher engine.Searcher
	tree     *Tree
	nodes    map[positionID]*Node // where each position has its children, or may get them
	earlier  map[positionID]bool  // positions of the game before the root
}

func newGrower(s engine.Searcher, root engine.Position, o Options) *grower {
	g := &grower{
		Options: o, searcher: s,
		tree:    &Tree{Root: &Node{Pos: root}, Options: o},
		nodes:   map[positionID]*Node{},
		earlier: earlierPositions(root),
	}
	g.classify(g.tree.Root)
	return g
}

func (g *grower) grow(ctx context.Context) error {
	for {
		n := nextToSearch(g.tree.Root)
		if n == nil || g.tree.Size+g.maxChildren(n) > g.MaxNodes {
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

// maxChildren returns how many children a position gets at most.
func (g *grower) maxChildren(n *Node) int {
	moves := len(n.Pos.Moves())
	if n.Pos.Turn() == engine.Chance {
		return moves
	}
	return min(moves, g.Width)
}

// done reports whether the context wants growth to end. Even if the answer is wanted
// now, the root is searched.
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

// expand gives a node its children. The error is one that ends growth.
func (g *grower) expand(ctx context.Context, n *Node) error {
	if n.Pos.Turn() == engine.Chance {
		g.attach(n, outcomes(n))
		return nil
	}
	limits := g.Limits
	if n.Parent != nil {
		limits.Ban = nil
	}
	children, err := g.ask(ctx, n, limits)
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

// ask has the engine propose children.
func (g *grower) ask(ctx context.Context, n *Node, limits engine.Limits) (children []*Node, err error) {
	policy := asking.Policy{Accept: func(lines []engine.Line) (err error) {
		children, err = childrenFromLines(n, lines, g.Width)
		return err
	}}
	_, err = policy.Ask(ctx, g.searcher, n.Pos, limits)
	return children, err
}

// attach makes nodes the children of n.
func (g *grower) attach(n *Node, children []*Node) {
	n.Kind, n.Children = Searched, children
	g.label(children)
	g.tree.Size += len(children)
	for _, child := range children {
		g.classify(child)
	}
	backUp(n)
}

// outcomes returns the children of a chance position.
func outcomes(n *Node) []*Node {
	odds, _ := n.Pos.(engine.Odds)
	moves := n.Pos.Moves()
	var children []*Node
	for _, m := range moves {
		next, err := n.Pos.Play(m)
		if err != nil {
			continue // the contract says that every one of Moves plays
		}
		child := n.child(m, next)
		child.Odds = 1 / float64(len(moves))
		if odds != nil {
			child.Odds = odds.Odds(m)
		}
		children = append(children, child)
	}
	return children
}

// childrenFromLines returns the children that an engine's lines make. No engine is believed that
// its moves are legal: those that are not, or that come twice, are skipped.
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

// label writes the moves of new nodes as the Options say.
func (g *grower) label(children []*Node) {
	if g.Label == nil {
		return
	}
	for _, child := range children {
		before := child.Parent.Pos
		child.Label = strings.Join(g.Label(before, []engine.Move{child.Move}), " ")
		child.Line = g.Label(before, child.expected)
	}
}

func (n *Node) child(m engine.Move, next engine.Position) *Node {
	return &Node{Parent: n, ply: n.ply + 1, Pos: next, Move: m, Name: n.Pos.Format(m)}
}
