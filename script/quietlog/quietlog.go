// Package quietlog turns the log of the standard library off until package script turns it on again.
// The Starlark interpreter, when it is initialized, logs that it has no 4 GiB of address space for
// its integers, as under a limit of the shell. Scripts work without.
//
// Packages are initialized in the order of their import paths, as soon as what they import is. This
// one imports so little that it is before the interpreter; a test of cmd/qhsh checks that.
package quietlog

import (
	"io"
	"log"
)

func init() { log.SetOutput(io.Discard) }
