// Package eval has what a search of Xiangqi asks of an evaluation: an [Evaluator] returns values in
// centipawns, of which a pawn that has crossed the river is worth about 150, a horse or cannon about 450
// and a rook about 1000. Package net has the evaluators, which are neural networks.
//
// Repetitions and mates are handled by the search.
package eval

import "qhsh/engine/xiangqi"

// Limit is the maximum absolute value of an evaluation.
const Limit = 20000

var exchangeValue = [8]int{
	xiangqi.Rook: 1000, xiangqi.Horse: 440, xiangqi.Elephant: 200, xiangqi.Advisor: 200,
	xiangqi.King: 10000, xiangqi.Cannon: 460, xiangqi.Pawn: 100,
}

// Value returns the exchange value of a kind of piece in centipawns. A king is worth more than all
// other pieces together.
func Value(k xiangqi.Kind) int { return exchangeValue[k&7] }
