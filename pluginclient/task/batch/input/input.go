// Package input reads positions from files of several formats, plain or compressed.
//
// The formats are lines as [batch.Parse] reads them (FEN, EPD, either with moves), JSON lines, and
// CSV with a header. The format is known by the file name's extension, or else by the first line;
// the compression by the first bytes. With Options.Games, files of games of every format are read as
// their positions, too. [Open] returns a [batch.Source] for any of them. It streams,
// and buffers at most a line, of which it keeps no more than [batch.MaxLine] bytes, or a table row,
// which [CSVReader] bounds. So memory does not grow with the input, and a program that writes a
// position and waits for its answer gets one.
//
// A problem with one position is that Item's Err. An error of Open or Next, such as a truncated
// stream or a missing column, ends the reading and names the file and the line.
package input

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// The formats that Options can name. FEN and EPD are read alike, line by line.
const (
	FEN  = "fen"
	EPD  = "epd"
	JSON = "json"
	CSV  = "csv"

	gamesFormat = "games" // the format of any file of games, which Options cannot name
)

// FormatList returns the names of the formats.
func FormatList() []string { return []string{FEN, EPD, JSON, CSV} }

// DefaultColumn is the default column of positions in a table.
const DefaultColumn = "fen"

// Options describe a stream.
type Options struct {
	Name   string // of the file, for errors; its extension may determine the format
	Label  string // the File of every Item
	Format string // empty: detected
	Column string // the column of positions in a table; empty: DefaultColumn
	// Records recognizes files of games, which are a *GamesError unless Format is given; nil: they
	// are read as positions.
	Records *record.Library
	// Games reads files of games, of Records, as the positions of their main lines.
	Games bool
	// OnRead is called with every Item that Next returns. It may be nil.
	OnRead func(batch.Item)
	// OnDropped is called with the error of each game that Records, which are lenient, keep moves of
	// as a comment. It may be nil.
	OnDropped func(error)
}

// A GamesError is the error of a file of games that is opened as a file of positions.
type GamesError struct {
	Format string // name of the format of games
}

func (e *GamesError) Error() string {
	return fmt.Sprintf("a file of games (%s), not of positions", e.Format)
}

// A Source is a [batch.Source] that reads a stream.
type Source struct {
	reader
	Options // the Format is that of the stream
	closers []io.Closer
}

type reader interface {
	batch.Source
	// Skip skips a position without parsing it. It returns io.EOF if there is none.
	Skip() error
}

// Open returns a Source for a stream.
func Open(game engine.Game, r io.Reader, o Options) (*Source, error) {
	o.Column = cmp.Or(o.Column, DefaultColumn)
	decompress := Decompress
	if o.Games && o.Format == "" { // files of games may be in any binary format
		decompress = Unpack
	}
	plain, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	raw := bufio.NewReaderSize(plain, peekSize)
	in := record.FromUTF16(raw)
	if in != raw && o.Records != nil { // what the user says of the encoding is done
		o.Records = o.Records.WithEncoding(record.UTF8)
	}
	detected := o.Format == ""
	if detected {
		o.Format = DetectFormat(o.Name, in, o.Column)
	}
	if detected && o.Games && o.hasGames(game, in) {
		o.Format = gamesFormat
		next, stop := iter.Pull(o.gameItems(in))
		src := gameReader{next, stop}
		return &Source{src, o, []io.Closer{src, plain}}, nil
	}
	src, err := o.open(game, in)
	if detected && err == nil {
		err = o.refuseGames(game, in)
	}
	if err != nil {
		_ = plain.Close() // it was only read
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	return &Source{src, o, []io.Closer{plain}}, nil
}

// refuseGames returns a *GamesError if a stream of lines, of which the first has been buffered, is
// a file of games. A line of positions may look like one after its first.
func (o Options) refuseGames(game engine.Game, in *bufio.Reader) error {
	if o.Records == nil || o.Format != FEN {
		return nil
	}
	head, _ := in.Peek(in.Buffered())
	line, _ := findLine(string(head))
	f := o.Records.DetectFormat(head)
	if f == record.Moves || batch.Parse(game, line).Err == nil {
		return nil
	}
	return &GamesError{f.Name}
}

func (o Options) open(game engine.Game, in io.Reader) (reader, error) {
	switch o.Format {
	case CSV:
		return newTable(game, in, o)
	case JSON:
		return batch.NewLinesOf(o.Label, in, func(line string) batch.Item {
			record, err := readJSON(line)
			if err != nil {
				return batch.Item{Input: batch.Excerpt(line), Err: err, ID: record.ID, IDNumber: record.IDNumber, Fields: record.Fields}
			}
			return record.Item(game)
		}), nil
	}
	return batch.NewLines(game, o.Label, in), nil
}

// Close closes the decompressor, but not the stream that was opened.
func (s *Source) Close() (err error) {
	for _, one := range s.closers {
		err = errors.Join(err, one.Close())
	}
	return err
}

// Next returns the next position.
func (s *Source) Next() (batch.Item, error) {
	item, err := s.reader.Next()
	if err == nil && s.OnRead != nil {
		s.OnRead(item)
	}
	return item, s.wrap(err)
}

// Count returns the number of remaining positions, which it reads without parsing them.
func (s *Source) Count() (total int, err error) {
	for {
		switch err := s.Skip(); {
		case err == io.EOF:
			return total, nil
		case err != nil:
			return total, s.wrap(err)
		}
		total++
	}
}

// wrap adds the name of the file to an error.
func (s *Source) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

// peekSize is how much of a stream is examined to detect its format.
const peekSize = 64 << 10

// extensions are those of position files, with their formats. A file with one of FEN may have another format.
var extensions = map[string]string{
	".fen": FEN, ".txt": FEN, ".epd": EPD, ".csv": CSV, ".tsv": CSV, ".jsonl": JSON, ".json": JSON, ".ndjson": JSON,
}

// formatByExtension returns the format of a file by its name, compressed or not; "" if its extension is unknown.
func formatByExtension(name string) string {
	return extensions[strings.ToLower(filepath.Ext(TrimCompressedExt(name)))]
}

// DetectFormat returns a stream's format without consuming any of it: by the file name's extension,
// or else by the first line that is neither blank nor a comment. A table is recognized by its
// header, which has the column. It reads no further than necessary.
func DetectFormat(name string, in *bufio.Reader, column string) string {
	if format := formatByExtension(name); format != "" && format != FEN {
		return format
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

// HasKnownExt reports whether a file name has the extension of a position file, compressed or not.
func HasKnownExt(name string) bool { return formatByExtension(name) != "" }

// TrimCompressedExt returns a file name without the extension of a compression.
func TrimCompressedExt(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// firstLine returns the first line that is neither blank nor a comment, as far as it fits into the
// buffer; "" if the stream ends or fails before. A later read reports the failure.
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

// findLine returns the first line that is neither blank nor a comment; whole reports whether its
// end was found.
func findLine(text string) (line string, whole bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	for text != "" {
		i := strings.IndexAny(text, "\r\n")
		if whole = i >= 0; whole {
			line, text = text[:i], text[i+1:]
		} else {
			line, text = text, ""
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line, whole
		}
	}
	return "", false
}
