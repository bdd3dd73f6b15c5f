package selfplay

import (
	"context"
	"math/rand/v2"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// A player plays games against itself, one at a time.
type player struct {
	*Plan
	engine *search.Engine
}

func newPlayer(p *Plan) (*player, error) {
	options := search.DefaultOptions()
	options.Hash = p.Hash
	if p.Network != nil {
		options.UseNetwork(p.Network)
	}
	e, err := search.New(options)
	if err != nil {
		return nil, err
	}
	return &player{p, e}, nil
}

// game plays the game with a number.
func (p *player) game(ctx context.Context, number uint64) (*gamefile.Game, error) {
	p.engine.Forget()
	g, pos, err := p.drawStart(ctx, rand.New(rand.NewPCG(p.Seed, number)))
	if err != nil {
		return nil, err
	}
	g.Number = number
	var far, near int // plies of the streaks so far
	for {
		if g.Result = p.Judge(pos); g.Result.Over() {
			return g, nil
		}
		ply, err := p.search(ctx, pos)
		if err != nil {
			return nil, err
		}
		far, near = p.Resign.extendLead(far, pos.Side(), ply.Score), p.Draw.extendEven(near, ply.Score)
		if g.Result = p.adjudicate(far, near); g.Result.Over() {
			return g, nil
		}
		g.Plies = append(g.Plies, ply)
		if pos, err = pos.PlayMove(ply.Move); err != nil {
			return nil, err
		}
	}
}

// search returns the engine's move and its score.
func (p *player) search(ctx context.Context, pos *xiangqi.Position) (gamefile.Ply, error) {
	var best engine.Line
	for list, err := range p.engine.Search(ctx, pos, engine.Limits{Nodes: p.Nodes}) {
		if err != nil {
			return gamefile.Ply{}, err
		}
		if best = list[0]; p.Soft > 0 && best.Nodes >= p.Soft {
			break
		}
	}
	return gamefile.Ply{Move: xiangqi.Move(best.Move()), Score: gamefile.NewScore(best.Score)}, nil
}

// extendLead updates the length of a streak in favour of one side: positive for Red, negative for Black.
func (s Streak) extendLead(streak int, mover xiangqi.Side, score gamefile.Score) int {
	if mover == xiangqi.Black {
		score = score.Neg()
	}
	switch {
	case score == gamefile.Unknown || score.Within(s.Score-1):
		return 0
	case score > 0:
		return max(streak, 0) + 1
	}
	return min(streak, 0) - 1
}

// extendEven updates the length of a streak of even scores.
func (s Streak) extendEven(streak int, score gamefile.Score) int {
	if score.Within(s.Score) {
		return streak + 1
	}
	return 0
}

// adjudicate ends a game by its scores.
func (p *Plan) adjudicate(far, near int) engine.Result {
	switch {
	case p.Resign.Plies > 0 && far >= p.Resign.Plies:
		return engine.Result{Outcome: engine.FirstWins, Reason: gamefile.ByScore}
	case p.Resign.Plies > 0 && far <= -p.Resign.Plies:
		return engine.Result{Outcome: engine.SecondWins, Reason: gamefile.ByScore}
	case p.Draw.Plies > 0 && near >= p.Draw.Plies:
		return engine.Result{Outcome: engine.Draw, Reason: gamefile.ByScore}
	}
	return engine.Result{}
}

// ByRules returns a Judge that applies the Asian rules, including those on repetition, and ends games as
// draws after a number of plies.
func ByRules(plies int) Judge {
	return func(pos *xiangqi.Position) engine.Result {
		result := xiangqi.Asian.Adjudicate(pos)
		if !result.Over() && pos.Ply() >= plies {
			return engine.Result{Outcome: engine.Draw, Reason: gamefile.ByLength}
		}
		return result
	}
}
