package search_test

import (
	"os"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// A repeatedCase is a game whose last move repeats a position, and the result for the side to move
// after it.
type repeatedCase struct {
	id     string
	before engine.Position // before the last move
	last   engine.Move
	board  *xiangqi.Board // after the last move
}

// repeatedCases returns the cases of the tests of the rules.
func repeatedCases(t *testing.T) (list []repeatedCase) {
	t.Helper()
	text, err := os.ReadFile("../testdata/repetition.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(columns) < 8 {
			continue
		}
		if _, err := xiangqi.ParseFEN(columns[6]); err != nil {
			continue // one position has a pawn on an impossible point
		}
		moves := strings.Fields(columns[7])
		c := repeatedCase{id: columns[0], before: playAll(t, columns[6], moves[:len(moves)-1]...)}
		if c.last, err = c.before.Parse(moves[len(moves)-1]); err != nil {
			t.Fatal(err)
		}
		c.board = play(t, c.before, c.last).(*xiangqi.Position).Board()
		list = append(list, c)
	}
	return list
}

// TestRules: under each rule set the score of the repeating move matches the ruling of that set.
func TestRules(t *testing.T) {
	cases := repeatedCases(t)
	engines := map[xiangqi.RuleSet]*search.Engine{}
	for _, rules := range xiangqi.RuleSets() {
		o := small()
		o.Rules = rules
		engines[rules] = newEngine(t, o)
	}
	judged, differ := 0, 0
	for _, c := range cases {
		lim := engine.Limits{Depth: 1}
		for _, m := range c.before.Moves() {
			if m != c.last {
				lim.Ban = append(lim.Ban, m)
			}
		}
		asian, ok := c.board.RepetitionUnder(xiangqi.Asian)
		if !ok {
			continue
		}
		judged++
		other := false
		for _, rules := range xiangqi.RuleSets() {
			verdict, _ := c.board.RepetitionUnder(rules)
			other = other || verdict != asian
			cp, ttEntry := best(t, engines[rules], c.before, lim)[0].Score.Centipawns()
			want := map[xiangqi.Verdict]bool{xiangqi.Wins: cp == -decided, xiangqi.Loses: cp == decided, xiangqi.Draws: cp == 0}
			if !ttEntry || !want[verdict] {
				t.Errorf("%s under %v: the move that leads to %v for the other side is worth %d", c.id, rules, verdict, cp)
			}
		}
		if other {
			differ++
		}
	}
	if judged < 150 || differ < 10 {
		t.Errorf("%d cases were judged, %d of them differently by some rule sets", judged, differ)
	}
}
