package uci

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/universal"
)

// Serve makes a Searcher of Xiangqi an engine that speaks UCI. Beyond the protocol it knows
// "d", which draws the board, and "go perft N". It offers MultiPV and Ponder, and Level where
// the Searcher has levels. Some hosts set UCI_Variant without asking; it is ignored.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s universal.Served) error {
	return universal.Serve(ctx, in, out, spoken, s)
}

// InProcess is a server of this process as an engine.
func InProcess(s universal.Served) universal.Program { return universal.InProcess(spoken, s) }

func (protocol) ServerOptions(h *universal.Host) []universal.Setter {
	ponder := universal.Option{Name: "Ponder", Kind: universal.Check, Default: "false"}
	return []universal.Setter{h.ListSetter("MultiPV"), {Option: ponder}}
}

func (protocol) Silently(option string) bool { return strings.HasPrefix(option, "UCI_") }
func (protocol) RemarkWord() string          { return "string" }
func (protocol) HoldsInfinite() bool         { return true }
func (protocol) IdleStop() string            { return "" }
func (protocol) Bye() string                 { return "" }

func (protocol) Commands() map[string]func(*universal.Host, []string) {
	ignored := func(*universal.Host, []string) {}
	return map[string]func(*universal.Host, []string){
		"ucinewgame": func(h *universal.Host, _ []string) { h.Forget() },
		"d":          show,
		"debug":      ignored,
		"register":   ignored,
	}
}

// show draws the board, as the engines do that their makers look at by hand.
func show(h *universal.Host, _ []string) {
	pos := h.Position()
	if pos == nil {
		h.Remark("there is no position")
		return
	}
	lines := strings.Split(strings.TrimRight(pos.Diagram(), "\n"), "\n")
	h.Say(append(lines, "", "Fen: "+pos.String())...)
}

// goReader reads what follows "go".
type goReader struct {
	words []string
	pos   *xiangqi.Position // may be nil
	g     universal.Go
	clock universal.Clock
	timed bool // there is a clock
}

// ReadGo reads "go". Words that it does not know are passed over, and so are numbers that
// make no sense; what is too small is taken for the smallest that is possible.
func (protocol) ReadGo(h *universal.Host, args []string) universal.Go {
	r := goReader{words: args, pos: h.Position()}
	for len(r.words) > 0 {
		r.item()
	}
	if r.timed {
		r.g.Limits = r.g.Limits.Within(engine.Limits{Time: r.clock.Budget()})
	}
	lim := r.g.Limits
	if lim.Nodes == 0 && lim.Depth == 0 && lim.Time == 0 && r.g.Mate == 0 && !r.g.Ponder {
		r.g.Infinite = true
	}
	return r.g
}

func (r *goReader) item() {
	word := r.words[0]
	r.words = r.words[1:]
	switch word {
	case "ponder":
		r.g.Ponder = true
	case "infinite":
		r.g.Infinite = true
	case "depth":
		r.g.Limits.Depth = int(min(r.atLeast(1), 1<<20))
	case "nodes":
		r.g.Limits.Nodes = r.atLeast(1)
	case "movetime":
		r.g.Limits.Time = time.Duration(r.atLeast(1)) * time.Millisecond
	case "mate":
		r.g.Mate = int(min(r.atLeast(1), 1<<20))
	case "perft":
		r.g.Perft = int(min(r.atLeast(1), 20))
	case "movestogo":
		r.clock.Moves = int(min(r.atLeast(0), 1000))
	case "searchmoves":
		r.searchMoves()
	default:
		r.time(word)
	}
}

// time reads the clock of the side to move.
func (r *goReader) time(word string) {
	own := byte('w')
	if r.pos != nil && r.pos.Side() == xiangqi.Black {
		own = 'b'
	}
	switch word {
	case "wtime", "btime":
		if left := r.atLeast(0); word[0] == own {
			r.timed, r.clock.Left = true, time.Duration(left)*time.Millisecond
		}
	case "winc", "binc":
		if inc := r.atLeast(0); word[0] == own {
			r.clock.Increment = time.Duration(inc) * time.Millisecond
		}
	}
}

// maxNumber bounds what a host may ask for: in milliseconds, some years.
const maxNumber = 1 << 37

// atLeast takes a number, if there is one; what is less than least counts as that.
func (r *goReader) atLeast(least int64) int64 {
	if len(r.words) == 0 {
		return least
	}
	n, err := strconv.ParseInt(r.words[0], 10, 64)
	if err != nil {
		return least
	}
	r.words = r.words[1:]
	return min(max(n, least), maxNumber)
}

// searchMoves takes all the moves that follow. If none of them is legal, any may be played.
func (r *goReader) searchMoves() {
	n := 0
	for n < len(r.words) && universal.IsMove(r.words[n]) {
		n++
	}
	texts := r.words[:n]
	r.words = r.words[n:]
	if r.pos == nil {
		return
	}
	if only := universal.ReadMoves(r.pos, texts); len(only) > 0 {
		r.g.Limits.Ban = others(r.pos.Moves(), only)
	}
}
