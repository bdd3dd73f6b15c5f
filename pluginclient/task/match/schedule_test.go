package match

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// stonesAt returns a position of the test game.
func stonesAt(t interface{ Fatal(...any) }, text string) engine.Position {
	pos, err := enginetest.Stones.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// fakePlayers returns players without engines.
func fakePlayers(n int) []Player {
	var players []Player
	for i := range n {
		players = append(players, Player{Name: fmt.Sprintf("p%d", i)})
	}
	return players
}

func drawConfig(t *rapid.T) *Config {
	config := &Config{
		Game: enginetest.Stones, Players: fakePlayers(rapid.IntRange(2, 7).Draw(t, "players")),
		Tournament: rapid.SampledFrom([]Tournament{RoundRobin, Gauntlet}).Draw(t, "tournament"),
		Games:      rapid.IntRange(1, 7).Draw(t, "games"), Rounds: rapid.IntRange(1, 3).Draw(t, "rounds"),
		Repeat: rapid.Bool().Draw(t, "repeat"),
		Order:  rapid.SampledFrom([]Order{Sequential, Random}).Draw(t, "order"),
		Seed:   rapid.Uint64().Draw(t, "seed"),
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "openings") {
		config.Openings = append(config.Openings, stonesAt(t, fmt.Sprintf("%d first 1", i+3)))
	}
	config.Start = rapid.IntRange(0, len(config.Openings)).Draw(t, "start")
	return config
}

// TestSchedule checks that every pairing plays equally often with both colours, that both sides of
// an opening are played, and that all pairings have the same openings.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := drawConfig(t)
		if err := config.Check(); err != nil {
			t.Fatal(err)
		}
		s := newSchedule(config)
		type side struct{ first, second, opening, pair int }
		colours := map[[2]int]int{}
		openings := map[[2]int][]int{}
		pairs := map[side]int{}
		for n := 1; n <= s.Len(); n++ {
			f := s.fixture(n)
			var sides [2]int // indexes of First and Second
			for i, player := range f.Players {
				sides[i] = slices.IndexFunc(config.Players, func(p Player) bool { return p.Name == player.Name })
			}
			pairing := [2]int{min(sides[0], sides[1]), max(sides[0], sides[1])}
			colours[sides]++
			openings[pairing] = append(openings[pairing], f.Opening)
			pairs[side{sides[0], sides[1], f.Opening, f.Pair}]++
			if f.Number != n || !reflect.DeepEqual(f, newSchedule(config).fixture(n)) {
				t.Fatalf("game %d differs the second time", n)
			}
		}
		players := len(config.Players)
		want := players * (players - 1) / 2
		if config.Tournament == Gauntlet {
			want = players - 1
		}
		if len(openings) != want {
			t.Fatalf("%d pairings, want %d", len(openings), want)
		}
		for pairing, list := range openings {
			as, bs := colours[pairing], colours[[2]int{pairing[1], pairing[0]}]
			if as != bs && (config.Repeat || as-bs != 1) {
				t.Fatalf("%v: %d games with one colour, %d with the other", pairing, as, bs)
			}
			if !slices.Equal(list, openings[s.pairings[0]]) {
				t.Fatalf("%v plays openings %v, others %v", pairing, list, openings[s.pairings[0]])
			}
		}
		if config.Repeat {
			for k := range pairs {
				if pairs[side{k.second, k.first, k.opening, k.pair}] != 1 {
					t.Fatalf("%+v has no other side", k)
				}
			}
		}
	})
}

func TestCircle(t *testing.T) {
	want := "[[0 5] [1 4] [2 3] [0 1] [2 5] [3 4] [0 2] [1 3] [4 5] [0 3] [2 4] [1 5] [0 4] [3 5] [1 2]]"
	if got := fmt.Sprint(roundRobin(6)); got != want {
		t.Errorf("6 players: %s", got)
	}
	if got := fmt.Sprint(roundRobin(3)); got != "[[1 2] [0 1] [0 2]]" {
		t.Errorf("3 players: %s", got)
	}
}

// TestOpenings checks the order of the openings, the first one, and the wrap-around.
func TestOpenings(t *testing.T) {
	config := &Config{
		Game: enginetest.Stones, Players: fakePlayers(2), Tournament: RoundRobin, Games: 10, Repeat: true, Order: Sequential, Start: 2,
		Openings: []engine.Position{stonesAt(t, "3 first"), stonesAt(t, "4 first"), stonesAt(t, "5 second 2")},
	}
	list := func() (openings []int) {
		s := newSchedule(config)
		for n := 1; n <= s.Len(); n++ {
			openings = append(openings, s.fixture(n).Opening)
		}
		return openings
	}
	if got := list(); !slices.Equal(got, []int{2, 2, 3, 3, 1, 1, 2, 2, 3, 3}) {
		t.Errorf("sequential: %v", got)
	}
	config.Order, config.Start, config.Seed = Random, 1, 4
	if got := list(); !slices.Equal(got[:6], []int{3, 3, 1, 1, 2, 2}) {
		t.Errorf("random: %v: the order has changed", got)
	}
	config.Repeat, config.Order = false, Sequential
	if got := list(); !slices.Equal(got, []int{1, 2, 3, 1, 2, 3, 1, 2, 3, 1}) {
		t.Errorf("not repeated: %v", got)
	}
}

// TestPlies checks that openings are truncated, counting chance moves.
func TestPlies(t *testing.T) {
	pos := enginetest.Stones.Start()
	for _, text := range []string{"roll 2", "take 2", "take 1", "roll 1"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	for plies, want := range map[int]string{0: "4 second 1", 1: "7 first 2", 3: "4 second", 4: "4 second 1", 9: "4 second 1"} {
		if got := truncate(pos, plies); got.String() != want {
			t.Errorf("%d plies: %v, want %s", plies, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := Config{Game: enginetest.Stones, Players: fakePlayers(3), Tournament: RoundRobin, Order: Random}
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(*Config) {}, ""},
		{func(t *Config) { t.Players = fakePlayers(1) }, "a match needs at least two players"},
		{func(t *Config) { t.Players[2].Name = "p0" }, "two players are named p0"},
		{func(t *Config) { t.Players[2].Name = "" }, "player without a name"},
		{func(t *Config) { t.Players[2].Time, t.Players[2].Clock = 1, Clock{Time: 1} }, "p2 has both a time per move and a clock"},
		{func(t *Config) { t.SPRT = &SPRT{} }, "an SPRT needs exactly two players, not 3"},
		{func(t *Config) { t.Players, t.SPRT = fakePlayers(2), &SPRT{} }, "elo0 must be less than elo1"},
		{func(t *Config) { t.Tournament = "cup" }, `unknown tournament "cup": use round-robin or gauntlet`},
		{func(t *Config) { t.Order = "up" }, `unknown order "up": use sequential or random`},
		{func(t *Config) { t.Openings, t.Start = []engine.Position{t.Game.Start()}, 2 }, "no opening 2: the number of openings is 1"},
	} {
		config := good
		config.Players = slices.Clone(good.Players)
		c.change(&config)
		err := config.Check()
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || !errors.Is(err, ErrConfig) || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
