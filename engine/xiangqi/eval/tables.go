package eval

import "qhsh/engine/xiangqi"

// phaseWeight tells how much a piece adds to the attack that is left on the board;
// fullPhase is the start position's sum.
var phaseWeight = [8]int32{xiangqi.Rook: 4, xiangqi.Horse: 2, xiangqi.Cannon: 2}

const fullPhase = 32

var exchangeValue = [8]int{
	xiangqi.Rook: 1000, xiangqi.Horse: 440, xiangqi.Elephant: 200, xiangqi.Advisor: 200,
	xiangqi.King: 10000, xiangqi.Cannon: 460, xiangqi.Pawn: 100,
}

// A cell is a piece's value on a point, material included, with the colour's sign.
type cell struct{ full, bare int16 }

// pieceSquare is read by piece and point. The rows of pieces that do not exist are zero.
var pieceSquare = pieceSquareTable(&tuned)

func pieceSquareTable(weights *[features]Weight) (worth [16][90]cell) {
	for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
		for sq := range xiangqi.Square(90) {
			red, black := xiangqi.NewPiece(xiangqi.Red, k), xiangqi.NewPiece(xiangqi.Black, k)
			w := weights[pieceSquareFeature(red, sq)]
			worth[red][sq] = cell{w.Full, w.Bare}
			w = weights[pieceSquareFeature(black, sq)]
			worth[black][sq] = cell{-w.Full, -w.Bare}
		}
	}
	return worth
}
