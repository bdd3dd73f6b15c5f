package qchess

import "math/rand/v2"

// Samples returns the start position and ten positions of random games of increasing length. They
// never change, because engines are measured by them.
func Samples() []*Position {
	const middleGames = 10
	positions := []*Position{NewPosition(NewBoard())}
	for seed := range uint64(middleGames) {
		source := rand.New(rand.NewPCG(seed, 8))
		board := NewBoard()
		for turns := 0; turns < 10+int(seed)*4 || board.selected >= 0; turns++ {
			next := board
			var step Step
			if next.OutcomePending() {
				step = next.DrawOutcome(source)
			} else {
				steps := next.AppendSteps(nil)
				step = steps[source.IntN(len(steps))]
			}
			if err := next.Do(step); err != nil || next.Result().Over() {
				break
			}
			board = next
		}
		positions = append(positions, NewPosition(board))
	}
	return positions
}

// DrawOutcome draws the outcome of the selection by its odds.
func (b *Board) DrawOutcome(source *rand.Rand) Step {
	var last Step
	roll := source.Float64()
	for _, o := range b.Outcomes() {
		last = OutcomeStep(o.Index, o.Kind)
		if roll -= o.Odds; roll < 0 {
			break
		}
	}
	return last
}
