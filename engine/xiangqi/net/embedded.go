package net

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed weights.net
var embedded []byte

// Embedded returns the network in the program. Its Note says how it was trained.
var Embedded = sync.OnceValue(func() *Weights {
	w, err := Read(bytes.NewReader(embedded))
	if err != nil {
		panic(err) // a test reads it
	}
	return w
})
