package eval

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"qhsh/engine/xiangqi"
)

// Features is the number of features.
const Features = features

// A Trace breaks an evaluation down into features; Score skips most of them if material and
// placement are decisive. Red's advantage is the sum over all features of Count times Weight, where
// a Weight is blended by Phase (1: full board, 0: empty board), times Share.
type Trace struct {
	Count [Features]int16 // Red's minus Black's
	Phase float64
	Scale float64 // the part of the advantage that the leading side can convert into a win
}

// Explain traces the evaluation of a board.
func Explain(b *xiangqi.Board) *Trace {
	t := &Trace{}
	var s attackMap
	s.init(b, New(b).pieces)
	s.terms(&t.Count)
	for sq := range xiangqi.Square(90) {
		if p := b.At(sq); p != xiangqi.Empty {
			t.Count[pieceSquareFeature(p, sq)] += 1 - 2*int16(p.Side())
		}
	}
	a := New(b)
	t.Phase = float64(min(a.phase, fullPhase)) / fullPhase
	v := int32(Score(b, a))
	if b.Side() == xiangqi.Black {
		v = -v
	}
	t.Scale = float64(WinScale(b, leaderOf(v))) / MaxWinScale
	return t
}

// Checksum returns 8 hexadecimal digits that change with the weights of Score and with its terms.
func Checksum() string {
	sum := sha256.New()
	_ = binary.Write(sum, binary.LittleEndian, termsVersion) // a hash does not fail
	_ = binary.Write(sum, binary.LittleEndian, tuned)
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// TunedWeights returns the weights of Score, unless SetWeights has set others.
func TunedWeights() [Features]Weight { return tuned }

// PlainWeights returns weights that are only material values, with which the tuner starts.
func PlainWeights() [Features]Weight {
	var plain [Features]Weight
	for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
		if k == xiangqi.King {
			continue
		}
		worth := int16(exchangeValue[k])
		for i := range halfPoints {
			plain[placed+(int(k)-1)*halfPoints+i] = Weight{worth, worth}
		}
	}
	return plain
}

// SetWeights makes every evaluation of the program use these weights, for the tuner. No search may
// be running, and later searches must not use tables from before.
func SetWeights(weights *[Features]Weight) {
	pieceSquare, packed = pieceSquareTable(weights), pack(weights)
}
