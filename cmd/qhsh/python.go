package main

import (
	"context"
	"flag"
	"io"

	"qhsh/engine/games"
	"qhsh/examples"
)

var pythonCommand = command{
	name:    "python",
	summary: "print a module for Python, which searches, draws boards and reads games",
	setup: func(*flag.FlagSet, games.Table) action {
		return func(_ context.Context, h host, operands []string) error {
			if len(operands) > 0 {
				return usagef("unexpected argument %q", operands[0])
			}
			_, err := io.WriteString(h.Stdout, examples.Python)
			return err
		}
	},
}
