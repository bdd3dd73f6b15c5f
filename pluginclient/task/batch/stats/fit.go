package stats

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/render/plot"
)

// A Fit relates the scores of engines to the results of their games. Its JSON is what 'qhsh stats -fit -format
// json' writes.
type Fit struct {
	Files   []string      `json:"files"`
	Engines []*EngineFit  `json:"engines"` // in order of first occurrence
	games   map[any]int32 // their indexes
}

// An EngineFit is the scale of an engine's scores; see [engine.Score.Chance].
type EngineFit struct {
	Name      string   `json:"engine"`
	Games     int      `json:"games"`     // with such positions
	Positions int      `json:"positions"` // with a score that is no mate
	Scale     float64  `json:"scale,omitempty"`
	Error     float64  `json:"scale_error,omitempty"` // half the width of its 95 % confidence interval; 0: unknown
	Problem   string   `json:"problem,omitempty"`     // why there is no scale
	Bins      []FitBin `json:"bins"`

	samples []fitSample
}

// A FitBin is what has come of the scores in a range.
type FitBin struct {
	Bin
	Mean     float64  `json:"mean"`               // of the scores; 0 for mates
	Expected *float64 `json:"expected,omitempty"` // the mean result by the scale, from 0 to 1; nil without a scale
	Seen     float64  `json:"seen"`               // the mean result, from 0 to 1
	Error    float64  `json:"seen_error"`         // as EngineFit.Error
}

// A fitSample is a score with the result of its game, for the side to move.
type fitSample struct {
	score engine.Score
	game  int32
	half  int8 // half points: 2, 1 or 0
}

// Add adds a score of an engine, which is known, in a game with a result, which has a key.
func (f *Fit) Add(name string, game any, score engine.Score, side engine.Turn, result engine.Outcome) {
	i := slices.IndexFunc(f.Engines, func(e *EngineFit) bool { return e.Name == name })
	if i < 0 {
		i, f.Engines = len(f.Engines), append(f.Engines, &EngineFit{Name: name})
	}
	if f.games == nil {
		f.games = map[any]int32{}
	}
	index, ok := f.games[game]
	if !ok {
		index = int32(len(f.games))
		f.games[game] = index
	}
	half := int8(0)
	switch result {
	case engine.Win(side):
		half = 2
	case engine.Draw:
		half = 1
	}
	f.Engines[i].samples = append(f.Engines[i].samples, fitSample{score, index, half})
}

// Finish computes the scales.
func (f *Fit) Finish() {
	for _, e := range f.Engines {
		e.fit()
		e.Bins = e.bins()
	}
}

// The scales that are looked for, in centipawns.
const leastScale, mostScale = 1, 1e6

// normal95 is the number of standard deviations on either side of the mean that hold 95 % of a normal distribution.
const normal95 = 1.959964

// likelihood returns the logarithm of the likelihood of a result by a scale, with a draw as half a win and half
// a loss.
func (s fitSample) likelihood(scale float64) float64 {
	win, _ := s.score.Chance(scale)
	loss, _ := s.score.Neg().Chance(scale)
	y, least := float64(s.half)/2, math.SmallestNonzeroFloat64
	return y*math.Log(max(win, least)) + (1-y)*math.Log(max(loss, least))
}

// fit finds the scale under which the results are the most likely. The positions of a game have the same result,
// so the error is that of clustered samples, the sandwich estimator, whose clusters are games: it holds however
// the scores of a game hang together, and whether or not the curve is the true one.
func (e *EngineFit) fit() {
	counts := map[fitSample]float64{} // games are 0
	games := map[int32]float64{}      // the slope of the likelihood of each, below
	for _, s := range e.samples {
		if _, ok := s.score.Centipawns(); ok {
			e.Positions++
			games[s.game] = 0
			s.game = 0
			counts[s]++
		}
	}
	e.Games = len(games)
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b fitSample) int { // so that all machines agree
		return cmp.Or(a.score.Compare(b.score), int(a.half-b.half))
	})
	// The parameter is the logarithm of the scale.
	const step = 1e-3
	slopeOf := func(s fitSample, at float64) float64 {
		return (s.likelihood(math.Exp(at+step)) - s.likelihood(math.Exp(at-step))) / (2 * step)
	}
	slope := func(at float64) (sum float64) {
		for _, s := range kinds {
			sum += counts[s] * slopeOf(s, at)
		}
		return sum
	}
	low, high := math.Log(engine.DefaultScale), math.Log(engine.DefaultScale)
	for slope(low) <= 0 && low > math.Log(leastScale) {
		low -= math.Ln2
	}
	for slope(high) >= 0 && high < math.Log(mostScale) {
		high += math.Ln2
	}
	switch {
	case e.Positions == 0:
		e.Problem = "no scores but mates"
		return
	case slope(low) <= 0:
		e.Problem = "the scores foretell all results: more games are needed"
		return
	case slope(high) >= 0:
		e.Problem = "the scores do not foretell the results"
		return
	}
	for high-low > 1e-7 {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	e.Scale = round(math.Exp(low))
	if e.Games < 2 {
		return
	}
	for _, s := range e.samples {
		if _, ok := s.score.Centipawns(); ok {
			games[s.game] += slopeOf(s, low)
		}
	}
	curvature := (slope(low-step) - slope(low+step)) / (2 * step)
	e.Error = round(normal95 * e.Scale * deviation(games) / curvature)
}

// deviation returns the standard deviation of the sum of values, one for each game.
func deviation(games map[int32]float64) float64 {
	squares := 0.0
	for _, game := range slices.Sorted(maps.Keys(games)) {
		squares += games[game] * games[game]
	}
	n := float64(len(games))
	return math.Sqrt(squares * n / (n - 1))
}

// round leaves four decimals.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (e *EngineFit) bins() (bins []FitBin) {
	counts, in := map[binIndex]int{}, map[binIndex][]fitSample{}
	for _, s := range e.samples {
		at := binOf(s.score)
		counts[at]++
		in[at] = append(in[at], s)
	}
	for _, bin := range binsOf(counts) {
		if bin.Count == 0 {
			continue
		}
		b, expected, n := FitBin{Bin: bin}, 0.0, float64(bin.Count)
		for _, s := range in[bin.edge] {
			cp, _ := s.score.Centipawns()
			chance, _ := s.score.Chance(cmp.Or(e.Scale, 1))
			b.Mean, b.Seen, expected = b.Mean+float64(cp), b.Seen+float64(s.half)/2, expected+chance
		}
		mean, games := b.Seen/n, map[int32]float64{}
		for _, s := range in[bin.edge] {
			games[s.game] += float64(s.half)/2 - mean
		}
		if len(games) > 1 {
			b.Error = round(normal95 * deviation(games) / n)
		}
		b.Mean, b.Seen, expected = round(b.Mean/n), round(mean), round(expected/n)
		if e.Scale > 0 {
			b.Expected = &expected
		}
		bins = append(bins, b)
	}
	return bins
}

func (e *EngineFit) title() string {
	text := cmp.Or(e.Name, "unknown engine") + ": "
	if e.Problem != "" {
		text += "no scale: " + e.Problem
	} else {
		text += fmt.Sprintf("scale %.0f", e.Scale)
	}
	if e.Error > 0 {
		text += fmt.Sprintf(" +/- %.0f", e.Error)
	}
	return fmt.Sprintf("%s, %s of %s", text, printable.Plural(e.Positions, "position"), printable.Plural(e.Games, "game"))
}

// Report writes a Fit for display.
func (f *Fit) Report(b *strings.Builder) {
	for i, e := range f.Engines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(printable.Line(e.title()) + "\n")
		rows := [][]string{{"  score", "positions", "expected", "seen", "+/-"}}
		for _, bin := range e.Bins {
			row := []string{"  " + bin.label(), fmt.Sprint(bin.Count), "-", fmt.Sprintf("%.1f%%", 100*bin.Seen), "-"}
			if bin.Expected != nil {
				row[2] = fmt.Sprintf("%.1f%%", 100**bin.Expected)
			}
			if bin.Error > 0 {
				row[4] = fmt.Sprintf("%.1f", 100*bin.Error)
			}
			rows = append(rows, row)
		}
		b.WriteString(printable.Table(rows, "lr"))
	}
}

// WriteSVG draws the curve of each engine up to four times its scale, and the results that were seen.
func (f *Fit) WriteSVG(w io.Writer) error {
	var curves []plot.Curve
	for _, e := range f.Engines {
		edge := 4 * cmp.Or(e.Scale, engine.DefaultScale)
		c := plot.Curve{
			Title: e.title(), Height: 240, High: 1, Dashed: 0.5, Label: func(y float64) string { return fmt.Sprintf("%.0f%%", 100*y) },
			Edges: [2]string{fmt.Sprintf("%.2f", -edge/100), fmt.Sprintf("%+.2f", edge/100)},
		}
		const steps = 100
		for i := range steps + 1 {
			if e.Scale > 0 {
				chance, _ := engine.Centipawns(int(math.Round(edge * float64(2*i-steps) / steps))).Chance(e.Scale)
				c.Values = append(c.Values, chance)
			}
		}
		for _, bin := range e.Bins {
			if x := (1 + bin.Mean/edge) / 2; bin.Mate == "" && x >= 0 && x <= 1 {
				c.Points = append(c.Points, plot.Point{X: x, Y: bin.Seen, Error: bin.Error})
			}
		}
		curves = append(curves, c)
	}
	return plot.Write(w, curves, "score in pawns, mean result")
}
