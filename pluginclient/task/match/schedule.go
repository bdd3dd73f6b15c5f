package match

import (
	"math/rand/v2"

	"qhsh/engine"
)

// A schedule is the games of a match. It is a pure function of the Terms.
//
// In each round every pairing plays its games one after the other. The openings of a
// pairing are those of every other, in the same order, so that all players face the
// same. When all openings have been played they begin again.
type schedule struct {
	config   *Config
	pairings [][2]int
	games    int   // of a pairing in a round
	openings []int // indexes, in the order of playing
}

// A fixture is a game that is to be played.
type fixture struct {
	number  int    // from 1
	round   int    // from 1
	pairing [2]int // indexes of players, the lower one first
	sides   [2]int // indexes of players: who plays First, who plays Second
	pair    int    // the pair of games with the same opening, counted in its pairing from 1
	opening int    // in the file of openings, from 1; 0: the start of the game
	start   engine.Position
	seed    [2]uint64 // of what is random in the game; alike in both games of a pair
}

// newSchedule returns the schedule of terms that make sense.
func newSchedule(t *Config) *schedule {
	s := &schedule{config: t, games: max(t.Games, 1)}
	if t.Repeat {
		s.games += s.games % 2
	}
	if t.Tournament == Gauntlet {
		for i := 1; i < len(t.Players); i++ {
			s.pairings = append(s.pairings, [2]int{0, i})
		}
	} else {
		s.pairings = roundRobin(len(t.Players))
	}
	for i := range t.Openings {
		s.openings = append(s.openings, i)
	}
	if t.Order == Random {
		shuffle(s.openings, t.Seed)
	}
	return s
}

// Len returns how many games a match of these terms has, unless its SPRT decides before. The terms
// must make sense.
func (t *Config) Len() int { return newSchedule(t).Len() }

// roundRobin returns every pair of n players, in the order of the circle method: nobody plays
// twice before everybody has played.
func roundRobin(n int) [][2]int {
	seats := n + n%2 // the last of an odd number meets nobody
	var pairings [][2]int
	for day := range seats - 1 {
		for i := range seats / 2 {
			a, b := slotPlayer(i, day, seats), slotPlayer(seats-1-i, day, seats)
			if a < n && b < n {
				pairings = append(pairings, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairings
}

// slotPlayer returns who sits at a place on a day: the first player stays, the others move on.
func slotPlayer(place, day, seats int) int {
	if place == 0 {
		return 0
	}
	return 1 + (place-1+day)%(seats-1)
}

// shuffle is Fisher and Yates's, written out so that a match means the same under every
// version of Go.
func shuffle(list []int, seed uint64) {
	source := rand.NewPCG(seed, 0)
	for i := len(list) - 1; i > 0; i-- {
		j := int(source.Uint64() % uint64(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

// Len returns the number of games.
func (s *schedule) Len() int { return s.games * len(s.pairings) * max(s.config.Rounds, 1) }

// fixture returns a game, by its number from 1.
func (s *schedule) fixture(number int) fixture {
	i := number - 1
	round := i / (s.games * len(s.pairings))
	nth := i % (s.games * len(s.pairings))
	pairing, game := s.pairings[nth/s.games], round*s.games+nth%s.games
	f := fixture{
		number: number, round: round + 1, pairing: pairing, sides: pairing,
		pair: game/2 + 1, start: s.config.Game.Start(),
	}
	if game%2 == 1 {
		f.sides[0], f.sides[1] = f.sides[1], f.sides[0]
	}
	f.seed = [2]uint64{s.config.Seed, uint64(f.pair)<<32 | uint64(pairing[0])<<16 | uint64(pairing[1])}
	if len(s.openings) > 0 {
		nth := game
		if s.config.Repeat {
			nth = game / 2
		}
		at := s.openings[(max(s.config.Start, 1)-1+nth)%len(s.openings)]
		f.opening, f.start = at+1, truncate(s.config.Openings[at], s.config.Plies)
	}
	return f
}

// truncate returns a position after the first plies of its history.
func truncate(pos engine.Position, plies int) engine.Position {
	start, moves := pos.History()
	if plies == 0 || plies >= len(moves) {
		return pos
	}
	for _, m := range moves[:plies] {
		next, err := start.Play(m)
		if err != nil {
			return pos // a position's own history is legal
		}
		start = next
	}
	return start
}
