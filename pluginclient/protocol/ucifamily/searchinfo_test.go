package ucifamily

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestUnfinishedIteration: if an engine is stopped within an iteration, the lines that it has not
// reached are those of the previous iteration, with its depth.
func TestUnfinishedIteration(t *testing.T) {
	for _, c := range []struct{ name, said, want string }{
		{
			"before the second line",
			"depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2|depth 1 multipv 3 score cp 10 pv c3c4|depth 2 multipv 1 score cp 25 pv h2e2 h9g7",
			"H2-E2 2 25, B2-E2 1 20, C3-C4 1 10",
		},
		{
			"another move is the best then",
			"depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2|depth 1 multipv 3 score cp 10 pv c3c4|depth 2 multipv 1 score cp 40 pv c3c4",
			"C3-C4 2 40, H2-E2 1 30, B2-E2 1 20",
		},
		{
			"the engine repeats them itself",
			"depth 1 multipv 1 score cp 30 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2|depth 2 multipv 1 score cp 25 pv h2e2|depth 1 multipv 2 score cp 20 pv b2e2",
			"H2-E2 2 25, B2-E2 1 20",
		},
	} {
		th := &searchInfo{
			pos: xiangqi.Start(), wantLines: 3, notef: t.Logf, ranksFixed: true,
			byMove: map[engine.Move]engine.Line{}, boundsByMove: map[engine.Move]engine.Line{},
		}
		for line := range strings.SplitSeq(c.said, "|") {
			r, _ := ParseInfoLine("info "+line, 0)
			th.add(r)
		}
		best := th.lines()[0].Move()
		lines, err := th.answer(BestMove{Move: FromZero.Format(best)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range lines {
			cp, _ := l.Score.Centipawns()
			got = append(got, fmt.Sprintf("%s %d %d", th.pos.Format(l.Move()), l.Depth, cp))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
