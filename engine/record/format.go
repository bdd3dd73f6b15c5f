package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
)

// A Format is a way in which games are kept in a file.
type Format struct {
	Name       string   // in lower case, as a user chooses it
	Extensions []string // of files in this form, with the dot, in lower case

	// Detect tells by the beginning of a file, of which UTF-16 has been decoded, whether it has
	// this form.
	Detect func(head []byte) bool
	// Read yields the games of a file, until there are no more or none is wanted.
	Read func(s *Source, yield func(*Game, error) bool)
	// Write writes a game; nil: the form is read only.
	Write func(o *Output, g *Game) error
}

// CanWrite reports whether games can be written in this form.
func (f *Format) CanWrite() bool { return f.Write != nil }

// A Source is a file that is being read.
type Source struct {
	Decoder
	lib       *Library
	name      string
	r         *bufio.Reader
	maxSize   int64 // bytes that may be held as a whole
	truncated bool  // there are more
}

// peek is how much of a file is looked at to find out its form.
const peek = 1 << 16

// maxFileSize is how long a file may be that is held as a whole.
const maxFileSize = 1 << 28

var errLarge = errors.New("the file is too large: what is behind its first 256 MB is left out; of this form, files are held as a whole")

// LineError returns an error at a line of the file, from 1. The game is 0 where the file holds one.
func (s *Source) LineError(game, line int, err error) error {
	return &Error{File: s.name, Game: game, Line: line, Offset: -1, Err: err}
}

// ByteError returns an error at a byte of the file.
func (s *Source) ByteError(game int, offset int64, err error) error {
	return &Error{File: s.name, Game: game, Offset: offset, Err: err}
}

// FileError returns the error of a file that cannot be read on.
func (s *Source) FileError(err error) error {
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// ReadAll reads the file to its end, or as much of it as may be held. It is false, and has told
// why, if the file cannot be read.
func (s *Source) ReadAll(yield func(*Game, error) bool) ([]byte, bool) {
	raw, err := io.ReadAll(io.LimitReader(s.r, s.maxSize+1))
	if err != nil {
		yield(nil, s.FileError(err))
		return nil, false
	}
	s.truncated = int64(len(raw)) > s.maxSize
	return raw[:min(int64(len(raw)), s.maxSize)], true
}

// Position reads the text of a game's start; empty: the start of a game.
func (s *Source) Position(text string) (engine.Position, error) { return s.lib.position(text) }

// Moves reads a game's moves, which may be written as in PGN. given is the text of the start
// position, empty where the file has none. The error is at a line of the text, from 0.
func (s *Source) Moves(text string, start engine.Position, given string) (g *Game, line int, err error) {
	t := s.lib.readMoveText(text, start, given)
	t.game.Result = t.result
	return t.game, t.errLine, t.err
}

// An Output is where a form writes games.
type Output struct {
	io.Writer
	Notation string // of the moves, by name; empty: the usual one
	Number   int    // of the game that is being written, from 1
	lib      *Library
}
