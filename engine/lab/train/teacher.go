package train

import (
	"cmp"
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
	"qhsh/engine/xiangqi/search"
)

// A teacher returns the score of a position that was not played, in which the side to move is not in
// check; ok is false if it has none that is fit for training.
type teacher func(*xiangqi.Board) (score gamefile.Score, ok bool)

// network returns the network that scores the neighbours.
func (l *Loader) network() *net.Weights { return cmp.Or(l.Teacher, net.Embedded()) }

// flags returns the loader as flags of the program, with a checksum in place of the file of -teacher.
func (l *Loader) flags() string {
	flags := fmt.Sprintf("-ahead %g -neighbours %d", l.Ahead, l.Neighbours)
	if l.Neighbours > 0 && l.Nodes > 0 {
		flags += fmt.Sprintf(" -nodes %d", l.Nodes)
	}
	if l.Neighbours > 0 {
		flags += " -teacher " + l.network().Checksum()
	}
	return fmt.Sprintf("%s -validate %d", flags, l.HeldOut)
}

// teacher returns how a game's neighbours are scored: by the evaluation alone, or by a search. Each game
// has its own, so that its samples do not depend on those of others.
func (l *Loader) teacher(ctx context.Context) (teacher, error) {
	if l.Nodes == 0 {
		return evaluating(net.NewEvaluator(l.network())), nil
	}
	options := search.DefaultOptions()
	options.Hash = 1
	options.UseNetwork(l.network())
	e, err := search.New(options)
	if err != nil {
		return nil, err
	}
	return searching(ctx, e, l.Nodes), nil
}

// evaluating returns a teacher that only evaluates.
func evaluating(e *net.Evaluator) teacher {
	return func(b *xiangqi.Board) (gamefile.Score, bool) {
		e.Reset(b)
		return gamefile.NewScore(engine.Centipawns(e.Evaluate())), true
	}
}

// searching returns a teacher that searches. What it scores is quiet, as are the positions that
// were played: after random moves something can often be captured, which no static evaluation can see.
func searching(ctx context.Context, e *search.Engine, nodes int64) teacher {
	return func(b *xiangqi.Board) (gamefile.Score, bool) {
		answer, err := engine.Best(ctx, e, b.Position(), engine.Limits{Nodes: nodes})
		if err != nil {
			return 0, false // no legal move, or ctx is done, which ends the loading
		}
		best := answer[0]
		score := gamefile.NewScore(best.Score)
		return score, gamefile.Position{Board: b, Move: xiangqi.Move(best.Move()), Score: score}.IsQuiet()
	}
}
