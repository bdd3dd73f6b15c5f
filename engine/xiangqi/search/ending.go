package search

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// Endings are tables of endings, such as those of package endings.
type Endings interface {
	// Probe returns the number of plies to mate or stalemate of a position without its history, with which the
	// side to move wins if it is odd; or whether it is a draw. It is not ok if that is not known.
	Probe(b *xiangqi.Board) (plies int, drawn, ok bool)
}

// endingScore returns the exact score of a position that the tables of endings have, and reports whether
// it holds here: a table knows neither what the game has repeated nor how long nothing has been captured.
// Wins that depend on what a rule set forbids are left to the search.
func (w *worker) endingScore(ply int) (int, bool) {
	if w.options.Rules == xiangqi.Computer && !w.board.Pieces(xiangqi.Red, xiangqi.Cannon).Or(w.board.Pieces(xiangqi.Black, xiangqi.Cannon)).Empty() {
		return 0, false // a capture may leave lone cannons
	}
	plies, drawn, ok := w.options.Endings.Probe(w.board)
	if drawn {
		return 0, w.board.QuietPlies() < ply || !w.endRules.repeated
	}
	v := mateScore - ply - plies
	if !ok || !isMate(v) || !w.mateHolds(v, ply) {
		return 0, false
	}
	if plies%2 == 0 {
		return -v, true
	}
	return v, true
}

// completed returns the lines with those that end in a won or lost ending played to the mate.
func (w *worker) completed(lines []engine.Line) []engine.Line {
	if w.options.Endings == nil {
		return lines
	}
	for i := range lines {
		if m := &w.roots.moves[i]; isMate(m.score) {
			lines[i].Moves = w.toMate(lines[i].Moves, matePlies(m.score))
		}
	}
	return lines
}

// toMate appends the rest of the shortest mate in so many plies to a line that leads to a position of a table.
func (w *worker) toMate(line []engine.Move, plies int) []engine.Move {
	b := w.board.Position().Board()
	for _, m := range line {
		b.Do(xiangqi.Move(m))
	}
	for len(line) < plies {
		left, drawn, ok := w.options.Endings.Probe(b)
		if !ok || drawn || left != plies-len(line) {
			return line
		}
		for _, m := range b.AppendMoves(w.scratch[:0]) {
			b.Do(m)
			if after, drawn, ok := w.options.Endings.Probe(b); ok && !drawn && after == left-1 {
				line = append(line, engine.Move(m))
				break
			}
			b.Undo()
		}
		if left == plies-len(line) { // a table is missing
			return line
		}
	}
	return line
}
