// Package examples has positions, scripts and transcripts for trying qhsh, and what Python imports to use it. Its
// tests run all of them.
package examples

import _ "embed"

// Python is a module of Python, one file that needs nothing else, which uses qhsh.
//
//go:embed qhsh.py
var Python string
