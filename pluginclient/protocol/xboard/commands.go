package xboard

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/serving"
)

func (c *serverConn) handle(line string) {
	c.TraceInput(line)
	if line == serving.OverlongLine {
		c.WriteLines(fmt.Sprintf("Error (a line of over %d bytes): line", uci.Input.MaxLine))
		return
	}
	word, rest := uci.CutWord(line)
	switch known, valid := c.command(word, rest); {
	case !known && uci.IsMove(word):
		c.move(word)
	case !known:
		c.WriteLines("Error (unknown command): " + excerpt(line))
	case !valid && rest == "":
		c.WriteLines("Error (an argument is missing): " + excerpt(line))
	case !valid:
		c.WriteLines("Error (not understood): " + excerpt(line))
	}
}

// command executes a command. valid reports whether its arguments are.
func (c *serverConn) command(word, rest string) (known, valid bool) {
	valid = true
	switch word {
	case "", "xboard", "accepted", "rejected", "random", "white", "black", "otim", "name", "rating", "ics", "egtpath",
		"setscore", "lift", "put", "hover", "pause", "resume":
		// Without effect here, obsolete (section 13), or sent by some hosts without checking the features.
	case "protover":
		c.sendFeatures()
	case "new":
		c.abandon()
		c.newGame()
		if c.analyzeMode { // section 12: analyze mode continues
			c.playing = false
			c.analyze()
		}
	case "variant", "setboard", "undo", "remove":
		c.changePosition(word, rest)
	case "quit":
		c.abandon()
		c.done = true
	case "force", "result": // a search for the engine's move is abandoned
		c.abandon()
		_ = c.execute(word, rest)
		c.analyzeMode, c.drawOffered = false, false
	case "go":
		c.analyzeMode = false
		_ = c.execute(word, rest)
		c.takeTurn("go")
	case "playother":
		c.abandon()
		c.analyzeMode = false
		_ = c.execute(word, rest)
		c.ponder()
	case "usermove":
		if valid = rest != ""; valid {
			c.move(rest)
		}
	case "?": // before the next command, which might abandon the search; one that does not obey in time moves later
		if c.task != nil && c.task.kind == thinking {
			c.task.MoveNow()
			if c.task.Wait(serving.Grace) {
				c.finish()
			}
		}
	case "ping":
		c.config.ApplyOptions()
		c.WriteLines(strings.TrimRight("pong "+excerpt(rest), " "))
	case "draw":
		c.drawOffered = true
	case "hint":
		c.hint()
	case "bk":
		c.WriteLines(" there is no book", "")
	case "hard", "easy":
		c.ponderOn = word == "hard"
		if !c.ponderOn && c.task != nil && c.task.kind == pondering {
			c.abandon()
		}
	case "post", "nopost":
		c.quiet = word == "nopost"
	case "computer":
		c.vsComputer = true
	case "analyze":
		c.playing, c.analyzeMode = false, true
		c.analyze()
	case "exit":
		if c.analyzeMode {
			c.abandon()
			c.analyzeMode = false
		}
	case ".":
		c.status()
	case "exclude", "include":
		c.exclude(rest, word == "exclude")
		valid = rest != ""
	case "level", "st", "sd", "nps", "time":
		valid = c.limits.set(word, strings.Fields(rest))
	case memory:
		c.setOption("Hash", rest)
	case cores:
		c.setOption("Threads", rest)
	case "option": // NAME=VALUE, or the NAME of a button
		name, value, _ := strings.Cut(rest, "=")
		c.setOption(name, value)
	default:
		return false, false
	}
	return true, valid
}

// sendFeatures sends the features (section 9).
func (c *serverConn) sendFeatures() {
	lines := []string{
		"feature done=0",
		"feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1",
		"feature analyze=1 colors=0 name=0 nps=1 debug=1 exclude=1",
		`feature variants="` + variant + `" myname="` + strings.ReplaceAll(c.config.Name, `"`, "'") + `"`,
	}
	for _, o := range c.options {
		switch {
		case strings.EqualFold(o.Name, "Hash"):
			lines = append(lines, "feature memory=1")
		case strings.EqualFold(o.Name, "Threads"):
			lines = append(lines, "feature smp=1")
		default:
			lines = append(lines, `feature option="`+strings.ReplaceAll(formatOption(o.Option), `"`, "'")+`"`)
		}
	}
	c.WriteLines(append(lines, "feature done=1")...)
}

func (c *serverConn) setOption(name, value string) {
	c.abandon()
	known, err := uci.SetOption(c.options, name, value)
	switch {
	case err != nil:
		c.WriteLines("Error (" + strings.ReplaceAll(serving.OneLine(err.Error()), ":", ",") + "): " + excerpt(name))
	case !known:
		c.WriteLines("Error (no such option): " + excerpt(name))
	}
	if c.analyzeMode {
		c.analyze()
	}
}

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

// set executes a command that sets a limit. It reports whether the arguments are valid.
func (l *limits) set(word string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	number := func(most int64) int64 { return max(0, min(most, n)) }
	switch word {
	case "st":
		d, ok := parseSeconds(args[0])
		if ok {
			l.exact = max(d, time.Millisecond)
		}
		return ok
	case "level": // MPS BASE INC; BASE is minutes, or minutes and seconds; INC is seconds
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
	switch {
	case err != nil:
	case word == "sd":
		l.depth = int(number(1 << 20))
	case word == "nps":
		l.nps = number(1 << 40)
	default: // the engine's clock, in hundredths of a second
		l.clock.Left = time.Duration(number(1<<34)) * 10 * time.Millisecond
	}
	return err == nil
}

// parseMinutes parses M or M:SS. Text after a number is ignored (section 11).
func parseMinutes(text string) (time.Duration, bool) {
	leading := func(text string) string {
		return text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
	}
	m, s, hasSeconds := strings.Cut(text, ":")
	if !hasSeconds {
		s = "0"
	}
	whole, okMinutes := parseSeconds(leading(m))
	rest, okSeconds := parseSeconds(leading(s))
	return 60*whole + rest, okMinutes && okSeconds
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

// newGame starts a game. It clears the depth limit and nps, and resets the clock.
func (c *serverConn) newGame() {
	_ = c.execute("new", "")
	c.enterPosition(c.pos)
	c.resultSent, c.drawOffered, c.vsComputer = false, false, false
	c.limits.depth, c.limits.nps = 0, 0
	c.limits.clock.Left, c.limits.clock.Moves = c.limits.base, c.limits.mps
	engine.Forget(c.config.Searcher)
}

// enterPosition sets the position after a move, or of a new game.
func (c *serverConn) enterPosition(pos *xiangqi.Position) {
	c.pos, c.excluded, c.expected = pos, nil, engine.NoMove
}

// changePosition executes a command that leads to a position by no move of this game. After undo and
// remove the engine plays the colour that it played.
func (c *serverConn) changePosition(word, rest string) {
	if word == "variant" && !isXiangqi(rest) {
		c.WriteLines("Error (unsupported variant): " + excerpt(rest))
		return
	}
	err := c.execute(word, rest)
	switch {
	case errors.Is(err, errUndo):
		c.WriteLines("Error (" + err.Error() + "): " + word)
		return
	case err != nil:
		c.WriteLines("tellusererror Illegal position: " + serving.OneLine(err.Error()))
	case word == "setboard" && c.pos.Remark() != "":
		c.WriteLines("telluser Odd position: " + c.pos.Remark())
	}
	c.abandon()
	c.resultSent = false
	c.enterPosition(c.pos)
	if c.analyzeMode {
		c.analyze()
	}
}

// move plays the host's move. If it is then the engine's turn, the engine thinks.
func (c *serverConn) move(text string) {
	if c.pos == nil {
		c.WriteLines("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	m, ok := uci.FromZero.Parse(text)
	var next *xiangqi.Position
	var err error
	if ok {
		next, err = c.pos.PlayMove(xiangqi.Move(m))
	}
	if !ok || err != nil {
		reason := "" // in parentheses, as the protocol requires
		if illegal, is := errors.AsType[*xiangqi.MoveError](err); is && !strings.ContainsAny(illegal.Reason, "():\n") {
			reason = " (" + illegal.Reason + ")"
		}
		c.WriteLines("Illegal move" + reason + ": " + excerpt(text))
		return
	}
	hit := c.task != nil && c.task.kind == pondering && c.task.reply == m
	if !hit {
		c.abandon()
	}
	c.enterPosition(next)
	switch {
	case c.analyzeMode:
		c.analyze()
	case !c.playing:
	case c.reportResult():
		c.abandon()
	case hit:
		c.task.kind = thinking
		c.task.PonderHit()
	case next.Side() == c.side:
		c.takeTurn("usermove")
	}
}

// takeTurn starts the search for the engine's move because of command.
func (c *serverConn) takeTurn(command string) {
	c.abandon()
	switch {
	case c.pos == nil:
		c.WriteLines("Error (the position is not legal): " + command)
	case c.pos.Result().Over():
		c.resultSent = false
		c.reportResult()
	case engine.FirstAllowed(c.pos, c.excluded) == engine.NoMove:
		c.WriteLines("Error (every move is excluded): " + command)
	default:
		lim := c.searchLimitsAt(c.pos)
		lim.Play = c.multiPV == 1
		c.startSearch(thinking, serving.Request{Pos: c.pos, Limits: lim})
	}
}

// reportResult reports the result once if the game is over, as PGN does, with Red as White. If the
// opponent is a computer, it ignores repetitions: XBoard is then the referee, with its own rules.
func (c *serverConn) reportResult() bool {
	result := c.pos.Result()
	if !result.Over() && !c.vsComputer {
		result = c.pos.Adjudicate()
	}
	if result.Over() && !c.resultSent {
		text := map[engine.Outcome]string{
			engine.FirstWins: "1-0 {Red wins by ", engine.SecondWins: "0-1 {Black wins by ", engine.Draw: "1/2-1/2 {Draw by ",
		}[result.Outcome]
		c.WriteLines(text + result.Reason + "}")
	}
	c.resultSent = result.Over()
	return c.resultSent
}

// exclude excludes a move, or all moves; include allows it again.
func (c *serverConn) exclude(text string, out bool) {
	if c.pos == nil {
		c.WriteLines("Illegal move (the position is not legal): " + excerpt(text))
		return
	}
	legal := c.pos.Moves()
	m, ok := uci.FromZero.Parse(text)
	switch {
	case text == "all" && out:
		c.excluded = legal
	case text == "all":
		c.excluded = nil
	case !ok || !slices.Contains(legal, m):
		c.WriteLines("Illegal move: " + excerpt(text))
		return
	case out && !slices.Contains(c.excluded, m):
		c.excluded = append(slices.Clone(c.excluded), m)
	case !out:
		c.excluded = slices.DeleteFunc(slices.Clone(c.excluded), func(x engine.Move) bool { return x == m })
	}
	if c.analyzeMode {
		c.analyze()
	}
}
