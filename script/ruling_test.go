package script

import "testing"

func TestJudge(t *testing.T) {
	b := newBench(t.Context())
	for name, v := range b.run(t, `
chase = board("3k5/9/9/R8/2c6/9/9/9/9/5K3 w moves a6a5 c5c6 a5a6 c6c5 a6a5 c5c6 a5a6 c6c5")
mate = board("3k5/9/9/9/9/9/9/9/r8/r3K4 w")
`) {
		b.names[name] = v
	}
	b.expect(t, [][2]string{
		{`chase.is_game_over, chase.outcome, chase.judge().outcome`, `(False, None, black wins by perpetual chase)`},
		{
			`[(r, chase.judge(r).verdict, chase.judge(r).reason) for r in ["asian", "wxf", "computer", "CHINESE"]]`,
			`[("asian", "loss", "perpetual chase"), ("wxf", "loss", "perpetual chase"), ("computer", "loss", "perpetual chase"), ("CHINESE", "loss", "perpetual attack")]`,
		},
		{
			`chase.judge().red, chase.judge().black, chase.judge().times, chase.judge("chinese").rules`,
			`("chases the cannon that began on C5 with every move", "does nothing that is forbidden", 3, "chinese")`,
		},
		{`[m for m, does in chase.judge().cycle]`, `["A6-A5", "C5-C6", "A5-A6", "C6-C5"]`},
		{`mate.judge().verdict, mate.judge().outcome == mate.outcome, mate.judge().cycle`, `("loss", True, ())`},
		{`board().judge(), board().judge().text, chase.judge()`, `(none, "none\nthe position has not stood before", loss by perpetual chase)`},
		{`board().judge().outcome, board().judge().reason, board().judge().red`, `(None, "", "")`},
		{`board().judge("fide")`, `error: judge: rules "fide": want asian, wxf, chinese or computer`},
		{`board(game="quoridor").judge()`, `error: judge: boards of Quoridor have no such thing, those of Xiangqi do (position 9 b E9/10 E1/10 -)`},
	})
}
