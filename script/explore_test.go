package script

import (
	"testing"

	"qhsh/engine"
	"qhsh/pluginclient/task/explore"
)

// samplePlayed returns a move that three games had, two with a result.
func samplePlayed() *playedMove {
	return &playedMove{explore.MoveReport{
		Counts: explore.Counts{Games: 3, Wins: 1, Draws: 1}, Last: 19981120,
		Score: &explore.Score{Score: engine.Centipawns(35), Depth: 9, Engine: "e"},
	}, "H2-E2"}
}

func TestPlayed(t *testing.T) {
	b := newBench(t.Context())
	b.names["m"], b.names["same"] = object{samplePlayed()}, object{samplePlayed()}
	b.names["bare"] = object{&playedMove{explore.MoveReport{Counts: explore.Counts{Games: 1}}, "H2-E2"}}
	b.expect(t, [][2]string{
		{`m, bare`, `(H2-E2 3 games, H2-E2 1 game)`},
		{`m.move, m.games, m.wins, m.draws, m.losses, m.average, m.last, m.score`, `("H2-E2", 3, 1, 1, 0, 0.75, "1998.11.20", +0.35)`},
		{`bare.average, bare.last, bare.score`, `(None, "", None)`},
		{`m == same, m == bare, {m: 1}[same]`, `(True, False, 1)`},
		{`m < bare`, `error: played < played: not ordered`},
	})
}
