package qtp

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
	"qhsh/pluginclient/plugintest"
)

// TestLaw: a client of a server of s plays what s plays, as far as the protocol can express it.
// Each position is sent from the start, or by the moves that are missing.
func TestLaw(t *testing.T) {
	embedded, err := search.New(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		s    engine.Searcher
	}{{"ranker", enginetest.Ranker{}}, {"embedded engine", embedded}} {
		t.Run(c.name, func(t *testing.T) {
			limits := engine.Limits{Nodes: 300}
			server := &Server{Searcher: c.s, Name: "served", Limits: func() engine.Limits { return limits }}
			client := dial(t, InProcess(server), Options{})
			rapid.Check(t, func(t *rapid.T) {
				pos := randomPosition(t)
				if rapid.Bool().Draw(t, "without its history") {
					pos = quoridor.NewPosition(pos.Board())
				}
				engine.Forget(c.s)
				direct := plugintest.SearchLines(t, c.s, pos, limits)
				engine.Forget(c.s)
				wire := plugintest.SearchLines(t, client, pos, engine.Limits{})
				if direct[0].Move() != wire[0].Move() || len(wire) != 1 || len(wire[0].Moves) != 1 {
					t.Fatalf("%v: %v over the wire, %v else", pos, wire, direct)
				}
			})
		})
	}
}
