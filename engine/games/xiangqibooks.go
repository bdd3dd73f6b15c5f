package games

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A BookFormat is a format of opening books that programs of a game keep in SQLite: a table with a row for each
// move of a position, whose columns are named after [BookFormat.Columns] and key, move, score, win, draw, lost and
// valid.
type BookFormat struct {
	Name, Extension string
	Table, Columns  string
	Schema          string // creates an empty book
	// Facts are what the table information must say, such as the game; nil: there is no such table.
	Facts map[string]string
	// Places returns where the moves of a position may be: as it is, in which place they are written, and its
	// mirror image.
	Places func(engine.Position) []BookPlace
	// Numbers returns the numbers of the places that a stored key may mean; none if it means no place.
	Numbers func(key any) []uint64
}

// A BookPlace is a position in a book, in which left and right may be exchanged.
type BookPlace struct {
	Number uint64
	Keys   []any // as they may be stored; the first is how they are written
	// Move returns the legal move that is stored as a number, or NoMove if there is none.
	Move func(stored int64) engine.Move
	// Stored returns the number of a move.
	Stored func(engine.Move) int64
}

// xiangqiBooks are the books of Xiangqi programs: OBK of Binghe Wusi and many others, pfBook of Pengfei, and XQB, which
// github.com/fisherfan/xqbook describes.
var xiangqiBooks = []BookFormat{
	hashedBook("obk", "bhobk", true),
	hashedBook("pfbook", "pfBook", false),
	{
		Name: "xqb", Extension: ".xqb", Table: "book", Facts: map[string]string{"version": "1", "type": "xiangqi"},
		Schema: `CREATE TABLE information (name TEXT, value TEXT);
			INSERT INTO information VALUES ('version', '1'), ('type', 'xiangqi');
			CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, key BLOB, move INTEGER, score INTEGER,
			win INTEGER, draw INTEGER, lost INTEGER, valid INTEGER, memo TEXT);
			CREATE INDEX idxkey ON book (key);`,
		Places: packedPlaces,
		Numbers: func(key any) []uint64 {
			if packed, ok := key.([]byte); ok {
				return []uint64{packedNumber(packed)}
			}
			return nil
		},
	},
}

// hashedBook returns OBK, in which a key from 2^63 is stored as the double of its bits, or pfBook.
func hashedBook(name, table string, doubles bool) BookFormat {
	return BookFormat{
		Name: name, Extension: "." + name, Table: table, Columns: "v",
		Schema: fmt.Sprintf(`CREATE TABLE %[1]s (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER,
			vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER);
			CREATE INDEX %[1]s_vkey ON %[1]s (vkey);`, table),
		Places:  func(p engine.Position) []BookPlace { return hashedPlaces(xiangqiOf(p), doubles) },
		Numbers: hashedNumbers,
	}
}

// bookKeys are the numbers of OBK's and pfBook's keys, one for each piece, of KABNRCPkabnrcp, and point, from
// Black's back rank and Red's left. They are those points' part of the table ZobristTable[14][256] in HASHKEY.txt,
// which issue 112 of github.com/fairy-stockfish/Fairy-Stockfish has, and of src/cchess/zhash_data.py in
// github.com/walker8088/cchess.
//
//go:embed xiangqibooks.keys
var bookKeys []byte

const (
	bookPieces = "KABNRCPkabnrcp"
	bookRed    = 0xA0CE2AF90C452F58 // is part of the key when Red moves
)

// A bookView is how a book sees a board: from Red's side, with left and right exchanged if mirrored, and turned for
// Black if turned. It stores a move as two bytes, a point each: 16 times the rank and the file, both with the border added.
type bookView struct {
	turned, mirrored bool
	border           int64
}

// at returns the point of a rank and a file from the top left.
func (v bookView) at(rank, file int) xiangqi.Square {
	if v.mirrored {
		file = 8 - file
	}
	if v.turned {
		rank, file = 9-rank, 8-file
	}
	return xiangqi.Square((9-rank)*9 + file)
}

// stored returns a move as it is stored.
func (v bookView) stored(m engine.Move) (stored int64) {
	for _, sq := range []xiangqi.Square{xiangqi.Move(m).From(), xiangqi.Move(m).To()} {
		at := int64(v.at(9-int(sq)/9, int(sq)%9)) // seen twice, a point is where it was
		stored = stored<<8 | (16*(9-at/9+v.border) + at%9 + v.border)
	}
	return stored
}

// legalMove returns the move between two stored points, or NoMove if it is not legal.
func (v bookView) legalMove(p *xiangqi.Position, from, to int64) engine.Move {
	var points [2]xiangqi.Square
	for i, point := range [2]int64{from, to} {
		rank, file := point>>4-v.border, point&15-v.border
		if rank < 0 || rank > 9 || file < 0 || file > 8 {
			return engine.NoMove
		}
		points[i] = v.at(int(rank), int(file))
	}
	m := xiangqi.NewMove(points[0], points[1])
	if !p.Legal(m) {
		return engine.NoMove
	}
	return engine.Move(m)
}

// hashedPlaces returns the places of OBK and pfBook. A point is stored as that of a board of 16 by 16 points.
func hashedPlaces(p *xiangqi.Position, doubles bool) (places []BookPlace) {
	for _, v := range []bookView{{border: 3}, {border: 3, mirrored: true}} {
		var n uint64
		if p.Side() == xiangqi.Red {
			n = bookRed
		}
		for i := range 90 {
			if piece := p.At(v.at(i/9, i%9)); piece != xiangqi.Empty {
				n ^= binary.LittleEndian.Uint64(bookKeys[(strings.IndexByte(bookPieces, piece.Letter())*90+i)*8:])
			}
		}
		if v.mirrored && places[0].Number == n {
			break
		}
		double := math.Float64frombits(n)
		keys := []any{int64(n), double}
		switch {
		case math.IsNaN(double):
			keys = keys[:1] // SQLite has no NaN
		case doubles && n >= 1<<63:
			keys[0], keys[1] = keys[1], keys[0]
		}
		places = append(places, BookPlace{
			Number: n, Keys: keys, Stored: v.stored,
			Move: func(stored int64) engine.Move {
				m := v.legalMove(p, stored>>8, stored&0xff)
				if m == engine.NoMove { // some programs exchange from and to
					m = v.legalMove(p, stored&0xff, stored>>8)
				}
				return m
			},
		})
	}
	return places
}

// hashedNumbers returns what a key of OBK or pfBook may mean: SQLite stores a double without a fraction as an integer.
func hashedNumbers(key any) []uint64 {
	switch key := key.(type) {
	case int64:
		double := float64(key)
		if key == 0 {
			double = math.Copysign(0, -1)
		}
		if double < 1<<63 && int64(double) == key {
			return []uint64{uint64(key), math.Float64bits(double)}
		}
		return []uint64{uint64(key)}
	case float64:
		return []uint64{math.Float64bits(key)}
	}
	return nil
}

// packedPlaces returns the place of XQB, whose key is the board: as the side to move sees it, as Red, and of a board
// and its mirror image that whose first difference is larger on the left. An empty point is a bit 0, a piece a bit 1
// and four others.
func packedPlaces(pos engine.Position) []BookPlace {
	p := xiangqiOf(pos)
	v := bookView{turned: p.Side() == xiangqi.Black}
	code := func(i int) int { // 0 for an empty point
		letter := p.At(v.at(i/9, i%9)).Letter()
		if v.turned && letter >= 'A' {
			letter ^= 'a' - 'A'
		}
		return max(strings.IndexByte(" RNBAKCP rnbakcp", letter), 0)
	}
	for i := range 90 {
		if left, right := code(i), code(i/9*9+8-i%9); i%9 < 4 && left != right {
			v.mirrored = right > left
			break
		}
	}
	var key []byte
	bits, length := 0, 0
	for i := range 90 {
		n, size := code(i), 1
		if n != 0 {
			n, size = n|16, 5
		}
		for bits, length = bits<<size|n, length+size; length >= 8; length -= 8 {
			key = append(key, byte(bits>>(length-8)))
		}
	}
	if length > 0 {
		key = append(key, byte(bits<<(8-length)))
	}
	return []BookPlace{{
		Number: packedNumber(key), Keys: []any{key}, Stored: v.stored,
		Move: func(stored int64) engine.Move { return v.legalMove(p, stored>>8, stored&0xff) },
	}}
}

// packedNumber returns a number for a key of XQB.
func packedNumber(key []byte) uint64 {
	sum := fnv.New64a()
	sum.Write(key)
	return sum.Sum64()
}
