package main

import (
	"cmp"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
)

// on replies differently to one command; to LEVEL and BGTHINK with and without an argument.
func on(word string, f func(p *bugPlugin, line, answer string) string) func(*bugPlugin, string, string) string {
	return func(p *bugPlugin, line, answer string) string {
		if p.word != word {
			return answer
		}
		return f(p, line, answer)
	}
}

// says replies to one command with a text.
func says(word, text string) func(*bugPlugin, string, string) string {
	return on(word, func(*bugPlugin, string, string) string { return text })
}

// wraps puts texts around the answer to one command.
func wraps(word, before, after string) func(*bugPlugin, string, string) string {
	return on(word, func(_ *bugPlugin, _, answer string) string { return before + answer + after })
}

// undone replies as usual but does not execute the command.
func undone(word string) func(*bugPlugin, string, string) string {
	return on(word, func(p *bugPlugin, _, answer string) string { p.pos = p.before; return answer })
}

// dies exits at a command.
func dies(word, words string, status int) func(*bugPlugin, string, string) string {
	return on(word, func(*bugPlugin, string, string) string { exit(words, status); return "" })
}

func exit(words string, status int) { panic(end{words: words, status: status}) }

// setting replies to LEVEL with a number; asking replies to LEVEL without one.
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

// at ends a search differently at one command.
func at(word string, f func(p *bugPlugin, answer string) string) func(*bugPlugin, string, string) string {
	return func(p *bugPlugin, line, answer string) string {
		if line != word {
			return answer
		}
		return f(p, answer)
	}
}

// answers ends a search with a text.
func answers(text string) func(*bugPlugin, string) string {
	return func(*bugPlugin, string) string { return text }
}

// late ends a search after a time that equals no deadline, so the order of the two is certain.
func late(d time.Duration) func(*bugPlugin, string) string {
	return func(_ *bugPlugin, answer string) string { time.Sleep(d); return answer }
}

// goesOn does not end a search.
func goesOn(p *bugPlugin, _ string) string {
	p.isThinking, p.pos = true, p.after
	return ""
}

// seen returns a line with the first move of which ExplainMove says what, or "".
func seen(pos *xiangqi.Position, what string) string {
	for m := range xiangqi.NewMove(90, 0) {
		if m.To() < 90 && qhplugin.ExplainMove(pos, m.ICCS()) == what {
			return m.ICCS() + "\n"
		}
	}
	return ""
}

// mirrored mirrors the files of a move, turned its ranks.
var (
	mirrored = strings.NewReplacer("A", "I", "B", "H", "C", "G", "D", "F", "F", "D", "G", "C", "H", "B", "I", "A").Replace
	turned   = strings.NewReplacer("0", "9", "1", "8", "2", "7", "3", "6", "4", "5", "5", "4", "6", "3", "7", "2", "8", "1", "9", "0").Replace
)

func lower(_ *bugPlugin, _, answer string) string { return strings.ToLower(answer) }

// The plugins without a bug: one answers immediately, the other thinks until it is interrupted.
var (
	sane        = bug{name: "sane"}
	saneThinker = bug{name: "thinker", thinks: true}
)

// bugs is the table. The bug of a plugin that thinks shows when it is interrupted.
var bugs = []bug{
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

	{name: "ai-in-check", reply: on("AI", func(p *bugPlugin, _, answer string) string {
		return cmp.Or(seen(p.before, qhplugin.KingInCheck), answer)
	})},
	{name: "ai-mirrored", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return mirrored(answer) })},
	{name: "ai-turned", reply: on("AI", func(_ *bugPlugin, _, answer string) string { return turned(answer) })},

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
	{name: "hints-endless", reply: on("HINTS", func(*bugPlugin, string, string) string { panic(end{floods: strings.Repeat("A0-A1\n", 1000)}) })},
	{name: "hints-half", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return strings.TrimSpace(answer) })},

	{name: "hints-end-case", reply: on("HINTS", func(_ *bugPlugin, _, answer string) string { return strings.Replace(answer, "ENDHINTS", "Endhints", 1) })},
	{name: "hints-for-red", reply: on("HINTS", func(p *bugPlugin, _, answer string) string {
		if moves := strings.Split(answer, "\n"); len(moves) == 4 && p.pos.Side() == xiangqi.Black {
			return moves[0] + " score cp 10\n" + moves[1] + " score cp 20\nENDHINTS\n"
		}
		return answer
	})},

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
	{name: "level-resets", reply: on("LEVEL", func(p *bugPlugin, line, answer string) string {
		if line != "LEVEL" {
			p.pos = xiangqi.Start()
		}
		return answer
	})},
	{name: "level-dies", reply: dies("LEVEL", "no licence", 3)},

	{name: "fen-none", reply: says("FEN", "")},
	{name: "fen-refused", reply: says("FEN", "ERROR\n")},
	{name: "fen-two", reply: says("FEN", "OK\nOK\n")},
	{name: "fen-ignored", reply: undone("FEN")},
	{name: "fen-garbage", reply: says("FEN", "board set\n")},
	{name: "fen-refused-set", reply: on("FEN", func(p *bugPlugin, line, answer string) string {
		if pos, err := xiangqi.ParseFEN(strings.TrimSuffix(strings.TrimPrefix(line, "FEN "), " x")); err == nil {
			p.pos = pos
		}
		return answer
	})},
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
	{name: "bgthink-two", reply: says("BGTHINK", "OK\nOK\n")},
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
	{name: "play-chatter-before", reply: wraps("PLAY", "your move\n", "")},
	{name: "fen-blank", reply: wraps("FEN", "\n", "")},
	{name: "undo-blank", reply: wraps("UNDO", "", "\n")},
	{name: "load-ok-first", reply: wraps("LOAD", "LOAD\n", "")},

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

	{name: "think-abort-ignored", thinks: true, interrupt: at("ABORT", goesOn)},
	{name: "think-abort-none", thinks: true, interrupt: at("ABORT", answers(""))},
	{name: "think-abort-ok", thinks: true, interrupt: at("ABORT", answers("OK\n"))},
	{name: "think-abort-error", thinks: true, interrupt: at("ABORT", answers("ERROR\n"))},
	{name: "think-abort-garbage", thinks: true, interrupt: at("ABORT", answers("stopped\n"))},
	{name: "think-abort-lower", thinks: true, interrupt: at("ABORT", answers("aborted\n"))},
	{name: "think-abort-two", thinks: true, interrupt: at("ABORT", answers("ABORTED\nABORTED\n"))},
	{name: "think-abort-also-move", thinks: true, interrupt: at("ABORT", answers("ABORTED\nA0-A1\n"))},
	{name: "think-abort-late", thinks: true, interrupt: at("ABORT", late(1370*time.Millisecond))},
	{name: "think-abort-too-late", thinks: true, interrupt: at("ABORT", late(10370*time.Millisecond))},
	{name: "think-abort-move", thinks: true, interrupt: at("ABORT", func(p *bugPlugin, _ string) string { p.pos = p.after; return p.found })},
	{name: "think-abort-dies", thinks: true, interrupt: at("ABORT", func(*bugPlugin, string) string { exit("thread killed", 3); return "" })},
	{name: "think-abort-exits", thinks: true, interrupt: at("ABORT", func(*bugPlugin, string) string { exit("", 0); return "" })},
	{name: "think-abort-plays", thinks: true, interrupt: at("ABORT", func(p *bugPlugin, answer string) string { p.pos = p.after; return answer })},

	{name: "think-timeout-ignored", thinks: true, interrupt: at("TIMEOUT", goesOn)},
	{name: "think-timeout-none", thinks: true, interrupt: at("TIMEOUT", answers(""))},
	{name: "think-timeout-ok", thinks: true, interrupt: at("TIMEOUT", answers("OK\n"))},
	{name: "think-timeout-error", thinks: true, interrupt: at("TIMEOUT", answers("ERROR\n"))},
	{name: "think-timeout-aborted", thinks: true, interrupt: at("TIMEOUT", answers("ABORTED\n"))},
	{name: "think-timeout-garbage", thinks: true, interrupt: at("TIMEOUT", answers("time is up\n"))},
	{name: "think-timeout-two", thinks: true, interrupt: at("TIMEOUT", func(_ *bugPlugin, answer string) string { return answer + answer })},
	{name: "think-timeout-ok-move", thinks: true, interrupt: at("TIMEOUT", func(_ *bugPlugin, answer string) string { return "OK\n" + answer })},
	{name: "think-timeout-illegal", thinks: true, interrupt: at("TIMEOUT", answers("A0-A9\n"))},
	{name: "think-timeout-late", thinks: true, interrupt: at("TIMEOUT", late(1370*time.Millisecond))},
	{name: "think-timeout-too-late", thinks: true, interrupt: at("TIMEOUT", late(20370*time.Millisecond))},
	{name: "think-timeout-dies", thinks: true, interrupt: at("TIMEOUT", func(*bugPlugin, string) string { exit("", 3); return "" })},
	{name: "think-timeout-not-played", thinks: true, interrupt: at("TIMEOUT", func(p *bugPlugin, answer string) string { p.pos = p.before; return answer })},
	{name: "think-level-ignored", thinks: true, interrupt: at("LEVEL", goesOn)},
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
