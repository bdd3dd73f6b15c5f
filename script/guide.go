package script

import _ "embed"

// Guide describes scripts to their authors, in Markdown.
//
//go:embed GUIDE.md
var Guide string
