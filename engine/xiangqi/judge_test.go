package xiangqi

import (
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// TestAdjudicate: engine.Adjudicate applies the Asian rules to xiangqi and returns the plain
// result of games without repetition rules. A game that is over by repetition can be continued.
func TestAdjudicate(t *testing.T) {
	p := mustParse("3k5/9/9/R8/2c6/9/9/9/9/5K3 w")
	for range 2 {
		p = playAll(t, p, "a6a5", "c5c6", "a5a6", "c6c5")
	}
	if got := engine.Adjudicate(p).String(); got != "second wins by perpetual chase" {
		t.Error(got)
	}
	if p.Result().Over() || len(p.Moves()) == 0 {
		t.Errorf("%v with %d moves: repetition must not end the game or remove moves", p.Result(), len(p.Moves()))
	}
	other := enginetest.Stones.Start()
	if got := engine.Adjudicate(other); got != other.Result() {
		t.Errorf("a game without such rules is adjudicated %v", got)
	}
	if got := WXF.Adjudicate(other); got != other.Result() {
		t.Errorf("another game is adjudicated %v", got)
	}
}
