package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/bench"
)

// maxPerft bounds the depth of perft in plies; even depth 20 would take longer than a lifetime.
const maxPerft = 100

var perftCommand = command{
	name:     "perft",
	operands: "DEPTH [POSITION]",
	summary:  "count the sequences of legal moves from a position, and compare the counts of engines",
	complete: wordAt(1, "startpos"),
	setup:    defined[perftAction],
}

type perftAction struct {
	gameFlags
	benchAction // that has engines count
	engines     []string
	jobs        int
}

func (c *perftAction) define(fs *flag.FlagSet, all games.Table) {
	c.repeat = 1
	defineJobs(fs, &c.jobs, "use `N` processor cores")
	fs.Var(list(&c.engines), "engine", "have this `ENGINE` count, a SPEC or NAME=SPEC; may be repeated")
	readsFile(fs, &c.positions, "positions", "have engines count from the positions of `FILE`, one per line")
	defineOutput(fs, &c.outputFlags, bench.Formats())
	c.defineEngines(fs)
	c.gameFlags.define(fs, all)
	c.defineSome(fs, func(o games.Option) bool { return o.Words == nil }) // beside -game NAME,KEY=VALUE
}

func (c *perftAction) run(ctx context.Context, h host, operands []string) error {
	if len(c.engines) > 0 || c.positions != "" {
		return c.compare(ctx, h, operands)
	}
	if wrong := firstSet(c.set, "o", "format", "trace", "wait"); wrong != "" {
		return usagef("-%s requires -engine or -positions", wrong)
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	depth, pos, err := perftOperands(h.Games, game, operands)
	if err != nil {
		return err
	}
	h.remark("perft", pos)
	out := bufio.NewWriter(h.Stdout)
	nodes := int64(1)
	if depth > 0 {
		branches, err := h.Games.Divide(ctx, pos, depth, c.jobs)
		if err != nil {
			return err
		}
		nodes = 0
		for _, b := range branches {
			fmt.Fprintf(out, "%s: %d\n", b.Move, b.Nodes)
			nodes += b.Nodes
		}
	}
	fmt.Fprintf(out, "nodes %d\n", nodes)
	return out.Flush()
}

func (c *perftAction) compare(ctx context.Context, h host, operands []string) error {
	if c.given("jobs") {
		return usagef("-jobs: engines count with as many threads as they have")
	}
	if len(operands) == 0 {
		return usagef("missing depth, as in 'qhsh perft -engine builtin 3'")
	}
	var err error
	if c.perft, err = numberBetween(1, maxPerft)(operands[0]); err != nil {
		return usagef("depth %q: %w", operands[0], err)
	}
	switch c.position = operands[1:]; {
	case len(c.position) > 0 && c.positions != "":
		return usagef("-positions has the positions: unexpected argument %q", operands[1])
	case c.positions == "" && len(c.position) == 0:
		c.position = []string{"startpos"}
	}
	return c.benchAction.run(ctx, h, c.engines)
}

func perftOperands(all games.Table, game engine.Game, operands []string) (depth int, pos engine.Position, err error) {
	if len(operands) == 0 {
		return 0, nil, usagef("missing depth, as in 'qhsh perft 3'")
	}
	depth, depthErr := strconv.Atoi(operands[0])
	if depthErr == nil && depth >= 0 && depth <= maxPerft {
		pos, err = findPosition(all, game, operands[1:])
		if err == nil {
			return depth, pos, nil
		}
	}
	_, whole := findPosition(all, game, operands)
	switch {
	case whole == nil: // a position may start with a number
		return 0, nil, usagef("%q is a position: missing depth before it", strings.Join(operands, " "))
	case err == nil:
		return 0, nil, usagef("depth %q: want a number of plies from 0 to %d", operands[0], maxPerft)
	}
	if other := needsGame(all, game, operands); other != nil {
		return 0, nil, usagef("%w, and the depth before it", other)
	}
	return 0, nil, cmp.Or(needsGame(all, game, operands[1:]), err)
}
