package match

import (
	"context"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// TestConcealer checks that no player gets the hidden kinds of quantum chess, that the record's
// start has them, the same for both games of a pair, and that the record's moves lead from it to
// the result.
func TestConcealer(t *testing.T) {
	think := func(_ context.Context, pos engine.Position, _ engine.Limits) ([]engine.Line, error) {
		for before := pos; before != nil; before, _ = before.Undo() {
			if view := before.(engine.Concealer).View(); view.String() != before.String() {
				t.Errorf("a player gets %v", before)
			}
		}
		moves := pos.Moves()
		return []engine.Line{{Moves: []engine.Move{moves[pos.Key()%uint64(len(moves))]}}}, nil
	}
	var s fakeEngines
	var out collector
	config := stonesConfig(s.player("a", think), s.player("b", think))
	config.Game, config.MaxMoves = qchess.Rules, 40
	if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.records {
		if r.Start != out.records[0].Start || strings.Count(r.Start, "?@") > 0 {
			t.Errorf("start %s: want all kinds, those of %s", r.Start, out.records[0].Start)
		}
		if err := newSchedule(config).fixture(r.Game).Check(r); err != nil {
			t.Error(err)
		}
	}
}
