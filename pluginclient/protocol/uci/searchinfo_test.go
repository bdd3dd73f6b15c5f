package uci

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestListOrder: the lines of a list may come in any order. What is told after each, separated by
// semicolons, is the list as far as its places are certain, then the lines of the list before with
// their depth. A line that cannot be used takes its place.
func TestListOrder(t *testing.T) {
	const (
		list1 = "depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2|depth 1 multipv 3 score cp 10 pv c3c4"
		told1 = "H2-E2 1 30, B2-E2 1 20, C3-C4 1 10"
	)
	for _, c := range []struct{ name, said, want, told string }{
		{
			"before the second line",
			list1 + "|depth 2 multipv 1 score cp 25 pv h2e2 h9g7",
			"H2-E2 2 25, B2-E2 1 20, C3-C4 1 10",
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; " + told1 + "; H2-E2 2 25, B2-E2 1 20, C3-C4 1 10",
		},
		{
			"another move is the best then",
			list1 + "|depth 2 multipv 1 score cp 40 pv c3c4",
			"C3-C4 2 40, H2-E2 1 30, B2-E2 1 20",
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; " + told1 + "; C3-C4 2 40, H2-E2 1 30, B2-E2 1 20",
		},
		{
			"the engine repeats them itself",
			"depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2|depth 2 multipv 1 score cp 25 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2",
			"H2-E2 2 25, B2-E2 1 20",
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; H2-E2 2 25, B2-E2 1 20; H2-E2 2 25, B2-E2 1 20",
		},
		{
			"descending",
			"depth 1 multipv 3 score cp 10 pv c3c4|depth 1 multipv 2 score cp 20 pv b2e2|depth 1 multipv 1 score cp 30 pv h2e2|" +
				"depth 2 multipv 3 score cp 23 pv a3a4|depth 2 multipv 2 score cp 24 pv i3i4|depth 2 multipv 1 score cp 25 pv e3e4",
			"E3-E4 2 25, I3-I4 2 24, A3-A4 2 23",
			told1 + "; E3-E4 2 25, I3-I4 2 24, A3-A4 2 23",
		},
		{
			"descending, stopped",
			list1 + "|depth 2 multipv 3 score cp 23 pv a3a4|depth 2 multipv 2 score cp 24 pv i3i4",
			told1,
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; " + told1,
		},
		{
			"the first comes last but one",
			list1 + "|depth 2 multipv 2 score cp 24 pv i3i4|depth 2 multipv 1 score cp 25 pv e3e4|depth 2 multipv 3 score cp 23 pv a3a4",
			"E3-E4 2 25, I3-I4 2 24, A3-A4 2 23",
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; " + told1 + "; E3-E4 2 25, I3-I4 2 24, H2-E2 1 30; E3-E4 2 25, I3-I4 2 24, A3-A4 2 23",
		},
		{
			"no depths",
			"multipv 2 score cp 1 pv c3c4|multipv 1 score cp 2 pv b2e2|multipv 2 score cp 3 pv i3i4|multipv 1 score cp 4 pv h2e2",
			"H2-E2 0 4, I3-I4 0 3, B2-E2 0 2",
			"B2-E2 0 2, C3-C4 0 1; H2-E2 0 4, I3-I4 0 3, B2-E2 0 2",
		},
		{
			"a move takes another place",
			list1 + "|depth 1 multipv 2 score cp 25 pv c3c4|depth 1 multipv 3 score cp 20 pv b2e2",
			"H2-E2 1 30, C3-C4 1 25, B2-E2 1 20",
			"H2-E2 1 30; H2-E2 1 30, B2-E2 1 20; " + told1 + "; H2-E2 1 30, C3-C4 1 25, B2-E2 1 20; H2-E2 1 30, C3-C4 1 25, B2-E2 1 20",
		},
		{
			"a number beyond all moves",
			"depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 1000000000 score cp 10 pv c3c4",
			"H2-E2 1 30",
			"H2-E2 1 30",
		},
		{
			"an illegal line",
			"depth 1 multipv 3 score cp 10 pv c3c4|depth 1 multipv 2 score cp 20 pv a0a9|depth 1 multipv 1 score cp 30 pv h2e2",
			"H2-E2 1 30, C3-C4 1 10",
			"H2-E2 1 30, C3-C4 1 10",
		},
	} {
		th := &searchInfo{
			pos: xiangqi.Start(), wantLines: 3, notef: t.Logf, ranksFixed: true,
			byMove: map[engine.Move]engine.Line{}, boundsByMove: map[engine.Move]engine.Line{},
		}
		format := func(lines []engine.Line) string {
			var texts []string
			for _, l := range lines {
				cp, _ := l.Score.Centipawns()
				texts = append(texts, fmt.Sprintf("%s %d %d", th.pos.Format(l.Move()), l.Depth, cp))
			}
			return strings.Join(texts, ", ")
		}
		var told []string
		for line := range strings.SplitSeq(c.said, "|") {
			r, _ := ParseInfoLine("info "+line, 0)
			if th.add(r) {
				told = append(told, format(th.lines()))
			}
		}
		if diff := cmp.Diff(c.told, strings.Join(told, "; ")); diff != "" {
			t.Errorf("%s, told: %s", c.name, diff)
		}
		best := th.lines()[0].Move()
		lines, err := th.answer(BestMove{Move: FromZero.Format(best)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, format(lines)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
