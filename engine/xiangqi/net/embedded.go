package net

import (
	"bytes"
	"compress/gzip"
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

// small is the file of a network with 16 neurons, and 48 that do nothing, because the kernels want 64;
// compressed, these take no room. It was trained once, by engine/lab/train with the flags in its Note, on
// games of the networks g2 to g4, by a program in which 16 was one of HiddenSizes.
//
//go:embed small.net.gz
var small []byte

// Small returns a network that never changes, whatever Embedded becomes: for what must stay the same, such
// as expected outputs. It is much weaker.
var Small = sync.OnceValue(func() *Weights {
	r, err := gzip.NewReader(bytes.NewReader(small))
	if err != nil {
		panic(err) // a test reads it
	}
	w, err := Read(r)
	if err != nil {
		panic(err)
	}
	return w
})

// ReadFile reads a network from a file.
func ReadFile(path string) (*Weights, error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}
