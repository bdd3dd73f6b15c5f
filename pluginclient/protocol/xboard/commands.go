package xboard

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/serving"
)

// handle carries out one command.
func (h *host) handle(line string) {
	h.Hear(line)
	if line == serving.Overlong {
		h.Say(fmt.Sprintf("Error (a line of over %d bytes): line", ucifamily.Input.MaxLine))
		return
	}
	if h.task != nil && h.task.kind == hinting {
		h.drop()
	}
	word, rest := cutWord(line)
	command, known := commands[word]
	switch {
	case word == "" || ignored[word]:
	case known:
		if !command(h, rest) {
			h.Say("Error (" + complaint(rest) + "): " + excerpt(line))
		}
	case ucifamily.IsMove(word):
		h.move(word)
	default:
		h.Say("Error (unknown command): " + excerpt(line))
	}
}

func complaint(rest string) string {
	if rest == "" {
		return "an argument is missing"
	}
	return "not understood"
}

// ignored are commands that tell what does not matter here, that are obsolete (section 13), or
// of which some hosts do not ask whether they are wanted.
var ignored = map[string]bool{
	"xboard": true, "accepted": true, "rejected": true, "random": true, "white": true, "black": true,
	"otim": true, "name": true, "rating": true, "ics": true, "egtpath": true, "setscore": true,
	"lift": true, "put": true, "hover": true, "pause": true, "resume": true,
}

// commands are the others. Each answers whether its arguments make sense.
var commands map[string]func(h *host, rest string) bool

func init() {
	done := func(do func(h *host)) func(*host, string) bool {
		return func(h *host, _ string) bool {
			do(h)
			return true
		}
	}
	commands = map[string]func(h *host, rest string) bool{
		"protover":  done((*host).introduce),
		"new":       done((*host).commandNew),
		"variant":   (*host).commandVariant,
		"quit":      done((*host).commandQuit),
		"force":     done((*host).commandForce),
		"result":    done((*host).commandForce),
		"go":        done((*host).commandGo),
		"playother": done((*host).commandPlayOther),
		"usermove":  (*host).commandMove,
		"?":         done((*host).commandMoveNow),
		"ping":      (*host).commandPing,
		"draw":      done(func(h *host) { h.offered = true }),
		"setboard":  (*host).commandSetBoard,
		"undo":      done(func(h *host) { h.undo(1, "undo") }),
		"remove":    done(func(h *host) { h.undo(2, "remove") }),
		"hint":      done((*host).hint),
		"bk":        done(func(h *host) { h.Say(" there is no book", "") }),
		"hard":      done(func(h *host) { h.ponders = true }),
		"easy":      done((*host).commandEasy),
		"post":      done(func(h *host) { h.quiet = false }),
		"nopost":    done(func(h *host) { h.quiet = true }),
		"computer":  done(func(h *host) { h.computer = true }),
		"analyze":   done((*host).commandAnalyze),
		"exit":      done((*host).commandExit),
		".":         done((*host).status),
		"exclude":   func(h *host, rest string) bool { h.exclude(rest, true); return rest != "" },
		"include":   func(h *host, rest string) bool { h.exclude(rest, false); return rest != "" },
		"level":     func(h *host, rest string) bool { return h.limit.setLevel(strings.Fields(rest)) },
		"st":        (*host).commandSt,
		"sd": func(h *host, rest string) bool {
			return readNumber(rest, 0, 1<<20, func(n int64) { h.limit.depth = int(n) })
		},
		"nps":    func(h *host, rest string) bool { return readNumber(rest, 0, 1<<40, func(n int64) { h.limit.nps = n }) },
		"time":   (*host).commandTime,
		memory:   func(h *host, rest string) bool { return h.set("Hash", rest) },
		cores:    func(h *host, rest string) bool { return h.set("Threads", rest) },
		"option": (*host).commandOption,
	}
}

// readNumber reads a number; what is out of bounds is brought within.
func readNumber(text string, least, most int64, take func(int64)) bool {
	word, _ := cutWord(text)
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return false
	}
	take(max(least, min(most, n)))
	return true
}

// introduce tells the features (section 9).
func (h *host) introduce() {
	lines := []string{
		"feature done=0",
		"feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1",
		"feature analyze=1 colors=0 name=0 nps=1 debug=1 exclude=1",
		`feature variants="` + variant + `" myname="` + strings.ReplaceAll(h.served.Name, `"`, "'") + `"`,
	}
	for _, o := range h.options {
		switch {
		case strings.EqualFold(o.Name, "Hash"):
			lines = append(lines, "feature memory=1")
		case strings.EqualFold(o.Name, "Threads"):
			lines = append(lines, "feature smp=1")
		default:
			lines = append(lines, `feature option="`+strings.ReplaceAll(formatOption(o.Option), `"`, "'")+`"`)
		}
	}
	h.Say(append(lines, "feature done=1")...)
}

func (h *host) commandNew() {
	h.drop()
	h.newGame()
	if h.analyzes { // section 12: it stays in analyze mode
		h.playing = false
		h.analyze()
	}
}

func (h *host) commandVariant(rest string) bool {
	if !isXiangqi(rest) {
		h.Say("Error (unsupported variant): " + excerpt(rest))
		return true
	}
	h.setPosition(xiangqi.Start())
	return true
}

func (h *host) commandQuit() {
	h.drop()
	h.over = true
}

// commandForce makes the engine play neither side. It does not make the move that it thinks
// about.
func (h *host) commandForce() {
	h.drop()
	h.playing, h.analyzes, h.offered = false, false, false
}

func (h *host) commandGo() {
	h.analyzes = false
	h.playing = true
	if h.pos != nil {
		h.side = h.pos.Side()
	}
	h.turn("go")
}

func (h *host) commandPlayOther() {
	h.drop()
	h.analyzes = false
	h.playing = true
	if h.pos != nil {
		h.side = h.pos.Side().Other()
		h.ponder()
	}
}

func (h *host) commandMove(rest string) bool {
	if rest != "" {
		h.move(rest)
	}
	return rest != ""
}

func (h *host) commandMoveNow() {
	if h.task != nil && h.task.kind == thinking {
		h.task.MoveNow()
	}
}

func (h *host) commandPing(rest string) bool {
	h.served.Settle()
	h.Say(strings.TrimRight("pong "+excerpt(rest), " "))
	return true
}

func (h *host) commandSetBoard(rest string) bool {
	h.setBoard(rest)
	return true
}

func (h *host) commandEasy() {
	h.ponders = false
	if h.task != nil && h.task.kind == pondering {
		h.drop()
	}
}

func (h *host) commandAnalyze() {
	h.playing, h.analyzes = false, true
	h.analyze()
}

func (h *host) commandExit() {
	if h.analyzes {
		h.drop()
		h.analyzes = false
	}
}

func (h *host) commandSt(rest string) bool {
	word, _ := cutWord(rest)
	d, ok := seconds(word)
	if ok {
		h.limit.exact = max(d, time.Millisecond)
	}
	return ok
}

// commandTime is the engine's clock, in hundredths of a second.
func (h *host) commandTime(rest string) bool {
	const most = 1 << 34
	return readNumber(rest, 0, most, func(n int64) { h.limit.clock.Left = time.Duration(n) * 10 * time.Millisecond })
}

// commandOption reads NAME=VALUE, or NAME of a button.
func (h *host) commandOption(rest string) bool {
	name, value, _ := strings.Cut(rest, "=")
	return h.set(name, value)
}

// set sets an option.
func (h *host) set(name, value string) bool {
	if h.task != nil {
		h.drop()
	}
	known, err := ucifamily.Set(h.options, name, value)
	switch {
	case err != nil:
		h.Say("Error (" + strings.ReplaceAll(oneLine(err.Error()), ":", ",") + "): " + excerpt(name))
	case !known:
		h.Say("Error (no such option): " + excerpt(name))
	}
	if h.analyzes {
		h.analyze()
	}
	return true
}
