package record

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// The limits of everything that is read from files. A reader needs at most four times its limit of
// memory, whatever the file holds; a text that exceeds one is reported, never cut in silence.
const (
	// MaxLine is the maximum size of a line in bytes: a position, an answer, a line of a trace.
	MaxLine = 1 << 20
	// MaxGame is the maximum size in bytes of a game in a format that is read game by game.
	MaxGame = 32 << 20
	// MaxFile is the maximum size in bytes of a file, after decompression, in a format that is read
	// into memory.
	MaxFile = 64 << 20
	// MaxMoves is the maximum number of moves of a game with its variations; in JSON, of its values.
	MaxMoves = 400_000
	// MaxValues is the maximum number of values, which commas separate, in a line that is not a game.
	MaxValues = 1 << 15
	// MaxPlies is the maximum number of moves of a line.
	MaxPlies = 10_000
	// MaxJoined is the maximum number of comments on one move.
	MaxJoined = 1000
)

// maxMembers is the maximum number of files in an archive.
const maxMembers = 100_000

// A limitError is the error of what exceeds a limit. What follows it is not read, nor kept as a
// comment.
type limitError struct{ text string }

func (e limitError) Error() string { return e.text }

var (
	errGameTooLarge = limitError{"game larger than " + Megabytes(MaxGame) + ": not a game, or split it"}
	errLineTooLong  = limitError{fmt.Sprintf("line of more than %d plies: the rest is ignored", MaxPlies)}
	errJoined       = limitError{fmt.Sprintf("more than %d comments on one move: the rest is ignored", MaxJoined)}
	errValues       = limitError{fmt.Sprintf("line with more than %d values: not a game, or split it", MaxMoves)}
	errArchive      = limitError{fmt.Sprintf("archive of more than %d files: unpack it, and name its folder", maxMembers)}

	// ErrFileTooLarge is the last error of a file of which only the beginning was read.
	ErrFileTooLarge error = limitError{"file larger than " + Megabytes(MaxFile) + ", the limit of its format: only the beginning was read; split it, or convert it to PGN"}
	// ErrTooManyMoves is the error of a game that has more than MaxMoves moves, comments or variations.
	ErrTooManyMoves error = limitError{fmt.Sprintf("game of more than %d moves and variations: the rest is ignored; split the game", MaxMoves)}
)

// Megabytes formats a size in bytes.
func Megabytes(size int) string { return fmt.Sprintf("%d MB", size>>20) }

// Errors are the errors of a game: the first, and the number of all. Those of moves that a comment
// keeps come last.
type Errors struct {
	Line  int // of the first, as AddAt was given it
	err   error
	count int
}

// Add adds an error; nil is a no-op. It reports whether it is the first so far.
func (e *Errors) Add(err error) (first bool) {
	if err == nil {
		return false
	}
	e.count++
	first = e.count == 1 || IsDropped(e.err) && !IsDropped(err)
	if first {
		e.err = err
	}
	return first
}

// AddAt is Add for an error at a line.
func (e *Errors) AddAt(line int, err error) {
	if e.Add(err) {
		e.Line = line
	}
}

// First returns the first error; nil if there are none.
func (e *Errors) First() error { return e.err }

// Err returns the first error, with the number of others; nil if there are none.
func (e *Errors) Err() error {
	if e.count < 2 {
		return e.err
	}
	return fmt.Errorf("%w (and %d more)", e.err, e.count-1)
}

// maxPosition is the maximum size of a position in bytes.
const maxPosition = 1 << 12

// collect gives back what the reading of a text of so many bytes has left, before more memory is used.
func collect(size int) {
	if size >= MaxGame/8 {
		debug.FreeOSMemory()
	}
}

// IsLimit reports whether an error is that of what exceeds a limit.
func IsLimit(err error) bool {
	_, ok := errors.AsType[limitError](err)
	return ok
}
