package ucifamily

import (
	"time"

	"qhsh/engine"
)

// A Dialect describes the server side of UCI or UCCI.
type Dialect struct {
	Greeting      string // the first command; the introduction ends with this and "ok"
	RemarkWord    string // the word between "info" and a text for the user
	IdleStop      string // answers "stop" when there is nothing to stop; may be empty
	Bye           string // answers "quit"; may be empty
	HoldsInfinite bool   // the answer to an infinite search waits for "stop" even if the search ends

	// Options returns the options that every server of the protocol has. IgnoreUnknown reports
	// whether hosts set an option even if it is not offered, so that no remark is needed.
	Options       func(c *ServerConn) []Setter
	IgnoreUnknown func(option string) bool
	// Commands are the commands of this protocol only.
	Commands map[string]func(c *ServerConn, args []string)

	// ReadSetOption parses the arguments of "setoption", and ReadGo those of "go".
	ReadSetOption func(fields []string) (name, value string)
	ReadGo        func(c *ServerConn, args []string) Go

	// FormatOption returns the line that offers an option.
	FormatOption func(Option) string
	// FormatInfo returns the info lines for a list, best first, after some time. want is the wanted
	// number of lines.
	FormatInfo func(lines []engine.Line, spent time.Duration, want int) []string
	// FormatBestMove returns the line that ends a search. best is nil if there is no move.
	FormatBestMove func(best *engine.Line, drawn bool) string
}
