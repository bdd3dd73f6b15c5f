package checkers

import "math/rand/v2"

// Samples returns the start position and ten positions of random games. They never change, because
// engines and move generators are measured by them.
func Samples(v Variant) []*Position {
	const games = 10
	positions := []*Position{NewPosition(NewBoard(v))}
	for seed := range uint64(games) {
		random := rand.New(rand.NewPCG(seed, uint64(v)))
		pos := positions[0]
		for range 6 + 3*seed {
			moves := pos.board.AppendMoves(nil)
			next, err := pos.Do(moves[random.IntN(len(moves))])
			if err != nil || next.Result().Over() {
				break
			}
			pos = next
		}
		positions = append(positions, pos)
	}
	return positions
}
