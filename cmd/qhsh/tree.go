package main

import (
	"context"
	"flag"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/tree"
)

// Upper bounds of a tree: larger numbers are typing errors.
const (
	maxTreeDepth = 100
	maxTreeMoves = 1_000_000
)

var treeCommand = command{
	name:     "tree",
	operands: "[POSITION]",
	summary:  "grow a tree of hints from a position: moves, replies, replies to these",
	complete: wordAt(0, "startpos"),
	setup:    defined[treeAction],
}

type treeAction struct {
	engineFlags
	outputFlags
	width, deep, most int
	notation          notationFlag
}

func (c *treeAction) define(fs *flag.FlagSet, all games.Table) {
	c.width, c.deep, c.most = tree.DefaultWidth, tree.DefaultDepth, tree.DefaultMaxNodes
	fs.Var(count(&c.width, maxHints), "width", "grow `N` moves at each position")
	fs.Var(count(&c.deep, maxTreeDepth), "depth", "grow `N` moves deep")
	fs.Var(count(&c.most, maxTreeMoves), "most", "grow at most `N` moves in the whole tree")
	defineOutput(fs, &c.outputFlags, tree.Formats())
	c.notation.define(fs, all)
	c.engineFlags.define(fs)
	c.defineProfile(fs)
	c.defineCounts(fs, "search-depth") // -depth is the tree's own
}

func (c *treeAction) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, tree.Formats())
	if err != nil {
		return err
	}
	p := newBatchProgress("tree", h, h.StderrTTY)
	run, e, game, err := c.beginOne(ctx, h, p.progress, nil, nil)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	if _, err := c.notation.of(game); err != nil {
		return err
	}
	pos, err := findPosition(h.Games, game, operands)
	if err != nil {
		return err
	}
	h.remark("tree", pos)
	if err := run.openFiles(ctx, nil); err != nil {
		return err
	}
	out, err := c.open(ctx, h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	session, err := run.open(e)(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	grown, err := c.grow(ctx, session, pos, p)
	if err != nil && (grown == nil || len(grown.Root.Children) == 0) {
		return err
	}
	page := tree.WriteOptions{Engine: session.Info().Name, Games: h.Games}
	if c.notation.isOther() {
		page.Notation = c.notation.name
	}
	if writeErr := format.Write(out, grown, page); writeErr != nil {
		return writeErr
	}
	if err == nil && grown.Failed > 0 {
		err = errSomeFailed
	}
	return err
}

func (c *treeAction) grow(ctx context.Context, s pluginclient.Session, pos engine.Position, p *batchProgress) (*tree.Tree, error) {
	p.total = c.searches()
	p.begin()
	defer p.end()
	o := tree.Options{
		Width: c.width, Depth: c.deep, MaxNodes: max(c.most, c.width),
		Limits: c.searchLimits(0),
		Progress: func(t *tree.Tree) {
			p.update(batch.Tally{Done: t.Searched + t.Failed, Failed: t.Failed})
		},
	}
	if c.notation.isOther() {
		o.Label = func(pos engine.Position, moves []engine.Move) []string {
			return c.notation.all.MoveNames(pos, moves, c.notation.name)
		}
	}
	return tree.Grow(ctx, s, pos, o)
}

// searches returns the maximum number of searches.
func (c *treeAction) searches() int {
	total, row := 0, 1
	for range c.deep {
		total += row
		row *= c.width
		if total*c.width >= c.most {
			return max(1, c.most/c.width)
		}
	}
	return total
}
