package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/qh"
)

// A bug is one thing that a plugin does wrong. Its functions are called with what a sane plugin
// would do.
type bug struct {
	name  string
	reply func(p *bugPlugin, line, answer string) string // returns the bytes to be sent; nil: the answer
	info  func(block string) string                      // returns the bytes of the info block; nil: the block
	start string                                         // what plugin mode begins with
	fails *end                                           // how plugin mode ends at once; may be nil
}

// bugPlugin is a small plugin with one bug. It moves at once, by the first legal move.
type bugPlugin struct {
	bug           bug
	pos, before   *xiangqi.Position // the board, and that before the latest command
	level, lists  int               // lists: lines of a LOAD or BAN that are still to come
	word          string            // of the latest command
	moves, banned []string
	held          string
}

const sanePlugin = "sane"

const bugInfo = "QHPLUGIN V1.3\nBug\nLEVELS 2\n1 easy\n2 hard\nUNDO 1\nHINTS 1\nRULES 1\nBGTHINK 1\nTIMEOUT 1\nENDINFO\n"

// An end is how a plugin stops doing what it should: it says something, and dies or hangs.
type end struct {
	say, words string // on stdout and on stderr
	status     int
	hangs      bool
}

// serve is the plugin in one of its modes.
func (b bug) serve(ctx context.Context, in io.Reader, out, stderr io.Writer, mode string) (err error) {
	defer func() {
		e, ok := recover().(end)
		if !ok {
			return
		}
		_, _ = io.WriteString(out, e.say)
		if e.words != "" {
			fmt.Fprintln(stderr, e.words)
		}
		switch {
		case e.hangs:
			<-ctx.Done()
		case e.status != 0:
			err = fmt.Errorf("exit status %d", e.status)
		}
	}()
	if mode == "-info" {
		block := bugInfo
		if b.info != nil {
			block = b.info(block)
		}
		_, err = io.WriteString(out, block)
		return err
	}
	p := &bugPlugin{bug: b, pos: xiangqi.Start(), level: 1}
	if b.start != "" {
		_, _ = io.WriteString(out, b.start)
	}
	if b.fails != nil {
		panic(*b.fails)
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		answer := p.handle(line)
		if b.reply != nil && (p.lists == 0 || answer != "") {
			answer = b.reply(p, line, answer)
		}
		if _, err := io.WriteString(out, answer); err != nil || line == "QUIT" {
			return nil
		}
	}
	return nil
}

// starter starts the plugin in one of its modes.
func (b bug) starter(mode string) pluginclient.Starter {
	return func(ctx context.Context) (*pluginclient.Streams, error) {
		said, stderr := io.Pipe()
		streams, err := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
			defer stderr.Close()
			return b.serve(ctx, in, out, stderr, mode)
		})(ctx)
		if err == nil {
			streams.Stderr = said
		}
		return streams, err
	}
}

// bugRow has the plugins with bugs as engines: bug:NAME.
type bugRow struct{}

func (bugRow) Kind() attach.Kind                     { return attach.Kind{Name: "bug", Title: "QHPLUGIN"} }
func (bugRow) Game(attach.Spec) (engine.Game, error) { return xiangqi.Rules, nil }

func bugOf(s attach.Spec) bug {
	return bugs[slices.IndexFunc(bugs, func(b bug) bool { return b.name == s.Command[0] })]
}

func (bugRow) Open(ctx context.Context, s attach.Spec, o attach.Options) (pluginclient.Session, error) {
	b := bugOf(s)
	return qhplugin.Dial(ctx, qhplugin.Started(b.name, b.starter("-info"), b.starter("-plugin")), qhplugin.Options{
		Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Judged: o.Judged,
	})
}

func (bugRow) Examine(s attach.Spec, o attach.Options) (*check.Suite, error) {
	b := bugOf(s)
	play := b.starter("-plugin")
	return qh.Suite(qh.Plugin{Name: b.name, Log: o.Log, Info: b.starter("-info"), Play: play, Debug: play}), nil
}

// handle returns the answer of a sane plugin.
func (p *bugPlugin) handle(line string) string {
	if p.lists > 0 {
		p.moves = append(p.moves, line)
		if p.lists--; p.lists > 0 {
			return ""
		}
		if p.word == "BAN" {
			p.banned = p.moves
			return "OK\n"
		}
		return p.play(p.moves...)
	}
	word, arg, _ := strings.Cut(line, " ")
	p.word, p.before = word, p.pos
	switch word {
	case "LEVEL":
		return p.setLevel(arg)
	case "FEN":
		pos, err := xiangqi.ParseFEN(arg)
		if err != nil {
			return "ERROR\n"
		}
		p.pos, p.banned = pos, nil
	case "PLAY":
		return p.play(arg)
	case "LOAD", "BAN":
		p.lists, _ = strconv.Atoi(arg)
		if p.moves = nil; p.lists > 0 {
			return ""
		}
		p.banned = nil
	case "AI", "HINTS":
		return p.think()
	case "UNDO":
		if p.pos.Before() == nil {
			return "ERROR\n"
		}
		p.pos = p.pos.Before()
	case "BGTHINK":
	case "SCR":
		return p.pos.Diagram()
	case "ABORT", "TIMEOUT":
		return ""
	case "QUIT":
		return "BYE\n"
	default:
		return "ERROR\n"
	}
	return "OK\n"
}

func (p *bugPlugin) setLevel(arg string) string {
	switch arg {
	case "":
		return strconv.Itoa(p.level) + "\n"
	case "1", "2":
		p.level, _ = strconv.Atoi(arg)
		return "OK\n"
	}
	return "ERROR\n"
}

func (p *bugPlugin) play(moves ...string) string {
	pos := p.pos
	for i, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			return fmt.Sprintf("ERROR line %d\n", i+1)
		}
		next, err := pos.PlayMove(xiangqi.Move(m))
		if err != nil {
			return fmt.Sprintf("ERROR line %d\n", i+1)
		}
		pos = next
	}
	p.pos = pos
	return "OK\n"
}

func (p *bugPlugin) think() string {
	var found []string
	for _, m := range p.pos.LegalMoves() {
		if text := m.ICCS(); !strings.Contains(strings.Join(p.banned, " "), text) && len(found) < 2 {
			found = append(found, text)
		}
	}
	p.banned = nil
	switch {
	case len(found) == 0:
		return "ERROR\n"
	case p.word == "HINTS":
		return strings.Join(found, "\n") + "\nENDHINTS\n"
	}
	_ = p.play(found[0])
	return found[0] + "\n"
}

// other is a move of the side that is not to move.
func (p *bugPlugin) other() string {
	if p.before.WireFEN() == xiangqi.Start().WireFEN() {
		return "B9-C7"
	}
	return "B0-C2"
}

// on replies otherwise to one command; to LEVEL and BGTHINK with or without an argument alike.
func on(word string, f func(p *bugPlugin, line, answer string) string) func(*bugPlugin, string, string) string {
	return func(p *bugPlugin, line, answer string) string {
		if p.word != word {
			return answer
		}
		return f(p, line, answer)
	}
}

// says replies with a text to one command.
func says(word, text string) func(*bugPlugin, string, string) string {
	return on(word, func(*bugPlugin, string, string) string { return text })
}

// wraps puts texts around the answer to one command.
func wraps(word, before, after string) func(*bugPlugin, string, string) string {
	return on(word, func(_ *bugPlugin, _, answer string) string { return before + answer + after })
}

// undone replies as ever, and does not carry the command out.
func undone(word string) func(*bugPlugin, string, string) string {
	return on(word, func(p *bugPlugin, _, answer string) string { p.pos = p.before; return answer })
}

// dies ends at a command.
func dies(word, words string, status int) func(*bugPlugin, string, string) string {
	return on(word, func(*bugPlugin, string, string) string { exit(words, status); return "" })
}

func exit(words string, status int) { panic(end{words: words, status: status}) }

// setting replies to LEVEL with a number; asking to LEVEL without.
func setting(text string) func(*bugPlugin, string, string) string {
	return on("LEVEL", func(_ *bugPlugin, line, answer string) string {
		if line == "LEVEL" {
			return answer
		}
		return text
	})
}

func asking(f func(p *bugPlugin, answer string) string) func(*bugPlugin, string, string) string {
	return on("LEVEL", func(p *bugPlugin, line, answer string) string {
		if line != "LEVEL" {
			return answer
		}
		return f(p, answer)
	})
}

// every changes every answer.
func every(f func(answer string) string) func(*bugPlugin, string, string) string {
	return func(_ *bugPlugin, _, answer string) string { return f(answer) }
}

// instead replaces a text in the info block.
func instead(old, with string) func(string) string {
	return func(block string) string { return strings.Replace(block, old, with, 1) }
}

func lower(_ *bugPlugin, _, answer string) string { return strings.ToLower(answer) }

var bugs = []bug{
	{name: sanePlugin},

	{name: "ai-none", reply: says("AI", "")},
	{name: "ai-two", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return answer + answer })},
	{name: "ai-bestmove", reply: wraps("AI", "bestmove ", "")},
	{name: "ai-ok-move", reply: wraps("AI", "OK ", "")},
	{name: "ai-move-ok", reply: wraps("AI", "", "OK\n")},
	{name: "ai-ok-line-move", reply: wraps("AI", "OK\n", "")},
	{name: "ai-lower", reply: on("AI", lower)},
	{name: "ai-no-dash", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return strings.Replace(answer, "-", "", 1) })},
	{name: "ai-text", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return strings.TrimSpace(answer) + " best\n" })},
	{name: "ai-illegal", reply: says("AI", "A0-A9\n")},
	{name: "ai-other-side", reply: on("AI", func(p *bugPlugin, _, _ string) string { return p.other() + "\n" })},
	{name: "ai-ok", reply: says("AI", "OK\n")},
	{name: "ai-error", reply: says("AI", "ERROR no idea\n")},
	{name: "ai-aborted", reply: says("AI", "ABORTED\n")},
	{name: "ai-number", reply: says("AI", "1\n")},
	{name: "ai-blank", reply: wraps("AI", "\n", "")},
	{name: "ai-endhints", reply: says("AI", "ENDHINTS\n")},
	{name: "ai-garbage", reply: says("AI", "what?\n")},
	{name: "ai-half", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return strings.TrimSpace(answer) })},
	{name: "ai-not-played", reply: undone("AI")},
	{name: "ai-bye", reply: says("AI", "BYE\n")},
	{name: "ai-null", reply: says("AI", "A0-A0\n")},
	{name: "ai-dies", reply: dies("AI", "", 3)},
	{name: "ai-dies-aloud", reply: dies("AI", "assertion failed", 3)},
	{name: "ai-exits", reply: dies("AI", "", 0)},
	{name: "ai-chatter", reply: wraps("AI", "info depth 1 pv h2e2\n", "")},
	{name: "ai-chatter-after", reply: wraps("AI", "", "that was fun\n")},
	{name: "ai-bans-ignored", reply: on("AI", func(p *bugPlugin, _, _ string) string {
		p.pos = p.before
		p.banned = nil
		return p.think()
	})},

	{name: "hints-none", reply: says("HINTS", "")},
	{name: "hints-no-end", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return strings.Replace(answer, "ENDHINTS\n", "", 1) })},
	{name: "hints-empty", reply: says("HINTS", "ENDHINTS\n")},
	{name: "hints-illegal", reply: wraps("HINTS", "A0-A9\n", "")},
	{name: "hints-all-illegal", reply: says("HINTS", "A0-A9\nE5-E6\nENDHINTS\n")},
	{name: "hints-other-side", reply: on("HINTS", func(p *bugPlugin, _, _ string) string { return p.other() + "\nENDHINTS\n" })},
	{name: "hints-repeated", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string {
		first, _, _ := strings.Cut(answer, "\n")
		return first + "\n" + answer
	})},
	{name: "hints-banned", reply: on("HINTS", func(p *bugPlugin, _, _ string) string { p.banned = nil; return p.think() })},
	{name: "hints-lower", reply: on("HINTS", lower)},
	{name: "hints-bestmove", reply: wraps("HINTS", "bestmove ", "")},
	{name: "hints-ok-first", reply: wraps("HINTS", "OK\n", "")},
	{name: "hints-garbage", reply: wraps("HINTS", "thinking\n", "")},
	{name: "hints-twice", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return answer + answer })},
	{name: "hints-error", reply: says("HINTS", "ERROR\n")},
	{name: "hints-aborted", reply: says("HINTS", "ABORTED\n")},
	{name: "hints-play", reply: on("HINTS", func(p *bugPlugin, _, answer string) string {
		first, _, _ := strings.Cut(answer, "\n")
		_ = p.play(first)
		return answer
	})},
	{name: "hints-numbered", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return "1. " + answer })},
	{name: "hints-dies", reply: dies("HINTS", "out of memory", 3)},
	{name: "hints-exits", reply: dies("HINTS", "", 0)},
	{name: "hints-half", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return strings.TrimSpace(answer) })},

	{name: "play-none", reply: says("PLAY", "")},
	{name: "play-garbage", reply: says("PLAY", "played\n")},
	{name: "play-two", reply: says("PLAY", "OK\nOK\n")},
	{name: "play-lower", reply: on("PLAY", lower)},
	{name: "play-echo", reply: on("PLAY", func(_ *bugPlugin, line, _ string) string { return strings.TrimPrefix(line, "PLAY ") + "\n" })},
	{name: "play-number", reply: says("PLAY", "1\n")},
	{name: "play-refused", reply: on("PLAY", func(p *bugPlugin, _, _ string) string { p.pos = p.before; return "ERROR\n" })},
	{name: "play-not-played", reply: undone("PLAY")},
	{name: "play-illegal", reply: says("PLAY", "OK\n")},
	{name: "play-dies", reply: dies("PLAY", "", 3)},
	{name: "play-dies-aloud", reply: dies("PLAY", "index out of range", 3)},
	{name: "play-exits", reply: dies("PLAY", "", 0)},
	{name: "play-blank", reply: wraps("PLAY", "\n", "")},
	{name: "play-half", reply: on("PLAY", func(_ *bugPlugin, _, answer string) string { return strings.TrimSpace(answer) })},
	{name: "play-okay", reply: says("PLAY", "OKAY\n")},
	{name: "play-chatter", reply: wraps("PLAY", "", "your move\n")},

	{name: "level-none", reply: says("LEVEL", "")},
	{name: "level-7", reply: asking(func(*bugPlugin, string) string { return "7\n" })},
	{name: "level-count", reply: asking(func(*bugPlugin, string) string { return "2\n" })},
	{name: "level-word", reply: asking(func(_ *bugPlugin, answer string) string { return "LEVEL " + answer })},
	{name: "level-ok", reply: asking(func(*bugPlugin, string) string { return "OK\n" })},
	{name: "level-error", reply: asking(func(*bugPlugin, string) string { return "ERROR\n" })},
	{name: "level-blank", reply: asking(func(*bugPlugin, string) string { return "\n" })},
	{name: "level-two", reply: asking(func(_ *bugPlugin, answer string) string { return answer + answer })},
	{name: "level-forgets", reply: on("LEVEL", func(p *bugPlugin, _, answer string) string { p.level = 1; return answer })},
	{name: "level-clamps", reply: setting("OK\n")},
	{name: "level-refuses", reply: setting("ERROR\n")},
	{name: "level-set-garbage", reply: setting("fine\n")},
	{name: "level-set-none", reply: setting("")},
	{name: "level-dies", reply: dies("LEVEL", "no licence", 3)},

	{name: "fen-none", reply: says("FEN", "")},
	{name: "fen-refused", reply: says("FEN", "ERROR\n")},
	{name: "fen-two", reply: says("FEN", "OK\nOK\n")},
	{name: "fen-ignored", reply: undone("FEN")},
	{name: "fen-garbage", reply: says("FEN", "board set\n")},
	{name: "fen-dies", reply: dies("FEN", "bad board", 3)},

	{name: "load-ok-a-line", reply: on("LOAD", func(p *bugPlugin, _, answer string) string { return strings.Repeat("OK\n", len(p.moves)) })},
	{name: "load-none", reply: says("LOAD", "")},
	{name: "load-refused", reply: on("LOAD", func(p *bugPlugin, _, _ string) string { p.pos = p.before; return "ERROR\n" })},
	{name: "load-partial", reply: on("LOAD", func(p *bugPlugin, _, answer string) string {
		p.pos = p.before
		_ = p.play(p.moves[:len(p.moves)-1]...)
		return answer
	})},
	{name: "load-ignored", reply: undone("LOAD")},
	{name: "load-garbage", reply: says("LOAD", "loaded\n")},
	{name: "load-dies", reply: dies("LOAD", "", 3)},

	{name: "undo-two", reply: on("UNDO", func(p *bugPlugin, _, answer string) string {
		if p.pos.Before() != nil {
			p.pos = p.pos.Before()
		}
		return answer
	})},
	{name: "undo-ignored", reply: undone("UNDO")},
	{name: "undo-refused", reply: on("UNDO", func(p *bugPlugin, _, _ string) string { p.pos = p.before; return "ERROR\n" })},
	{name: "undo-none", reply: says("UNDO", "")},
	{name: "undo-garbage", reply: says("UNDO", "done\n")},
	{name: "undo-always", reply: says("UNDO", "OK\n")},
	{name: "undo-dies", reply: dies("UNDO", "stack empty", 3)},

	{name: "ban-refused", reply: says("BAN", "ERROR\n")},
	{name: "ban-none", reply: says("BAN", "")},
	{name: "ban-ok-a-line", reply: on("BAN", func(p *bugPlugin, _, answer string) string { return "OK\n" + answer })},
	{name: "ban-ignored", reply: on("BAN", func(p *bugPlugin, _, answer string) string { p.banned = nil; return answer })},
	{name: "ban-garbage", reply: says("BAN", "banned\n")},
	{name: "bgthink-refused", reply: says("BGTHINK", "ERROR\n")},
	{name: "bgthink-none", reply: says("BGTHINK", "")},
	{name: "bgthink-garbage", reply: says("BGTHINK", "hm\n")},

	{name: "abort-aborted", reply: says("ABORT", "ABORTED\n")},
	{name: "abort-ok", reply: says("ABORT", "OK\n")},
	{name: "abort-move", reply: says("ABORT", "H2-E2\n")},
	{name: "timeout-error", reply: says("TIMEOUT", "ERROR\n")},
	{name: "timeout-move", reply: says("TIMEOUT", "H2-E2\n")},

	{name: "quit-silent", reply: says("QUIT", "")},
	{name: "quit-ok", reply: says("QUIT", "OK\n")},
	{name: "quit-ignored", reply: on("QUIT", func(*bugPlugin, string, string) string { panic(end{hangs: true}) })},
	{name: "quit-stays", reply: on("QUIT", func(*bugPlugin, string, string) string { panic(end{say: "BYE\n", hangs: true}) })},
	{name: "quit-badly", reply: on("QUIT", func(*bugPlugin, string, string) string { panic(end{say: "BYE\n", status: 4}) })},
	{name: "scr-differs", reply: on("SCR", func(*bugPlugin, string, string) string {
		pos, _ := xiangqi.ParseFEN("4k4/9/9/9/9/9/9/9/4A4/4K4 w")
		return pos.Diagram()
	})},
	{name: "scr-none", reply: says("SCR", "")},

	{name: "start-banner", start: "Welcome to Bug\n"},
	{name: "start-dies", fails: &end{words: "", status: 3}},
	{name: "start-dies-aloud", fails: &end{words: "no book", status: 3}},
	{name: "start-exits", fails: &end{words: "", status: 0}},
	{name: "start-silent", fails: &end{hangs: true}},
	{name: "no-flush", reply: func(p *bugPlugin, line, answer string) string {
		if p.held += answer; line == "QUIT" {
			return p.held
		}
		return ""
	}},
	{name: "prompt", reply: every(func(answer string) string { return "> " + answer })},
	{name: "crlf", reply: every(func(answer string) string { return strings.ReplaceAll(answer, "\n", "\r\n") })},
	{name: "lower", reply: every(strings.ToLower)},
	{name: "no-newline", reply: every(strings.TrimSpace)},
	{name: "blank-after", reply: every(func(answer string) string { return answer + "\n" })},
	{name: "deaf", reply: every(func(string) string { return "" })},
	{name: "echo", reply: func(_ *bugPlugin, line, answer string) string { return line + "\n" + answer }},

	{name: "info-version", info: instead("QHPLUGIN V1.3", "QHPLUGIN 1.3")},
	{name: "info-no-name", info: instead("Bug\n", "")},
	{name: "info-long-name", info: instead("Bug\n", strings.Repeat("Bug ", 20)+"\n")},
	{name: "info-levels-5", info: instead("LEVELS 2", "LEVELS 5")},
	{name: "info-levels-1", info: instead("LEVELS 2", "LEVELS 1")},
	{name: "info-level-text", info: instead("1 easy", "easy")},
	{name: "info-level-twice", info: instead("2 hard", "1 hard")},
	{name: "info-no-levels", info: instead("LEVELS 2\n1 easy\n2 hard\n", "")},
	{name: "info-no-undo", info: instead("UNDO 1\n", "")},
	{name: "info-no-hints", info: instead("HINTS 1\n", "")},
	{name: "info-no-rules", info: instead("RULES 1\n", "")},
	{name: "info-flag-word", info: instead("HINTS 1", "HINTS yes")},
	{name: "info-order", info: instead("UNDO 1\nHINTS 1", "HINTS 1\nUNDO 1")},
	{name: "info-no-end", info: instead("ENDINFO\n", "")},
	{name: "info-end-lower", info: instead("ENDINFO", "endinfo")},
	{name: "info-half", info: func(block string) string { return strings.TrimSpace(block) }},
	{name: "info-empty", info: func(string) string { return "" }},
	{name: "info-garbage", info: func(string) string { return "usage: bug\n" }},
	{name: "info-dies", info: func(string) string { exit("no such mode", 2); return "" }},
	{name: "info-status", info: func(block string) string { panic(end{say: block, status: 2}) }},
	{name: "info-stays", info: func(block string) string { panic(end{say: block, hangs: true}) }},
	{name: "info-hangs", info: func(string) string { panic(end{hangs: true}) }},
}
