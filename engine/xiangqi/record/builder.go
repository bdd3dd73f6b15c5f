package record

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// A treeBuilder is a record.TreeBuilder on a Xiangqi board.
type treeBuilder struct {
	*record.TreeBuilder
	board *xiangqi.Board
}

func newTreeBuilder(g *record.Game) *treeBuilder {
	b := newBoard(startPos(g))
	return &treeBuilder{record.NewTreeBuilder(g, b), b.Board}
}

// A binaryMove is a move of the binary formats. Its replies come before its alternatives.
type binaryMove struct {
	from, to                 int // rank x 9 + file from A0; outside 0 to 89 if the file is damaged
	comment                  string
	glyphs                   []uint8
	hasReply, hasAlternative bool
	offset                   int64 // offset in the file
}

// readTree builds the tree from first and the moves that next returns. The replies to an illegal
// move are skipped. It returns the first error.
func (p *treeBuilder) readTree(first binaryMove, next func() (binaryMove, error), place func(at int64, err error) error) (err error) {
	type fork struct {
		depth int
		dead  bool
	}
	var forks []fork
	bad := 0
	t, dead := first, false
	for {
		now := fork{p.Depth(), dead}
		if t.hasAlternative {
			forks = append(forks, now)
		}
		if !dead {
			if playErr := p.addMove(t); playErr != nil {
				dead = true
				if bad++; bad == 1 {
					err = place(t.offset, playErr)
				}
			}
		}
		if !t.hasReply {
			if len(forks) == 0 {
				return err
			}
			last := forks[len(forks)-1]
			forks = forks[:len(forks)-1]
			dead = last.dead
			p.BackTo(last.depth)
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

func (p *treeBuilder) addMove(t binaryMove) error {
	if t.from < 0 || t.from >= 90 || t.to < 0 || t.to >= 90 {
		return fmt.Errorf("move %d: a point outside the board", p.Depth()+1)
	}
	m := xiangqi.NewMove(xiangqi.Square(t.from), xiangqi.Square(t.to))
	if err := p.board.Check(m); err != nil {
		return fmt.Errorf("move %d: %w", p.Depth()+1, err)
	}
	n, err := p.Play(engine.Move(m))
	if err != nil {
		return err
	}
	n.Comment, n.Glyphs = t.comment, t.glyphs
	return nil
}

// A grid is a board: a FEN letter for each point, or 0; the index is rank x 9 + file from A0.
type grid [90]byte

// position returns the FEN. The side to move is that of the piece on the point first; if there is
// none, black selects it.
func (g *grid) position(first int, black bool) string {
	if 0 <= first && first < 90 && g[first] != 0 {
		black = g[first] >= 'a'
	}
	side := "w"
	if black {
		side = "b"
	}
	return g.fen() + " " + side + " - - 0 1"
}

// fen returns the first field of a FEN.
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

// gridOf returns a position's board.
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

// errTruncated is the error of a truncated file.
var errTruncated = errors.New("unexpected end of file within the game")
