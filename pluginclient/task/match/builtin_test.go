package match

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
)

// builtin returns the embedded engine as a player.
func (s *fakeEngines) builtin(t *testing.T, name string, nodes int64) Player {
	p := s.player(name, nil)
	open := p.Open
	p.Open = func(ctx context.Context) (pluginclient.Session, error) {
		session, err := open(ctx)
		o := search.DefaultOptions()
		o.Hash = 1
		searcher, newErr := search.New(o)
		if newErr != nil {
			t.Error(newErr)
		}
		session.(*fake).think = func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
			if f := session.(*fake); f.forgotten {
				engine.Forget(searcher)
				f.forgotten = false
			}
			return engine.Best(ctx, searcher, pos, lim)
		}
		return session, err
	}
	p.Nodes, p.Ban = nodes, true
	return p
}

// TestManyGames plays fast games of Xiangqi with all kinds of endings, others every day. None is lost by a fault,
// and the number of jobs does not change them.
func TestManyGames(t *testing.T) {
	games := 150
	if testing.Short() || enginetest.Race {
		games = 20
	}
	var before *collector
	for _, jobs := range []int{2, 3} {
		var s fakeEngines
		var out collector
		config := stonesConfig(s.builtin(t, "a", 40), s.builtin(t, "b", 80))
		config.Game, config.Games, config.Order = xiangqi.Rules, games, Random
		config.Seed = uint64(enginetest.Today())
		config.Draw, config.Resign = DrawRule{10, 4, 20}, ResignRule{3, 600, false}
		for _, moves := range []string{"h2e2", "b0c2", "c3c4", "g0e2", "b2e2", "g3g4", "h0g2", "a0a1", "b2d2", "i0i1"} {
			start := xiangqi.Rules.Start()
			pos, err := start.Play(must(start.Parse(moves)))
			if err != nil {
				t.Fatal(err)
			}
			for _, reply := range pos.Moves() {
				config.Openings = append(config.Openings, must(pos.Play(reply)))
			}
		}
		if before != nil {
			config.Games = min(60, games)
		}
		table, err := Run(t.Context(), config, Options{Jobs: jobs, Outputs: []Output{&out}})
		if err != nil {
			t.Fatal(err)
		}
		s.allClosed(t)
		if table.Games != config.Games || table.Faults != 0 || s.opened > 2*jobs {
			t.Errorf("%d games, %d faults, %d engines", table.Games, table.Faults, s.opened)
		}
		t.Logf("%v, %.1f%%", counts(table.Ends), 100*table.Rows[1].Score.ratio())
		if before == nil {
			before = &out
			continue
		}
		if diff := cmp.Diff(before.records[:config.Games], out.records); diff != "" {
			t.Errorf("the number of jobs changes the games: %s", diff)
		}
	}
}
