package uci

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Go is a parsed "go" command.
type Go struct {
	Limits   engine.Limits
	Infinite bool // until "stop"
	Ponder   bool // on the opponent's time, until "ponderhit"
	Draw     bool // the host offers a draw
	Mate     int  // stop at a mate in this many moves; 0: no such limit
	Perft    int  // count move sequences of this length instead
	Nothing  bool // do not search at all
}

// Limited reports whether the search ends by itself, at a limit or when it finds the mate.
func (g Go) Limited() bool {
	return g.Limits.Kinds() != 0 || g.Mate > 0
}

// readGo parses the arguments of "go". It ignores unknown words, and limits whose number is missing
// or invalid: the next word may be another limit. A number that is too small or too large is clamped.
func (c *serverConn) readGo(words []string) Go {
	var g Go
	var clock Clock
	var hasTime, hasClock bool // hasClock: the time may be for more than one move
	isUCCI := c.dialect == UCCI
	unit := time.Millisecond
	if c.seconds {
		unit = time.Second
	}
	own := byte('w')
	if c.pos != nil && c.pos.Side() == xiangqi.Black {
		own = 'b'
	}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if !slices.Contains(c.dialect.limits, word) {
			continue
		}
		switch word {
		case "ponder":
			g.Ponder = true
			continue
		case "draw":
			g.Draw = true
			continue
		case "infinite":
			g.Infinite = true
			continue
		case "searchmoves":
			var moves []string
			if moves, words = cutMoves(words); c.pos != nil && len(moves) > 0 { // if none of them is legal, there is no move
				g.Limits.Ban = engine.Without(c.pos.Moves(), readMoves(c.pos, moves, c.ranks))
			}
			continue
		case "perft":
			g.Perft = 1 // not a search even without a number
		}
		if len(words) == 0 {
			break
		}
		n, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range, n is the nearest
			continue
		}
		words = words[1:]
		n = min(max(n, 0), maxNumber)
		few := int(min(max(n, 1), 1<<20))
		switch word {
		case "depth":
			g.Limits.Depth = few
			if g.Nothing = n == 0 && isUCCI; g.Nothing { // a static score, which a Searcher does not have
				g.Limits.Depth = 0
			}
		case "nodes":
			g.Limits.Nodes = max(n, 1)
		case "movetime":
			g.Limits.Time = time.Duration(max(n, 1)) * time.Millisecond
		case "mate":
			g.Mate = few
		case "perft":
			g.Perft = min(few, 20)
		case "movestogo":
			hasClock, clock.Moves = true, int(min(n, 1000))
			if isUCCI {
				clock.Moves = max(clock.Moves, 1)
			}
		case "wtime", "btime":
			if word[0] == own {
				hasTime, clock.Left = true, time.Duration(n)*time.Millisecond
			}
		case "winc", "binc":
			if word[0] == own {
				clock.Increment = time.Duration(n) * time.Millisecond
			}
		case "time":
			hasTime, clock.Left = true, time.Duration(min(n, 1<<30))*unit // some decades
		case "increment":
			hasClock, clock.Increment = true, time.Duration(min(n, 1<<30))*unit
		}
	}
	switch {
	case hasTime && isUCCI && (!hasClock || clock.Moves == 1):
		g.Limits.Time = max(clock.Left, time.Millisecond)
	case hasTime && (clock.Left > 0 || g.Limits.Time == 0): // UCI2WB sends empty clocks with a movetime
		g.Limits = g.Limits.Within(engine.Limits{Time: clock.Budget(time.Duration(c.overhead) * time.Millisecond)})
	}
	if g.Limits.Ban == nil {
		g.Limits.Ban = c.ban
	}
	g.Infinite = g.Infinite || !g.Limited() && !g.Ponder
	return g
}

// maxNumber is the maximum limit of a host: in milliseconds, about four years.
const maxNumber = 1 << 37

// A Clock is the remaining time of a side.
type Clock struct {
	Left      time.Duration // until the next time control, or the end of the game
	Increment time.Duration // for every move
	Moves     int           // until the next time control, including this one; 0: the rest of the game
}

// Parameters of the time management. A game is assumed to have horizon more moves at any time, and a part of
// the increment is kept on the clock.
const (
	horizon       = 30
	keptIncrement = 4 // 1/keptIncrement of it is kept
	minBudget     = time.Millisecond
)

// DefaultOverhead is the time by which a move comes late at the host, where nobody has measured it.
const DefaultOverhead = 30 * time.Millisecond

// Budget returns the time for the next move, which comes late by overhead: an equal share of the remaining time, plus most of the
// increment. It is at most half of the remaining time, except for the last move before a time
// control, so that a single move cannot lose the game on time.
func (c Clock) Budget(overhead time.Duration) time.Duration {
	usable := c.Left - overhead
	moves := horizon
	if c.Moves > 0 {
		moves = min(c.Moves, horizon)
	}
	share := usable/time.Duration(moves) + c.Increment - c.Increment/keptIncrement
	most := usable
	if moves > 1 {
		most = usable / 2
	}
	return max(minBudget, min(share, most))
}

// FormatPosition returns the "position" command for the position after moves from the position from.
func FormatPosition(from engine.Position, moves []engine.Move, r Ranks) string {
	command := "position startpos"
	if from.String() != xiangqi.StartFEN {
		command = "position fen " + from.String()
	}
	if len(moves) == 0 {
		return command
	}
	return command + " moves" + r.Join(moves)
}

// readPosition parses the arguments of "position", and returns how its moves number the ranks, which all
// must do in the same way. If both are possible, it is prefer.
func readPosition(args []string, prefer Ranks) (pos *xiangqi.Position, used Ranks, err error) {
	var moves []string
	if at := slices.Index(args, "moves"); at >= 0 {
		args, moves = args[:at], args[at+1:]
	}
	switch {
	case len(args) == 0:
		return nil, prefer, errors.New("position: want startpos or fen")
	case args[0] == "startpos":
		pos = xiangqi.Start()
	case args[0] == "fen":
		if pos, err = xiangqi.ParseFEN(strings.Join(args[1:], " ")); err != nil {
			return nil, prefer, fmt.Errorf("position: %w", err)
		}
	default:
		return nil, prefer, fmt.Errorf("position %q: want startpos or fen", pluginclient.Excerpt(args[0]))
	}
	end, bad := playAll(pos, moves, prefer)
	if bad == nil {
		return end, prefer, nil
	}
	if end, err = playAll(pos, moves, prefer.other()); err != nil {
		return nil, prefer, bad
	}
	return end, prefer.other(), nil
}

func playAll(pos *xiangqi.Position, texts []string, r Ranks) (*xiangqi.Position, error) {
	for i, text := range texts {
		m, ok := r.Parse(text)
		if !ok {
			return nil, fmt.Errorf("move %d, %q: %w", i+1, pluginclient.Excerpt(text), xiangqi.ErrMalformed)
		}
		next, err := pos.PlayMove(xiangqi.Move(m))
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	return pos, nil
}

// readMoves parses moves with either rank numbering, and returns the legal ones.
func readMoves(pos engine.Position, texts []string, prefer Ranks) []engine.Move {
	for _, r := range []Ranks{prefer, prefer.other()} {
		var moves []engine.Move
		for _, text := range texts {
			if m, ok := r.Parse(text); ok {
				moves = append(moves, m)
			}
		}
		if legal := engine.LegalOf(pos, moves); len(legal) > 0 {
			return legal
		}
	}
	return nil
}
