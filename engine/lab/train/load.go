package train

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// Data are the positions to train on and those to validate with.
type Data struct {
	Train, HeldOut []Sample // of different games
	Games          int
	Checksum       uint64 // of the games; see gamefile.Game.Sum
	Flags          string // of the Loader, as those of the program
}

// A Loader reads games.
type Loader struct {
	Ahead      float64      // share of what follows in the score of a position; see lookAhead
	HeldOut    int          // percent of the games that are held out
	Neighbours int          // positions added for each to train on; see appendNeighbours
	Teacher    *net.Weights // scores the neighbours; nil: the network in the program
	Nodes      int64        // of a search that scores a neighbour; 0: the evaluation alone does
	Jobs       int          // processors to use
	Warn       func(error)  // called for damaged and truncated files, of which the other games are used

	// Progress, if not nil, is called after each game of a file, one call at a time.
	Progress func(name string, done, games int)
}

// Load reads the games of files and returns the positions for training. Their order
// depends on that of the files, but not on the order of the games in them.
func (l *Loader) Load(ctx context.Context, files []string) (*Data, error) {
	d := &Data{Flags: l.flags()}
	for _, name := range files {
		games, err := l.games(name)
		if err == nil {
			err = l.add(ctx, d, games, l.progress(name, len(games)))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return d, nil
}

// games reads the games of a file and sorts them by number.
func (l *Loader) games(name string) ([]*gamefile.Game, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := gamefile.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	var games []*gamefile.Game
	for g, err := range r.Games() {
		if err != nil {
			l.Warn(fmt.Errorf("%s: %w", name, err))
			continue
		}
		games = append(games, g)
	}
	slices.SortFunc(games, func(a, b *gamefile.Game) int { return cmp.Compare(a.Number, b.Number) })
	return games, nil
}

// progress returns a function to be called after each game of a file, by any goroutine.
func (l *Loader) progress(name string, games int) func() {
	if l.Progress == nil {
		return func() {}
	}
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		l.Progress(name, done, games)
	}
}

// add replays games and adds their positions. It calls progress after each.
func (l *Loader) add(ctx context.Context, d *Data, games []*gamefile.Game, progress func()) error {
	samples, errs := make([][]Sample, len(games)), make([]error, len(games))
	parallel(l.Jobs, len(games), func(i int) {
		if ctx.Err() == nil {
			samples[i], errs[i] = l.samplesOf(ctx, games[i])
			progress()
		}
	})
	for i, g := range games {
		if errs[i] != nil {
			return errs[i]
		}
		d.Games++
		d.Checksum += g.Sum()
		if l.holdsOut(g) {
			d.HeldOut = append(d.HeldOut, samples[i]...)
		} else {
			d.Train = append(d.Train, samples[i]...)
		}
	}
	return context.Cause(ctx)
}

// holdsOut reports whether a game is held out.
func (l *Loader) holdsOut(g *gamefile.Game) bool { return g.Sum()%100 < uint64(l.HeldOut) }

// samplesOf replays a game.
func (l *Loader) samplesOf(ctx context.Context, g *gamefile.Game) (list []Sample, err error) {
	neighbours := l.Neighbours
	if l.holdsOut(g) {
		neighbours = 0
	}
	dice := rand.New(rand.NewPCG(g.Sum(), 0))
	score, err := l.teacher(ctx)
	if err != nil {
		return nil, err
	}
	mixed := lookAhead(g, l.Ahead)
	for p, err := range g.Positions() {
		if err != nil {
			return nil, err
		}
		ahead := mixed[0]
		mixed = mixed[1:]
		if p.IsForTraining() {
			p.Score = ahead
			list = append(list, newSample(p, g.Result.Outcome))
			list = appendNeighbours(list, p.Board, neighbours, score, dice)
		}
	}
	return list, nil
}

// appendNeighbours appends the positions after one or two random moves, n times, without those in
// check and those that have no score. A search sees many positions that are never played, of which
// games alone give no information. They have no result.
func appendNeighbours(list []Sample, b *xiangqi.Board, n int, score teacher, dice *rand.Rand) []Sample {
	var room [xiangqi.MaxMoves]xiangqi.Move
	for range n {
		moves := 0
		for range 1 + dice.IntN(2) {
			if legal := b.AppendMoves(room[:0]); len(legal) > 0 {
				b.Do(legal[dice.IntN(len(legal))])
				moves++
			}
		}
		if !b.InCheck() {
			if s, ok := score(b); ok {
				list = append(list, newSample(gamefile.Position{Board: b, Score: s}, engine.Ongoing))
			}
		}
		for range moves {
			b.Undo()
		}
	}
	return list
}
