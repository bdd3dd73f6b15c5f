package stats

import (
	"cmp"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// A SuiteScore is how an engine does in positions with moves to find. A position at which the engine has
// failed is not solved.
type SuiteScore struct {
	Scored    int    `json:"scored"` // positions with a bm, am or dm
	Solved    int    `json:"solved"`
	Points    int    `json:"points,omitempty"`     // of the moves with points in c0
	MaxPoints int    `json:"max_points,omitempty"` // the most that these positions have
	Found     *Found `json:"found,omitempty"`      // nil without a history
}

// Found is the mean of how far the searches had come when they found the moves that solve positions.
type Found struct {
	Count   int     `json:"count"`
	Depth   float64 `json:"depth"`
	Nodes   float64 `json:"nodes"`
	Seconds float64 `json:"seconds"`

	sum batch.Limits
}

// A Theme is the score of the positions whose IDs have the same beginning, see themeOf.
type Theme struct {
	Name string `json:"name"`
	SuiteScore
}

// A Grade is how an engine does in a position.
type Grade struct {
	Solved    *bool `json:"solved,omitempty"`
	Points    int   `json:"points,omitempty"`
	MaxPoints int   `json:"max_points,omitempty"`
}

// gradeOf returns the grade of an answer. The error is that of a c0.
func gradeOf(game engine.Game, a batch.Answer) (g Grade, err error) {
	if a.ToSolve() {
		solved, _ := a.Solved()
		g.Solved = &solved
	}
	g.Points, g.MaxPoints, err = a.Points(game)
	return g, err
}

// counts reports whether there is something to solve.
func (g Grade) counts() bool { return g.Solved != nil || g.MaxPoints > 0 }

// passed reports whether the position is solved, or without a bm, am and dm has points.
func (g Grade) passed() bool {
	if g.Solved != nil {
		return *g.Solved
	}
	return g.Points > 0
}

// compare returns 1 if g is better than old, and -1 if it is worse.
func (g Grade) compare(old Grade) int {
	switch {
	case g.MaxPoints > 0 && old.MaxPoints > 0 && g.Points != old.Points:
		return cmp.Compare(g.Points, old.Points)
	case g.passed() != old.passed():
		return map[bool]int{true: 1, false: -1}[g.passed()]
	}
	return 0
}

func (g Grade) String() string {
	var parts []string
	if g.Solved != nil {
		parts = append(parts, map[bool]string{true: "solved", false: "not solved"}[*g.Solved])
	}
	if g.MaxPoints > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d points", g.Points, g.MaxPoints))
	}
	return strings.Join(parts, ", ")
}

func (s *SuiteScore) add(g Grade, found batch.Limits) {
	if g.Solved != nil {
		s.Scored++
		if *g.Solved {
			s.Solved++
		}
	}
	s.Points += g.Points
	s.MaxPoints += g.MaxPoints
	if !g.passed() || found == (batch.Limits{}) {
		return
	}
	if s.Found == nil {
		s.Found = &Found{}
	}
	f := s.Found
	f.Count++
	f.sum.Depth, f.sum.Nodes, f.sum.Time = f.sum.Depth+found.Depth, f.sum.Nodes+found.Nodes, f.sum.Time+found.Time
	n := float64(f.Count)
	f.Depth, f.Nodes, f.Seconds = float64(f.sum.Depth)/n, float64(f.sum.Nodes)/n, f.sum.Time.Seconds()/n
}

// An ID has a number at its end, or between a separator and a blank.
var (
	numberLast  = lazyregexp.New(`^(|.*[^0-9])[0-9]+$`)
	numberAmong = lazyregexp.New(`^(.*)[ ._#:/-][0-9]+ `)
)

// themeOf returns the part of an ID before its number: "STS(v1.0) Undermine" of "STS(v1.0) Undermine.001".
func themeOf(id string) string {
	m := numberLast().FindStringSubmatch(id)
	if m == nil {
		m = numberAmong().FindStringSubmatch(id)
	}
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], " ._#:/-")
}

// writeSuite writes the score, and a table of the themes if there are several.
func (s *Summary) writeSuite(b *strings.Builder) {
	if s.Scored > 0 {
		fmt.Fprintf(b, "  solved %d of %d (%s)\n", s.Solved, s.Scored, percentOf(s.Solved, s.Scored))
	}
	if s.MaxPoints > 0 {
		fmt.Fprintf(b, "  points %d of %d (%s)\n", s.Points, s.MaxPoints, percentOf(s.Points, s.MaxPoints))
	}
	if f := s.Found; f != nil {
		fmt.Fprintf(b, "  found  at depth %.1f, after %.0f nodes and %.3f s, on average\n", f.Depth, f.Nodes, f.Seconds)
	}
	if s.Unscored > 0 {
		fmt.Fprintf(b, "  not scored: %s with a bm, am or c0 that cannot be read, first %s\n", printable.Plural(s.Unscored, "position"), s.FirstUnscored)
	}
	if s.Themes == nil {
		return
	}
	rows := [][]string{{"theme", "solved", "", "points", "", "found at depth", "nodes", "seconds"}}
	for _, t := range s.Themes {
		row := []string{cmp.Or(t.Name, "-"), fraction(t.Solved, t.Scored), percentOf(t.Solved, t.Scored), fraction(t.Points, t.MaxPoints), percentOf(t.Points, t.MaxPoints), "", "", ""}
		if f := t.Found; f != nil {
			row[5], row[6], row[7] = fmt.Sprintf("%.1f", f.Depth), fmt.Sprintf("%.0f", f.Nodes), fmt.Sprintf("%.3f", f.Seconds)
		}
		rows = append(rows, row)
	}
	b.WriteByte('\n')
	align(b, rows)
	b.WriteByte('\n')
}

// fraction returns "n of m", or "" if m is 0.
func fraction(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", n, of)
}
