package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Margins are the thresholds of the rules that prune, in centipawns if nothing else is said. They fit
// the scale of one evaluation: another one needs others. The zero value means those of DefaultOptions.
type Margins struct {
	RazorBase       int // Razoring: the evaluation is at least this far below alpha,
	RazorPly        int // and this much for the square of the depth
	Reverse         int // ReverseFutility: the evaluation is this far above beta, for each ply
	NullBase        int // NullMove: the evaluation is this far above beta,
	NullPly         int // less this much for each ply
	NullReduce      int // NullMove: reduce one more ply for so much above beta, at most three
	ProbCut         int // ProbCut: the reduced search is this far above beta
	Singular        int // Singular: other moves are this far below the TT move, for each ply
	Double          int // DoubleExtension: other moves are this much further below
	Hindsight       int // Hindsight: a side has gained this much by a reduced move of the other
	FutilityBase    int // Futility: the evaluation is at least this far below alpha,
	FutilityPly     int // and this much for each ply that is left after reductions
	Deeper          int // DeeperResearch: the reduced search is this far above alpha, and two more for each ply
	ReduceHistory   int // LateMoveReduce: the history is worth a ply, in its own units
	HistoryPly      int // HistoryPruning: the history is this bad for each of these plies, in its own units
	QuietExchange   int // QuietExchange: the move loses this much for the square of these plies
	CaptureBase     int // CaptureFutility: the evaluation and the victim are at least this far below alpha,
	CapturePly      int // and this much for each ply
	CaptureExchange int // CaptureExchange: the capture loses this much for each ply
	Delta           int // DeltaPruning: a capture gains at most this much beyond its victim's value
}

// defaultMargins returns margins that fit a network. "qhsh tune" found them with the network g2 in 9,024
// games at 2,500 nodes; Reverse, both of Futility and both of exchanges with g6 in 3,568 games at 10,000 and 20,000.
func defaultMargins() Margins {
	return Margins{
		RazorBase: 243, RazorPly: 156, Reverse: 45, NullBase: 86, NullPly: 23, NullReduce: 166,
		ProbCut: 176, Singular: 1, Double: 22, Hindsight: 109, Deeper: 40, ReduceHistory: 21968,
		FutilityBase: 12, FutilityPly: 55, HistoryPly: 7501, QuietExchange: 17,
		CaptureBase: 155, CapturePly: 131, CaptureExchange: 158, Delta: 157,
	}
}

// MarginNames returns the names of the margins as users write them, in the order of the fields.
func MarginNames() (names []string) {
	for f := range reflect.TypeFor[Margins]().Fields() {
		names = append(names, strings.ToLower(f.Name))
	}
	return names
}

// String returns the margins with their values as users write them.
func (m Margins) String() string {
	v := reflect.ValueOf(m)
	var all []string
	for i, name := range MarginNames() {
		all = append(all, fmt.Sprintf("%s=%d", name, v.Field(i).Int()))
	}
	return strings.Join(all, ", ")
}

// MaxMargin bounds a margin: more is a typing error, and products with depths must not overflow.
const MaxMargin = 100_000

// Set sets a margin by its name. Values are 1 to 100,000.
func (m *Margins) Set(name string, value int) error {
	i := slices.Index(MarginNames(), name)
	if i < 0 {
		return fmt.Errorf("no margin %q: the margins are %s", name, strings.Join(MarginNames(), ", "))
	}
	if value < 1 || value > MaxMargin {
		return fmt.Errorf("margin %s=%d: want 1 to %d", name, value, MaxMargin)
	}
	reflect.ValueOf(m).Elem().Field(i).SetInt(int64(value))
	return nil
}
