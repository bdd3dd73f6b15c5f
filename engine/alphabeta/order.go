package alphabeta

// A ScoredMove is a move with its score for ordering.
type ScoredMove[M any] struct {
	Move  M
	Score int32
}

// PickBest swaps the best of the moves from i on to index i and returns it.
func PickBest[M any](choices []ScoredMove[M], i int) M {
	best := i
	for j := i + 1; j < len(choices); j++ {
		if choices[j].Score > choices[best].Score {
			best = j
		}
	}
	choices[i], choices[best] = choices[best], choices[i]
	return choices[i].Move
}

// historyLimit is the maximum of a count of a history: how often a kind of move caused cutoffs.
const historyLimit = 1 << 14

// Reward changes a move's count in a history after a cutoff at a depth: it rises with the sign 1, and falls with -1, if
// another move caused the cutoff.
func Reward(n *int32, depth int, sign int32) {
	bonus := int32(min(depth*depth*16, historyLimit/4))
	*n += sign*bonus - *n*bonus/historyLimit
}

// Age halves the counts of a history, for a new search.
func Age(counts []int32) {
	for i := range counts {
		counts[i] /= 2
	}
}
