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
		help: `Completes commands, flags and their values, SPECs with their options and the names of
engines.json, files by their extensions, and the flags of a script of 'qhsh run'. The script
asks qhsh itself. Load it when the shell starts:

  bash   echo 'source <(qhsh completion bash)' >> ~/.bashrc
         with the bash of macOS: eval "$(qhsh completion bash)"
  zsh    echo 'source <(qhsh completion zsh)' >> ~/.zshrc
         after compinit; or write the script to the file _qhsh in a folder of fpath
  fish   qhsh completion fish > ~/.config/fish/completions/qhsh.fish

Examples:
  qhsh completion bash
`,
		setup: func(*flag.FlagSet, games.Table) action { return runCompletion },
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
