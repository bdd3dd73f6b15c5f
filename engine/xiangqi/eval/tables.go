package eval

import "qhsh/engine/xiangqi"

// phaseWeight is the contribution of a piece to the game phase. fullPhase is the phase of the start
// position.
var phaseWeight = [8]int32{xiangqi.Rook: 4, xiangqi.Horse: 2, xiangqi.Cannon: 2}

const fullPhase = 32

var exchangeValue = [8]int{
	xiangqi.Rook: 1000, xiangqi.Horse: 440, xiangqi.Elephant: 200, xiangqi.Advisor: 200,
	xiangqi.King: 10000, xiangqi.Cannon: 460, xiangqi.Pawn: 100,
}

// A cell is the value of a piece on a point, including material. Black's values are negative.
type cell struct{ full, bare int16 }

// pieceSquare is indexed by piece and point. Unused rows are zero.
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
