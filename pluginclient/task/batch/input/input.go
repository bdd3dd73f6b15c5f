// Package input reads positions from files of several forms, plain or compressed.
//
// The forms are lines, as [batch.Parse] reads them (FEN, EPD, either with moves), JSON
// lines, and CSV with a header. Which one a file has is told by its name's extension, or
// else found by its first line; how it is compressed is found by its first bytes.
// [Open] makes a [batch.Source] of any of them. It reads a stream as it comes and keeps
// no more of it than a line, of which no more than [batch.MaxLine] bytes, or than a row
// of a table, which [Records] bounds. So memory does not grow with the input, and a
// program that writes a position and waits for its answer is not left waiting.
//
// What is wrong with one position is that Item's Err. An error of Open or Next ends the
// reading: a stream that breaks off, a table without the column. It names the file and
// the line.
package input

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// The forms that Options can ask for. FEN and EPD are read alike, line by line.
const (
	FEN  = "fen"
	EPD  = "epd"
	JSON = "json"
	CSV  = "csv"
)

// FormatNames are the names of the formats, for a person.
const FormatNames = "fen, epd, json or csv"

// IsFormat reports whether a name is that of a form.
func IsFormat(name string) bool { return slices.Contains([]string{FEN, EPD, JSON, CSV}, name) }

// DefaultColumn is the column of a table in which positions stand.
const DefaultColumn = "fen"

// Options tell about a stream.
type Options struct {
	Name   string // of the file, for errors; its extension may tell the form
	Label  string // the File of every Item
	Format string // empty: found out
	Column string // of a table, in which the positions stand; empty: DefaultColumn
}

// Source is a [batch.Source] that skips positions cheaply. Close closes what
// decompresses, but not the stream that was opened.
type Source interface {
	batch.Source
	batch.Skipper
	io.Closer
	// Format is the form that the stream has.
	Format() string
}

// Open makes a Source of a stream.
func Open(game engine.Game, r io.Reader, o Options) (Source, error) {
	if o.Column == "" {
		o.Column = DefaultColumn
	}
	plain, err := Decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	in := bufio.NewReaderSize(plain, peekSize)
	if o.Format == "" {
		o.Format = DetectFormat(o.Name, in, o.Column)
	}
	src, err := o.open(game, in)
	if err != nil {
		_ = plain.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	return named{src, o, plain}, nil
}

type skippingSource interface {
	batch.Source
	batch.Skipper
}

func (o Options) open(game engine.Game, in io.Reader) (skippingSource, error) {
	switch o.Format {
	case CSV:
		return newTable(game, in, o)
	case JSON:
		return batch.NewLinesOf(o.Label, in, func(line string) batch.Item { return parseJSON(game, line) }), nil
	}
	return batch.NewLines(game, o.Label, in), nil
}

// named is a source whose errors name the file.
type named struct {
	skippingSource
	Options
	io.Closer
}

func (n named) Format() string { return n.Options.Format }

func (n named) Next() (batch.Item, error) {
	item, err := n.skippingSource.Next()
	return item, n.wrap(err)
}

func (n named) Skip(count int) (int, error) {
	passed, err := n.skippingSource.Skip(count)
	return passed, n.wrap(err)
}

func (n named) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %w", n.Name, err)
}

// peekSize is how much of a stream is looked at to find out its form.
const peekSize = 64 << 10

// DetectFormat returns the form of a stream, of which it takes nothing away: that of its name's
// extension, or else of its first line that is neither blank nor a comment. A table is
// known by its header, which has the column. It looks no farther than it must.
func DetectFormat(name string, in *bufio.Reader, column string) string {
	switch strings.ToLower(filepath.Ext(TrimCompressedExt(name))) {
	case ".csv", ".tsv":
		return CSV
	case ".jsonl", ".json", ".ndjson":
		return JSON
	case ".epd":
		return EPD
	}
	line := firstLine(in)
	switch {
	case strings.HasPrefix(line, "{"):
		return JSON
	case isHeader(line, column):
		return CSV
	}
	return FEN
}

// HasKnownExt reports whether a name is one that files of positions have, compressed or not.
func HasKnownExt(name string) bool {
	switch strings.ToLower(filepath.Ext(TrimCompressedExt(name))) {
	case ".fen", ".epd", ".txt", ".csv", ".tsv", ".jsonl", ".json", ".ndjson":
		return true
	}
	return false
}

// TrimCompressedExt returns a file's name without the extension of a compressed file.
func TrimCompressedExt(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// firstLine returns the first line that says something, or as much of it as there is room
// for. It is empty if the stream ends or breaks off before: whoever reads it gets to know.
func firstLine(in *bufio.Reader) string {
	for n := 1; ; n = in.Buffered() + 1 {
		_, err := in.Peek(min(n, peekSize))
		seen, _ := in.Peek(in.Buffered())
		line, whole := findLine(string(seen))
		if whole || err != nil || n > peekSize {
			return line
		}
	}
}

// findLine finds the first line that says something; whole tells that its end is there.
func findLine(text string) (line string, whole bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	for text != "" {
		line, text, whole = strings.Cut(text, "\n")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line, whole
		}
	}
	return "", false
}
