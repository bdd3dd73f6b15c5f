package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi/search"
)

// TestRulesMatter: turning a rule off changes the search, except for rules that apply only to deep
// searches, which deep_test.go tests. The positions are searched with increasing node limits until
// the results differ.
func TestRulesMatter(t *testing.T) {
	enginetest.SkipUnderRace(t)
	games := []engine.Position{
		position(t, benchPositions[0]), position(t, benchPositions[1]), position(t, benchPositions[2]),
		playAll(t, hounded, "a6a5", "c5c6", "a5a6"),
		playAll(t, "3k3r1/9/9/R8/2c6/9/9/9/9/5K3 w", "a6a5", "c5c6", "a5a6", "c6c5", "a6a5", "c5c6"), // Red needs the repetition
		position(t, "3k5/4a4/9/9/9/9/4R4/9/9/5K3 w - - 98 60"),                                       // two plies before the limit
		position(t, "4k4/9/9/9/9/9/9/B3B4/3p5/3K1A3 w"),                                              // one capture before no attacking piece is left
	}
	full := trial(t, small())
	for _, rule := range search.Rules() {
		if rule == "nullverify" || rule == "historypruning" {
			continue
		}
		o, err := small().Without(rule)
		if err != nil {
			t.Fatal(err)
		}
		without := trial(t, o)
		differs := slices.ContainsFunc([]int64{2_000, 20_000}, func(nodes int64) bool {
			return slices.ContainsFunc(games, func(pos engine.Position) bool {
				return full(pos, nodes) != without(pos, nodes)
			})
		})
		if !differs {
			t.Errorf("without %s the search is the same", rule)
		}
	}
}

// trial returns a function that describes how an engine searches two moves of a game with a number
// of nodes each, the second move with two lines.
func trial(t *testing.T, o search.Options) func(pos engine.Position, nodes int64) string {
	e := newEngine(t, o)
	told := map[string]string{}
	return func(pos engine.Position, nodes int64) string {
		name := fmt.Sprint(pos.Key(), " ", nodes)
		if told[name] == "" {
			e.Forget()
			var text strings.Builder
			for lines := 1; lines <= 2 && !pos.Result().Over(); lines++ {
				answer := best(t, e, pos, engine.Limits{Nodes: nodes, Lines: lines})
				fmt.Fprintln(&text, answer, e.Visited())
				pos = play(t, pos, answer[0].Move())
			}
			told[name] = text.String()
		}
		return told[name]
	}
}
