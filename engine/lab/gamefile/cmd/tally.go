package main

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"slices"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
)

// A tally has the counts of games and positions.
type tally struct {
	games     int
	endings   int // games that do not start at the usual position
	sum       uint64
	positions int
	keys      []uint64 // keys of the positions for training
	lines     []uint64 // hashes of the games' moves
	outcomes  [engine.Draw + 1]int
	reasons   map[engine.Result]int
	lengths   [len(lengthSteps)]int
	ahead     [len(scoreSteps)]int
	behind    [len(scoreSteps)]int
}

// The first value of each row of the histograms.
var (
	lengthSteps = [...]int{0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 250, 300, 400, 500}
	scoreSteps  = [...]int{0, 1, 26, 51, 101, 201, 401, 601, 1001, 2001, 10000, gamefile.RuleScore, gamefile.RuleScore + 1}
)

func bucket(steps []int, v int) int {
	i, found := slices.BinarySearch(steps, v)
	if !found {
		i--
	}
	return i
}

var seed = maphash.MakeSeed()

func (t *tally) game(g *gamefile.Game) {
	t.games++
	if g.FEN != "" {
		t.endings++
	}
	t.outcomes[g.Result.Outcome]++
	if t.reasons == nil {
		t.reasons = map[engine.Result]int{}
	}
	t.reasons[g.Result]++
	t.lengths[bucket(lengthSteps[:], len(g.Opening)+len(g.Plies))]++
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(g.FEN) // it never fails, nor does what follows
	for _, m := range g.Opening {
		_, _ = h.Write([]byte{byte(m >> 8), byte(m)})
	}
	for _, p := range g.Plies {
		_, _ = h.Write([]byte{byte(p.Move >> 8), byte(p.Move)})
	}
	t.lines = append(t.lines, h.Sum64())
}

func (t *tally) position(p gamefile.Position) {
	t.positions++
	switch s := p.Score; {
	case s == gamefile.Unknown:
	case s >= 0:
		t.ahead[bucket(scoreSteps[:], int(s))]++
	default:
		t.behind[bucket(scoreSteps[:], -int(s))]++
	}
	if p.IsForTraining() {
		t.keys = append(t.keys, p.Key())
	}
}

// repeated returns the number of values that are duplicates.
func repeated(values []uint64) int {
	all := len(values)
	slices.Sort(values)
	return all - len(slices.Compact(values))
}

func (t *tally) print(w io.Writer) {
	passing := len(t.keys)
	fmt.Fprintf(w, "games      %d: red won %d, black %d, drawn %d\n",
		t.games, t.outcomes[engine.FirstWins], t.outcomes[engine.SecondWins], t.outcomes[engine.Draw])
	fmt.Fprintf(w, "starts     %d games from other positions than the start\n", t.endings)
	fmt.Fprintf(w, "positions  %d, %d pass the filter (%s)\n", t.positions, passing, percent(passing, t.positions))
	fmt.Fprintf(w, "duplicates %d games, %d positions that pass\n", repeated(t.lines), repeated(t.keys))
	fmt.Fprintf(w, "checksum   %016x\n", t.sum)

	t.printResults(w)
	t.printLengths(w)
	t.printScores(w)
}

func (t *tally) printResults(w io.Writer) {
	fmt.Fprintln(w, "\nresults")
	results := slices.SortedFunc(maps.Keys(t.reasons), func(a, b engine.Result) int {
		return cmp.Or(t.reasons[b]-t.reasons[a], cmp.Compare(a.String(), b.String()))
	})
	for _, r := range results {
		fmt.Fprintf(w, "%12d %8s  %v\n", t.reasons[r], percent(t.reasons[r], t.games), r)
	}
}

func (t *tally) printLengths(w io.Writer) {
	fmt.Fprintln(w, "\nplies, games")
	for i, n := range t.lengths {
		fmt.Fprintf(w, "%9s %12d %8s\n", bucketName(lengthSteps[:], i), n, percent(n, t.games))
	}
}

func (t *tally) printScores(w io.Writer) {
	fmt.Fprintln(w, "\nscore, positions ahead and behind")
	for i, step := range scoreSteps {
		name := bucketName(scoreSteps[:], i)
		switch step {
		case gamefile.RuleScore:
			name = "by rule"
		case gamefile.RuleScore + 1:
			name = "mate"
		}
		fmt.Fprintf(w, "%11s %12d %8s %12d %8s\n", name,
			t.ahead[i], percent(t.ahead[i], t.positions), t.behind[i], percent(t.behind[i], t.positions))
	}
}

// bucketName returns the name of a row of a histogram.
func bucketName(first []int, i int) string {
	switch {
	case i+1 == len(first):
		return fmt.Sprintf("%d-", first[i])
	case first[i+1] == first[i]+1:
		return fmt.Sprint(first[i])
	}
	return fmt.Sprintf("%d-%d", first[i], first[i+1]-1)
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of))) }
