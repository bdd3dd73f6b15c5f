// Package tune finds the weights of the evaluation: the engine plays games against
// itself (play.go), its quiet positions are labelled with how the game ended and what
// the search thought of them, and gradient descent moves the weights to where the
// evaluation predicts the labels best (descend.go).
//
// That is a round; each plays by the weights that the one before has found, and the first
// by the plain worth of the pieces (eval.Plain). Everything follows from the seed and the
// search: the same program with the same command finds the same weights, to the last digit, on
// one kind of machine (amd64 here), however many games run at a time. cmd is the program, and
//
//	go run ./engine/xiangqi/eval/tune/cmd -o engine/xiangqi/eval/weights.go
//
// found the weights in use, in half an hour on two processors. A later search plays other
// games, and finds others.
package tune

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/search"
)

// A Plan is what games are to be played.
type Plan struct {
	Games int
	Nodes int64 // a move
	Seed  uint64
	Jobs  int // games at a time; 0: as many as there are processors
}

// DefaultPlan is the first of the DefaultRounds that found the weights in use. Each has the seed
// after the last one's.
func DefaultPlan() Plan { return Plan{Games: 5000, Nodes: 1000, Seed: 1} }

// DefaultRounds is how many rounds found the weights in use.
const DefaultRounds = 4

// Check tells what of a plan cannot be played.
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
	Score  int     // what the search thought of it, in centipawns for Red
	Result float64 // how the game ended: 1 Red won, 0.5 draw, 0 Black won
	Game   int     // which one it is from, beginning with 0
}

// Rules of the games. Openings are random moves, thrown away if they leave one side
// far ahead; a game is over when the score says so, or when nothing happens.
const (
	openingPlies = 8
	fairOpening  = 250  // centipawns
	decidedScore = 1500 // centipawns, for decidedPlies
	decidedPlies = 4
	maxQuiet     = 100 // plies without a capture
	maxPlies     = 240
	keptScore    = 1000 // positions further from even teach nothing
	keepOneIn    = 2
)

// Play plays the games and returns their samples, game by game. The error is that of Check,
// or names a game.
func Play(ctx context.Context, p Plan, progress func(done int)) ([]Sample, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	jobs := p.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	games := make([][]Sample, p.Games)
	var mu sync.Mutex
	var failed error
	next, done := 0, 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= p.Games && failed == nil
	}
	var wait sync.WaitGroup
	for range jobs {
		wait.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				samples, err := playOne(ctx, p, uint64(i))
				mu.Lock()
				games[i] = samples
				if err != nil && failed == nil {
					failed = fmt.Errorf("game %d: %w", i+1, err)
				}
				done++
				progress(done)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	var all []Sample
	for i, g := range games {
		for _, s := range g {
			s.Game = i
			all = append(all, s)
		}
	}
	return all, failed
}

// A player plays one game against itself.
type player struct {
	engine *search.Engine
	limits engine.Limits
	dice   *rand.Rand
}

func playOne(ctx context.Context, p Plan, number uint64) ([]Sample, error) {
	options := search.DefaultOptions()
	options.Hash = 2
	e, err := search.New(options)
	if err != nil {
		return nil, err
	}
	pl := player{e, engine.Limits{Nodes: p.Nodes}, rand.New(rand.NewPCG(p.Seed, number))}
	pos, err := pl.opening(ctx)
	if err != nil {
		return nil, err
	}
	return pl.game(ctx, pos)
}

// opening is a fair position after random moves.
func (p *player) opening(ctx context.Context) (*xiangqi.Position, error) {
	for {
		pos := xiangqi.Start()
		for i := 0; i < openingPlies && !pos.Result().Over(); i++ {
			moves := pos.LegalMoves()
			next, err := pos.PlayMove(moves[p.dice.IntN(len(moves))])
			if err != nil {
				return nil, err
			}
			pos = next
		}
		if pos.Result().Over() {
			continue
		}
		_, score, err := p.think(ctx, pos)
		if err != nil {
			return nil, err
		}
		if score > -fairOpening && score < fairOpening {
			return pos, nil
		}
	}
}

// think is the engine's move and its score for Red; a mate is worth mateWorth.
func (p *player) think(ctx context.Context, pos *xiangqi.Position) (xiangqi.Move, int, error) {
	list, err := engine.Best(ctx, p.engine, pos, p.limits)
	if err != nil {
		return 0, 0, err
	}
	score, ok := list[0].Score.Centipawns()
	if mate, _ := list[0].Score.Mate(); !ok {
		score = mateWorth
		if mate < 0 {
			score = -mateWorth
		}
	}
	if pos.Side() == xiangqi.Black {
		score = -score
	}
	return xiangqi.Move(list[0].Move()), score, nil
}

const mateWorth = 30000

// game plays on from a position.
func (p *player) game(ctx context.Context, pos *xiangqi.Position) ([]Sample, error) {
	var samples []Sample
	result, streak := 0.5, 0
	for ; !over(pos); p.dice.Uint32() {
		m, score, err := p.think(ctx, pos)
		if err != nil {
			return nil, err
		}
		if streak = prolong(streak, score); streak == decidedPlies || streak == -decidedPlies {
			break
		}
		if p.dice.IntN(keepOneIn) == 0 && quiet(pos, m, score) {
			samples = append(samples, Sample{FEN: pos.FEN(), Score: score})
		}
		if pos, err = pos.PlayMove(m); err != nil {
			return nil, err
		}
	}
	switch {
	case streak == decidedPlies:
		result = 1
	case streak == -decidedPlies:
		result = 0
	case pos.Result().Over():
		result = float64(pos.Side()) // who is to move has lost
	}
	for i := range samples {
		samples[i].Result = result
	}
	return samples, nil
}

// prolong counts the plies that one side has been far ahead.
func prolong(streak, score int) int {
	switch {
	case score >= decidedScore:
		return max(streak, 0) + 1
	case score <= -decidedScore:
		return min(streak, 0) - 1
	}
	return 0
}

// over tells whether a game has ended, or goes nowhere.
func over(pos *xiangqi.Position) bool {
	return pos.QuietPlies() >= maxQuiet || pos.Ply() >= maxPlies || pos.Result().Over() || pos.Board().Occurrences() >= 2
}

// quiet tells whether a position shows on its face what it is worth.
func quiet(pos *xiangqi.Position, m xiangqi.Move, score int) bool {
	return !pos.InCheck() && pos.At(m.To()) == xiangqi.Empty && score > -keptScore && score < keptScore
}

// An explained is a sample as the descent reads it.
type explained struct {
	feature []uint16
	count   []float32
	phase   float32
	share   float32
	target  float32
	game    int
}

// explain turns samples into features and targets: the result and the search's opinion
// mixed, as an expected result.
func explain(samples []Sample, trust, scale float64) ([]explained, error) {
	list := make([]explained, 0, len(samples))
	for _, s := range samples {
		pos, err := xiangqi.ParseFEN(s.FEN)
		if err != nil {
			return nil, err
		}
		t := eval.Explain(pos.Board())
		e := explained{phase: float32(t.Phase), share: float32(t.Share), game: s.Game}
		for f, n := range t.Count {
			if n != 0 {
				e.feature, e.count = append(e.feature, uint16(f)), append(e.count, float32(n))
			}
		}
		e.target = float32((1-trust)*s.Result + trust*sigmoid(float64(s.Score)/scale))
		list = append(list, e)
	}
	return list, nil
}
