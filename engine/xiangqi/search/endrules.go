package search

import (
	"math"

	"qhsh/engine/xiangqi"
)

// The rules that end a game which still has legal moves: repetitions and draws without progress.
// They depend on the path to a position, so their scores are not stored in the table.

// endRules are the rules that end a game which still has legal moves.
type endRules struct {
	quietLimit  int  // plies without a capture from which the rule is checked
	ttSafePlies int  // plies without a capture from which TT cutoffs are off
	noAttackers bool // positions without attackers are draws
	repeated    bool // the game has repeated a position since the last capture
}

// unlimited is more plies than any game has.
const unlimited = math.MaxInt

// limitMargin is how many plies before the capture limit TT cutoffs are switched off: an entry may
// have been found where more plies were left.
const limitMargin = 10

// initEndRules sets which rules apply below the root. A rule that has already ended the game at the
// root does not apply, because play continues anyway.
func (w *worker) initEndRules() {
	o := &w.options
	w.endRules = endRules{unlimited, unlimited, o.NoAttackers && !w.board.LacksAttackers(o.Rules), w.board.HasRepeated()}
	if o.QuietLimit && !w.board.QuietLimit(o.Rules) {
		w.endRules.quietLimit = o.Rules.QuietPlies()
		w.endRules.ttSafePlies = w.endRules.quietLimit - limitMargin
	}
}

// endOfGame returns the score of a position in which the rules end the game, or whose end is known, and
// reports whether it is one.
func (w *worker) endOfGame(ply int) (int, bool) {
	if v, ok := w.repetitionScore(ply); ok {
		return v, true
	}
	quiet := w.board.QuietPlies()
	if quiet == 0 && w.lacksAttackers() || quiet >= w.endRules.quietLimit && w.board.QuietLimit(w.options.Rules) {
		return w.drawScore(ply), true
	}
	if w.options.Endings != nil {
		return w.endingScore(ply)
	}
	return 0, false
}

// endAfterEvasion is endOfGame for a node of the quiescence search after a quiet evasion. There a second
// occurrence counts for nothing, but a mate must not be found beyond the end of the game.
func (w *worker) endAfterEvasion(ply int) (int, bool) {
	if times, _ := w.board.Cycle(); times > 2 || w.board.QuietPlies() >= w.endRules.quietLimit {
		return w.endOfGame(ply)
	}
	return 0, false
}

// mateHolds reports whether a mate from the table, which another path has found, maybe earlier in the
// game, is one on this path. It may not be if the game can end by rule before it.
func (w *worker) mateHolds(v, ply int) bool {
	quiet := w.board.QuietPlies()
	captured := quiet < ply // since the root
	return quiet+matePlies(v)-ply <= w.endRules.quietLimit && (captured || !w.endRules.repeated)
}

// drawScore returns 0, or the score of a mate or stalemate.
func (w *worker) drawScore(ply int) int {
	if len(w.board.AppendMoves(w.scratch[:0])) == 0 {
		return matedIn(ply)
	}
	return 0
}

// lacksAttackers reports whether no attackers are left. It is called after a capture.
func (w *worker) lacksAttackers() bool {
	return w.endRules.noAttackers && w.board.LacksAttackers(w.options.Rules)
}

// repetitionScore returns the score of a repeated position, and reports whether it is one. The third
// occurrence ends a game. Below the root the second does, because who gains by it repeats again; but
// if the first was in the game before the root, the other side has been free to play something else.
//
// That a side which offends goes on offending is a guess, which makes a search faster: out of two
// forbidden cycles it can often make one that is allowed. In a proof only a draw comes at the second
// occurrence.
func (w *worker) repetitionScore(ply int) (int, bool) {
	times, plies := w.board.Cycle()
	if times == 1 || times == 2 && plies > ply && w.options.GameRepetition {
		return 0, false
	}
	var verdict xiangqi.Verdict
	if w.options.Chases {
		verdict, _ = w.board.RepetitionUnder(w.options.Rules)
	} else {
		verdict, _ = w.board.Repetition()
	}
	return int(verdict) * (ruleScore - ply), times > 2 || verdict == xiangqi.Draws || !w.proof
}
