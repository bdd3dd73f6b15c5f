package selfplay

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// The games and searches of a fingerprint, which take some hundredths of a second.
const (
	printGames = 2
	printNodes = 50
	printDepth = 2000 // nodes
)

// Fingerprint returns a hash of the behaviour of search, rules and the network (Plan.Network), and of
// how games start and end. Programs with the same fingerprint almost certainly play the same games
// with a plan.
func Fingerprint(ctx context.Context, network *net.Weights) (uint64, error) {
	p := Plan{
		Network: network,
		Nodes:   printNodes, Hash: 2, MinPlies: 4, MaxPlies: 6, Endings: 50, Fair: 600,
		Judge: ByRules(200), Resign: Streak{2000, 4}, Draw: Streak{10, 30},
	}
	sum, number := uint64(0), uint64(0)
	next := func() (uint64, bool) {
		number++
		return number, number <= printGames
	}
	err := p.Play(ctx, 1, next, func(g *gamefile.Game) error {
		sum += g.Sum()
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("fingerprint: %w", err)
	}
	p.Nodes = printDepth
	pl, err := newPlayer(&p)
	if err != nil {
		return 0, fmt.Errorf("fingerprint: %w", err)
	}
	g := new(gamefile.Game)
	for _, pos := range xiangqi.Samples() {
		engine.Forget(pl.engine)
		ply, err := pl.search(ctx, pos)
		if err != nil {
			return 0, fmt.Errorf("fingerprint: %w", err)
		}
		g.Plies = append(g.Plies, ply)
		g.Number = g.Number<<1 ^ uint64(pl.engine.Visited())
	}
	return sum + g.Sum(), nil
}
