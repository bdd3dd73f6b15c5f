package net

import (
	"crypto/sha256"
	_ "embed"
	"sync"

	"qhsh/engine/interruptible"
)

//go:embed weights.net
var embedded []byte

// Embedded returns the network in the program. Its Note says how it was trained.
var Embedded = sync.OnceValue(func() *Weights {
	w, err := decode(embedded)
	if err != nil {
		panic(err) // a test reads it
	}
	return w
})

// EmbeddedChecksum returns the Checksum of Embedded, which its file ends with.
func EmbeddedChecksum() string { return shortSum(embedded[len(embedded)-sha256.Size:]) }

// ReadFile reads a network from a file.
func ReadFile(path string) (*Weights, error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}
