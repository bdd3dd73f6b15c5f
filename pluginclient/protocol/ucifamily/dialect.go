package ucifamily

import (
	"time"

	"qhsh/engine"
)

// A Dialect describes the server side of UCI or UCCI.
type Dialect struct {
	Greeting      string // the first command; the introduction ends with this and "ok"
	RemarkWord    string // stands after "info" before a text for people
	IdleStop      string // answers "stop" when there is nothing to stop; may be empty
	Bye           string // answers "quit"; may be empty
	HoldsInfinite bool   // the answer to an endless search that ends by itself waits for "stop"

	// Options returns the options that every server of the protocol has. IgnoreUnknown reports
	// whether hosts set an option even if it is not offered, so that no remark is needed.
	Options       func(c *ServerConn) []Setter
	IgnoreUnknown func(option string) bool
	// Commands are those that the other protocol does not have.
	Commands map[string]func(c *ServerConn, args []string)

	// ReadSetOption reads what follows the word "setoption", and ReadGo what follows "go".
	ReadSetOption func(fields []string) (name, value string)
	ReadGo        func(c *ServerConn, args []string) Go

	// FormatOption is the line by which an option is offered.
	FormatOption func(Option) string
	// FormatInfo are the lines that tell of a list, best first, after some time. want is how
	// many lines there would be at best.
	FormatInfo func(lines []engine.Line, spent time.Duration, want int) []string
	// FormatBestMove is the line that answers. Without a line there is no move.
	FormatBestMove func(best *engine.Line, drawn bool) string
}
