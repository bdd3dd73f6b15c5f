package main

import (
	"context"
	"embed"
	"flag"

	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// completionScripts has a script for each shell.
//
//go:embed completion
var completionScripts embed.FS

// completionShells are the shells that have a script.
var completionShells = []string{"bash", "zsh", "fish"}

func completionCommand() command {
	return command{
		name:     "completion",
		operands: "bash | zsh | fish",
		summary:  "print a script that makes a shell complete command lines",
		setup:    func(*flag.FlagSet, games.Table) action { return runCompletion },
		complete: func(_ host, operands []string, _ string) []pluginclient.Completion {
			if len(operands) > 0 {
				return nil
			}
			return pluginclient.Completions(completionShells, false)
		},
	}
}

func runCompletion(_ context.Context, h host, operands []string) error {
	if len(operands) != 1 {
		return usagef("want one shell: %s", games.OneOf(completionShells))
	}
	script, err := completionScripts.ReadFile("completion/qhsh." + operands[0])
	if err != nil {
		return usagef("unknown shell %q: want %s", operands[0], games.OneOf(completionShells))
	}
	_, err = h.Stdout.Write(script)
	return err
}
