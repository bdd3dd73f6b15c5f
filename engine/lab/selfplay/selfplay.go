// Package selfplay plays games of the embedded engine against itself, for training. Files of package
// gamefile keep them.
//
// A [Plan] has the parameters: openings (opening.go) and random endgames (ending.go), the limits of a
// move, and when a game ends ([Judge], [Streak]). A game depends only on the plan and its number: it
// has its own random numbers and starts with a cleared engine. So the same program plays the same
// games, whatever the number of workers ([Plan.Play]) and whenever it is stopped.
//
// The directory cmd has a program that fills a folder with games.
package selfplay

import (
	"context"
	"fmt"
	"sync"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// A Plan has the parameters of games.
type Plan struct {
	Seed  uint64
	Nodes int64 // hard limit per move; 0: none
	Soft  int64 // no iteration starts after this many nodes of a move; 0: no limit
	Hash  int   // size of the transposition table in MiB; 0: the search's own default
	// Network evaluates positions; nil: the network in the program.
	Network *net.Weights
	Judge   Judge
	Resign  Streak // a side that is this far behind loses
	Draw    Streak // a draw if neither side is further ahead

	Starts   []*xiangqi.Position // possible start positions; none: the usual one
	MinPlies int                 // random moves from there
	MaxPlies int
	Endings  int // percent of the games that start from a random endgame instead
	Fair     int // maximum absolute score at the start of the engine's play; see fortressScore
}

// A Judge returns the result of a game if it is over.
type Judge func(*xiangqi.Position) engine.Result

// A Streak is a score limit for a number of consecutive plies; 0 plies disables it.
type Streak struct{ Score, Plies int }

// Check returns an error if the plan is invalid.
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

// Play plays games, jobs at a time, until next returns false. When a game ends, each is called with it;
// the order of games is not defined. next and each are called by one goroutine at a time. Play stops at
// the first error of a game, of each or of the context, and discards the games in progress.
func (p *Plan) Play(ctx context.Context, jobs int, next func() (number uint64, ok bool), each func(*gamefile.Game) error) error {
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
		g, err := pl.game(ctx, number)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		return each(g)
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
