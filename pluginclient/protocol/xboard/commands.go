package xboard

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/serving"
)

// handle executes one command.
func (c *serverConn) handle(line string) {
	c.TraceInput(line)
	if line == serving.OverlongLine {
		c.WriteLines(fmt.Sprintf("Error (a line of over %d bytes): line", uci.Input.MaxLine))
		return
	}
	word, rest := cutWord(line)
	command, known := commands[word]
	switch {
	case word == "" || ignored[word]:
	case known:
		if !command(c, rest) {
			c.WriteLines("Error (" + argumentError(rest) + "): " + excerpt(line))
		}
	case uci.IsMove(word):
		c.move(word)
	default:
		c.WriteLines("Error (unknown command): " + excerpt(line))
	}
}

func argumentError(rest string) string {
	if rest == "" {
		return "an argument is missing"
	}
	return "not understood"
}

// ignored are commands without effect here, obsolete commands (section 13), and commands that some hosts
// send without checking the features.
var ignored = map[string]bool{
	"xboard": true, "accepted": true, "rejected": true, "random": true, "white": true, "black": true,
	"otim": true, "name": true, "rating": true, "ics": true, "egtpath": true, "setscore": true,
	"lift": true, "put": true, "hover": true, "pause": true, "resume": true,
}

// commands are the other commands. Each reports whether its arguments are valid.
var commands map[string]func(c *serverConn, rest string) bool

func init() {
	done := func(do func(c *serverConn)) func(*serverConn, string) bool {
		return func(c *serverConn, _ string) bool {
			do(c)
			return true
		}
	}
	commands = map[string]func(c *serverConn, rest string) bool{
		"protover":  done((*serverConn).sendFeatures),
		"new":       done((*serverConn).commandNew),
		"variant":   (*serverConn).commandVariant,
		"quit":      done((*serverConn).commandQuit),
		"force":     done((*serverConn).commandForce),
		"result":    done((*serverConn).commandForce),
		"go":        done((*serverConn).commandGo),
		"playother": done((*serverConn).commandPlayOther),
		"usermove":  (*serverConn).commandMove,
		"?":         done((*serverConn).commandMoveNow),
		"ping":      (*serverConn).commandPing,
		"draw":      done(func(c *serverConn) { c.drawOffered = true }),
		"setboard":  (*serverConn).commandSetBoard,
		"undo":      done(func(c *serverConn) { c.undo(1, "undo") }),
		"remove":    done(func(c *serverConn) { c.undo(2, "remove") }),
		"hint":      done((*serverConn).hint),
		"bk":        done(func(c *serverConn) { c.WriteLines(" there is no book", "") }),
		"hard":      done(func(c *serverConn) { c.ponderOn = true }),
		"easy":      done((*serverConn).commandEasy),
		"post":      done(func(c *serverConn) { c.quiet = false }),
		"nopost":    done(func(c *serverConn) { c.quiet = true }),
		"computer":  done(func(c *serverConn) { c.vsComputer = true }),
		"analyze":   done((*serverConn).commandAnalyze),
		"exit":      done((*serverConn).commandExit),
		".":         done((*serverConn).status),
		"exclude":   func(c *serverConn, rest string) bool { c.exclude(rest, true); return rest != "" },
		"include":   func(c *serverConn, rest string) bool { c.exclude(rest, false); return rest != "" },
		"level":     func(c *serverConn, rest string) bool { return c.limits.setLevel(strings.Fields(rest)) },
		"st":        (*serverConn).commandSt,
		"sd": func(c *serverConn, rest string) bool {
			return readNumber(rest, 0, 1<<20, func(n int64) { c.limits.depth = int(n) })
		},
		"nps": func(c *serverConn, rest string) bool {
			return readNumber(rest, 0, 1<<40, func(n int64) { c.limits.nps = n })
		},
		"time":   (*serverConn).commandTime,
		memory:   func(c *serverConn, rest string) bool { return c.set("Hash", rest) },
		cores:    func(c *serverConn, rest string) bool { return c.set("Threads", rest) },
		"option": (*serverConn).commandOption,
	}
}

// readNumber parses a number, clamps it and passes it to take.
func readNumber(text string, least, most int64, take func(int64)) bool {
	word, _ := cutWord(text)
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return false
	}
	take(max(least, min(most, n)))
	return true
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

func (c *serverConn) commandNew() {
	c.abandon()
	c.newGame()
	if c.analyzeMode { // section 12: analyze mode continues
		c.playing = false
		c.analyze()
	}
}

func (c *serverConn) commandVariant(rest string) bool {
	if !isXiangqi(rest) {
		c.WriteLines("Error (unsupported variant): " + excerpt(rest))
		return true
	}
	c.setPosition(xiangqi.Start())
	return true
}

func (c *serverConn) commandQuit() {
	c.abandon()
	c.done = true
}

// commandForce makes the engine play neither side. A search for its move is abandoned.
func (c *serverConn) commandForce() {
	c.abandon()
	c.playing, c.analyzeMode, c.drawOffered = false, false, false
}

func (c *serverConn) commandGo() {
	c.analyzeMode = false
	c.playing = true
	if c.pos != nil {
		c.side = c.pos.Side()
	}
	c.takeTurn("go")
}

func (c *serverConn) commandPlayOther() {
	c.abandon()
	c.analyzeMode = false
	c.playing = true
	if c.pos != nil {
		c.side = c.pos.Side().Other()
		c.ponder()
	}
}

func (c *serverConn) commandMove(rest string) bool {
	if rest != "" {
		c.move(rest)
	}
	return rest != ""
}

// commandMoveNow makes the engine move before the next command, which might abandon the search. A
// search that does not obey in time moves later.
func (c *serverConn) commandMoveNow() {
	if c.task == nil || c.task.kind != thinking {
		return
	}
	c.task.MoveNow()
	if c.task.Wait(serving.Grace) {
		c.finish()
	}
}

func (c *serverConn) commandPing(rest string) bool {
	c.config.ApplyOptions()
	c.WriteLines(strings.TrimRight("pong "+excerpt(rest), " "))
	return true
}

func (c *serverConn) commandSetBoard(rest string) bool {
	pos, err := xiangqi.ParseFEN(rest)
	if err != nil {
		c.WriteLines("tellusererror Illegal position: " + serving.OneLine(err.Error()))
		pos = nil
	} else if remark := pos.Remark(); remark != "" {
		c.WriteLines("telluser Odd position: " + remark)
	}
	c.setPosition(pos)
	return true
}

func (c *serverConn) commandEasy() {
	c.ponderOn = false
	if c.task != nil && c.task.kind == pondering {
		c.abandon()
	}
}

func (c *serverConn) commandAnalyze() {
	c.playing, c.analyzeMode = false, true
	c.analyze()
}

func (c *serverConn) commandExit() {
	if c.analyzeMode {
		c.abandon()
		c.analyzeMode = false
	}
}

func (c *serverConn) commandSt(rest string) bool {
	word, _ := cutWord(rest)
	d, ok := parseSeconds(word)
	if ok {
		c.limits.exact = max(d, time.Millisecond)
	}
	return ok
}

// commandTime sets the engine's clock, in hundredths of a second.
func (c *serverConn) commandTime(rest string) bool {
	const most = 1 << 34
	return readNumber(rest, 0, most, func(n int64) { c.limits.clock.Left = time.Duration(n) * 10 * time.Millisecond })
}

// commandOption parses NAME=VALUE, or the NAME of a button.
func (c *serverConn) commandOption(rest string) bool {
	name, value, _ := strings.Cut(rest, "=")
	return c.set(name, value)
}

func (c *serverConn) set(name, value string) bool {
	if c.task != nil {
		c.abandon()
	}
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
	return true
}
