package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
)

// a to e are arbitrary moves.
const (
	a engine.Move = iota + 1
	b
	c
	d
	e
)

// found is a move that an iteration has finished, with its score if it made the list.
type found struct {
	index, score int
}

// lost is the score of a move that loses.
const lost = 4 - mateScore

// After an incomplete iteration the list has the results of that iteration, and earlier results
// for the moves that it did not reach.
func TestMerge(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		old   []int // scores of the previous iteration: a, b, c ...
		done  int
		found []found
		want  []engine.Move
	}{
		{"nothing finished", 2, []int{50, 40}, 0, nil, []engine.Move{a, b}},
		{"the first is confirmed", 1, []int{50}, 1, []found{{0, 45}}, []engine.Move{a}},
		{"a later one is better", 1, []int{50}, 3, []found{{0, 20}, {2, 30}}, []engine.Move{c}},
		{"all failed below a narrow window", 1, []int{50}, 2, nil, []engine.Move{a}},
		{"the first of two drops below the old second", 2, []int{50, 40}, 1, []found{{0, 20}}, []engine.Move{b, a}},
		{"the second is found to be better", 3, []int{50, 40, 30}, 2, []found{{0, 50}, {1, 60}}, []engine.Move{b, a, c}},
		{"a newcomer pushes the last one out", 2, []int{50, 40}, 4, []found{{0, 50}, {1, 40}, {3, 45}}, []engine.Move{a, d}},
		{"the first iteration, one finished", 2, nil, 1, []found{{0, 7}}, []engine.Move{a, b}},
		{"the first iteration, none finished", 2, nil, 0, nil, []engine.Move{a, b}},
		{"the first loses, the others are not searched", 1, []int{50}, 1, []found{{0, lost}}, []engine.Move{a}},
		{"the second loses, others may not", 2, []int{50, 40}, 2, []found{{0, 30}, {1, lost}}, []engine.Move{a, b}},
		{"the first iteration, one loses", 1, nil, 1, []found{{0, lost}}, []engine.Move{b}},
		{"the first iteration, one loses and one does not", 3, nil, 2, []found{{0, lost}, {1, -20}}, []engine.Move{b, c, d}},
		{"the first iteration, all but one lose", 2, nil, 4, []found{{0, lost}, {1, lost}}, []engine.Move{e, a}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var r rootMoves
			r.begin([]engine.Move{a, b, c, d, e}, engine.Limits{Lines: test.width})
			for i, score := range test.old {
				r.insert(i, score, 1, &pv{})
			}
			depth := 1
			answer := r.lines(0)
			if test.old != nil {
				depth = 2
			}
			r.beginIteration()
			for _, f := range test.found {
				r.insert(f.index, f.score, depth, &pv{})
			}
			r.done = test.done
			r.changed = false
			if r.mergePartial(depth); r.changed {
				answer = r.lines(0)
			}
			var got []engine.Move
			for i, l := range answer {
				got = append(got, l.Move())
				if n, ok := l.Score.Mate(); ok {
					t.Errorf("line %d claims mate %d", i+1, n)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A list is reported again only if it has changed.
func TestNews(t *testing.T) {
	var r rootMoves
	r.begin([]engine.Move{a, b}, engine.Limits{})
	if !r.changed {
		t.Error("nothing was reported yet, but changed is false")
	}
	r.changed = false // as after a report
	r.beginIteration()
	r.mergePartial(2)
	if r.changed {
		t.Error("nothing was found, but changed is true")
	}
}

func TestSettled(t *testing.T) {
	for _, test := range []struct {
		scores []int
		depth  int
		want   bool
	}{
		{[]int{mateScore - 3}, 3 + proofMargin, true},
		{[]int{mateScore - 3}, 2 + proofMargin, false},
		{[]int{4 - mateScore}, 4 + proofMargin, true},
		{[]int{mateScore - 3, 100}, 30, false},
		{[]int{ruleScore - 3}, 30, false},
	} {
		var r rootMoves
		r.begin([]engine.Move{a, b, c}, engine.Limits{Lines: len(test.scores)})
		for i, score := range test.scores {
			r.insert(i, score, test.depth, &pv{})
		}
		if got := r.allMatesProven(test.depth); got != test.want {
			t.Errorf("%v at depth %d: %v, want %v", test.scores, test.depth, got, test.want)
		}
	}
}

func TestPublicScores(t *testing.T) {
	for v, want := range map[int]string{
		35:             "cp 35",
		-20000:         "cp -20000",
		mateScore - 1:  "mate 1",
		mateScore - 3:  "mate 2",
		2 - mateScore:  "mate -1",
		6 - mateScore:  "mate -3",
		ruleScore - 5:  "cp 20000",
		5 - ruleScore:  "cp -20000",
		mateScore - 64: "mate 32",
	} {
		if got := engineScore(v).String(); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}
