package xboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// limits are the host's limits on time and depth.
type limits struct {
	depth int           // 0: no limit
	exact time.Duration // of "st"; 0: a clock, or no limit
	clock uci.Clock     // of "level" and "time"
	timed bool          // clock is valid
	mps   int           // moves to a time control; 0: the whole game
	base  time.Duration
	nps   int64 // nodes that count as a second; 0: time is measured
}

// reset executes "new": it clears the depth limit and nps, and resets the clock.
func (l *limits) reset() {
	l.depth, l.nps = 0, 0
	l.clock.Left, l.clock.Moves = l.base, l.mps
}

// setLevel parses "level MPS BASE INC". BASE is minutes, or minutes and seconds; INC is seconds.
func (l *limits) setLevel(args []string) bool {
	if len(args) < 3 {
		return false
	}
	mps, err := strconv.Atoi(args[0])
	base, okBase := parseMinutes(args[1])
	inc, okInc := parseSeconds(args[2])
	if err != nil || mps < 0 || !okBase || !okInc {
		return false
	}
	l.exact, l.timed, l.mps, l.base = 0, true, min(mps, 1000), base
	l.clock = uci.Clock{Left: base, Increment: inc, Moves: l.mps}
	return true
}

// parseMinutes parses M or M:SS. Text after a number is ignored (section 11).
func parseMinutes(text string) (time.Duration, bool) {
	m, s, hasSeconds := strings.Cut(text, ":")
	if !hasSeconds {
		s = "0"
	}
	whole, okMinutes := parseSeconds(leadingNumber(m))
	rest, okSeconds := parseSeconds(leadingNumber(s))
	return 60*whole + rest, okMinutes && okSeconds
}

func leadingNumber(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		return text
	}
	return text[:end]
}

// parseSeconds parses a number of seconds, with or without a fraction.
func parseSeconds(text string) (time.Duration, bool) {
	const most = 1 << 24 // some months
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(0 <= n && n <= most) {
		return 0, false
	}
	return time.Duration(n * float64(time.Second)), true
}

func (c *serverConn) searchLimitsAt(pos *xiangqi.Position) engine.Limits {
	l := c.limits
	lim := engine.Limits{Level: c.level, Depth: l.depth, Lines: c.multiPV}
	if pos == c.pos {
		lim.Ban = slices.Clone(c.excluded)
	}
	switch {
	case l.exact > 0:
		lim.Time = l.exact
	case l.timed:
		lim.Time = l.clock.Budget()
	}
	if l.nps > 0 && lim.Time > 0 {
		lim.Nodes, lim.Time = max(1, int64(float64(l.nps)*lim.Time.Seconds())), 0
	}
	if lim.Level == 0 && lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 || c.config.LevelsOnly && lim.Level == 0 && lim.Time == 0 {
		lim.Level = c.levelOrDefault()
	}
	return lim
}

func (c *serverConn) levelOrDefault() int {
	if c.level > 0 {
		return c.level
	}
	leveler, _ := engine.As[engine.Leveler](c.config.Searcher)
	levels := leveler.Levels()
	if len(levels) == 0 || slices.ContainsFunc(levels, func(l engine.Level) bool { return l.ID == engine.DefaultLevel }) {
		return engine.DefaultLevel
	}
	return levels[len(levels)-1].ID
}
