package match

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// A resultChecker is a Session that implements pluginclient.ResultChecker.
type resultChecker struct {
	pluginclient.Session
	denies bool
	asked  *int
}

func (w resultChecker) CheckResult(_ context.Context, pos engine.Position) error {
	*w.asked++
	if w.denies {
		return fmt.Errorf("%w: %v goes on", pluginclient.ErrInvalidReply, pos)
	}
	return nil
}

// TestDissent checks that players whose engine disagrees with the result are recorded, and that
// engines are asked only about games that are over by the rules.
func TestDissent(t *testing.T) {
	over, err := enginetest.Stones.Position("0 first")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pos   engine.Position
		want  []string
		asked int
	}{{over, []string{"b"}, 2}, {enginetest.Stones.Start(), nil, 0}} {
		asked := 0
		game := &liveGame{pos: c.pos, players: [2]*gamePlayer{
			{Player: Player{Name: "a"}, session: resultChecker{asked: &asked}},
			{Player: Player{Name: "b"}, session: resultChecker{denies: true, asked: &asked}},
		}}
		if got := game.dissenters(t.Context()); !slices.Equal(got, c.want) || asked != c.asked {
			t.Errorf("%v: %v disagree, %d were asked", c.pos, got, asked)
		}
	}
}
