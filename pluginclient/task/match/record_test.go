package match

import (
	"slices"
	"testing"
)

// TestForgedRecord: a record of somebody else is that of its game, or an error.
func TestForgedRecord(t *testing.T) {
	var s fakeEngines
	var out collector
	config := stonesConfig(s.player("a", rank), s.player("b", rank))
	if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
		t.Fatal(err)
	}
	f, good := newSchedule(config).fixture(1), out.records[0]
	if err := f.Check(good); err != nil {
		t.Error(err)
	}
	for name, forge := range map[string]func(*Record){
		"game":     func(r *Record) { r.Game = -1 },
		"round":    func(r *Record) { r.Round++ },
		"pair":     func(r *Record) { r.Pair++ },
		"opening":  func(r *Record) { r.Opening++ },
		"players":  func(r *Record) { r.First, r.Second = r.Second, r.First },
		"nobody":   func(r *Record) { r.First = "nobody" },
		"result":   func(r *Record) { r.Result = "2-0" },
		"other":    func(r *Record) { r.Result = map[string]string{"1-0": "0-1", "0-1": "1-0"}[r.Result] },
		"reason":   func(r *Record) { r.Reason = "x\n\x1b[31m" },
		"none":     func(r *Record) { r.Reason = "" },
		"fault":    func(r *Record) { r.Fault = &Fault{Player: "nobody"} },
		"start":    func(r *Record) { r.Start += " " },
		"move":     func(r *Record) { r.Moves[0].Move = "nonsense" },
		"by":       func(r *Record) { r.Moves[0].By = "nobody" },
		"too long": func(r *Record) { r.Moves = append(r.Moves, r.Moves...) },
	} {
		forged := good
		forged.Moves = slices.Clone(good.Moves)
		if forge(&forged); f.Check(forged) == nil {
			t.Errorf("%s: %+v is accepted", name, forged)
		}
	}
}
