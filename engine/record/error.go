package record

import "fmt"

// An Error is the error of a damaged file and its location.
type Error struct {
	File   string
	Game   int   // from 1; 0 if the file holds one game, or unknown
	Line   int   // in a text file, from 1; 0 if the location is a byte offset
	Offset int64 // from the start of the file; -1 if unknown
	Err    error
}

func (e *Error) Error() string {
	place := e.File
	switch {
	case e.Line > 0 && place == "":
		place = fmt.Sprintf("line %d", e.Line)
	case e.Line > 0:
		place += fmt.Sprintf(":%d", e.Line)
	}
	if place != "" {
		place += ": "
	}
	if e.Game > 0 {
		place += fmt.Sprintf("game %d: ", e.Game)
	}
	if e.Line == 0 && e.Offset >= 0 {
		place += fmt.Sprintf("byte %#x: ", e.Offset)
	}
	return place + e.Err.Error()
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }
