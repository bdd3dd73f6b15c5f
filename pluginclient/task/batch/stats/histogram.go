package stats

import (
	"fmt"
	"slices"

	"qhsh/engine"
)

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
