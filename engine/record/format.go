package record

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// A Format is a file format for games.
type Format struct {
	Name       string   // in lower case, as a user selects it
	Extensions []string // with the dot, in lower case

	// Detect reports whether a file that begins with head has this format. UTF-16 has been decoded.
	Detect func(head []byte) bool
	// Read yields the games of a file.
	Read func(s *Source, yield func(*Game, error) bool)
	// Write writes a game; nil: the format is read-only.
	Write func(o *Output, g *Game) error
	// Finish writes what depends on all games, after the last one; nil: nothing does. A file with such a part says
	// more than its games do, such as its name, which is not read.
	Finish func(o *Output) error
	// Binary is set if files are not text.
	Binary bool
}

// CanWrite reports whether games can be written in this format.
func (f *Format) CanWrite() bool { return f.Write != nil }

// A Source is a file that is being read.
type Source struct {
	Decoder
	lib       *Library
	name      string
	r         *bufio.Reader
	raw       *bufio.Reader // r before the decoding of UTF-16
	maxSize   int64         // maximum size of a file that is read into memory
	truncated bool          // the file is larger
}

// newSource returns the source of a file's games.
func (l *Library) newSource(r io.Reader, name string, most int64) *Source {
	s := &Source{lib: l, name: name, maxSize: most}
	if l.onGuess != nil {
		s.onGuess = func(encoding string) {
			l.onGuess(name, encoding)
			s.onGuess = nil
		}
	}
	s.open(bufio.NewReaderSize(r, peekSize))
	return s
}

// open starts to read a file, or the part of one that has another encoding than the part before.
func (s *Source) open(raw *bufio.Reader) {
	s.raw, s.r, s.named = raw, raw, s.lib.encoding
	head, _ := raw.Peek(peekSize)
	enc := utf16Of(head)
	switch {
	case enc != nil || s.named == nil:
	case s.named.name == "utf-16le":
		enc = littleEndian
	case s.named.name == "utf-16be":
		enc = bigEndian
	}
	if enc != nil {
		s.r, s.named = readUTF16(raw, enc), UTF8
	}
}

// peekSize is the number of bytes used to detect the format of a file.
const peekSize = 1 << 16

// LineError returns an error at a line of the file, from 1; nil if err is nil. game is 0 if the file holds one game.
func (s *Source) LineError(game, line int, err error) error {
	if err == nil {
		return nil
	}
	return &Error{File: s.name, Game: game, Line: line, Offset: -1, Err: err}
}

// ByteError returns an error at a byte of the file; nil if err is nil.
func (s *Source) ByteError(game int, offset int64, err error) error {
	if err == nil {
		return nil
	}
	return &Error{File: s.name, Game: game, Offset: offset, Err: err}
}

// FileError wraps an error with the file's name.
func (s *Source) FileError(err error) error {
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// Whole returns the Read of a format whose files are read into memory, up to the maximum size.
func Whole(read func(s *Source, raw []byte, yield func(*Game, error) bool)) func(*Source, func(*Game, error) bool) {
	return func(s *Source, yield func(*Game, error) bool) {
		raw, err := io.ReadAll(io.LimitReader(s.r, s.maxSize+1))
		if err != nil {
			yield(nil, s.FileError(err))
			return
		}
		collect(len(raw))
		s.truncated = int64(len(raw)) > s.maxSize
		read(s, raw[:min(int64(len(raw)), s.maxSize)], yield)
	}
}

// WholeText is Whole for texts, which it decodes.
func WholeText(read func(s *Source, text string, yield func(*Game, error) bool)) func(*Source, func(*Game, error) bool) {
	return Whole(func(s *Source, raw []byte, yield func(*Game, error) bool) {
		text := s.Decode(raw)
		collect(len(text))
		read(s, text, yield)
	})
}

// Position parses a start position; "" is the start of a game.
func (s *Source) Position(text string) (engine.Position, error) { return s.lib.position(text) }

// Moves reads a game's moves, which may be written as in PGN. given is the text of the start
// position, empty if the file has none. line is the line of the error within the text, from 0.
func (s *Source) Moves(text string, start engine.Position, given string) (g *Game, line int, err error) {
	t := s.lib.readMoveText(text, start, given)
	t.game.Result = t.result
	return t.game, t.errs.Line, t.errs.Err()
}

// An Output is where games are written.
type Output struct {
	io.Writer
	Notation string // name of the notation of moves; empty: the default
	Number   int    // of the current game, from 1
	Held     []byte // what Write leaves to Finish
	lib      *Library
	lost     []string
}

// Lose records that the format cannot hold a part of the game, such as "comments". A format that is
// moves alone says nothing: its name does.
func (o *Output) Lose(what string) {
	if !slices.Contains(o.lost, what) {
		o.lost = append(o.lost, what)
	}
}

// LoseTag records that the format cannot hold a tag.
func (o *Output) LoseTag(name string) { o.Lose("the tag " + name) }

// Line returns a text escaped to stay on one line, for formats that people read. What is escaped is
// recorded as lost.
func (o *Output) Line(text string) string { return o.escape(text, printable.Line) }

// Text is like Line, but tabs and line ends stay.
func (o *Output) Text(text string) string { return o.escape(text, printable.Text) }

func (o *Output) escape(text string, escape func(string) string) string {
	shown := escape(text)
	if shown != text {
		o.Lose("control characters (escaped)")
	}
	return shown
}
