package record

import (
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
)

// A TreeBuilder builds a game's tree while playing the moves on a board.
type TreeBuilder struct {
	game  *Game
	board Board
	line  []*Node // from the root to the current node
}

// NewTreeBuilder returns a builder for a game; the board must be at its start.
func NewTreeBuilder(g *Game, b Board) *TreeBuilder {
	return &TreeBuilder{game: g, board: b, line: []*Node{g.Root}}
}

// Current returns the current node.
func (p *TreeBuilder) Current() *Node { return p.line[len(p.line)-1] }

// Depth returns the number of moves on the board.
func (p *TreeBuilder) Depth() int { return len(p.line) - 1 }

// Path returns the nodes from the root to the current one.
func (p *TreeBuilder) Path() []*Node { return slices.Clone(p.line) }

// BackTo takes back moves until depth are left.
func (p *TreeBuilder) BackTo(depth int) {
	for p.Depth() > depth {
		p.board.Undo()
		p.line = p.line[:len(p.line)-1]
	}
}

// Follow plays the move of an existing child node.
func (p *TreeBuilder) Follow(n *Node) {
	p.board.Do(n.Move)
	p.line = append(p.line, n)
}

// Play adds a legal move and makes its node current. It is an error if the line is too long.
func (p *TreeBuilder) Play(m engine.Move) (*Node, error) {
	if p.Depth() >= maxPlies {
		return nil, errLineTooLong
	}
	n := p.Current().Append(m)
	p.Follow(n)
	return n, nil
}

// maxPlies is the maximum number of moves of a line.
const maxPlies = 10_000

var errLineTooLong = fmt.Errorf("line of more than %d plies: the rest is ignored", maxPlies)

// FirstError returns the first error, with the number of others; nil if there are none. Those of
// moves that a comment keeps come last.
func FirstError(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	first := errs[max(slices.IndexFunc(errs, func(err error) bool { return !IsDropped(err) }), 0)]
	if len(errs) == 1 {
		return first
	}
	return fmt.Errorf("%w (and %d more)", first, len(errs)-1)
}

// A counter numbers moves: each move of the first side starts a new number.
type counter struct {
	base    int // the number of the first move
	number  int // of the last move; base - 1 before the first
	last    engine.Turn
	started bool
}

func newCounter(base int) counter { return counter{base: base, number: base - 1} }

// next counts a move of a side. plain reports whether it is a reply, whose number can be omitted.
func (c *counter) next(t engine.Turn) (plain bool) {
	plain = c.started && c.last != t && t != engine.First
	c.started, c.last = true, t
	if t == engine.First {
		c.number++
	}
	c.number = max(c.number, c.base)
	return plain
}

// String returns the number of the last move: "1." for the first side, "1..." for the second.
func (c *counter) String() string {
	if c.last == engine.First {
		return strconv.Itoa(c.number) + "."
	}
	return strconv.Itoa(c.number) + "..."
}
