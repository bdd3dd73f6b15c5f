package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/engine/qchess/search"
)

// player answers with a step.
type player func(t *testing.T, p *qchess.Position) qchess.Step

func agent(t *testing.T, kind search.Agent, seed int, lim engine.Limits) player {
	e, err := search.New(search.Options{Agent: kind, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, p *qchess.Position) qchess.Step {
		best, err := engine.Best(context.Background(), e, p, lim)
		if err != nil {
			t.Fatal(err)
		}
		return qchess.Step(best[0].Move())
	}
}

// play plays a game with a limit of turns and returns White's score.
func play(t *testing.T, white, black player, seed uint64, turns int) (points float64, played int) {
	source := rand.New(rand.NewPCG(seed, 77))
	pos := qchess.NewPosition(qchess.NewBoard())
	for played < turns {
		board := pos.Board()
		var s qchess.Step
		switch {
		case pos.Result().Outcome == engine.FirstWins:
			return 1, played
		case pos.Result().Outcome == engine.SecondWins:
			return 0, played
		case pos.Result().Over():
			return 0.5, played
		case board.OutcomePending():
			s = board.DrawOutcome(source)
		case board.Turn() == qchess.White:
			s = white(t, pos)
		default:
			s = black(t, pos)
		}
		next, err := pos.Do(s)
		if err != nil {
			t.Fatal(err)
		}
		after := next.Board()
		if after.Turn() != board.Turn() {
			played++
		}
		pos = next
	}
	return 0.5, played
}

// TestArena measures agents: QHSH_ARENA is the number of games.
func TestArena(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("QHSH_ARENA"))
	if err != nil {
		t.Skip("QHSH_ARENA is not set to a number of games")
	}
	random := func(_ *testing.T, p *qchess.Position) qchess.Step {
		moves := p.Moves()
		return qchess.Step(moves[rand.IntN(len(moves))])
	}
	ply := agent(t, search.Ply, 1, engine.Limits{})
	deep := agent(t, search.Search, 1, engine.Limits{Time: 20 * time.Millisecond})
	for _, c := range []struct {
		name string
		a, b player
	}{{"ply against chance", ply, random}, {"search against ply", deep, ply}} {
		sum, length := 0.0, 0
		for i := range n {
			if i%2 == 0 {
				p, l := play(t, c.a, c.b, uint64(i), 300)
				sum, length = sum+p, length+l
			} else {
				p, l := play(t, c.b, c.a, uint64(i), 300)
				sum, length = sum+1-p, length+l
			}
		}
		fmt.Printf("%s: %.1f%% of %d, %d turns a game\n", c.name, 100*sum/float64(n), n, length/n)
	}
}
