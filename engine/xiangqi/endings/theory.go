package endings

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
)

// A Result is what books say of an ending, and what its table does.
type Result struct {
	Material string `json:"material"` // the attacker's men first
	Name     string `json:"name"`     // in Chinese
	// Claim is what books say: that it is a "win" or a "draw", or "depends" on the position.
	Claim string `json:"claim"`
	// Sources are the short names of where they say so.
	Sources string `json:"sources"`
	// Quiet are the positions in which the attacker is to move and can capture nothing, Won those of them that he wins.
	Quiet int `json:"quiet"`
	Won   int `json:"won"`
	// Longest is the number of plies of the longest win with the attacker to move, Position where it begins.
	Longest  int    `json:"longest"`
	Position string `json:"position"`
}

// String returns the result in a line.
func (r Result) String() string {
	text := fmt.Sprintf("%s %s: books say %s (%s); with the attacker to move and nothing to capture %s of %d positions are won, in %d plies at most",
		r.Material, r.Name, r.Claim, r.Sources, share(r.Won, r.Quiet), r.Quiet, r.Longest)
	if agrees, ok := r.Agrees(); ok && !agrees {
		text += ": they differ"
	}
	return text
}

// Agrees reports whether the table agrees with a claim: a win is one of 95 % of the quiet positions at least, a draw one
// of 95 % of them. ok is false if nothing is claimed.
func (r Result) Agrees() (agrees, ok bool) {
	share := float64(r.Won) / float64(max(r.Quiet, 1))
	switch r.Claim {
	case "win":
		return share >= .95, true
	case "draw":
		return share <= .05, true
	}
	return false, false
}

//go:embed theory.csv
var theory string

// Theory returns the results of books that are known, with what the tables say of them.
var Theory = sync.OnceValue(func() (all []Result) {
	rows, err := csv.NewReader(strings.NewReader(theory)).ReadAll()
	if err != nil {
		panic(err)
	}
	for _, row := range rows[1:] {
		r := Result{Material: row[0], Name: row[1], Claim: row[2], Sources: row[3], Position: row[7]}
		if _, err := fmt.Sscan(strings.Join(row[4:7], " "), &r.Quiet, &r.Won, &r.Longest); err != nil {
			panic(err)
		}
		all = append(all, r)
	}
	return all
})
