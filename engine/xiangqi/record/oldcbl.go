package record

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// An old CBL, of about 2001 to 2005, is a header and a zlib stream. The stream has texts, each after its
// length, and games: each has its size, its pieces in the order of binit, texts, and the moves in preorder
// with their plies; then a line of comment for each move. The format is not published; this was derived
// from 553 games, which all begin at the usual position.
const (
	oldCBLMagic  = "CCBridge\x15\x00\x00\x00"
	oldCBLHeader = 20
	oldCBLDates  = 2 * 19 // two dates in ASCII
	oldCBLMove   = 6      // ply, origin, target, two bytes of WXF
)

// oldCBLTexts are the texts of a game. An empty name is a number, the result "=", and "{}" a comment.
var oldCBLTexts = []string{"", "Event", "", "Title", "{}", "{}", "Site", "Date", "Red", "Black", "=", "Annotator", "{}", "Author", "AuthorAddress", "{}"}

// An oldCBLReader reads the numbers and texts of a stream, until it ends.
type oldCBLReader struct {
	byteReader
	err error
}

func (r *oldCBLReader) bytes(n uint32) []byte {
	b, err := r.byteReader.bytes(int(n))
	if err != nil {
		r.err = err
		return make([]byte, min(n, 4))
	}
	return b
}

func (r *oldCBLReader) number() uint32 { return binary.LittleEndian.Uint32(r.bytes(4)) }
func (r *oldCBLReader) text() []byte   { return r.bytes(r.number()) }

func readOldCBL(s *record.Source, raw []byte, yield func(*record.Game, error) bool) {
	var data []byte
	stream, err := zlib.NewReader(bytes.NewReader(raw[min(len(raw), oldCBLHeader):]))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(stream, record.MaxFile))
	}
	if err == nil && len(data) == record.MaxFile {
		err = record.ErrFileTooLarge
	}
	r := &oldCBLReader{byteReader: byteReader{raw: data}}
	for range 5 {
		r.text()
	}
	r.bytes(oldCBLDates)
	count := r.number()
	r.text()
	for i := range int(count) {
		at := r.pos
		size := r.number()
		game := &oldCBLReader{byteReader: byteReader{raw: r.bytes(max(size, 4) - 4)}}
		if r.err != nil {
			yield(nil, s.ByteError(i+1, int64(at), fmt.Errorf("%w (missing: %d of %d games)", cmp.Or(err, r.err), int(count)-i, count)))
			return
		}
		g, err := game.read(s)
		if !yield(g, s.ByteError(i+1, int64(at), err)) {
			return
		}
	}
	if err = cmp.Or(err, r.err); err != nil {
		yield(nil, s.FileError(err))
	}
}

func (r *oldCBLReader) read(s *record.Source) (*record.Game, error) {
	var board grid
	for i, b := range r.bytes(uint32(len(binitPieces))) {
		if at := nibblePoint(b - 0x11); at >= 0 && i < len(binitPieces) {
			board[at] = xiangqi.PieceOf(binitPieces[i])
		}
	}
	texts := make([][]byte, len(oldCBLTexts))
	var result uint32
	for i, name := range oldCBLTexts {
		switch name {
		case "":
			r.number()
		case "=":
			result = r.number()
		default:
			texts[i] = r.text()
		}
	}
	r.bytes(1 + oldCBLDates)
	moves := r.bytes(min(r.number(), record.MaxMoves+1) * oldCBLMove)
	if r.err != nil {
		return nil, r.err
	}
	comments := r.raw[r.pos:]
	decode := s.Choose(append(bytes.Join(texts, []byte("\n")), comments[:min(len(comments), xqfSample)]...))
	comment := func(text []byte) string { return record.CleanText(strings.ReplaceAll(decode(text), "||", "\n")) }
	tree, err := oldCBLTree(moves, func() string {
		var line []byte
		line, comments, _ = bytes.Cut(comments, []byte("\r\n"))
		return comment(line)
	})
	root := binaryMove{hasReply: len(tree) > 0}
	for i, text := range texts {
		if oldCBLTexts[i] == "{}" {
			root.comment = record.JoinLines(root.comment, comment(text))
		}
	}
	next := func() (t binaryMove, err error) {
		if len(tree) == 0 {
			return t, errTruncated
		}
		t, tree = tree[0], tree[1:]
		return t, nil
	}
	g, treeErr := r.readGame(s, root, next, func(first int) (*record.Game, error) {
		start, err := s.Position(board.position(first, false))
		if err != nil {
			return nil, err
		}
		g := record.NewGame(start)
		for i, text := range texts {
			if name := oldCBLTexts[i]; name != "{}" {
				g.Tags.Add(name, strings.TrimSpace(decode(text)))
			}
		}
		if result < 4 { // 4 is that of openings, which go both ways
			g.Result = outcomeOf(byte(result))
		}
		return g, nil
	}, func(_ int64, err error) error { return err })
	if g == nil {
		return nil, treeErr
	}
	return g, errors.Join(treeErr, err)
}

// oldCBLTree returns the moves with their comments up to the first whose ply is impossible.
func oldCBLTree(raw []byte, comment func() string) (tree []binaryMove, err error) {
	var plies []int
	for ; len(raw) >= oldCBLMove; raw = raw[oldCBLMove:] {
		ply, n := int(binary.LittleEndian.Uint16(raw)), len(plies)
		if ply == 0 || n == 0 && ply != 1 || n > 0 && ply > plies[n-1]+1 {
			err = fmt.Errorf("move %d has the ply %d", n+1, ply)
			break
		}
		plies = append(plies, ply)
		tree = append(tree, binaryMove{from: nibblePoint(raw[2]), to: nibblePoint(raw[3]), comment: comment()})
	}
	var later []bool // by ply: another move of the same position follows
	for i := len(tree) - 1; i >= 0; i-- {
		ply := plies[i]
		tree[i].hasReply = i+1 < len(tree) && plies[i+1] == ply+1
		tree[i].hasAlternative = ply < len(later) && later[ply]
		later = append(later[:min(ply, len(later))], make([]bool, max(0, ply-len(later)))...)
		later = append(later, true)
	}
	return tree, err
}

// nibblePoint decodes a point, the file x 16 + the rank from Black's side; -1 if it is invalid.
func nibblePoint(b byte) int { return pointOf(b>>4, b&15) }
