package uci

import (
	"context"
	"io"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// Serve makes a Searcher of Xiangqi an engine that speaks UCI. It also supports "d", which draws
// the board, and "go perft N". It offers MultiPV and Ponder, and Level if the Searcher has levels.
// UCI_Variant, which some hosts set without checking, is ignored.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s ucifamily.ServerConfig) error {
	return ucifamily.Serve(ctx, in, out, dialect, s)
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s ucifamily.ServerConfig) ucifamily.Program { return ucifamily.InProcess(dialect, s) }

var dialect = ucifamily.Dialect{
	Greeting:      "uci",
	RemarkWord:    "string",
	HoldsInfinite: true,
	Options:       options,
	IgnoreUnknown: func(option string) bool { return strings.HasPrefix(option, "UCI_") },
	Commands: map[string]func(*ucifamily.ServerConn, []string){
		"ucinewgame": func(c *ucifamily.ServerConn, _ []string) { c.Forget() },
		"d":          drawBoard,
		"debug":      func(*ucifamily.ServerConn, []string) {},
		"register":   func(*ucifamily.ServerConn, []string) {},
	},
	ReadSetOption:  readSetOption,
	ReadGo:         readGo,
	FormatOption:   formatOption,
	FormatInfo:     formatInfo,
	FormatBestMove: formatBestMove,
}

func options(c *ucifamily.ServerConn) []ucifamily.Setter {
	ponder := ucifamily.Option{Name: "Ponder", Kind: ucifamily.Check, Default: "false"}
	return []ucifamily.Setter{c.MultiPVSetter("MultiPV"), {Option: ponder}}
}

// drawBoard implements "d", which draws the board, as in Stockfish.
func drawBoard(c *ucifamily.ServerConn, _ []string) {
	pos := c.Position()
	if pos == nil {
		c.Remark("there is no position")
		return
	}
	lines := strings.Split(strings.TrimRight(pos.Diagram(), "\n"), "\n")
	c.WriteLines(append(lines, "", "Fen: "+pos.String())...)
}

// goParser parses the arguments of "go".
type goParser struct {
	words   []string
	pos     *xiangqi.Position // may be nil
	g       ucifamily.Go
	clock   ucifamily.Clock
	hasTime bool // clock is valid
}

// readGo parses the arguments of "go". It ignores unknown words, and limits whose number is missing
// or invalid. A number that is too small or too large is clamped.
func readGo(c *ucifamily.ServerConn, args []string) ucifamily.Go {
	r := goParser{words: args, pos: c.Position()}
	for len(r.words) > 0 {
		r.item()
	}
	if r.hasTime {
		r.g.Limits = r.g.Limits.Within(engine.Limits{Time: r.clock.Budget()})
	}
	r.g.Infinite = r.g.Infinite || !r.g.Limited() && !r.g.Ponder
	return r.g
}

func (r *goParser) item() {
	word := r.words[0]
	r.words = r.words[1:]
	switch word {
	case "ponder":
		r.g.Ponder = true
	case "infinite":
		r.g.Infinite = true
	case "depth":
		r.count(&r.g.Limits.Depth, 1<<20)
	case "nodes":
		if n, ok := r.number(); ok {
			r.g.Limits.Nodes = max(n, 1)
		}
	case "movetime":
		if n, ok := r.number(); ok {
			r.g.Limits.Time = time.Duration(max(n, 1)) * time.Millisecond
		}
	case "mate":
		r.count(&r.g.Mate, 1<<20)
	case "perft":
		r.g.Perft = 1 // not a search even without a number
		r.count(&r.g.Perft, 20)
	case "movestogo":
		if n, ok := r.number(); ok {
			r.clock.Moves = int(min(n, 1000))
		}
	case "searchmoves":
		r.searchMoves()
	default:
		r.parseClock(word)
	}
}

// parseClock parses the clock of the side to move.
func (r *goParser) parseClock(word string) {
	own := byte('w')
	if r.pos != nil && r.pos.Side() == xiangqi.Black {
		own = 'b'
	}
	switch word {
	case "wtime", "btime":
		if left, ok := r.number(); ok && word[0] == own {
			r.hasTime, r.clock.Left = true, time.Duration(left)*time.Millisecond
		}
	case "winc", "binc":
		if inc, ok := r.number(); ok && word[0] == own {
			r.clock.Increment = time.Duration(inc) * time.Millisecond
		}
	}
}

// count parses a number, clamped to 1 to most, if there is one.
func (r *goParser) count(to *int, most int64) {
	if n, ok := r.number(); ok {
		*to = int(min(max(n, 1), most))
	}
}

// number parses a number of at least 0, if there is one.
func (r *goParser) number() (n int64, ok bool) {
	n, r.words, ok = ucifamily.TakeNumber(r.words)
	return n, ok
}

// searchMoves parses the moves that follow. If none of them is legal, all legal moves are allowed.
func (r *goParser) searchMoves() {
	n := 0
	for n < len(r.words) && ucifamily.IsMove(r.words[n]) {
		n++
	}
	texts := r.words[:n]
	r.words = r.words[n:]
	if r.pos == nil {
		return
	}
	if only := ucifamily.ReadMoves(r.pos, texts); len(only) > 0 {
		r.g.Limits.Ban = except(r.pos.Moves(), only)
	}
}
