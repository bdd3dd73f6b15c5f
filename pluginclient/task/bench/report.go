package bench

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"qhsh/engine"
)

// A Report has the results of a measurement.
type Report struct {
	Config
	Results []Result // in the order of the engines
}

// A Result has the samples of an engine.
type Result struct {
	Engine
	Samples [][]Sample // by repetition, then by position
}

// perSecond returns nodes per second; 0 if unknown.
func (s Sample) perSecond() float64 {
	if s.Time <= 0 {
		return 0
	}
	return float64(s.Nodes) / s.Time.Seconds()
}

// total returns the sum of a repetition's samples, with the depth of the last.
func total(round []Sample) (sum Sample) {
	for _, s := range round {
		sum = Sample{Nodes: sum.Nodes + s.Nodes, Time: sum.Time + s.Time, Depth: s.Depth}
	}
	return sum
}

// at returns the sample with the median nodes per second at a position, or with the median time if
// nodes are unknown.
func (r *Result) at(position int) Sample {
	column := make([]Sample, len(r.Samples))
	for i, round := range r.Samples {
		column[i] = round[position]
	}
	return medianSample(column)
}

// total returns the repetition with the median speed, as a sum over all positions.
func (r *Result) total() Sample {
	sums := make([]Sample, len(r.Samples))
	for i, round := range r.Samples {
		sums[i] = total(round)
	}
	return medianSample(sums)
}

// medianSample returns the median sample, the slower of two.
func medianSample(samples []Sample) Sample {
	slices.SortStableFunc(samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.perSecond(), b.perSecond()), cmp.Compare(b.Time, a.Time))
	})
	return samples[(len(samples)-1)/2]
}

// ratio returns the nodes per second of an engine relative to the first: the median of the ratios
// of each repetition; 0 if unknown.
func (r *Report) ratio(index int) float64 {
	ratios := make([]float64, r.Repeat)
	for round := range ratios {
		first := total(r.Results[0].Samples[round]).perSecond()
		if first > 0 {
			ratios[round] = total(r.Results[index].Samples[round]).perSecond() / first
		}
	}
	slices.Sort(ratios)
	half := len(ratios) / 2
	if len(ratios)%2 == 1 {
		return ratios[half]
	}
	return (ratios[half-1] + ratios[half]) / 2
}

// signature returns a hash, in eight hexadecimal digits, of all moves, scores, depths and nodes of
// an engine. It is the same on every machine as long as the engine searches the same tree. It is
// empty for perft, for engines that are not deterministic and for searches with a time limit;
// "varies" if repetitions differ.
func (r *Report) signature(index int) string {
	result := &r.Results[index]
	if !result.Repeatable || r.Limits.Time > 0 || r.Perft > 0 {
		return ""
	}
	first := r.hash(result.Samples[0])
	for _, round := range result.Samples {
		if r.hash(round) != first {
			return "varies"
		}
	}
	return first
}

func (r *Report) hash(round []Sample) string {
	h := fnv.New32a()
	for i, s := range round {
		for _, line := range s.Answer {
			fmt.Fprintln(h, i, engine.FormatMoves(r.Positions[i], line.Moves), line.Score, line.Depth, line.Nodes)
		}
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

// keptCounts are the positions of a value, and those in which an engine's move keeps it.
type keptCounts struct {
	Positions int `json:"positions"`
	Kept      int `json:"kept"`
}

func (k keptCounts) String() string {
	if k.Positions == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d  %.1f%%", k.Kept, k.Positions, 100*float64(k.Kept)/float64(k.Positions))
}

// kept returns how many of the wins and draws that are known an engine has kept.
func (r *Report) kept(index int) map[string]keptCounts {
	all := map[string]keptCounts{}
	for _, round := range r.Results[index].Samples {
		for i, s := range round {
			if e, ok := r.Known.Of(r.Positions[i]); ok && len(s.Answer) > 0 {
				k := all[e.Value]
				k.Positions++
				if slices.Contains(e.Moves, s.Answer[0].Move()) {
					k.Kept++
				}
				all[e.Value] = k
			}
		}
	}
	return all
}

// A Disagreement is a position at which the perft counts of two engines differ, or one from what is
// known.
type Disagreement struct {
	Position      int // from 0
	First, Second string
	Nodes, Other  int64 // perft counts
}

func (d Disagreement) String() string {
	return fmt.Sprintf("position %d: %s counts %d, %s counts %d", d.Position+1, d.First, d.Nodes, d.Second, d.Other)
}

// Disagreements returns the perft counts that differ from the known one, or from the first engine's
// first count.
func (r *Report) Disagreements() (list []Disagreement) {
	if r.Perft == 0 {
		return nil
	}
	for i := range r.Positions {
		by, want := r.Results[0].Name, r.Results[0].Samples[0][i].Nodes
		if i < len(r.Counts) && r.Counts[i] > 0 {
			by, want = "the file", r.Counts[i]
		}
		for _, result := range r.Results {
			for _, round := range result.Samples {
				if got := round[i].Nodes; got != want {
					list = append(list, Disagreement{i, by, result.Name, want, got})
					break
				}
			}
		}
	}
	return list
}
