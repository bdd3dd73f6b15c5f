package repl

import _ "embed"

// Guide describes the shell to its users, in Markdown.
//
//go:embed SHELL.md
var Guide string
