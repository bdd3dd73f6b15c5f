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
)

// maxJobs bounds -jobs: a larger number is a typing error.
const maxJobs = 1024

// maxPerft bounds the depth of perft in plies; even depth 20 would take longer than a lifetime.
const maxPerft = 100

var perftCommand = command{
	name:     "perft",
	operands: "DEPTH [POSITION]",
	summary:  "count the sequences of legal moves from a position",
	complete: operandWords("", "startpos"),
	setup: func(fs *flag.FlagSet, all games.Table) action {
		jobs := 1
		var f gameFlags
		fs.Var(count(&jobs, maxJobs), "jobs", "use `N` processor cores")
		f.define(fs, all)
		f.defineSome(fs, func(o games.Option) bool { return o.Words == nil }) // beside -game NAME,KEY=VALUE
		return func(ctx context.Context, h host, operands []string) error {
			game, err := f.game()
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
				branches, err := h.Games.Divide(ctx, pos, depth, jobs)
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
	},
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
