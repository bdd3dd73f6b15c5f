package analyze

import _ "embed"

// Schema is the JSON Schema of the lines of the input and of the output.
//
//go:embed schema.json
var Schema string
