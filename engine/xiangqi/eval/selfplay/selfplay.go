// Package selfplay plays games of the embedded engine against itself, for what learns from
// them: package tune, and through files of package gamefile whatever comes later.
//
// A [Plan] says how: the openings (opening.go) and random endgames (ending.go) that games
// start from, the budget of a move, and when a game ends ([Judge], [Streak]). A game follows
// from the plan and its number alone: each has random numbers of its own, and begins with an
// engine that remembers nothing. So the same program plays the same games, whatever the
// number of workers ([Plan.Play]) and whenever it is stopped.
//
// cmd is the program that fills a folder with games.
package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval/gamefile"
)

// A Plan says how games are played.
type Plan struct {
	Seed   uint64
	Nodes  int64 // of a move; none is searched longer; 0: Soft alone limits it
	Soft   int64 // of a move; no iteration begins when it is used up; 0: Nodes alone limits it
	Hash   int   // size of the transposition table in MiB; 0: the search's own default
	Judge  Judge
	Resign Streak // a side that is so far behind has lost
	Draw   Streak // where neither side is further ahead, it is a draw

	Starts   []*xiangqi.Position // one of which a game starts from; none: the start of a game
	MinPlies int                 // random moves from there
	MaxPlies int
	Endings  int // percent of the games that start from a random endgame instead
	Fair     int // the engine's own play begins at scores not further from 0; see fortress
}

// A Judge says whether a game is over.
type Judge func(*xiangqi.Position) engine.Result

// A Streak is a score for so many plies in succession. With 0 plies there is none.
type Streak struct{ Score, Plies int }

// Check returns an error that says what of the plan cannot be played.
func (p *Plan) Check() error {
	switch {
	case p.Nodes < 0 || p.Soft < 0 || p.Nodes+p.Soft == 0:
		return fmt.Errorf("nodes=%d, soft=%d: want at least 1 a move", p.Nodes, p.Soft)
	case p.MinPlies < 0 || p.MaxPlies < p.MinPlies:
		return fmt.Errorf("plies=%d-%d: want two numbers, the greater one last", p.MinPlies, p.MaxPlies)
	case p.Endings < 0 || p.Endings > 100:
		return fmt.Errorf("endgames=%d: want 0 to 100 percent", p.Endings)
	case p.Fair < 1:
		return fmt.Errorf("fair=%d: want centipawns, more than 0", p.Fair)
	}
	for name, s := range map[string]Streak{"resign": p.Resign, "draw": p.Draw} {
		if s.Score < 0 || s.Plies < 0 {
			return fmt.Errorf("%s=%dx%d: want centipawns and plies", name, s.Score, s.Plies)
		}
	}
	return nil
}

// random returns the random numbers of a game.
func (p *Plan) random(number uint64) *rand.Rand { return rand.New(rand.NewPCG(p.Seed, number)) }

// Play plays games, jobs at a time, until next has no more numbers. Each game goes to each,
// with what is left of its dice, when it has ended; so they come in any order. next and each
// are called by one goroutine at a time. The first error, of a game, of each or of the
// context, ends it all; the games in progress are dropped.
func (p *Plan) Play(ctx context.Context, jobs int, next func() (number uint64, ok bool), each func(*gamefile.Game, *rand.Rand) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	take := func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return 0, false
		}
		return next()
	}
	play := func(pl *player, number uint64) error {
		dice := p.random(number)
		g, err := pl.game(ctx, number, dice)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		return each(g, dice)
	}
	var wait sync.WaitGroup
	for range jobs {
		pl, err := newPlayer(p)
		if err != nil {
			stop(err)
			break
		}
		wait.Go(func() {
			for number, ok := take(); ok; number, ok = take() {
				if err := play(pl, number); err != nil {
					stop(fmt.Errorf("game %d: %w", number, err))
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}
