package net

import "qhsh/engine/xiangqi"

// Bucket returns the output neuron for a board, by the attacking pieces of both sides. Rooks are
// counted first, because their number changes the play most; the limits make the buckets about
// equally frequent in self-play.
//
//	rooks   horses and cannons
//	0       0-1: 0   2: 1     3-8: 2
//	1-2     0-1: 3   2-3: 4   4-8: 5
//	3-4     0-4: 6            5-8: 7
func Bucket(b *xiangqi.Board) int {
	rooks := count(b, xiangqi.Rook)
	others := count(b, xiangqi.Horse) + count(b, xiangqi.Cannon)
	return int(buckets[rooks][others])
}

// buckets are the output neurons by rooks, then by horses and cannons.
var buckets = [5][9]uint8{
	{0, 0, 1, 2, 2, 2, 2, 2, 2},
	{3, 3, 4, 4, 5, 5, 5, 5, 5},
	{3, 3, 4, 4, 5, 5, 5, 5, 5},
	{6, 6, 6, 6, 6, 7, 7, 7, 7},
	{6, 6, 6, 6, 6, 7, 7, 7, 7},
}

// count returns the number of pieces of a kind of both sides.
func count(b *xiangqi.Board, kind xiangqi.Kind) int {
	return b.Pieces(xiangqi.Red, kind).Or(b.Pieces(xiangqi.Black, kind)).Count()
}
