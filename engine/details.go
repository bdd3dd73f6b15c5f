package engine

import (
	"fmt"
	"math"
)

// Details are what an engine tells of a line beside its moves and its value; those that it has not told are zero. It
// is meant to be embedded, also in JSON. Its speed, which differs from run to run, is not among them.
type Details struct {
	SelDepth int   `json:"seldepth,omitempty"` // plies of the longest line that it has looked at
	HashFull int   `json:"hashfull,omitempty"` // thousandths of its table that are in use
	TBHits   int64 `json:"tbhits,omitempty"`   // positions that it has looked up in tables of endings
	WDL      WDL   `json:"wdl,omitzero"`
}

// A Detailer is a Searcher that tells Details of the running search, which those who get its lines may ask for
// before they take the next ones.
type Detailer interface{ Details() Details }

// A Progress is what a long search says between two lists.
type Progress struct {
	Depth  int
	Move   Move // of the root, that is searched next
	Number int  // of that move, from 1
	Bound  Line // in place of them: a line whose score is only a bound, as its Text says in UCI's word
}

// A Narrator is a Searcher that can say what it does.
type Narrator interface {
	// Narrate makes searches call tell, on their goroutine, when they have visited a number of nodes.
	Narrate(from int64, tell func(Progress))
}

// An Evaluator is a Searcher that evaluates a position without a search.
type Evaluator interface {
	// Evaluate returns the score for the side to move. It is unknown where only a search can tell, as in check.
	Evaluate(Position) (Score, error)
}

// A WDL is the chances of a win, a draw and a loss in thousandths, for the side to move. The zero WDL is unknown.
type WDL [3]int

// Known reports whether the chances are known.
func (w WDL) Known() bool { return w != WDL{} }

// Chance returns the expected result, from 0 to 1.
func (w WDL) Chance() float64 { return (float64(w[0]) + float64(w[1])/2) / 1000 }

// Neg returns the chances of the other side.
func (w WDL) Neg() WDL { return WDL{w[2], w[1], w[0]} }

// String returns three numbers as UCI has them, or "".
func (w WDL) String() string {
	if !w.Known() {
		return ""
	}
	return fmt.Sprintf("%d %d %d", w[0], w[1], w[2])
}

// ParseWDL parses what String has written.
func ParseWDL(text string) (w WDL, err error) {
	if text == "" {
		return w, nil
	}
	if _, err = fmt.Sscanf(text, "%d %d %d", &w[0], &w[1], &w[2]); err == nil {
		err = w.Check()
	}
	if err != nil {
		return WDL{}, fmt.Errorf("%s: want three thousandths that add up to 1000, such as 412 500 88", Quote(text))
	}
	return w, nil
}

// Check returns what is wrong with chances that an engine has told.
func (w WDL) Check() error {
	if w[0] < 0 || w[1] < 0 || w[2] < 0 || w[0]+w[1]+w[2] != 1000 {
		return fmt.Errorf("wdl %d %d %d: want three thousandths that add up to 1000", w[0], w[1], w[2])
	}
	return nil
}

// The expected result of a score, by its size in centipawns, as the games of the embedded engine
// against itself have it: 715,395 positions of its network's games at 1,000 nodes a move. The chance of
// a win is 1/(1+e^((drawn-cp)/spread)), that of a loss the same for the other side; what is left is
// that of a draw. A single logistic function, as for games without draws, is too steep at small scores
// and too flat at large ones.
const (
	drawn  = 375.0
	spread = 245.0
)

// DefaultScale is the scale of the embedded engine's scores; see [Score.Chance].
const DefaultScale = 380

// Chance returns the expected result, from 0 to 1, of a score; scale is the score in centipawns
// of a 73 % chance. ok is false for an unknown score. That of s.Neg() is as exact, however near to 0.
func (s Score) Chance(scale float64) (chance float64, ok bool) {
	if cp, ok := s.Centipawns(); ok {
		x := float64(cp) * DefaultScale / scale
		return (logistic((x-drawn)/spread) + logistic((x+drawn)/spread)) / 2, true // half of 1 + win - loss
	}
	win, _, ok := s.chances()
	return win, ok
}

// WDL returns the chances of a score of the embedded engine; the zero WDL of an unknown one.
func (s Score) WDL() WDL {
	win, loss, ok := s.chances()
	if !ok {
		return WDL{}
	}
	w, l := int(math.Round(1000*win)), int(math.Round(1000*loss))
	return WDL{w, 1000 - w - l, l}
}

func (s Score) chances() (win, loss float64, ok bool) {
	if cp, ok := s.Centipawns(); ok {
		x := float64(cp)
		return logistic((x - drawn) / spread), logistic((-x - drawn) / spread), true
	}
	switch {
	case !s.Known():
		return 0.5, 0.5, false
	case s.Compare(Centipawns(0)) > 0:
		return 1, 0, true
	}
	return 0, 1, true
}

// logistic returns 1/(1+e^-x).
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
