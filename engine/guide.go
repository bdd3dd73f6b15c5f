package engine

import _ "embed"

// Guide describes the games to the users of qhsh: positions, moves, options, in Markdown.
//
//go:embed GAMES.md
var Guide string
