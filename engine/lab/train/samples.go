package train

import (
	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// A Sample is a position to train on, in 36 bytes. The side to move is Red in it: colours are
// swapped and ranks turned where Black was to move.
type Sample struct {
	squares [32]uint8 // of the pieces in the list pieces, or absent
	score   int16     // of the search, in centipawns
	result  uint8     // of the game: 0 lost, 1 drawn, 2 won by the side to move; noResult: none
	bucket  uint8
}

// noResult is the result of a position that was not played.
const noResult = 3

// absent is the square of a piece that is not on the board.
const absent = 255

// pieces are the pieces whose squares a Sample has: as many as there can be, Red's first.
var pieces = makePieces()

func makePieces() (list [32]xiangqi.Piece) {
	n := 0
	for _, side := range [2]xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
			for range maxOf(kind) {
				list[n] = xiangqi.NewPiece(side, kind)
				n++
			}
		}
	}
	return list
}

// maxOf returns how many pieces of a kind a side can have.
func maxOf(kind xiangqi.Kind) int {
	switch kind {
	case xiangqi.King:
		return 1
	case xiangqi.Pawn:
		return 5
	}
	return 2
}

// newSample returns the sample of a position from a game that ended so.
func newSample(p gamefile.Position, result engine.Outcome) Sample {
	s := Sample{score: int16(p.Score), bucket: uint8(net.Bucket(p.Board)), result: resultFor(p.Side(), result)}
	list := s.squares[:0]
	for _, owner := range [2]xiangqi.Side{p.Side(), p.Side().Other()} {
		for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
			list = appendSquares(list, p.Pieces(owner, kind), maxOf(kind), p.Side())
		}
	}
	return s
}

// resultFor returns the result of a Sample in which side is to move.
func resultFor(side xiangqi.Side, result engine.Outcome) uint8 {
	switch result {
	case engine.Ongoing:
		return noResult
	case engine.Draw:
		return 1
	case engine.Win(side.Turn()):
		return 2
	}
	return 0
}

// appendSquares appends the n squares of a kind of piece, as side sees them.
func appendSquares(list []uint8, set xiangqi.Bitboard, n int, side xiangqi.Side) []uint8 {
	for range n {
		if set.Empty() {
			list = append(list, absent)
			continue
		}
		var sq xiangqi.Square
		sq, set = set.Next()
		if side == xiangqi.Black {
			sq = (9-sq/9)*9 + sq%9
		}
		list = append(list, uint8(sq))
	}
	return list
}

// Indices of the kings in a Sample.
const (
	ownKing   = 8
	otherKing = 16 + ownKing
)

// appendFeatures appends the features that the side to move sees to own and those that the other side
// sees to other. With mirror it takes the mirror image of the position.
func (s *Sample) appendFeatures(own, other []uint16, mirror bool) (_, _ []uint16) {
	image := &images[0]
	if mirror {
		image = &images[1]
	}
	v := &views[image[s.squares[ownKing]]%9-leftmost][image[s.squares[otherKing]]%9-leftmost]
	for i, sq := range &s.squares {
		if sq != absent {
			at := image[sq]
			own, other = append(own, v[0][i][at]), append(other, v[1][i][at])
		}
	}
	return own, other
}

// images are the squares and their mirror images.
var images = makeImages()

func makeImages() (table [2][90]uint8) {
	for sq := range uint8(90) {
		table[0][sq], table[1][sq] = sq, sq/9*9+8-sq%9
	}
	return table
}

// Kings stand on the kingFiles files from leftmost.
const (
	leftmost  = 3
	kingFiles = 3
)

// views are the features that both sides see, the side to move first, by the files of the kings, its own
// first, the index of a piece in a Sample, and its square.
var views = makeViews()

func makeViews() *[kingFiles][kingFiles][2][32][90]uint16 {
	table := new([kingFiles][kingFiles][2][32][90]uint16)
	for i := range xiangqi.Square(kingFiles) {
		for j := range xiangqi.Square(kingFiles) {
			own, other, v := leftmost+i, leftmost+j, &table[i][j]
			for k, p := range pieces {
				for sq := range xiangqi.Square(90) {
					v[0][k][sq] = net.Feature(xiangqi.Red, own, other, p, sq)
					v[1][k][sq] = net.Feature(xiangqi.Black, other, own, p, sq)
				}
			}
		}
	}
	return table
}
