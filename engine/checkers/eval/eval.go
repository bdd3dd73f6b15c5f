// Package eval evaluates checkers positions: it sums features times weights. Each weight is
// interpolated between its values on a full and on a bare board. The weights of each variant are in
// weights.go, which the command engine/checkers/tune finds and writes.
package eval

import (
	"slices"

	"qhsh/engine/checkers"
)

// Indices of the features. Each is Black's count minus White's. Men and kings on squares come first;
// squares are numbered from their player's point of view.
const (
	manSquare     = 0  // 32 squares
	kingSquare    = 32 // 32 squares
	Tempo         = 64 // the right to move
	manMobility   = 65 // squares that men can move to
	supported     = 66 // men with a piece or the edge behind them
	threats       = 67 // the side that is not to move could capture
	runaway       = 68 // men that no enemy can stop before the last row
	pieceLead     = 69 // lead in pieces relative to all pieces
	onlyKing      = 70 // only this side has kings
	hasOpposition = 71 // the side to move has the opposition
	kingMobility  = 72 // squares that kings can move to
	backRowBridge = 73 // two men of the back row that keep kings out
	Features      = 74
)

// Man is the value of a man in the plain weights, in centipawns.
const Man = 100

// fullBoard is the number of pieces of a full board.
const fullBoard = 24

// A Weight is the value of a feature on a full board and on a bare one, in centipawns.
type Weight struct{ Full, Bare int32 }

// Plain returns the initial weights for tuning, mainly the values of the pieces.
func Plain(v checkers.Variant) []Weight {
	w := make([]Weight, Features)
	king := int32(140)
	if v.Flying() {
		king = 300
	}
	for i := range 32 {
		w[manSquare+i] = Weight{Full: Man, Bare: Man + int32(3*(i/4))}
		w[kingSquare+i] = Weight{Full: king, Bare: king}
	}
	w[Tempo] = Weight{Full: 5, Bare: 5}
	w[threats] = Weight{Full: 20, Bare: 20}
	return w
}

// Weights are the weights in the layout that Evaluate reads.
type Weights struct {
	piece [2][2][35]Weight // by colour, kind and square
	term  [Features]Weight
}

// New converts a list of Features weights.
func New(list []Weight) *Weights {
	w := &Weights{}
	copy(w.term[:], list)
	for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
		for n := 1; n <= 32; n++ {
			s, _ := checkers.English.Square(n)
			w.piece[c][0][s] = w.term[manSquare+s.RelativeIndex(c)]
			w.piece[c][1][s] = w.term[kingSquare+s.RelativeIndex(c)]
		}
	}
	return w
}

// Tuned returns a copy of the tuned weights of a variant.
func Tuned(v checkers.Variant) []Weight { return slices.Clone(tuned[v][:]) }

// featureCounts are the counts of the features from Tempo on, Black's minus White's.
type featureCounts [Features - Tempo]int32

func (t *featureCounts) add(feature int, c checkers.Colour, n int) {
	if c == checkers.White {
		n = -n
	}
	t[feature-Tempo] += int32(n)
}

func countFeatures(b *checkers.Board) (t featureCounts) {
	empty := b.Empty()
	t.add(Tempo, b.Turn(), 1)
	for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
		men, kings, other := b.Men(c), b.Kings(c), b.Pieces(c.Other())
		t.add(manMobility, c, (men.Steps(c) & empty).Len())
		t.add(supported, c, (men & (b.Pieces(c).Steps(c) | edges)).Len())
		t.add(runaway, c, runaways(men, other, empty, c))
		t.add(kingMobility, c, (kings.Neighbours() & empty).Len())
		if men&bridges[c] == bridges[c] {
			t.add(backRowBridge, c, 1)
		}
		if kings != 0 && b.Kings(c.Other()) == 0 {
			t.add(onlyKing, c, 1)
		}
	}
	black, white := b.Pieces(checkers.Black).Len(), b.Pieces(checkers.White).Len()
	if black != white {
		t[pieceLead-Tempo] = int32((black - white) * 96 / (black + white))
	}
	if b.Threatened() {
		t.add(threats, b.Turn().Other(), 1)
	}
	if black == white && opposition(b) {
		t.add(hasOpposition, b.Turn(), 1)
	}
	return t
}

// edges are the squares on the edge files. bridges are each colour's pair of back-row squares that
// guard the whole row, lastRows the three rows before the last one. systems are every other row, from
// a colour's back row on.
var edges, bridges, lastRows, systems = func() (edges checkers.Set, bridges, far, systems [2]checkers.Set) {
	for n := 1; n <= 32; n++ {
		s, _ := checkers.English.Square(n)
		if x, _ := s.XY(); x == 0 || x == 7 {
			edges |= checkers.One(s)
		}
		for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
			i := s.RelativeIndex(c)
			row := i / 4
			if i == 0 || i == 2 {
				bridges[c] |= checkers.One(s)
			}
			if row >= 4 && row < 7 {
				far[c] |= checkers.One(s)
			}
			if row%2 == 0 {
				systems[c] |= checkers.One(s)
			}
		}
	}
	return edges, bridges, far, systems
}()

// runaways counts the men that can walk to the last row with no enemy piece in the triangle before
// them. Only men past the middle of the board are considered.
func runaways(men, other, empty checkers.Set, c checkers.Colour) (n int) {
	for men = men & lastRows[c]; men != 0; men &= men - 1 {
		cone, blocked := men&-men, false
		for cone != 0 && !blocked {
			cone = cone.Steps(c)
			blocked = cone&other != 0
		}
		if !blocked && (men&-men).Steps(c)&empty != 0 {
			n++
		}
	}
	return n
}

// opposition reports whether the side to move has the opposition: the last safe move if the
// position becomes blocked. It has if the number of pieces in its system is odd.
func opposition(b *checkers.Board) bool {
	all := (b.Pieces(checkers.Black) | b.Pieces(checkers.White)) & systems[b.Turn()]
	return all.Len()&1 == 1
}

// Evaluate returns the value of a board for the side to move, in centipawns.
func (w *Weights) Evaluate(b *checkers.Board) int {
	var sum Weight
	for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
		var side Weight
		for kind, pieces := range [...]checkers.Set{b.Men(c), b.Kings(c)} {
			for ; pieces != 0; pieces &= pieces - 1 {
				p := &w.piece[c][kind][pieces.First()]
				side.Full += p.Full
				side.Bare += p.Bare
			}
		}
		if c == checkers.White {
			side.Full, side.Bare = -side.Full, -side.Bare
		}
		sum.Full += side.Full
		sum.Bare += side.Bare
	}
	t := countFeatures(b)
	for i, n := range t {
		sum.Full += n * w.term[Tempo+i].Full
		sum.Bare += n * w.term[Tempo+i].Bare
	}
	phase := int32(b.Pieces(checkers.Black).Len() + b.Pieces(checkers.White).Len())
	value := int((sum.Full*phase + sum.Bare*(fullBoard-phase)) / fullBoard)
	if drawish(b) {
		value /= 8
	}
	if b.Turn() == checkers.White {
		return -value
	}
	return value
}

// drawish reports whether only flying kings are left, at most three on each side. The stronger side
// rarely wins such an endgame.
func drawish(b *checkers.Board) bool {
	black, white := b.Pieces(checkers.Black), b.Pieces(checkers.White)
	if !b.Variant().Flying() || b.Men(checkers.Black)|b.Men(checkers.White) != 0 {
		return false
	}
	return black != 0 && white != 0 && max(black.Len(), white.Len()) <= 3
}

// A Trace breaks an evaluation down into features. Black's advantage is the sum over all features of
// Count times Weight, where a Weight is interpolated by Phase, times Factor.
type Trace struct {
	Count  [Features]float32 // Black's minus White's
	Phase  float32           // 1 on a full board, 0 on a bare one
	Factor float32
}

// Explain traces the evaluation of a board, for the tuner.
func Explain(b *checkers.Board) *Trace {
	t := &Trace{Factor: 1}
	for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
		sign := float32(1)
		if c == checkers.White {
			sign = -1
		}
		for _, s := range b.Men(c).Squares() {
			t.Count[manSquare+s.RelativeIndex(c)] += sign
		}
		for _, s := range b.Kings(c).Squares() {
			t.Count[kingSquare+s.RelativeIndex(c)] += sign
		}
	}
	for i, n := range countFeatures(b) {
		t.Count[Tempo+i] = float32(n)
	}
	pieces := b.Pieces(checkers.Black).Len() + b.Pieces(checkers.White).Len()
	t.Phase = float32(pieces) / fullBoard
	if drawish(b) {
		t.Factor = 1.0 / 8
	}
	return t
}
