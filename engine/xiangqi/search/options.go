package search

import (
	"fmt"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// Options say how an Engine searches. Every rule that cuts, shortens or lengthens
// a line, and every one that orders the moves by experience, has a field of its own, so
// that a match between two engines can judge it: but for LineProbes, as who plays wants
// one line. The zero value of a rule's field is off.
type Options struct {
	Hash  int   // size of the transposition table in MiB, 1 to 65536; 0: 16
	Nodes int64 // if above 0, every level is this budget of nodes

	// Threads are those of one search, 1 to 256; 0: one. A search whose nodes are limited has
	// no more than one for every 16,384 of them, and at least one, because they share the
	// nodes and the first one's result alone counts. With more threads than processors a
	// search is slower to stop: each must first have its turn to notice.
	Threads int

	Rules xiangqi.RuleSet // by which repetitions are judged; the zero value: Asian

	// Evaluator makes what says how much a position is worth, one for each thread; nil:
	// eval.NewTapered.
	Evaluator func() eval.Evaluator

	Chases          bool // repetitions are judged by Rules; off, only perpetual checks are
	QuietLimit      bool // too long without a capture is a draw, by Rules
	NoAttackers     bool // too little to attack with is a draw, by Rules
	LineProbes      bool // of several lines, find the scores of all but the first by empty windows
	Aspiration      int  // half width in centipawns of the window around the last score; 0: none
	HashCut         bool // take the table's score for a node's, or for its evaluation; off, what it knows serves the other rules alone
	HashAge         bool // in the table, entries of earlier searches give way first
	MateDistance    bool // cut where a shorter mate is known already
	CheckExtension  bool // a side in check is searched a ply deeper
	Improving       bool // prune and reduce by whether the side to move stands better than at its last move
	NullMove        bool // cut where even passing is too good
	NullVerify      bool // search again without passing, before a deep node is cut by it
	ReverseFutility bool // cut near the horizon where the evaluation is far above the window
	Razoring        bool // ask quiescence alone near the horizon when far below the window
	ProbCut         bool // cut where a capture is far too good in a search less deep
	Singular        bool // extend the table's move where nothing else comes near it
	Multicut        bool // with Singular, cut where another move than the table's is too good as well
	SingularReduce  bool // with Singular, search the table's move less deep where others come near it
	Futility        bool // skip quiet moves near the horizon when far below the window
	LateMovePruning bool // skip late quiet moves near the horizon
	HistoryPruning  bool // skip quiet moves near the horizon that have always failed
	QuietExchange   bool // skip quiet moves near the horizon that lose material
	CaptureFutility bool // skip captures near the horizon that cannot reach the window
	CaptureExchange bool // skip captures near the horizon that lose much material
	LateMoveReduce  bool // search late quiet moves less deep first
	ReduceCaptures  bool // search captures that lose material less deep first
	CutReduce       bool // reduce more where the node is expected to fail high
	HashReduce      bool // search a ply less deep where the table knows no move
	Killers         bool // order first the quiet moves that cut elsewhere at this distance from the root
	CounterMoves    bool // order first the quiet move that refuted the move before it
	QuietHistory    bool // order quiet moves by what they have done
	HashHistory     bool // remember that the table's quiet move cuts where the table does
	Continuation    bool // order quiet moves by the moves before them too
	CaptureHistory  bool // order captures by what they have done too
	Praise          bool // remember quiet moves that nothing was found against
	Correction      bool // correct the evaluation by what searches have found of its like
	ExchangePruning bool // in quiescence, skip captures that lose material
	EvasionPruning  bool // in quiescence, skip quiet evasions after the third, where one has saved the side
	DeltaPruning    bool // in quiescence, skip captures that cannot reach the window
	QuietChecks     bool // in quiescence, look at quiet checks at first
}

const (
	defaultHash       = 16
	defaultAspiration = 20
	// MaxHash is the largest size of a transposition table, in MiB.
	MaxHash = 1 << 16
)

// DefaultOptions are the options that an Engine plays best with, as far as matches tell:
// every rule is on.
func DefaultOptions() Options {
	o, _ := Options{Hash: defaultHash, Threads: 1}.With(Rules()...) // all these names exist
	return o
}

// evaluator makes an Evaluator.
func (o *Options) evaluator() eval.Evaluator {
	if o.Evaluator == nil {
		return eval.NewTapered()
	}
	return o.Evaluator()
}

// checked is o with its defaults filled in, or what is wrong with it.
func (o Options) checked() (Options, error) {
	if o.Hash == 0 {
		o.Hash = defaultHash
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	switch {
	case o.Hash < 1 || o.Hash > MaxHash:
		return o, fmt.Errorf("hash=%d: want 1 to %d MiB", o.Hash, MaxHash)
	case o.Threads < 1 || o.Threads > MaxThreads:
		return o, fmt.Errorf("threads=%d: want 1 to %d", o.Threads, MaxThreads)
	case o.Nodes < 0:
		return o, fmt.Errorf("nodes=%d: want a positive number, or 0 for the ordinary levels", o.Nodes)
	case o.Aspiration < 0:
		return o, fmt.Errorf("aspiration=%d: want centipawns, or 0 for none", o.Aspiration)
	}
	return o, nil
}
