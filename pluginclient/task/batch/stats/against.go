package stats

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// A Baseline is the grades of an earlier file, by position.
type Baseline struct {
	file   string
	size   int
	grades map[string][]Change // what a position had Before
}

// A Result is a grade, and what the engine has answered.
type Result struct {
	Outcome
	Grade
}

func (r Result) String() string {
	if r.Error != "" {
		return "error: " + r.Error
	}
	return strings.TrimSpace(r.text() + " " + r.Grade.String())
}

// Regressions are the positions of a suite that were lost since a Baseline, and those that were gained.
type Regressions struct {
	File    string   `json:"file"`
	Lost    int      `json:"lost"`
	Gained  int      `json:"gained"`
	Missing int      `json:"missing"` // positions of the Baseline that are not in the other file
	Changes []Change `json:"changes"` // in the order of the other file, then those that are missing
}

// A Change is a position that was lost or gained, that is solved in one of two files, or has more points; or
// one that is missing in the other file.
type Change struct {
	number int      // in the Baseline
	Change string   `json:"change"`
	Place  string   `json:"place"`
	ID     string   `json:"id,omitempty"`
	FEN    string   `json:"fen"`
	Moves  []string `json:"moves,omitempty"`
	Before Result   `json:"before"`
	Now    *Result  `json:"now,omitempty"` // nil: missing
}

// The values of Change.Change.
const (
	lostChange    = "lost"
	gainedChange  = "gained"
	missingChange = "missing"
)

// NewBaseline reads a Baseline. warn is called with the error of what is not an answer.
func NewBaseline(game engine.Game, file string, answers iter.Seq2[batch.Answer, error], warn func(error)) (*Baseline, error) {
	in := openFile(file, answers, &Options{Game: game}, warn)
	defer in.stop()
	old := &Baseline{file: file, grades: map[string][]Change{}}
	for {
		a, g, ok, err := in.take()
		if err != nil || !ok {
			return old, err
		}
		if g.counts() {
			key := in.normalise(&a)
			before := Change{old.size, missingChange, batch.Location(a.Item), a.ID, a.Text, a.Moves, Result{outcomeOf(a), g}, nil}
			old.grades[key] = append(old.grades[key], before)
			old.size++
		}
	}
}

// add compares an answer and returns the change, if there is one.
func (r *Regressions) add(old *Baseline, key string, a batch.Answer, g Grade) string {
	before, ok := takeSame(old.grades, key, func(c Change) bool { return c.ID == a.ID })
	if !ok {
		return ""
	}
	c := Change{Place: batch.Location(a.Item), ID: a.ID, FEN: a.Text, Moves: a.Moves, Before: before.Before, Now: &Result{outcomeOf(a), g}}
	switch g.compare(before.Before.Grade) {
	case 1:
		c.Change = gainedChange
		r.Gained++
	case -1:
		c.Change = lostChange
		r.Lost++
	default:
		return ""
	}
	r.Changes = append(r.Changes, c)
	return c.Change
}

// finish adds what is missing.
func (r *Regressions) finish(old *Baseline) []Change {
	missing := slices.Concat(slices.Collect(maps.Values(old.grades))...)
	slices.SortFunc(missing, func(x, y Change) int { return x.number - y.number })
	r.Missing, r.Changes = len(missing), append(r.Changes, missing...)
	return missing
}

func (r *Regressions) report(b *strings.Builder) {
	fmt.Fprintf(b, "\nagainst %s: %d lost, %d gained", printable.Line(r.File), r.Lost, r.Gained)
	if r.Missing > 0 {
		fmt.Fprintf(b, ", %s of it missing here", printable.Plural(r.Missing, "position"))
	}
	b.WriteByte('\n')
	rows := [][]string{{"change", "place", "id", "before", "now", "position"}}
	for _, c := range r.Changes {
		now := ""
		if c.Now != nil {
			now = c.Now.String()
		}
		rows = append(rows, []string{c.Change, c.Place, c.ID, c.Before.String(), now, positionText(c.FEN, c.Moves)})
	}
	if len(r.Changes) > 0 {
		align(b, rows)
	}
}
