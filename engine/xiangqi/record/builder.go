package record

import (
	"encoding/binary"
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
	board   *xiangqi.Board
	lenient bool // moves that cannot be played are kept as comments
}

func newTreeBuilder(s *record.Source, g *record.Game) *treeBuilder {
	b := newBoard(startPos(g))
	return &treeBuilder{record.NewTreeBuilder(g, b), b.Board, s.Lenient()}
}

// A binaryMove is a move of the binary formats. Its replies come before its alternatives.
type binaryMove struct {
	from, to                 int // rank x 9 + file from A0; outside 0 to 89 if the file is damaged
	comment                  string
	glyphs                   []uint8
	hasReply, hasAlternative bool
	offset                   int64 // offset in the file
}

// text formats a move with its comment in braces.
func (t *binaryMove) text() string {
	text := "?"
	if t.isOnBoard() {
		text = xiangqi.NewMove(xiangqi.Square(t.from), xiangqi.Square(t.to)).String()
	}
	if t.comment != "" {
		text += " {" + t.comment + "}"
	}
	return text
}

func (t *binaryMove) isOnBoard() bool {
	return 0 <= t.from && t.from < 90 && 0 <= t.to && t.to < 90
}

type textField struct {
	at, size int    // in bytes
	name     string // of the tag
}

// A byteReader reads a file in memory, or the part of it that begins at a byte.
type byteReader struct {
	raw  []byte
	pos  int
	from int64
}

func (r *byteReader) bytes(n int) ([]byte, error) {
	if n < 0 || len(r.raw)-r.pos < n {
		return nil, errTruncated
	}
	r.pos += n
	return r.raw[r.pos-n : r.pos], nil
}

// comment reads a text after its length, to which a number has been added.
func (r *byteReader) comment(added uint32) ([]byte, error) {
	b, err := r.bytes(4)
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(b) - added
	if int64(length) > int64(len(r.raw)-r.pos) {
		return nil, fmt.Errorf("comment of %d bytes, but only %d are left", length, len(r.raw)-r.pos)
	}
	return r.bytes(int(length))
}

// readGame reads a game of a binary format after its root: its moves by next, in the order of readTree,
// once start has made the game without them, given the origin of the first move; -1 if there is none.
// place returns an error with a place in the file.
func (r *byteReader) readGame(s *record.Source, root binaryMove, next func() (binaryMove, error), start func(first int) (*record.Game, error), place func(at int64, err error) error) (*record.Game, error) {
	placed := func() (binaryMove, error) {
		t, err := next()
		if err != nil {
			err = place(r.from+int64(r.pos), err)
		}
		return t, err
	}
	first, firstErr := binaryMove{from: -1}, error(nil)
	if root.hasReply {
		first, firstErr = placed()
	}
	g, err := start(first.from)
	if err != nil {
		return nil, err
	}
	g.Root.Comment = root.comment
	if !root.hasReply || firstErr != nil {
		return g, firstErr
	}
	return g, newTreeBuilder(s, g).readTree(first, placed, place)
}

// A skippedTree is an illegal move and what follows it.
type skippedTree struct {
	err  error
	at   int64 // the byte of the file, in text the line
	text strings.Builder
	left int // moves that are not in the text, because it is too large
}

// add adds the text of a move, which may follow others.
func (s *skippedTree) add(text string) {
	if s.text.Len() > record.MaxLine {
		s.left++
		return
	}
	if s.text.Len() > 0 {
		s.text.WriteByte(' ')
	}
	s.text.WriteString(text)
}

// String returns the text of the moves, and how many it lacks.
func (s *skippedTree) String() string {
	if s.left == 0 {
		return s.text.String()
	}
	return fmt.Sprintf("%s ... (and %d more)", &s.text, s.left)
}

// readTree builds the tree from first and the moves that next returns. The replies to an illegal
// move are skipped, or kept as a comment. It returns the first error.
func (p *treeBuilder) readTree(first binaryMove, next func() (binaryMove, error), place func(at int64, err error) error) error {
	type fork struct {
		number  int // of the move, from 1
		skipped *skippedTree
	}
	var forks []fork
	var errs record.Errors
	keep := func(s *skippedTree) {
		errs.Add(place(s.at, p.Current().Drop(p.lenient, s.err, s.String)))
	}
	t, now := first, fork{number: p.Depth() + 1}
	for count := 0; ; count++ {
		if count == record.MaxMoves {
			errs.Add(place(t.offset, record.ErrTooManyMoves))
			return errs.First()
		}
		if t.hasAlternative {
			forks = append(forks, now)
		}
		if now.skipped == nil {
			if err := p.addMove(t); err != nil {
				now.skipped = &skippedTree{err: err, at: t.offset}
			}
		}
		if now.skipped != nil {
			now.skipped.add(t.text())
		}
		now.number++
		if !t.hasReply {
			last := fork{}
			if n := len(forks); n > 0 {
				last = forks[n-1]
			}
			if now.skipped != nil && last.skipped == nil {
				keep(now.skipped)
			}
			if len(forks) == 0 {
				return errs.First()
			}
			now, forks = last, forks[:len(forks)-1]
			if now.skipped != nil {
				fmt.Fprintf(&now.skipped.text, "; move %d:", now.number)
			}
			p.BackTo(now.number - 1)
		}
		var err error
		if t, err = next(); err != nil {
			if now.skipped != nil {
				keep(now.skipped)
			}
			errs.Add(err)
			return errs.First()
		}
	}
}

func (p *treeBuilder) addMove(t binaryMove) error {
	if !t.isOnBoard() {
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

// A grid is a board; the index is rank x 9 + file from A0.
type grid [90]xiangqi.Piece

// position returns the FEN. The side to move is that of the piece on the point first; if there is
// none, black selects it.
func (g *grid) position(first int, black bool) string {
	side := xiangqi.Red
	switch {
	case 0 <= first && first < 90 && g[first] != xiangqi.Empty:
		side = g[first].Side()
	case black:
		side = xiangqi.Black
	}
	return xiangqi.BoardFEN((*[90]xiangqi.Piece)(g), side) + " - - 0 1"
}

func gridOf(p *xiangqi.Position) (g grid) {
	for sq := range g {
		g[sq] = p.At(xiangqi.Square(sq))
	}
	return g
}

// pointOf returns the point of a file from Red's left and a rank from Black's side, both from 0; -1 if
// there is none.
func pointOf(file, rank byte) int {
	if file > 8 || rank > 9 {
		return -1
	}
	return int(9-rank)*9 + int(file)
}

var errTruncated = errors.New("unexpected end of file within the game")
