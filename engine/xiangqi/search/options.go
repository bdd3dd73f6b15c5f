package search

import (
	"cmp"
	"fmt"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

// Options configure an Engine. Every rule that prunes, reduces, extends or orders moves has a
// field, so that a match between two engines can measure it, except LineProbes: players want one
// line. The zero value turns a rule off.
type Options struct {
	Hash  int   // size of the transposition table in MiB, 1 to 65536; 0: 16
	Nodes int64 // if above 0, every level is this budget of nodes

	// Threads is the number of threads of one search, 1 to 256; 0: one. A search with a node limit
	// uses at most one thread for every 16,384 nodes, and at least one, because the threads share
	// the nodes and only the first one's result counts. With more threads than processors a search
	// stops later, because each thread must run to notice.
	Threads int

	Rules xiangqi.RuleSet // rules for repetitions; the zero value: Asian

	Endings Endings // exact values of positions with few men; nil: none

	// Evaluator makes the evaluator of a thread; nil: that of net.Embedded. See UseNetwork.
	Evaluator func() eval.Evaluator

	Margins Margins // of the rules that prune; the zero value: those of DefaultOptions

	Chases          bool // judge repetitions by Rules; off: only perpetual checks
	GameRepetition  bool // a position that the game before the root has had once is no repetition yet
	QuietLimit      bool // no capture for too long is a draw, by Rules
	NoAttackers     bool // no attackers left is a draw, by Rules
	LineProbes      bool // with several lines, find the scores of all but the first by zero windows
	Aspiration      int  // half width in centipawns of the aspiration window; 0: none
	HashCut         bool // use TT scores for cutoffs and to refine the evaluation; off: only for the other rules
	HashAge         bool // replace TT entries of earlier searches first
	MateDistance    bool // mate distance pruning
	CheckExtension  bool // extend by one ply when in check
	Improving       bool // prune and reduce depending on whether the evaluation has improved since the side's last move
	NullMove        bool // null move pruning
	NullVerify      bool // verify null move cutoffs of deep nodes by a search without null moves
	ReverseFutility bool // cut near the leaves where the evaluation is far above beta
	Razoring        bool // only search quiescence near the leaves where the evaluation is far below alpha
	ProbCut         bool // cut where a capture is far above beta in a reduced search
	Singular        bool // extend the TT move where all others are clearly worse
	Multicut        bool // with Singular, cut where another move also reaches beta
	DoubleExtension bool // with Singular, extend the TT move by two plies outside the PV where all others are much worse
	SingularReduce  bool // with Singular, reduce the TT move where others come close
	Futility        bool // skip quiet moves near the leaves where the evaluation is far below alpha
	LateMovePruning bool // skip late quiet moves near the leaves
	HistoryPruning  bool // skip quiet moves with bad history near the leaves
	QuietExchange   bool // skip quiet moves that lose material (SEE) near the leaves
	CaptureFutility bool // skip captures near the leaves that cannot reach alpha
	CaptureExchange bool // skip captures that lose much material (SEE) near the leaves
	LateMoveReduce  bool // late move reductions of quiet moves
	ReduceCaptures  bool // late move reductions of losing captures
	HashCapture     bool // reduce quiet moves more where the TT move is a capture
	DeeperResearch  bool // after a reduced search fails high, search a ply deeper or less deep by how much
	FailDamping     bool // return a score closer to beta from a node that fails high
	Hindsight       bool // change the depth of nodes whose evaluation contradicts their reduction
	PVReduce        bool // reduce less in positions that have been in a PV
	CutReduce       bool // reduce more in expected cut nodes
	HashReduce      bool // reduce by one ply where the table has no move
	Killers         bool // order killer moves first
	CounterMoves    bool // order the counter move first
	EvalHistory     bool // with QuietHistory, reward quiet moves by how the static evaluation has changed
	QuietHistory    bool // order quiet moves by butterfly history
	HashHistory     bool // reward the TT move on a TT cutoff
	Continuation    bool // order quiet moves by continuation history
	CaptureHistory  bool // order captures by capture history
	Praise          bool // reward the move leading to a fail-low node
	Correction      bool // correct the static evaluation by correction history
	MoveCorrection  bool // with Correction, also after the same two moves
	QuietDamping    bool // lower the evaluation where nothing has been captured for long
	ExchangePruning bool // in quiescence, skip captures that lose material (SEE)
	EvasionPruning  bool // in quiescence, skip quiet evasions after the third if one avoids mate
	DeltaPruning    bool // in quiescence, skip captures that cannot reach alpha
	QuietChecks     bool // in quiescence, search quiet checks at the first ply
}

const (
	defaultHash       = 16
	defaultAspiration = 20
	// MaxHash is the largest size of a transposition table, in MiB.
	MaxHash = 1 << 16
)

// DefaultOptions returns the options with which an Engine plays best: every rule is on.
func DefaultOptions() Options {
	o, _ := Options{Hash: defaultHash, Threads: 1, Margins: defaultMargins()}.With(Rules()...) // all these names exist
	return o
}

// UseNetwork makes a network the evaluator.
func (o *Options) UseNetwork(w *net.Weights) {
	o.Evaluator = func() eval.Evaluator { return net.NewEvaluator(w) }
}

// evaluator returns a new Evaluator.
func (o *Options) evaluator() eval.Evaluator {
	if o.Evaluator == nil {
		return net.NewEvaluator(net.Embedded())
	}
	return o.Evaluator()
}

// checked returns o with its defaults filled in, or an error for an invalid option.
func (o Options) checked() (Options, error) {
	o.Hash = cmp.Or(o.Hash, defaultHash)
	o.Threads = cmp.Or(o.Threads, 1)
	if o.Margins == (Margins{}) {
		o.Margins = defaultMargins()
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
