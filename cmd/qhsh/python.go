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
		return func(_ context.Context, h host, _ []string) error {
			_, err := io.WriteString(h.Stdout, examples.Python)
			return err
		}
	},
}
