package record

import (
	"strconv"
	"sync"

	"qhsh/engine"
)

// A TreeBuilder builds a game's tree while playing the moves on a board.
type TreeBuilder struct {
	board Board
	line  []ply // from the root to the current node
	moves int   // that were added

	joined     int     // comments on a move
	joinedWith *string // the comment of that move
}

// A ply is a node, with the counter of the moves up to it.
type ply struct {
	node  *Node
	count counter
}

// lines keeps lines of builders that are done: a game is small beside the room for its line.
var lines = sync.Pool{New: func() any { return new([]ply) }}

// NewTreeBuilder returns a builder for a game; the board must be at its start.
func NewTreeBuilder(g *Game, b Board) *TreeBuilder {
	return &TreeBuilder{board: b, line: append((*lines.Get().(*[]ply))[:0], ply{g.Root, newCounter(1)})}
}

// done ends the use of the builder.
func (p *TreeBuilder) done() {
	line := p.line
	p.line = nil
	clear(line[:cap(line)])
	lines.Put(&line)
}

// Current returns the current node.
func (p *TreeBuilder) Current() *Node { return p.line[len(p.line)-1].node }

// Depth returns the number of moves on the board.
func (p *TreeBuilder) Depth() int { return len(p.line) - 1 }

func (p *TreeBuilder) counter() counter { return p.line[len(p.line)-1].count }

// Path returns the nodes from the root to the current one.
func (p *TreeBuilder) Path() (path []*Node) {
	for _, at := range p.line {
		path = append(path, at.node)
	}
	return path
}

// BackTo takes back moves until depth are left.
func (p *TreeBuilder) BackTo(depth int) {
	for p.Depth() > depth {
		p.board.Undo()
		p.line = p.line[:len(p.line)-1]
	}
}

// Follow plays the move of an existing child node.
func (p *TreeBuilder) Follow(n *Node) {
	count := p.counter()
	if turn := p.board.Turn(); turn != engine.Chance {
		count.next(turn)
	}
	p.board.Do(n.Move)
	p.line = append(p.line, ply{n, count})
}

// Play adds a legal move and makes its node current. It is an error if the line or the game is too
// long.
func (p *TreeBuilder) Play(m engine.Move) (*Node, error) {
	switch {
	case p.moves >= MaxMoves:
		return nil, ErrTooManyMoves
	case p.Depth() >= MaxPlies:
		return nil, errLineTooLong
	}
	p.moves++
	n := p.Current().Append(m)
	p.Follow(n)
	return n, nil
}

// Join adds a line to one of the comments of a move. It is an error if it has too many.
func (p *TreeBuilder) Join(comment *string, text string) error {
	if p.joinedWith != comment {
		p.joined, p.joinedWith = 0, comment
	}
	if p.joined++; p.joined > MaxJoined {
		return errJoined
	}
	*comment = JoinLines(*comment, text)
	return nil
}

// A counter numbers moves: each move of the first side starts a new number.
type counter struct {
	base    int32 // the number of the first move
	number  int32 // of the last move; base - 1 before the first
	firsts  int16 // moves of the first side
	last    engine.Turn
	started bool
}

func newCounter(base int) counter {
	return counter{base: int32(base), number: int32(base) - 1}
}

// next counts a move of a side. plain reports whether it is a reply, whose number can be omitted.
func (c *counter) next(t engine.Turn) (plain bool) {
	plain = c.started && c.last != t && t != engine.First
	c.started, c.last = true, t
	if t == engine.First {
		c.number++
		c.firsts++
	}
	c.number = max(c.number, c.base)
	return plain
}

// String returns the number of the last move: "1." for the first side, "1..." for the second.
func (c *counter) String() string {
	if c.last == engine.First {
		return strconv.Itoa(int(c.number)) + "."
	}
	return strconv.Itoa(int(c.number)) + "..."
}
