package pluginclient

import _ "embed"

// Protocols describes to the users of qhsh how it speaks each protocol, in Markdown.
//
//go:embed PROTOCOLS.md
var Protocols string
