package match

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const eloScale = 400 / math.Ln10

// meetingResults are numbers of pairs and of other games by the half points of player a.
type meetingResults struct {
	a, b  int // indexes of players
	pairs [5]int
	games [3]int
}

// resultsOf returns the results of meetings of players a, b, ...
func resultsOf(players int, meetings ...meetingResults) *Results {
	r := &Results{counts: map[result]int{}}
	for i := range players {
		r.players = append(r.players, string(rune('a'+i)))
	}
	for _, m := range meetings {
		for half, c := range m.pairs {
			r.counts[result{m.a, m.b, half, 2}] += c
		}
		for half, c := range m.games {
			r.counts[result{m.a, m.b, half, 1}] += c
		}
	}
	maps.DeleteFunc(r.counts, func(_ result, c int) bool { return c == 0 })
	return r
}

func rate(t testing.TB, r *Results, anchor string) map[string]Rating {
	t.Helper()
	got, err := r.Rate(anchor, 0)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Rating{}
	for _, p := range got.Players {
		by[p.Name] = p
	}
	return by
}

// sandwich returns the error of a difference between two players who have met in these pairs only, for
// whom it is a formula.
func sandwich(pairs [5]int) float64 {
	n, mean, variance := moments(pairs[:])
	return normal95 * eloScale * math.Sqrt(variance/n) / (mean * (1 - mean))
}

// TestRateTwo: two players have the Elo of the standings, and its error but for what is beyond the linear.
func TestRateTwo(t *testing.T) {
	pairs := [5]int{1, 10, 78, 48, 13}
	got := rate(t, resultsOf(2, meetingResults{a: 0, b: 1, pairs: pairs}), "b")["a"]
	want := Score{Pairs: pairs}.Estimate()
	if math.Abs(got.Elo-want.Elo) > 1e-6 || math.Abs(got.Error-sandwich(pairs)) > 1e-6 || math.Abs(got.Error-want.Error) > 0.02*want.Error {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Games != 300 || got.Points != 181 || !slices.Equal(got.LOS, []float64{0.5, got.LOS[1]}) || math.Abs(got.LOS[1]-want.LOS) > 1e-3 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestRateChain: if a met b, b met c, and nobody else met, differences add up, and squares of errors do. It does
// not matter who is the anchor, in which order names stand, or whether results are in one file.
func TestRateChain(t *testing.T) {
	ab, bc := [5]int{3, 10, 20, 30, 12}, [5]int{20, 10, 5, 3, 1}
	cb := bc
	slices.Reverse(cb[:])
	one := rate(t, resultsOf(3, meetingResults{a: 0, b: 1, pairs: ab}, meetingResults{a: 2, b: 1, pairs: cb}), "c")
	d1, d2 := Score{Pairs: ab}.Estimate().Elo, Score{Pairs: bc}.Estimate().Elo
	if math.Abs(one["a"].Elo-d1-d2) > 1e-6 || math.Abs(one["b"].Elo-d2) > 1e-6 || one["c"].Elo != 0 || one["c"].Error != 0 {
		t.Errorf("%+v, want differences %v and %v", one, d1, d2)
	}
	if want := math.Hypot(sandwich(ab), sandwich(bc)); math.Abs(one["a"].Error-want) > 1e-6 || math.Abs(one["b"].Error-sandwich(bc)) > 1e-6 {
		t.Errorf("%+v, want errors %v and %v", one, want, sandwich(bc))
	}
	mean := rate(t, resultsOf(3, meetingResults{a: 0, b: 1, pairs: [5]int{3, 10}}, meetingResults{a: 1, b: 2, pairs: bc}, meetingResults{a: 0, b: 1, pairs: [5]int{0, 0, 20, 30, 12}}), "")
	if math.Abs(mean["a"].Elo-mean["c"].Elo-one["a"].Elo) > 1e-6 || math.Abs(mean["a"].Elo+mean["b"].Elo+mean["c"].Elo) > 1e-6 {
		t.Errorf("%+v with the mean as the anchor, and %+v", mean, one)
	}
}

// TestRateExpected: in any tournament each player has the points that its rating lets expect.
func TestRateExpected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "players")
		c, meetings := rapid.IntRange(0, 20), []meetingResults{}
		for b := range n {
			for a := range b {
				m := meetingResults{a: a, b: b, games: [3]int{1, 0, 1}} // so that no bound is needed
				for i := range m.pairs {
					m.pairs[i] = c.Draw(t, "pairs")
				}
				meetings = append(meetings, m)
			}
		}
		r := resultsOf(n, meetings...)
		by, err := r.Rate("a", 100)
		if err != nil || by.Bounded {
			t.Fatal(by, err)
		}
		for _, p := range by.Players {
			expected := 0.0
			for x, c := range r.counts {
				for _, q := range by.Players {
					if names := [2]string{r.players[x.a], r.players[x.b]}; names == [2]string{p.Name, q.Name} || names == [2]string{q.Name, p.Name} {
						expected += float64(c*x.games) * fromElo(p.Elo-q.Elo)
					}
				}
			}
			if math.Abs(expected-p.Points) > 1e-6 || math.IsNaN(p.Error) || p.Name == "a" && p.Elo != 100 {
				t.Fatalf("%+v: expected %v points", p, expected)
			}
		}
	})
}

// TestRateErrors simulates 500 tournaments of four players whose games are often drawn, and counts how many
// of the 95% intervals hold the difference.
func TestRateErrors(t *testing.T) {
	const tournaments = 500
	elo := []float64{0, 150, -60, 40}
	source, within := rand.New(rand.NewPCG(1, 0)), 0
	for range tournaments {
		meetings := []meetingResults{}
		for b := range 4 {
			for a := range b {
				m, p := meetingResults{a: a, b: b}, fromElo(elo[a]-elo[b])
				for range 40 {
					opening, half := source.Float64(), 0 // which is common to both games
					for range 2 {
						if x := (opening + source.Float64()) / 2; x < 0.5 {
							half++ // a draw, whatever the strength
						} else if source.Float64() < (p-0.25)*2 {
							half += 2
						}
					}
					m.pairs[half]++
				}
				meetings = append(meetings, m)
			}
		}
		by := rate(t, resultsOf(4, meetings...), "a")
		for i, name := range []string{"b", "c", "d"} {
			if p := by[name]; math.Abs(p.Elo-elo[i+1]) <= p.Error {
				within++
			}
		}
	}
	n := float64(3 * tournaments)
	if rate := float64(within) / n; math.Abs(rate-0.95) > 3*math.Sqrt(0.95*0.05/n) {
		t.Errorf("%g of the intervals hold the difference", rate)
	}
}

// TestRateBounded: ratings of players who have won or lost all games are finite, and players who are not
// connected have none.
func TestRateBounded(t *testing.T) {
	for name, r := range map[string]*Results{
		"all won":            resultsOf(2, meetingResults{a: 0, b: 1, pairs: [5]int{0, 0, 0, 0, 10}}),
		"one group the best": resultsOf(4, meetingResults{a: 0, b: 1, games: [3]int{1, 1, 1}}, meetingResults{a: 2, b: 3, games: [3]int{1, 1, 1}}, meetingResults{a: 0, b: 2, games: [3]int{0, 0, 3}}),
		"a million":          resultsOf(3, meetingResults{a: 0, b: 1, games: [3]int{0, 0, 1_000_000}}, meetingResults{a: 1, b: 2, games: [3]int{0, 0, 1_000_000}}),
	} {
		got, err := r.Rate("", 0)
		if err != nil || !got.Bounded {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		for i, p := range got.Players {
			if !(math.Abs(p.Elo) < 3000 && p.Error > 0 && p.Error < 3000) || p.Name != r.players[i] {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
	drawn := rate(t, resultsOf(2, meetingResults{a: 0, b: 1, pairs: [5]int{2: 2}, games: [3]int{1: 1}}), "a")["b"]
	if want := normal95 * eloScale / math.Sqrt(5*0.25); drawn.Elo != 0 || math.Abs(drawn.Error-want) > 1e-6 || drawn.LOS[0] != 0.5 {
		t.Errorf("five draws: %+v, want the error %v of games without draws", drawn, want)
	}
	for want, r := range map[string]*Results{
		"no games connect a with c, not even over other players: rate them apart": resultsOf(4, meetingResults{a: 0, b: 1, games: [3]int{1, 1, 1}}, meetingResults{a: 2, b: 3, games: [3]int{1, 1, 1}}),
		"no finished games": {},
	} {
		if _, err := r.Rate("", 0); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestRateRead reads files of matches, also damaged ones.
func TestRateRead(t *testing.T) {
	const terms = `{"match":2,"game":"stones","players":[{"name":"x"},{"name":"y"}],"tournament":"round-robin","repeat":true}` + "\n"
	game := func(n, pair, players, result string) string {
		first, second, _ := strings.Cut(players, "-")
		return `{"game":` + n + `,"pair":` + pair + `,"first":"` + first + `","second":"` + second + `","result":"` + result + `","moves":[]}` + "\n"
	}
	pair := game("1", "1", "x-y", "1-0") + game("2", "1", "y-x", "1/2-1/2")
	for _, c := range []struct{ text, want string }{
		{terms + pair + game("3", "2", "x-y", "0-1"), ""},
		{terms + pair + game("3", "2", "x-y", "0-1") + `{"game":4,"pa`, ""}, // the match is running, or was killed
		{terms + pair + game("2", "2", "x-y", "0-1"), "line 4: duplicate game 2"},
		{terms + pair + game("3", "2", "x-x", "0-1"), `line 4: game 3: invalid result "0-1" of x against x`},
		{terms + pair + game("3", "2", "x-y", "*"), `line 4: game 3: invalid result "*" of x against y`},
		{`{"match":2,"players":3}` + "\n", "not a match file: name what 'qhsh match -o FILE' has stored"},
		{"", "not a match file: name what 'qhsh match -o FILE' has stored"},
		{"[Event \"x\"]\n", "not a match file: name what 'qhsh match -o FILE' has stored"},
		{strings.Replace(terms, "stones", "go", 1), "a match of go, and the files before it are of stones: rate them apart"},
	} {
		file := filepath.Join(t.TempDir(), "m.jsonl")
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		r := Results{game: "stones"}
		err := r.Read(t.Context(), file)
		if c.want != "" {
			if err == nil || err.Error() != file+": "+c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
			continue
		}
		if want := (map[result]int{{0, 1, 3, 2}: 1, {0, 1, 0, 1}: 1}); err != nil || !maps.Equal(r.counts, want) {
			t.Errorf("%+v, %v, want %+v", r, err, want)
		}
		if err := r.Read(t.Context(), file); err == nil || err.Error() != file+" is named twice" {
			t.Errorf("the same file again: %v", err)
		}
	}
}
