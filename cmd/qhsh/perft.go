package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"

	"qhsh/engine/xiangqi"
)

// maxJobs bounds -jobs: beyond it the number is a slip of the finger.
const maxJobs = 1024

// maxPerft bounds the depth of perft in plies, likewise: nobody lives to see depth 20.
const maxPerft = 100

var perftCommand = command{
	name:     "perft",
	operands: "DEPTH [POSITION]",
	summary:  "count the sequences of legal moves from a position",
	help: `Prints a line for each legal move, 'h2e2: N' with N the number of sequences that
begin with it, and last 'nodes N' with the sum. Two programs whose numbers agree
agree about the rules. POSITION is a FEN, which needs no quotes, or startpos, and may
be followed by the word moves and moves; it is the start of a game if left out.

Examples:
  qhsh perft 4
  qhsh perft -jobs 8 6
  qhsh perft 3 r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w
  qhsh perft 1 startpos moves h2e2 h9g7
`,
	setup: func(fs *flag.FlagSet) action {
		jobs := 1
		fs.Var(countValue{&jobs, maxJobs}, "jobs", "share the moves out among `N` processor cores")
		return func(ctx context.Context, h host, operands []string) error {
			depth, pos, err := perftOperands(operands)
			if err != nil {
				return err
			}
			return perft(ctx, h, pos, depth, jobs)
		}
	},
}

func perftOperands(operands []string) (depth int, pos *xiangqi.Position, err error) {
	if len(operands) == 0 {
		return 0, nil, usagef("it wants a depth, as in 'qhsh perft 3'")
	}
	depth, err = strconv.Atoi(operands[0])
	if err != nil || depth < 0 || depth > maxPerft {
		return 0, nil, usagef("depth %q: want a number of plies from 0 to %d", operands[0], maxPerft)
	}
	start, err := findPosition(operands[1:])
	if err != nil {
		return 0, nil, err
	}
	pos, ok := start.(*xiangqi.Position)
	if !ok {
		return 0, nil, errors.New("the rules have answered a position of another game")
	}
	return depth, pos, nil
}

func perft(ctx context.Context, h host, pos *xiangqi.Position, depth, jobs int) error {
	out := bufio.NewWriter(h.Stdout)
	nodes := int64(1)
	if depth > 0 {
		branches, err := xiangqi.Divide(ctx, pos, depth, jobs)
		if err != nil {
			return err
		}
		nodes = 0
		for _, b := range branches {
			fmt.Fprintf(out, "%s: %d\n", b.Move.UCI(), b.Nodes)
			nodes += b.Nodes
		}
	}
	fmt.Fprintf(out, "nodes %d\n", nodes)
	return out.Flush()
}
