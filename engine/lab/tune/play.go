// Package tune finds the weights of the evaluation. In each round the engine plays games against itself
// (package selfplay). Quiet positions are labelled with the result of the game and the score of the
// search, and package fitting finds the weights that predict the labels best.
//
// The first round plays with the exchange values of the pieces (eval.PlainWeights), each other one with
// the weights of the round before. The weights depend only on the seed and the search: the same
// program with the same flags finds the same weights on one kind of machine (amd64 here), whatever the
// number of concurrent games. The program is in the directory cmd, and
//
//	go -C engine/lab run ./tune/cmd -o ../xiangqi/eval/weights.go
//
// found the current weights, in half an hour on two processors. A changed search plays other games and
// finds other weights.
package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"qhsh/engine"
	"qhsh/engine/lab/fitting"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/lab/selfplay"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A Plan has the parameters of the games to be played.
type Plan struct {
	Games int
	Nodes int64 // per move
	Seed  uint64
	Jobs  int // concurrent games; 0: the number of processors
}

// DefaultPlan returns the plan of the first round that found the current weights. Each later round
// increments the seed.
func DefaultPlan() Plan { return Plan{Games: 5000, Nodes: 1000, Seed: 1} }

// DefaultRounds is the number of rounds that found the current weights.
const DefaultRounds = 4

// Check returns an error for an invalid plan.
func (p Plan) Check() error {
	switch {
	case p.Games < 1:
		return fmt.Errorf("games=%d: want at least 1", p.Games)
	case p.Nodes < 1:
		return fmt.Errorf("nodes=%d: want at least 1 a move", p.Nodes)
	case p.Jobs < 0:
		return fmt.Errorf("jobs=%d: want at least 1, or 0 for one for each processor", p.Jobs)
	}
	return nil
}

// A Sample is a quiet position of a game.
type Sample struct {
	FEN    string
	Score  int     // of the search, in centipawns for Red
	Result float64 // how the game ended: 1 Red won, 0.5 draw, 0 Black won
	Game   int     // number of its game, from 0
}

// Rules of the games. Openings are random moves and discarded if they are too good for one side. A
// game ends by a decisive score, or if nothing happens.
const (
	openingPlies    = 8
	maxOpeningScore = 249  // centipawns
	decidedScore    = 1500 // centipawns, for decidedPlies
	decidedPlies    = 4
	maxQuiet        = 100 // plies without a capture
	maxPlies        = 240
	maxSampleScore  = 999 // higher scores give no information
	keepOneIn       = 2
)

// Play plays the games and returns their samples in the order of the games.
func Play(ctx context.Context, p Plan, progress func(done int)) ([]Sample, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	jobs := p.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	plan := p.selfplay()
	games := make([][]Sample, p.Games)
	number, done := 0, 0
	next := func() (uint64, bool) {
		number++
		return uint64(number - 1), number <= p.Games
	}
	err := plan.Play(ctx, jobs, next, func(g *gamefile.Game, dice *rand.Rand) (err error) {
		games[g.Number], err = sample(g, dice)
		done++
		progress(done)
		return err
	})
	var all []Sample
	for i, g := range games {
		for _, s := range g {
			s.Game = i
			all = append(all, s)
		}
	}
	return all, err
}

// selfplay returns the plan for package selfplay.
func (p Plan) selfplay() *selfplay.Plan {
	return &selfplay.Plan{
		Seed: p.Seed, Nodes: p.Nodes, Hash: 2,
		MinPlies: openingPlies, MaxPlies: openingPlies, Fair: maxOpeningScore,
		Judge: judge, Resign: selfplay.Streak{Score: decidedScore, Plies: decidedPlies},
	}
}

// judge ends a game that is over or makes no progress. It ignores the rules on repetition.
func judge(pos *xiangqi.Position) engine.Result {
	result := pos.Result()
	if !result.Over() && (pos.QuietPlies() >= maxQuiet || pos.Ply() >= maxPlies || pos.Board().Occurrences() >= 2) {
		return engine.Result{Outcome: engine.Draw}
	}
	return result
}

// sample picks positions of a game.
func sample(g *gamefile.Game, dice *rand.Rand) ([]Sample, error) {
	var samples []Sample
	pos, err := g.Start()
	for i := 0; i < len(g.Plies) && err == nil; i++ {
		ply := g.Plies[i]
		if dice.IntN(keepOneIn) == 0 && quiet(pos, ply) {
			samples = append(samples, Sample{FEN: pos.FEN(), Score: redScore(pos, ply.Score), Result: redResult(g.Result.Outcome)})
		}
		dice.Uint32()
		pos, err = pos.PlayMove(ply.Move)
	}
	return samples, err
}

// quiet reports whether a static evaluation can predict the score of a position.
func quiet(pos *xiangqi.Position, p gamefile.Ply) bool {
	return !pos.InCheck() && pos.At(p.Move.To()) == xiangqi.Empty && p.Score.Within(maxSampleScore)
}

func redScore(pos *xiangqi.Position, s gamefile.Score) int {
	if pos.Side() == xiangqi.Black {
		s = s.Neg()
	}
	return int(s)
}

func redResult(o engine.Outcome) float64 {
	return map[engine.Outcome]float64{engine.FirstWins: 1, engine.Draw: 0.5}[o]
}

// DefaultMethod returns the parameters with which the current weights were found.
func DefaultMethod() fitting.Method {
	return fitting.Method{Epochs: 200, SearchShare: 0.5, Scale: 450, Decay: 3e-9}
}

// Descend finds weights that predict the samples better than those it starts from; see
// [fitting.Descend].
func Descend(ctx context.Context, samples []Sample, from *[eval.Features]eval.Weight, m fitting.Method, report func(epoch int, f fitting.Fit)) (*[eval.Features]eval.Weight, error) {
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("descend: %w", err)
	}
	all, err := explain(samples, m)
	if err != nil {
		return nil, fmt.Errorf("descend: %w", err)
	}
	found, err := fitting.Descend(ctx, all, from[:], m, report)
	if err != nil {
		return nil, err
	}
	return (*[eval.Features]eval.Weight)(found), nil
}

// explain converts samples to features and targets.
func explain(samples []Sample, m fitting.Method) ([]fitting.Sample, error) {
	list := make([]fitting.Sample, 0, len(samples))
	for _, s := range samples {
		pos, err := xiangqi.ParseFEN(s.FEN)
		if err != nil {
			return nil, err
		}
		t := eval.Explain(pos.Board())
		e := fitting.Sample{Phase: float32(t.Phase), Factor: float32(t.Scale), Game: s.Game, Target: m.Target(s.Result, s.Score)}
		for f, n := range t.Count {
			e.Add(f, float32(n))
		}
		list = append(list, e)
	}
	return list, nil
}
