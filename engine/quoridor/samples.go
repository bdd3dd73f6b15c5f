package quoridor

import (
	"math/rand/v2"
	"slices"
)

// Samples returns the start position and ten middle games for benchmarks, fixed for the same rules.
// In the middle games, of increasing length, both sides have walked on a shortest path and built
// random walls.
func Samples(rules Rules) []*Position {
	const middleGames = 10
	positions := []*Position{NewPosition(NewBoard(rules))}
	for seed := range uint64(middleGames) {
		random := rand.New(rand.NewPCG(seed, uint64(rules.Size)))
		pos := positions[0]
		for range 4 + seed {
			move := FastestMove(pos.board, pos.board.AppendSteps(nil, pos.board.turn))
			if walls := pos.board.AppendWalls(nil, pos.board.turn); len(walls) > 0 && random.IntN(2) == 0 {
				move = walls[random.IntN(len(walls))]
			}
			next, err := pos.PlayAction(move)
			if err != nil || next.Result().Over() {
				break
			}
			pos = next
		}
		positions = append(positions, pos)
	}
	return positions
}

// FastestMove returns the first of the moves after which the mover's path to the goal row is
// shortest. There must be at least one.
func FastestMove(b Board, moves []Action) Action {
	left := func(a Action) int {
		next := b
		next.Do(a)
		return next.Distance(a.Side())
	}
	return slices.MinFunc(moves, func(a, b Action) int { return left(a) - left(b) })
}
