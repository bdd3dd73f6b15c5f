package match

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"qhsh/engine/filelock"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/runlog"
)

// Results are the games of matches, for ratings. Players with the same name are the same player.
type Results struct {
	files   []string // without symbolic links
	game    string   // with its variant
	players []string
	counts  map[result]int
}

// A result is the half points of player a against b, indexes of players, in a pair of games with the same
// opening, or in a game without another.
type result struct{ a, b, half, games int }

// Read adds the finished games of the file of a [State], whose match may still be running. If the file is not
// one, or of another game than those before it, the error wraps ErrConfig.
func (r *Results) Read(ctx context.Context, path string) error {
	real, err := filelock.Resolve(path)
	if err != nil {
		return configf("%s: %w", path, err)
	}
	if slices.Contains(r.files, real) {
		return configf("%s is named twice", path)
	}
	head, err := runlog.Read(real, stateKind)
	var terms manifest
	if err == nil {
		err = json.Unmarshal(head.Manifest, &terms)
	}
	if err != nil {
		return configf("%s: %w: name what 'qhsh match -o FILE' has stored", path, stateKind.ErrForeign)
	}
	game := strings.Trim(fmt.Sprint(terms.Game, " ", terms.Tags), " []")
	if r.game = cmp.Or(r.game, game); game != r.game {
		return configf("%s: a match of %s, and the files before it are of %s: rate them apart", path, game, r.game)
	}
	if r.counts == nil {
		r.counts = map[result]int{}
	}
	seen, first := map[int]bool{}, map[[3]int]int{} // a's half points in the first game of a pair
	_, err = runlog.ReadRecords(real, stateKind, func(line []byte) error {
		var g Record
		err := json.Unmarshal(line, &g)
		_, finished := g.outcome()
		switch {
		case err != nil:
			return printable.JSONError(err)
		case seen[g.Game]:
			return fmt.Errorf("duplicate game %d", g.Game)
		case g.First == g.Second || !finished:
			return fmt.Errorf("game %d: invalid result %q of %s against %s", g.Game, g.Result, g.First, g.Second)
		}
		seen[g.Game] = true
		x := result{r.index(g.First), r.index(g.Second), g.halfPoints(), 1}
		if x.a > x.b {
			x = result{x.b, x.a, 2 - x.half, 1}
		}
		pair := [3]int{x.a, x.b, g.Pair}
		before, second := first[pair]
		switch {
		case second:
			delete(first, pair)
			r.counts[result{x.a, x.b, before + x.half, 2}]++
		case terms.Repeat:
			first[pair] = x.half
		default:
			r.counts[x]++
		}
		return ctx.Err()
	})
	for pair, half := range first { // the second game is not finished
		r.counts[result{pair[0], pair[1], half, 1}]++
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return configf("%s: %w", path, err)
	}
	r.files = append(r.files, real)
	return nil
}

func (r *Results) index(name string) int {
	if !slices.Contains(r.players, name) {
		r.players = append(r.players, name)
	}
	return slices.Index(r.players, name)
}

// Ratings are the strengths of players, estimated together from all their games.
type Ratings struct {
	Files   int      `json:"files"`
	Games   int      `json:"games"`
	Anchor  string   `json:"anchor,omitempty"` // the player whose Elo was given; "": that of the mean
	Elo     float64  `json:"anchor_elo"`
	Bounded bool     `json:"bounded"` // see Rate
	Players []Rating `json:"players"` // the best first
}

// A Rating is the strength of a player.
type Rating struct {
	Name   string    `json:"name"`
	Elo    float64   `json:"elo"`
	Error  float64   `json:"elo_error"` // half the width of the 95% confidence interval of the difference to the anchor
	Games  int       `json:"games"`
	Points float64   `json:"points"`
	LOS    []float64 `json:"los"` // likelihood of superiority over each of Ratings.Players, from 0 to 1
}

// Rate returns the ratings under which the results are the most likely, with a draw as half a win and half a
// loss (Bradley and Terry's model): each player is expected to have the points that it has. The player anchor
// gets the given Elo; if anchor is "", the mean of all does. If some players have won or lost all games against
// the others, no finite ratings fit best: a draw is added to each meeting, which Bounded reports.
func (r *Results) Rate(anchor string, elo float64) (*Ratings, error) {
	fixed := slices.Index(r.players, anchor)
	switch {
	case len(r.players) == 0:
		return nil, configf("no finished games")
	case anchor != "" && fixed < 0:
		return nil, configf("unknown player %q: use %s", anchor, strings.Join(r.players, ", "))
	}
	out, rows := &Ratings{Files: len(r.files), Anchor: anchor, Elo: elo}, make([]Rating, len(r.players))
	met, won, counts := map[[2]int]bool{}, map[[2]int]bool{}, maps.Clone(r.counts)
	for x, c := range counts {
		out.Games += c * x.games
		for _, side := range []result{x, {x.b, x.a, 2*x.games - x.half, x.games}} {
			rows[side.a].Games += c * side.games
			rows[side.a].Points += float64(c*side.half) / 2
			met[[2]int{side.a, side.b}] = true
			if side.half > 0 {
				won[[2]int{side.a, side.b}] = true
			}
		}
	}
	if i, j, ok := unconnected(len(rows), met); ok {
		return nil, configf("no games connect %s with %s, not even over other players: rate them apart", r.players[i], r.players[j])
	}
	if _, _, out.Bounded = unconnected(len(rows), won); out.Bounded {
		for pair := range met {
			if pair[0] < pair[1] {
				counts[result{pair[0], pair[1], 1, 1}]++
			}
		}
	}
	ratings, deviation := fit(len(rows), counts)
	const scale = 400 / math.Ln10
	order, origin := make([]int, len(rows)), 0.0
	if fixed >= 0 {
		origin = ratings[fixed]
	}
	for i := range rows {
		order[i], rows[i].Name = i, r.players[i]
		rows[i].Elo, rows[i].Error = elo+scale*(ratings[i]-origin), normal95*scale*deviation(i, fixed)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(round(rows[b].Elo), round(rows[a].Elo)) })
	for _, i := range order {
		for _, j := range order {
			los := 0.5
			if i != j {
				los = (1 + math.Erf((ratings[i]-ratings[j])/deviation(i, j)/math.Sqrt2)) / 2
			}
			rows[i].LOS = append(rows[i].LOS, los)
		}
		out.Players = append(out.Players, rows[i])
	}
	return out, nil
}

// unconnected returns two of n players of whom one does not lead to the other, step by step, if there are.
func unconnected(n int, leads map[[2]int]bool) (from, to int, ok bool) {
	leads = maps.Clone(leads)
	for k := range n {
		for i := range n {
			for j := range n {
				if leads[[2]int{i, k}] && leads[[2]int{k, j}] {
					leads[[2]int{i, j}] = true
				}
			}
		}
	}
	for i := range n {
		for j := range n {
			if i != j && !leads[[2]int{i, j}] {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// fit returns the ratings of n players, which are natural logarithms with the sum 0, and a function that
// returns the standard deviation of the difference of two of them, or with j < 0 of one.
//
// Deviations follow from how much the results differ from the expected ones (the sandwich estimator): so draws,
// and the correlation in pairs, count. A meeting with equal results does not tell how much they vary: they do
// so as if no game could be drawn.
func fit(n int, counts map[result]int) (ratings []float64, deviation func(i, j int) float64) {
	results := slices.SortedFunc(maps.Keys(counts), func(x, y result) int { // so that all machines agree
		return cmp.Or(x.a-y.a, x.b-y.b, x.games-y.games, x.half-y.half)
	})
	score, varies := map[[2]int]float64{}, map[[2]int]bool{}
	for _, x := range results {
		meeting, s := [2]int{x.a, x.b}, float64(x.half)/float64(x.games)
		before, ok := score[meeting]
		score[meeting], varies[meeting] = s, varies[meeting] || ok && before != s
	}
	ratings = make([]float64, n)
	variances := make([]float64, len(results))
	var inverse [][]float64
	for longest := 1.0; longest > 1e-6; { // the next step would be about its square
		gradient, information, step := make([]float64, n), make([][]float64, n), make([]float64, n)
		for i := range information {
			information[i] = slices.Repeat([]float64{1}, n) // which fixes the sum; else there would be no inverse
		}
		for k, x := range results {
			expected, c, games := 1/(1+math.Exp(ratings[x.b]-ratings[x.a])), float64(counts[x]), float64(x.games)
			excess, certainty := float64(x.half)/2-games*expected, c*games*expected*(1-expected)
			gradient[x.a] += c * excess
			gradient[x.b] -= c * excess
			information[x.a][x.a] += certainty
			information[x.b][x.b] += certainty
			information[x.a][x.b] -= certainty
			information[x.b][x.a] -= certainty
			if variances[k] = c * excess * excess; !varies[[2]int{x.a, x.b}] {
				variances[k] = certainty
			}
		}
		inverse, longest = invert(information), 0
		for i := range step {
			for j, g := range gradient {
				step[i] += inverse[i][j] * g
			}
			longest = max(longest, math.Abs(step[i]))
		}
		for i := range step { // Newton's method converges if no difference changes by more than 1
			ratings[i] += step[i] * 0.5 / max(longest, 0.5)
		}
	}
	return ratings, func(i, j int) float64 {
		sum := 0.0
		for k, x := range results {
			influence := inverse[i][x.a] - inverse[i][x.b]
			if j >= 0 {
				influence -= inverse[j][x.a] - inverse[j][x.b]
			}
			sum += influence * influence * variances[k]
		}
		return math.Sqrt(sum)
	}
}

// invert returns the inverse of a symmetric positive definite matrix, which it overwrites, by Gauss and
// Jordan's elimination. Such a matrix needs no other pivots than its diagonal.
func invert(m [][]float64) [][]float64 {
	inverse := make([][]float64, len(m))
	for i := range m {
		inverse[i] = make([]float64, len(m))
		inverse[i][i] = 1
	}
	for k := range m {
		pivot := m[k][k]
		for j := range m {
			m[k][j] /= pivot
			inverse[k][j] /= pivot
		}
		for i := range m {
			if f := m[i][k]; i != k {
				for j := range m {
					m[i][j] -= f * m[k][j]
					inverse[i][j] -= f * inverse[k][j]
				}
			}
		}
	}
	return inverse
}
