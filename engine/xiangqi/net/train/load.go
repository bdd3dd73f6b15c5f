package train

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"qhsh/engine/xiangqi/eval/gamefile"
)

// Data are the positions to train on and those to validate with.
type Data struct {
	Train, HeldOut []Sample // of different games
	Games          int
	Checksum       uint64 // of the games; see gamefile.Game.Sum
}

// A Loader reads games.
type Loader struct {
	HeldOut int         // percent of the games that are held out
	Jobs    int         // processors to use
	Warn    func(error) // called for damaged and truncated files, of which the other games are used
}

// Load reads the games of files and returns the positions that pass the usual filter. Their order
// depends on that of the files, but not on the order of the games in them.
func (l *Loader) Load(ctx context.Context, files []string) (*Data, error) {
	d := new(Data)
	for _, name := range files {
		games, err := l.games(name)
		if err == nil {
			err = l.add(ctx, d, games)
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

// add replays games and adds their positions.
func (l *Loader) add(ctx context.Context, d *Data, games []*gamefile.Game) error {
	samples, errs := make([][]Sample, len(games)), make([]error, len(games))
	parallel(l.Jobs, len(games), func(i int) {
		if ctx.Err() == nil {
			samples[i], errs[i] = samplesOf(games[i])
		}
	})
	for i, g := range games {
		if errs[i] != nil {
			return errs[i]
		}
		sum := g.Sum()
		d.Games++
		d.Checksum += sum
		if sum%100 < uint64(l.HeldOut) {
			d.HeldOut = append(d.HeldOut, samples[i]...)
		} else {
			d.Train = append(d.Train, samples[i]...)
		}
	}
	return context.Cause(ctx)
}

// samplesOf replays a game.
func samplesOf(g *gamefile.Game) (list []Sample, err error) {
	filter := gamefile.DefaultFilter()
	for p, err := range g.Positions() {
		if err != nil {
			return nil, err
		}
		if filter.Passes(p) {
			list = append(list, newSample(p, g.Result.Outcome))
		}
	}
	return list, nil
}
