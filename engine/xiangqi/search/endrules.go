package search

import "math"

// The rules of the game that a search has to know beside the moves: repetitions, and the
// draws of a game that leads nowhere. All of them hold on the path that led to a position
// only, so the table does not keep them.

// endRules are the rules of a search that end a game which still has moves.
type endRules struct {
	quietLimit  int  // of plies without a capture; with fewer it need not be asked about
	ttSafePlies int  // from so many plies without a capture on, the table is not believed
	noAttackers bool // nothing left to attack with
}

// unlimited is more plies than any game has.
const unlimited = math.MaxInt

// limitMargin is how many plies before the limit without captures the table is no longer
// believed: what it knows may have been found where more were left.
const limitMargin = 10

// initEndRules sets up which rules hold below the root. A game that one of them has ended
// already is being played on, so that one does not hold.
func (w *worker) initEndRules() {
	o := &w.options
	w.endRules = endRules{unlimited, unlimited, o.NoAttackers && !w.board.LacksAttackers(o.Rules)}
	if o.QuietLimit && !w.board.QuietLimit(o.Rules) {
		w.endRules.quietLimit = o.Rules.QuietPlies()
		w.endRules.ttSafePlies = w.endRules.quietLimit - limitMargin
	}
}

// endOfGame is the score of a position in which the rules end the game.
func (w *worker) endOfGame(ply int) (int, bool) {
	if v, ok := w.repetitionScore(ply); ok {
		return v, true
	}
	quiet := w.board.QuietPlies()
	if quiet == 0 && w.lacksAttackers() || quiet >= w.endRules.quietLimit && w.board.QuietLimit(w.options.Rules) {
		return w.drawScore(ply), true
	}
	return 0, false
}

// drawScore is the score of a position that is a draw unless it is mate or stalemate.
func (w *worker) drawScore(ply int) int {
	if len(w.board.AppendMoves(w.scratch[:0])) == 0 {
		return matedIn(ply)
	}
	return 0
}

// lacksAttackers tells, after a capture, whether nothing is left to attack with.
func (w *worker) lacksAttackers() bool {
	return w.endRules.noAttackers && w.board.LacksAttackers(w.options.Rules)
}

// repetitionScore is the score of a position that has occurred before.
func (w *worker) repetitionScore(ply int) (int, bool) {
	if w.board.Occurrences() == 0 {
		return 0, false
	}
	if w.options.Chases {
		verdict, ok := w.board.RepetitionUnder(w.options.Rules)
		return int(verdict) * (ruleScore - ply), ok
	}
	verdict, ok := w.board.Repetition()
	return int(verdict) * (ruleScore - ply), ok
}
