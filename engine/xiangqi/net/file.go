package net

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// A file of weights, version 1, in little-endian integers:
//
//	8 bytes  "qhshnet" and the version as a byte
//	uint16   Features, Buckets, QA, QB
//	uint16   Hidden, Scale
//	uint16   length of the name, and the name
//	uint16   length of the note, and the note
//	int16    Bias, Feature, Output
//	int32    OutputBias
//	32 bytes SHA-256 of all that

// Extension is the extension of files of weights.
const Extension = ".net"

const (
	magic       = "qhshnet"
	fileVersion = 1
	maxFileSize = 1 << 20 // bytes, beyond any valid file
)

// shape is what the weights of a file are for.
var shape = [4]uint16{Features, Buckets, QA, QB}

// Write writes the weights as a file.
func (w *Weights) Write(out io.Writer) error {
	b, err := w.encode()
	if err == nil {
		_, err = out.Write(b)
	}
	if err != nil {
		return fmt.Errorf("net: write weights: %w", err)
	}
	return nil
}

// Checksum returns the first 16 hexadecimal digits of the checksum at the end of the file.
func (w *Weights) Checksum() string {
	sum := sha256.Sum256(w.body())
	return shortSum(sum[:])
}

func shortSum(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// encode returns the file.
func (w *Weights) encode() ([]byte, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	b := w.body()
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// body returns the file without its checksum.
func (w *Weights) body() []byte {
	var b []byte
	add := func(values any) { b, _ = binary.Append(b, binary.LittleEndian, values) } // fixed sizes: no error
	b = append(append(b, magic...), fileVersion)
	add(shape)
	add([2]uint16{uint16(w.Hidden), uint16(w.Scale)})
	for _, text := range []string{w.Name, w.Note} {
		add(uint16(len(text)))
		b = append(b, text...)
	}
	for _, values := range [][]int16{w.Bias, w.Feature, w.Output} {
		add(values)
	}
	add(w.OutputBias)
	return b
}

// Read reads a file of weights.
func Read(in io.Reader) (*Weights, error) {
	b, err := io.ReadAll(io.LimitReader(in, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("net: read weights: %w", err)
	}
	w, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("net: read weights: %w", err)
	}
	return w, nil
}

var errDamaged = errors.New("file is truncated or damaged: its checksum is wrong")

// decode returns the weights of a file.
func decode(b []byte) (*Weights, error) {
	if len(b) <= len(magic) || string(b[:len(magic)]) != magic {
		return nil, errors.New("not a file of network weights")
	}
	if v := b[len(magic)]; v != fileVersion {
		return nil, fmt.Errorf("version %d: this program reads version %d", v, fileVersion)
	}
	if len(b) < sha256.Size || len(b) > maxFileSize {
		return nil, errDamaged
	}
	body, sum := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(sum, want[:]) {
		return nil, errDamaged
	}
	w, err := parse(body[len(magic)+1:])
	if err != nil {
		return nil, err
	}
	return w, w.Validate()
}

// parse reads what stands between version and checksum.
func parse(b []byte) (*Weights, error) {
	take := func(value any) error {
		n, err := binary.Decode(b, binary.LittleEndian, value)
		b = b[n:]
		return err
	}
	var head struct {
		Shape         [4]uint16
		Hidden, Scale uint16
	}
	if err := take(&head); err != nil {
		return nil, err
	}
	if head.Shape != shape {
		return nil, fmt.Errorf("features, buckets and units are %d: this program reads %d", head.Shape, shape)
	}
	if err := validateHidden(int(head.Hidden)); err != nil {
		return nil, err
	}
	w := NewWeights(int(head.Hidden))
	w.Scale = int(head.Scale)
	for _, text := range []*string{&w.Name, &w.Note} {
		var n uint16
		if err := take(&n); err != nil {
			return nil, err
		}
		letters := make([]byte, n)
		if err := take(letters); err != nil {
			return nil, err
		}
		*text = string(letters)
	}
	for _, values := range []any{w.Bias, w.Feature, w.Output, &w.OutputBias} {
		if err := take(values); err != nil {
			return nil, err
		}
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes too many", len(b))
	}
	return w, nil
}
