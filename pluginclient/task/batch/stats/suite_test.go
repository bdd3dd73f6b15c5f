package stats

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

// suite returns answers with these best moves; "" is a failure of the engine.
func suite(lines []string, moves ...string) (all []batch.Answer) {
	for i, move := range moves {
		a := answer(i+1, lines[i], hint(move, engine.Centipawns(i), 5, 100))
		if move == "" {
			a.Hints, a.Err = nil, errors.New("died")
		} else {
			a.Found = batch.Limits{Depth: i + 1, Nodes: int64(10 * (i + 1)), Time: time.Duration(i+1) * time.Millisecond}
		}
		all = append(all, a)
	}
	return all
}

var suiteLines = []string{
	`startpos bm h2e2; id "Mates.001";`,
	`startpos moves h2e2; bm h9g7; am b9c7; id "Mates.002";`,
	`startpos moves h2e2 h9g7; c0 "h0g2=10, c3c4=4, b0c2 = -3"; id "STS(v1.0) Plans.1";`,
	`startpos moves b2e2; bm h9g7; c0 "h9g7=10,b9c7=7"; id "STS(v1.0) Plans.2";`,
	`startpos moves c3c4; c0 "agree, x=y, title of it; z=3";`,
	`startpos moves g3g4; bm h9g7; c0 "h9g7=10, a0a9=2"; id "Broken 7";`,
	`startpos moves a3a4; c0 "h9g7=10, and more";`,
	`startpos moves i3i4; c0 "a0a9=2";`,
}

func sequence(answers []batch.Answer) iter.Seq2[batch.Answer, error] {
	return func(yield func(batch.Answer, error) bool) {
		for _, a := range answers {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// TestSuite: solved positions and points, by theme.
func TestSuite(t *testing.T) {
	answers := suite(suiteLines, "H2-E2", "", "B0-C2", "B9-C7", "H9-G7", "H9-G7", "H9-G7", "H9-G7")
	s, err := Summarize("x", sequence(answers), Options{Game: xiangqi.Rules}, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	s.writeSuite(&b)
	want := `  solved 2 of 4 (50.0%)
  points 4 of 20 (20.0%)
  found  at depth 3.5, after 35 nodes and 0.004 s, on average
  not scored: 3 positions with a bm, am or c0 that cannot be read, first line 6: c0: want MOVE=POINTS with a legal move, not "a0a9=2"

  theme            solved          points          found at depth  nodes  seconds
  Mates            1 of 2  50.0%                   1.0             10     0.001
  STS(v1.0) Plans  0 of 1  0.0%    4 of 20  20.0%
  Broken           1 of 1  100.0%                  6.0             60     0.006

`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestThemes(t *testing.T) {
	for id, want := range map[string]string{
		"": "", "12": "", "WAC.001": "WAC", "STS(v1.0) Undermine.001": "STS(v1.0) Undermine", "name 12": "name", "BK7": "BK",
		"sqyq-098 姜公钓渭": "sqyq", "STS(v2.2) Open files": "", "a 1 b 2": "a 1 b", "ERET 001 - Relief": "ERET", "no number": "",
	} {
		if got := themeOf(id); got != want {
			t.Errorf("theme of %q is %q, want %q", id, got, want)
		}
	}
}

// TestAgainst: a position is lost or gained by its points, else by whether it is solved. One at which the
// engine fails is lost.
func TestAgainst(t *testing.T) {
	before := suite(suiteLines, "H2-E2", "H9-G7", "C3-C4", "B9-C7", "H9-G7")
	now := suite(suiteLines, "B2-E2", "", "H0-G2", "H9-G7")
	slices.Reverse(now)
	old, err := NewBaseline(xiangqi.Rules, "old", sequence(before[:4]), noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Summarize("new", sequence(now[:3]), Options{Game: xiangqi.Rules, Baseline: old, Cases: true}, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	s.Against.report(&b)
	want := `
against old: 1 lost, 2 gained, 1 position of it missing here
  change  place   id                 before                           now                           position
  gained  line 4  STS(v1.0) Plans.2  B9-C7 not solved, 7 of 10 points  H9-G7 solved, 10 of 10 points  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves B2-E2
  gained  line 3  STS(v1.0) Plans.1  C3-C4 4 of 10 points              H0-G2 10 of 10 points          rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves H2-E2 H9-G7
  lost    line 2  Mates.002          H9-G7 solved                     error: died                   rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves H2-E2
  missing line 1  Mates.001          H2-E2 solved                                                   rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
`
	same := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	if diff := cmp.Diff(same(want), same(b.String())); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := s.WriteJUnit(&b); err != nil || strings.Count(b.String(), "<failure") != 2 || strings.Count(b.String(), "<testcase") != 4 {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestUnsolved: without a baseline, cases that are not solved are failures, and errors are errors.
func TestUnsolved(t *testing.T) {
	s, err := Summarize("new", sequence(suite(suiteLines, "B2-E2", "", "H0-G2", "H9-G7", "H9-G7")), Options{Game: xiangqi.Rules, Cases: true}, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := s.WriteJUnit(&b); err != nil || !strings.Contains(b.String(), `name="new" tests="5" failures="1" errors="1" skipped="1"`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestCompareNotation: files in different notations are compared move by move.
func TestCompareNotation(t *testing.T) {
	other := suite(suiteLines[:1], "H2-E2")
	other[0].Hints[0].Move, other[0].BM = "h2e2", []string{"h2e2"}
	m, err := Compare([]string{"a", "b"}, []iter.Seq2[batch.Answer, error]{sequence(other), sequence(suite(suiteLines[:1], "H2-E2"))}, Options{Game: xiangqi.Rules}, noWarning(t))
	if err != nil || m.Pairs[0].SameMove != 1 || m.Pairs[0].Solved.Both != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}
