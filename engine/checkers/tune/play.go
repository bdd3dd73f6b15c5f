// Command tune finds the weights of the evaluation of every variant of checkers, or of the one
// named, and writes their file:
//
//	go run ./engine/checkers/tune -o engine/checkers/eval/weights.go
//
// In each round the engine plays games against itself from random openings. Quiet positions are
// labelled with the result of the game and the score of the search, and package fitting finds the
// weights that predict the labels best. The first round plays with the plain weights, each other one
// with the weights of the round before. The same program with the same flags finds the same weights
// on one kind of machine, whatever the number of concurrent games.
package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
	"qhsh/engine/checkers/search"
	"qhsh/engine/checkers/tune/fitting"
	"qhsh/engine/record"
)

// A tuner plays games and fits the weights of a variant.
type tuner struct {
	rules   checkers.Rules
	weights *eval.Weights
	games   int
	nodes   int64 // per move
	seed    uint64
	jobs    int // concurrent games
}

// Rules of the games. Openings that are too good for one side are discarded. A game ends by the
// rules, by a decisive score, or by its length.
const (
	openingPlies    = 8
	maxOpeningScore = 90  // centipawns
	decidedScore    = 900 // centipawns
	maxPlies        = 160
	maxSampleScore  = 800 // higher scores give no information
)

// play plays the games and returns their samples in the order of the games.
func (p tuner) play(ctx context.Context) ([]fitting.Sample, error) {
	games := make([][]fitting.Sample, p.games)
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, p.jobs)
	for job := range p.jobs {
		workers.Go(func() {
			e, err := search.New(search.Options{Rules: p.rules, Hash: 4, Weights: p.weights})
			for err == nil {
				number := int(next.Add(1)) - 1
				if number >= p.games {
					break
				}
				e.Forget()
				games[number], err = p.game(ctx, e, number)
			}
			errs[job] = err
		})
	}
	workers.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	return slices.Concat(games...), nil
}

// A quietPosition is a quiet position of a game.
type quietPosition struct {
	board checkers.Board
	score int // for Black
}

// game plays a game and returns its samples.
func (p tuner) game(ctx context.Context, e *alphabeta.Engine, number int) ([]fitting.Sample, error) {
	dice := rand.New(rand.NewPCG(p.seed, uint64(number)))
	pos, err := p.opening(ctx, e, dice)
	if err != nil {
		return nil, err
	}
	var moments []quietPosition
	result := 0.5 // for Black
	for range maxPlies {
		if now := engine.Adjudicate(pos); now.Over() {
			result = blackResult(p.rules.Variant, now.Outcome)
			break
		}
		lines, err := engine.Best(ctx, e, pos, engine.Limits{Nodes: p.nodes})
		if err != nil {
			return nil, err
		}
		black := blackScore(pos, lines[0].Score)
		if abs(black) >= decidedScore {
			if result = 0; black > 0 {
				result = 1
			}
			break
		}
		if board := pos.Board(); !board.CanCapture() && abs(black) < maxSampleScore {
			moments = append(moments, quietPosition{board, black})
		}
		if pos, err = pos.Do(checkers.Move(lines[0].Move())); err != nil {
			return nil, err
		}
	}
	var list []fitting.Sample
	for _, m := range moments {
		t := eval.Explain(&m.board)
		s := fitting.Sample{Phase: t.Phase, Factor: t.Factor, Target: method.Target(result, m.score), Game: number}
		for f, n := range t.Count {
			s.Add(f, n)
		}
		list = append(list, s)
	}
	return list, nil
}

// opening plays random moves until the position is balanced.
func (p tuner) opening(ctx context.Context, e *alphabeta.Engine, dice *rand.Rand) (*checkers.Position, error) {
	for {
		pos := checkers.NewPosition(checkers.NewBoard(p.rules.Variant))
		for range openingPlies + dice.IntN(2) {
			moves := pos.Moves()
			if len(moves) == 0 {
				break
			}
			var err error
			if pos, err = pos.Do(checkers.Move(moves[dice.IntN(len(moves))])); err != nil {
				return nil, err
			}
		}
		if pos.Result().Over() {
			continue
		}
		lines, err := engine.Best(ctx, e, pos, engine.Limits{Nodes: p.nodes})
		if err != nil {
			return nil, err
		}
		if abs(blackScore(pos, lines[0].Score)) <= maxOpeningScore {
			return pos, nil
		}
	}
}

// blackScore returns a score for Black in centipawns; a forced win is a large one.
func blackScore(pos *checkers.Position, s engine.Score) int {
	n := record.ScoreNumber(s)
	if board := pos.Board(); board.Turn() == checkers.White {
		n = -n
	}
	return n
}

func blackResult(v checkers.Variant, o engine.Outcome) float64 {
	switch o {
	case engine.Win(v.Turn(checkers.Black)):
		return 1
	case engine.Draw:
		return 0.5
	}
	return 0
}

func abs(n int) int { return max(n, -n) }
