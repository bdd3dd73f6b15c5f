package stats

import (
	"fmt"
	"maps"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
)

// A Summary describes one file. Its JSON is what 'qhsh stats -format json' writes.
type Summary struct {
	File      string `json:"file"`
	Positions int    `json:"positions"` // answers, errors among them
	Errors    int    `json:"errors"`    // answers with an error
	Finished  int    `json:"finished"`  // games that were over
	SuiteScore
	Themes        []Theme      `json:"themes,omitempty"`         // in order of first occurrence; nil if there is but one
	Unscored      int          `json:"unscored,omitempty"`       // with a bm, am or c0 that could not be read
	FirstUnscored string       `json:"first_unscored,omitempty"` // where the first of these is, and why
	Unreadable    int          `json:"unreadable,omitempty"`     // lines that are not answers
	Engines       []EngineUse  `json:"engines,omitempty"`        // in order of first occurrence
	Depth         *Numbers     `json:"depth,omitempty"`          // of the best hints; nil if none has a depth
	Nodes         *Numbers     `json:"nodes,omitempty"`
	Scores        []Bin        `json:"scores,omitempty"`  // of the best hints
	Run           *RunSummary  `json:"run,omitempty"`     // what the run reported about itself; nil if unknown
	Against       *Regressions `json:"against,omitempty"` // nil without a Baseline

	cases  format.JUnit     // with Options.Cases
	themes map[string]int   // the indexes of Themes
	depths map[int]int      // the number of best hints with a depth
	bins   map[binIndex]int // the number of best hints in a bin
}

// EngineUse is an engine with its limits, and the number of its answers that are not errors.
type EngineUse struct {
	Name    string       `json:"name"`
	Spec    string       `json:"spec,omitempty"`
	Level   *int         `json:"level,omitempty"`
	Limits  batch.Limits `json:"limits,omitzero"`
	Answers int          `json:"answers"`
}

// Numbers summarizes a number that comes with the best hints.
type Numbers struct {
	Count  int     `json:"count"`
	Total  *int64  `json:"total,omitempty"` // of nodes counted by one engine with the same limits
	Min    int64   `json:"min"`
	Max    int64   `json:"max"`
	Mean   float64 `json:"mean"`
	Median *int64  `json:"median,omitempty"` // the lower one of two; only for depths

	sum int64
}

// RunSummary is the timing from 'qhsh hints -summary FILE', or from the log of a finished run.
type RunSummary struct {
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rate"`              // positions a second
	Resumed int     `json:"resumed,omitempty"` // positions that had been answered before the run was resumed
}

const maxEngines = 20

func (s *Summary) add(a batch.Answer, g Grade, unscored error) {
	s.Positions++
	s.use(a)
	if unscored != nil {
		if s.Unscored++; s.Unscored == 1 {
			s.FirstUnscored = fmt.Sprintf("%s: %v", batch.Location(a.Item), unscored)
		}
	}
	if g.counts() {
		s.SuiteScore.add(g, a.Found)
		name := themeOf(a.ID)
		at, ok := s.themes[name]
		if !ok {
			at, s.themes[name] = len(s.Themes), len(s.Themes)
			s.Themes = append(s.Themes, Theme{Name: name})
		}
		s.Themes[at].add(g, a.Found)
	}
	switch {
	case a.Err != nil:
		s.Errors++
	case a.Over != "":
		s.Finished++
	case len(a.Hints) > 0:
		h := a.Hints[0]
		if h.Depth != 0 {
			s.Depth = s.Depth.add(int64(h.Depth))
			s.depths[h.Depth]++
		}
		if h.Nodes != 0 {
			s.Nodes = s.Nodes.add(h.Nodes)
		}
		s.bins[binOf(h.Score)]++
	}
}

func (s *Summary) use(a batch.Answer) {
	if a.Engine == "" {
		return
	}
	answers := 1
	if a.Err != nil {
		answers = 0
	}
	for i, e := range s.Engines {
		if e.Name == a.Engine && e.Spec == a.Spec && e.Limits == a.Limits {
			s.Engines[i].Answers += answers
			return
		}
	}
	if len(s.Engines) == maxEngines {
		return
	}
	s.Engines = append(s.Engines, EngineUse{Name: a.Engine, Spec: a.Spec, Level: a.Limits.OptionalLevel(), Limits: a.Limits, Answers: answers})
}

func (n *Numbers) add(v int64) *Numbers {
	if n == nil {
		n = &Numbers{Min: v, Max: v}
	}
	n.Count++
	n.sum += v
	n.Min, n.Max = min(n.Min, v), max(n.Max, v)
	return n
}

// finish computes what depends on all answers.
func (s *Summary) finish() {
	for _, n := range []*Numbers{s.Depth, s.Nodes} {
		if n != nil {
			n.Mean = float64(n.sum) / float64(n.Count)
		}
	}
	if s.Nodes != nil && len(s.Engines) <= 1 {
		s.Nodes.Total = &s.Nodes.sum
	}
	if s.Depth != nil {
		s.Depth.Median = median(s.depths, s.Depth.Count)
	}
	s.Scores = binsOf(s.bins)
	if len(s.Themes) == 1 {
		s.Themes = nil
	}
}

// median returns the lower median of count numbers; times maps numbers to their frequency.
func median(times map[int]int, count int) *int64 {
	seen := 0
	for _, v := range slices.Sorted(maps.Keys(times)) {
		if seen += times[v]; 2*seen >= count {
			return new(int64(v))
		}
	}
	return nil
}

// A Bin counts the best hints whose score is in a range, for the side to move.
type Bin struct {
	Mate  string `json:"mate,omitempty"` // "lost" or "won": these are mates
	From  *int   `json:"from,omitempty"` // centipawns, included; nil: no bound
	To    *int   `json:"to,omitempty"`   // centipawns, not included; nil: no bound
	Count int    `json:"count"`

	edge binIndex
}

// edges separate the bins, in centipawns.
var edges = []int{-1000, -500, -200, -100, -50, 50, 100, 200, 500, 1000}

// A binIndex identifies a bin: the index of its upper edge, or one of the constants below.
type binIndex int

const (
	unknown binIndex = -2
	lost    binIndex = -1
	won     binIndex = 100
)

func binOf(s engine.Score) binIndex {
	if n, ok := s.Mate(); ok {
		if n > 0 {
			return won
		}
		return lost
	}
	cp, ok := s.Centipawns()
	if !ok {
		return unknown
	}
	for i, limit := range edges {
		if cp < limit {
			return binIndex(i)
		}
	}
	return binIndex(len(edges))
}

// binsOf returns the bins from the first to the last one that is not empty.
func binsOf(counts map[binIndex]int) []Bin {
	all := []Bin{{Mate: "lost", Count: counts[lost], edge: lost}}
	for i := range len(edges) + 1 {
		b := Bin{Count: counts[binIndex(i)], edge: binIndex(i)}
		if i > 0 {
			b.From = &edges[i-1]
		}
		if i < len(edges) {
			b.To = &edges[i]
		}
		all = append(all, b)
	}
	all = append(all, Bin{Mate: "won", Count: counts[won], edge: won})
	filled := func(b Bin) bool { return b.Count > 0 }
	first := slices.IndexFunc(all, filled)
	if first < 0 {
		return nil
	}
	last := len(all)
	for !filled(all[last-1]) {
		last--
	}
	return all[first:last]
}

// label returns a bin's range in pawns.
func (b Bin) label() string {
	pawns := func(cp int) string { return fmt.Sprintf("%+.2f", float64(cp)/100) }
	switch {
	case b.Mate == "lost":
		return "is mated"
	case b.Mate == "won":
		return "mates"
	case b.From == nil:
		return "below " + pawns(*b.To)
	case b.To == nil:
		return "from " + pawns(*b.From)
	}
	return pawns(*b.From) + " to " + pawns(*b.To)
}
