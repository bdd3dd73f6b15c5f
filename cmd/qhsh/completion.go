package main

import (
	"context"
	"embed"
	"flag"

	"qhsh/engine/games"
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
		complete: func(_ host, operands []string, _ string) []candidate {
			if len(operands) > 0 {
				return nil
			}
			return wordCandidates(completionShells)
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
