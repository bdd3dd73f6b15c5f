package quoridor

import "math/rand/v2"

// Samples returns the start of a game and ten middle games, which never change for the same rules:
// what engines and move generators are measured by. In the middle games, one longer than the
// other, both sides have walked on a shortest way and built walls by chance.
func Samples(rules Rules) []*Position {
	const middleGames = 10
	positions := []*Position{NewPosition(NewBoard(rules))}
	for seed := range uint64(middleGames) {
		random := rand.New(rand.NewPCG(seed, uint64(rules.Size)))
		pos := positions[0]
		for range 4 + seed {
			next, err := pos.PlayAction(sampleMove(random, &pos.board))
			if err != nil || next.Result().Over() {
				break
			}
			pos = next
		}
		positions = append(positions, pos)
	}
	return positions
}

// sampleMove returns a wall where chance has it and there is one, or else a step ahead.
func sampleMove(random *rand.Rand, b *Board) Action {
	if walls := b.AppendWalls(nil, b.turn); len(walls) > 0 && random.IntN(2) == 0 {
		return walls[random.IntN(len(walls))]
	}
	return FastestMove(*b, b.AppendSteps(nil, b.turn))
}

// FastestMove is, of some moves of a side, at least one, the first of those after which its way to the goal row is
// shortest.
func FastestMove(b Board, moves []Action) Action {
	left := func(a Action) int {
		next := b
		next.Do(a)
		return next.Distance(a.Side())
	}
	best, least := moves[0], left(moves[0])
	for _, a := range moves[1:] {
		if n := left(a); n < least {
			best, least = a, n
		}
	}
	return best
}
