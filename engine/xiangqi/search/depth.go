package search

// hindsight returns by how many plies the depth of a node changes in view of its evaluation: more if the
// move that led to it was reduced much and its side has lost nothing by it, fewer if it was reduced and
// its side has lost much.
func (w *worker) hindsight(ply, depth int) int {
	f, before := &w.stack[ply], w.frameBefore(ply, 1)
	if f.eval == noEval || before.eval == noEval || before.reduction == 0 || before.move == 0 {
		return 0
	}
	change := f.eval + before.eval // what the side to move has gained by the other's move
	switch {
	case before.reduction >= 3 && change <= 0:
		return 1
	case depth >= 2 && change > w.options.Margins.Hindsight:
		return -1
	}
	return 0
}

// deeper returns by how many plies the depth of a move changes after its reduced search has exceeded
// alpha by gain.
func (w *worker) deeper(gain, depth int) int {
	switch {
	case gain > w.options.Margins.Deeper+2*depth:
		return 1
	case gain < depth:
		return -1
	}
	return 0
}
