package record

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A planter grows a game's tree while a board follows.
type planter struct {
	game  *Game
	board *xiangqi.Board
	line  []*Node // from the root to where the board stands
}

func newPlanter(g *Game) *planter {
	return &planter{game: g, board: startPos(g).Board(), line: []*Node{g.Root}}
}

// here is the node where the board stands.
func (p *planter) here() *Node { return p.line[len(p.line)-1] }

// depth is the number of moves on the board.
func (p *planter) depth() int { return len(p.line) - 1 }

// back takes back moves until depth are left.
func (p *planter) back(depth int) {
	for p.depth() > depth {
		p.board.Undo()
		p.line = p.line[:len(p.line)-1]
	}
}

// follow goes on to a node that is there.
func (p *planter) follow(n *Node) {
	p.board.Do(xiangqi.Move(n.Move))
	p.line = append(p.line, n)
}

// play makes a legal move and goes on to its new node.
func (p *planter) play(m xiangqi.Move) *Node {
	n := p.here().Append(engine.Move(m))
	p.follow(n)
	return n
}

// A twig is a move as the binary forms have it: the main line below it comes first, then
// what else might have been played instead of it.
type twig struct {
	from, to         int // rank x 9 + file from A0; out of 0 to 89 in a damaged file
	comment          string
	glyphs           []uint8
	follows, instead bool
	at               int64 // where it stands in the file
}

// plant reads the tree in which next answers one twig after the other. Moves below an
// illegal one are passed over. The error is the first that there is.
func (p *planter) plant(first twig, next func() (twig, error), place func(at int64, err error) error) (err error) {
	type fork struct {
		depth int
		dead  bool
	}
	var forks []fork
	bad := 0
	t, dead := first, false
	for {
		now := fork{p.depth(), dead}
		if t.instead {
			forks = append(forks, now)
		}
		if !dead {
			if playErr := p.plantOne(t); playErr != nil {
				dead = true
				if bad++; bad == 1 {
					err = place(t.at, playErr)
				}
			}
		}
		if !t.follows {
			if len(forks) == 0 {
				return err
			}
			last := forks[len(forks)-1]
			forks = forks[:len(forks)-1]
			dead = last.dead
			p.back(last.depth)
		}
		var readErr error
		if t, readErr = next(); readErr != nil {
			if err == nil {
				err = readErr
			}
			return err
		}
	}
}

func (p *planter) plantOne(t twig) error {
	if t.from < 0 || t.from >= 90 || t.to < 0 || t.to >= 90 {
		return fmt.Errorf("move %d: there are no such points", p.depth()+1)
	}
	if p.depth() >= mostPlies {
		return errEndless
	}
	m := xiangqi.NewMove(xiangqi.Square(t.from), xiangqi.Square(t.to))
	if err := p.board.Check(m); err != nil {
		return fmt.Errorf("move %d: %w", p.depth()+1, err)
	}
	n := p.play(m)
	n.Comment, n.Glyphs = t.comment, t.glyphs
	return nil
}

// A grid is a board as a file has it: a letter of FEN on each point, rank x 9 + file from
// A0, or 0.
type grid [90]byte

// start is the position with a side to move: that of the piece on a point, if there is one,
// or else Red.
func (g *grid) start(first int, black bool) (*xiangqi.Position, error) {
	if 0 <= first && first < 90 && g[first] != 0 {
		black = g[first] >= 'a'
	}
	side := "w"
	if black {
		side = "b"
	}
	return position(g.fen() + " " + side + " - - 0 1")
}

// fen is the first field of a FEN.
func (g *grid) fen() string {
	var text strings.Builder
	for rank := 9; rank >= 0; rank-- {
		gap := 0
		for _, c := range g[rank*9 : rank*9+9] {
			if c == 0 {
				gap++
				continue
			}
			if gap > 0 {
				text.WriteByte('0' + byte(gap))
				gap = 0
			}
			text.WriteByte(c)
		}
		if gap > 0 {
			text.WriteByte('0' + byte(gap))
		}
		if rank > 0 {
			text.WriteByte('/')
		}
	}
	return text.String()
}

// gridOf is a position's board.
func gridOf(p *xiangqi.Position) (g grid) {
	for sq := range g {
		piece := p.At(xiangqi.Square(sq))
		if piece == xiangqi.Empty {
			continue
		}
		g[sq] = "RNBAKCP"[piece.Kind()-1]
		if piece.Side() == xiangqi.Black {
			g[sq] |= 0x20
		}
	}
	return g
}

// position reads a FEN.
func position(fen string) (*xiangqi.Position, error) {
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		return nil, fmt.Errorf("the start position: %w", err)
	}
	return p, nil
}

// mostPlies is how many moves a line may have.
const mostPlies = 10_000

var errEndless = fmt.Errorf("the line has more than %d moves", mostPlies)

// errCut is the error of a file that ends too early.
var errCut = errors.New("the file ends here, in the middle of the game")
