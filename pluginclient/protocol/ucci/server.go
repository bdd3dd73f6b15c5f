package ucci

import (
	"context"
	"io"
	"time"

	"qhsh/pluginclient/protocol/ucifamily"
)

// Serve makes a Searcher of Xiangqi an engine that speaks UCCI. It accepts a draw offer if its own
// score is negative. "probe" is answered as if the hash table were empty. It also offers multipv,
// and level if the Searcher has levels.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s ucifamily.ServerConfig) error {
	return ucifamily.Serve(ctx, in, out, dialect, s)
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s ucifamily.ServerConfig) ucifamily.Program { return ucifamily.InProcess(dialect, s) }

var dialect = ucifamily.Dialect{
	Greeting:      "ucci",
	RemarkWord:    "message",
	IdleStop:      "nobestmove", // section 3, note 6
	Bye:           "bye",
	HoldsInfinite: false, // section 5.10: a mate ends it, too
	Options:       options,
	IgnoreUnknown: func(string) bool { return true }, // section 5.7: a host need not check the offered options
	Commands: map[string]func(*ucifamily.ServerConn, []string){
		"banmoves": func(c *ucifamily.ServerConn, args []string) {
			if pos := c.Position(); pos != nil {
				c.SetBan(ucifamily.ReadMoves(pos, args))
			}
		},
		"probe": func(c *ucifamily.ServerConn, _ []string) { c.WriteLines("pophash") },
	},
	ReadSetOption:  readSetOption,
	ReadGo:         readGo,
	FormatOption:   formatOption,
	FormatInfo:     formatInfo,
	FormatBestMove: formatBestMove,
}

func options(c *ucifamily.ServerConn) []ucifamily.Setter {
	check := func(name, def string, set func(on bool)) ucifamily.Setter {
		option := ucifamily.Option{Name: name, Kind: ucifamily.Check, Default: def}
		return ucifamily.Setter{Option: option, Set: func(value string) error {
			set(value == "true")
			return nil
		}}
	}
	newGame := ucifamily.Option{Name: "newgame", Kind: ucifamily.Button}
	return []ucifamily.Setter{
		check(useMillisec, "true", func(on bool) { c.Seconds = !on }),
		check("batch", "false", func(on bool) { c.Batch = on }),
		check("ponder", "false", func(bool) {}),
		c.MultiPVSetter("multipv"),
		{Option: newGame, Set: func(string) error {
			c.Forget()
			return nil
		}},
	}
}

// goParser parses the arguments of "go".
type goParser struct {
	words    []string
	unit     time.Duration
	g        ucifamily.Go
	clock    ucifamily.Clock
	hasTime  bool
	hasClock bool // the time is for more than one move
}

// readGo parses the arguments of "go". It ignores unknown words, and limits whose number is missing
// or invalid. A number that is too small or too large is clamped. "depth 0" asks for a static
// score, which a Searcher does not have.
func readGo(c *ucifamily.ServerConn, args []string) ucifamily.Go {
	r := goParser{words: args, unit: time.Millisecond}
	if c.Seconds {
		r.unit = time.Second
	}
	for len(r.words) > 0 {
		r.item()
	}
	r.g.Limits.Ban = c.Ban()
	switch {
	case r.hasTime && (!r.hasClock || r.clock.Moves == 1):
		r.g.Limits.Time = max(r.clock.Left, time.Millisecond)
	case r.hasTime:
		r.g.Limits.Time = r.clock.Budget()
	}
	r.g.Infinite = r.g.Infinite || !r.g.Limited()
	return r.g
}

func (r *goParser) item() {
	word := r.words[0]
	r.words = r.words[1:]
	switch word {
	case "ponder":
		r.g.Ponder = true
	case "draw":
		r.g.Draw = true
	case "infinite":
		r.g.Infinite = true
	case "depth":
		if depth, ok := r.number(); ok {
			r.g.Nothing = depth == 0
			r.g.Limits.Depth = int(min(depth, 1<<20))
		}
	case "nodes":
		if n, ok := r.number(); ok {
			r.g.Limits.Nodes = max(n, 1)
		}
	case "time":
		r.hasTime = r.parseTime(&r.clock.Left) || r.hasTime
	case "increment":
		r.hasClock = r.parseTime(&r.clock.Increment) || r.hasClock
	case "movestogo":
		if n, ok := r.number(); ok {
			r.hasClock, r.clock.Moves = true, int(max(1, min(n, 1000)))
		}
	}
}

// parseTime parses a number in the host's unit, if there is one.
func (r *goParser) parseTime(to *time.Duration) bool {
	const most = 1 << 30 // some decades
	n, ok := r.number()
	if ok {
		*to = time.Duration(min(n, most)) * r.unit
	}
	return ok
}

// number parses a number of at least 0, if there is one.
func (r *goParser) number() (n int64, ok bool) {
	n, r.words, ok = ucifamily.TakeNumber(r.words)
	return n, ok
}
