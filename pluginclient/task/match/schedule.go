package match

import (
	"math/rand/v2"

	"qhsh/engine"
)

// A schedule is the games of a match. It is a pure function of the Config.
//
// In each round every pairing plays its games in a row. Every pairing has the same openings in the
// same order, which start over after the last one.
type schedule struct {
	config   *Config
	pairings [][2]int
	games    int   // per pairing and round
	openings []int // indexes of Config.Openings, in the order played
}

// A Fixture is a scheduled game.
type Fixture struct {
	Number  int // from 1
	Round   int // from 1
	Pair    int // number of the pair of games with the same opening, within the pairing, from 1
	Opening int // number of the opening, from 1; 0: the start of the game
	Start   engine.Position
	Seed    [2]uint64  // for what is left to chance; the same in both games of a pair
	Players [2]*Player // First, Second
}

// newSchedule returns the schedule of a valid configuration.
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

// Len returns the number of games, unless the SPRT ends the match earlier. The configuration must
// be valid.
func (t *Config) Len() int { return newSchedule(t).Len() }

// roundRobin returns every pair of n players in the order of the circle method: no player has a
// second game before all have had one.
func roundRobin(n int) [][2]int {
	seats := n + n%2 // with odd n the last slot is a bye
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

// slotPlayer returns the player at a slot in a round: player 0 is fixed, the others rotate.
func slotPlayer(place, day, seats int) int {
	if place == 0 {
		return 0
	}
	return 1 + (place-1+day)%(seats-1)
}

// shuffle is a Fisher-Yates shuffle, written out so that its result does not depend on the Go
// version.
func shuffle(list []int, seed uint64) {
	source := rand.NewPCG(seed, 0)
	for i := len(list) - 1; i > 0; i-- {
		j := int(source.Uint64() % uint64(i+1))
		list[i], list[j] = list[j], list[i]
	}
}

func (s *schedule) Len() int { return s.games * len(s.pairings) * max(s.config.Rounds, 1) }

func (s *schedule) fixture(number int) Fixture {
	i := number - 1
	round := i / (s.games * len(s.pairings))
	nth := i % (s.games * len(s.pairings))
	pairing, game := s.pairings[nth/s.games], round*s.games+nth%s.games
	f := Fixture{
		Number: number, Round: round + 1, Pair: s.config.Skip + game/2 + 1, Start: s.config.Game.Start(),
		Players: [2]*Player{&s.config.Players[pairing[0]], &s.config.Players[pairing[1]]},
	}
	if game%2 == 1 {
		f.Players[0], f.Players[1] = f.Players[1], f.Players[0]
	}
	f.Seed = [2]uint64{s.config.Seed, uint64(f.Pair)<<32 | uint64(pairing[0])<<16 | uint64(pairing[1])}
	if len(s.openings) > 0 {
		nth := game
		if s.config.Repeat {
			nth = game / 2
		}
		at := s.openings[(max(s.config.Start, 1)-1+s.config.Skip+nth)%len(s.openings)]
		f.Opening, f.Start = at+1, truncate(s.config.Openings[at], s.config.Plies)
	}
	return f
}

// truncate returns the position after the first plies of pos's history.
func truncate(pos engine.Position, plies int) engine.Position {
	start, moves := pos.History()
	if plies == 0 || plies >= len(moves) {
		return pos
	}
	cut, _ := engine.PlayMoves(start, moves[:plies]) // a position's own history is legal
	return cut
}
