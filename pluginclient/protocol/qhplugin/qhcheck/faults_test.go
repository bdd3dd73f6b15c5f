package qhcheck

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// A fault is a defect of a plugin, and the checks that must find it.
type fault struct {
	name   string
	change func(*behaviour)
	info   infoMode
	want   []string
}

var abortChecks = []string{"abort.0", "abort.10", "abort.100", "abort.1000", "abort.hints"}

// abortedChecks are the checks that wait for ABORTED.
var abortedChecks = slices.Concat(abortChecks, []string{
	"interrupt.ban", "interrupt.bgthink", "interrupt.fen", "interrupt.level", "interrupt.load", "interrupt.play", "interrupt.quit",
	"interrupt.setlevel", "interrupt.thinking", "interrupt.undo",
})

var timeoutChecks = []string{"timeout.0", "timeout.10", "timeout.100", "timeout.1000", "timeout.hints"}

// An infoMode is what a plugin does in info mode instead of printing the block.
type infoMode func(ctx context.Context, block string, out io.Writer) error

func replace(old, with string) infoMode {
	return func(_ context.Context, block string, out io.Writer) error {
		_, err := io.WriteString(out, strings.Replace(block, old, with, 1))
		return err
	}
}

// asIs prints the block and then calls end.
func asIs(end func(ctx context.Context) error) infoMode {
	return func(ctx context.Context, block string, out io.Writer) error {
		if _, err := io.WriteString(out, block); err != nil {
			return err
		}
		return end(ctx)
	}
}

var faults = []fault{
	{"version", nil, replace("V1.3", "V9.9"), []string{"info.version"}},
	{"no name", nil, replace("player\n", "\n"), []string{"info.name"}},
	{"no name's line", nil, replace("player\n", ""), []string{"info.name"}},
	{"long name", nil, replace("player\n", strings.Repeat("player ", 9)+"\n"), []string{"info.short"}},
	{"levels miscounted", nil, replace("LEVELS 2", "LEVELS 3"), []string{"info.levels"}},
	{"level without number", nil, replace("\n1 at once", "\none at once"), []string{"info.levels"}},
	{"no RULES", nil, replace("RULES 1\n", ""), []string{"info.flags"}},
	{"flag is a word", nil, replace("UNDO 1", "UNDO yes"), []string{"info.flags"}},
	{"no ENDINFO", nil, replace("ENDINFO\n", ""), []string{"info.end"}},
	{"flags in another order", nil, replace("UNDO 1\nHINTS 1\n", "HINTS 1\nUNDO 1\n"), []string{"info.flags"}},
	{"-info stays", nil, asIs(func(ctx context.Context) error { <-ctx.Done(); return nil }), []string{"info.exits"}},
	{"-info ends badly", nil, asIs(func(context.Context) error { return errors.New("exit status 3") }), []string{"info.status"}},
	{"ENDINFO without line end", nil, replace("ENDINFO\n", "ENDINFO"), []string{"info.end"}},

	{"starts to end", in(func(*behaviour, string, string) (plugintest.Action, bool) { return plugintest.Action{Die: true}, true }), nil, []string{"plugin.starts"}},
	{"greets", func(t *behaviour) { t.greet = "Welcome to player 1.0\n" }, nil, []string{"plugin.silent"}},
	{"debugs on stdout", onReply(func(t *behaviour, line string) string {
		if t.debug {
			return "debug: " + line + "\n" + line + "\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.debug"}},
	{"blanks behind every answer", onReply(func(_ *behaviour, line string) string { return line + "  \n" }), nil, []string{"plugin.blanks"}},
	{"no flush", func(t *behaviour) {
		held := ""
		onReply(func(_ *behaviour, line string) string {
			if held += line + "\n"; line == "BYE" {
				return held
			}
			return ""
		})(t)
	}, nil, []string{"plugin.flush"}},
	{"no line end", onReply(func(_ *behaviour, line string) string { return line }), nil, []string{"plugin.newline"}},
	{"OK without line end", onReply(func(_ *behaviour, line string) string {
		if line == "OK" {
			return line
		}
		return line + "\n"
	}), nil, []string{"plugin.newline"}},
	{"OK twice", onReply(func(t *behaviour, line string) string {
		if line == "OK" && t.last.Load() == "PLAY" {
			return "OK\nOK\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.single"}},
	{"BGTHINK twice", onReply(func(t *behaviour, line string) string {
		if line == "OK" && t.last.Load() == "BGTHINK" {
			return "OK\nOK\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.single"}},
	{"FEN twice", onReply(func(t *behaviour, line string) string {
		if line == "OK" && t.last.Load() == "FEN" {
			return "OK\nOK\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.single"}},
	{"Endhints", onReply(func(_ *behaviour, line string) string { return strings.Replace(line, "ENDHINTS", "Endhints", 1) + "\n" }), nil, []string{"plugin.capitals"}},
	{"CR and LF", onReply(func(_ *behaviour, line string) string { return line + "\r\n" }), nil, []string{"plugin.crlf"}},
	{"AI chatters", onReply(func(t *behaviour, line string) string {
		if t.last.Load() == "AI" && isMove(line) {
			return "that was hard\n" + line + "\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.unasked"}},
	{"PLAY chatters", onReply(func(t *behaviour, line string) string {
		if t.last.Load() == "PLAY" && line == "OK" {
			return "your move?\n" + line + "\nmine then\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.unasked"}},
	{"bestmove", onReply(func(_ *behaviour, line string) string {
		if isMove(line) {
			return "bestmove " + line + "\n"
		}
		return line + "\n"
	}), nil, []string{"ai.form"}},
	{"advisors leave the palace", strayingAdvisors, nil, []string{"ai.positions"}},
	{"aborted", onReply(func(_ *behaviour, line string) string { return strings.Replace(line, "ABORTED", "Aborted", 1) + "\n" }), nil, []string{"plugin.capitals"}},
	{"AI twice", onReply(func(t *behaviour, line string) string {
		if t.last.Load() == "AI" && moveFormat().MatchString(line) {
			return line + "\n" + line + "\n"
		}
		return line + "\n"
	}), nil, []string{"ai.single"}},
	{"moves twice", onReply(func(_ *behaviour, line string) string {
		if isMove(line) {
			return line + "\n" + line + "\n"
		}
		return line + "\n"
	}), nil, []string{"ai.single"}},
	{"HINTS twice", onReply(func(t *behaviour, line string) string {
		if line == "ENDHINTS" {
			return "ENDHINTS\nENDHINTS\n"
		}
		return line + "\n"
	}), nil, []string{"hints.single", "timeout.hints"}},
	{"small letters", onReply(func(_ *behaviour, line string) string { return strings.Replace(line, "OK", "ok", 1) + "\n" }), nil, []string{"plugin.capitals"}},

	{"LEVEL tells the count", onReply(func(_ *behaviour, line string) string {
		if isNumber(line) {
			return "3\n"
		}
		return line + "\n"
	}), nil, []string{"level.current"}},
	{"LEVEL refuses", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), line == "LEVEL 2"
	}), nil, []string{"level.set"}},
	{"LEVEL forgets", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Send("OK\n"), line == "LEVEL 2"
	}), nil, []string{"level.keeps"}},
	{"LEVEL starts the game anew", func(t *behaviour) {
		var drop atomic.Bool
		in(func(t *behaviour, w, line string) (plugintest.Action, bool) {
			anew := w == "LEVEL" && line != "LEVEL" && t.think.Load() == 0
			if anew {
				drop.Store(true)
			}
			return plugintest.Obey("FEN "+start.WireFEN(), line), anew
		})(t)
		dropsOnce("OK", &drop)(t)
	}, nil, []string{"level.game"}},
	{"LEVEL clamps", accepts("LEVEL", "there is no such level", "OK\n"), nil, []string{"level.range"}},
	{"LEVEL takes words", accepts("LEVEL", "the level has to be", "OK\n"), nil, []string{"level.word"}},

	{"FEN knows n and b only", in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), w == "FEN" && strings.ContainsAny(strings.ToLower(line[3:]), "he")
	}), nil, []string{"fen.letters"}},
	{"FEN knows r only", in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), w == "FEN" && strings.Contains(line, " w")
	}), nil, []string{"fen.w"}},
	{"FEN is for Red", in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		return plugintest.Obey(strings.TrimSuffix(line, " b") + " w"), w == "FEN" && strings.HasSuffix(line, " b")
	}), nil, []string{"fen.black"}},
	{"FEN takes anything", in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		cmd, _ := qhplugin.ParseCommand(line)
		_, err := xiangqi.ParseFEN(cmd.Arg)
		return plugintest.Send("OK\n"), w == "FEN" && err != nil
	}), nil, []string{"fen.error"}},
	{"FEN is cut", in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		if w != "FEN" || len(line) < 79 {
			return plugintest.Action{}, false
		}
		return plugintest.Obey(line[:79], "rest "+line[79:]), true
	}), nil, []string{"fen.long"}},
	{"FEN is refused and set", func(t *behaviour) {
		var drop atomic.Bool
		in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
			board, odd := strings.CutSuffix(line, " x")
			if odd = odd && w == "FEN"; odd {
				drop.Store(true)
			}
			return plugintest.Obey(board, line), odd
		})(t)
		dropsOnce("OK", &drop)(t)
	}, nil, []string{"fen.failed"}},
	{"FEN goes nowhere", on("FEN", plugintest.Send("OK\n")), nil, []string{"fen.board"}},

	{"PLAY goes nowhere", takesBack(func(t *behaviour, line string) bool { return line == "OK" && t.last.Load() == "PLAY" }), nil, []string{"play.legal"}},
	{"PLAY of no elephant", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), strings.HasPrefix(line, "PLAY C0-")
	}), nil, []string{"play.pieces"}},
	{"PLAY from empty points", accepts("PLAY", "no piece on", "OK\n"), nil, []string{"play.empty"}},
	{"PLAY out of turn", accepts("PLAY", "is to move", "OK\n"), nil, []string{"play.turn"}},
	{"PLAY onto own pieces", accepts("PLAY", "own piece", "OK\n"), nil, []string{"play.own"}},
	{"PLAY goes astray", accepts("PLAY", "illegal", "OK\n"), nil, []string{"play.step"}},
	{"PLAY into check", accepts("PLAY", "check", "OK\n"), nil, []string{"play.check"}},
	{"PLAY takes anything", accepts("PLAY", "not a move", "OK\n"), nil, []string{"play.malformed"}},
	{"PLAY dies", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Action{Die: true}, line == "PLAY Z2-E2"
	}), nil, []string{"play.malformed"}},

	{"LOAD says OK", onReply(func(_ *behaviour, line string) string {
		if strings.HasPrefix(line, "ERROR line") {
			return "OK\n"
		}
		return line + "\n"
	}), nil, []string{"load.illegal"}},
	{"LOAD goes nowhere", ignoresList("LOAD", 0), nil, []string{"load.illegal", "load.plays"}},
	{"LOAD from the last FEN", loadsFromStart, nil, []string{"load.current"}},
	{"LOAD of few moves", ignoresList("LOAD", 100), nil, []string{"robust.load"}},
	{"UNDO once", changesUndo(func(before, _ string) bool { return before == "UNDO" }, "ERROR\n"), nil, []string{"undo.all"}},
	{"UNDO not of LOAD", changesUndo(func(before, _ string) bool { return before == "LOAD" }, "OK\n"), nil, []string{"undo.load"}},
	{"UNDO beyond the start", onReply(func(t *behaviour, line string) string {
		if strings.HasPrefix(line, "ERROR") && strings.Contains(line, "no move to take back") && t.before.Load() == "UNDO" {
			return "OK\n"
		}
		return line + "\n"
	}), nil, []string{"undo.end"}},
	{"UNDO at the start", accepts("UNDO", "no move to take back", "OK\n"), nil, []string{"undo.start"}},
	{"UNDO not of AI", in(func(t *behaviour, w, _ string) (plugintest.Action, bool) {
		return plugintest.Send("OK\n"), w == "UNDO" && t.last.Load() == "AI" && t.think.Load() == 0
	}), nil, []string{"undo.ai"}},

	{"AI in small letters", onReply(func(_ *behaviour, line string) string {
		if isMove(line) {
			return strings.ToLower(line) + "\n"
		}
		return line + "\n"
	}), nil, []string{"ai.form"}},
	{"AI cheats", onReply(func(_ *behaviour, line string) string {
		if isMove(line) {
			return "A0-A9\n"
		}
		return line + "\n"
	}), nil, []string{"ai.legal"}},
	{"AI is deaf", on("AI", plugintest.Action{}), nil, []string{"ai.answers"}},
	{"AI cheats in some positions", playsIllegal(func(fen string, _ int) bool { return strings.HasPrefix(fen, "FEN 2ea1k3/8h/h4R3") }), nil, []string{"ai.positions"}},
	{"AI leaves its king in check", ignoresChecks, nil, []string{"ai.positions", "hints.legal"}},
	{"AI cheats the other side", playsIllegal(func(_ string, running int) bool { return running == 2 }), nil, []string{"ai.side"}},
	{"AI cheats in the end", playsIllegal(func(_ string, running int) bool { return running == 5 }), nil, []string{"ai.game"}},
	{"AI does not move", takesBack(func(_ *behaviour, line string) bool { return isMove(line) }), nil, []string{"ai.moves"}},
	{"AI plays when mated", onReply(func(t *behaviour, line string) string {
		if t.last.Load() == "AI" && strings.HasPrefix(line, "ERROR checkmate") {
			return "A0-A0\n"
		}
		return line + "\n"
	}), nil, []string{"ai.mate"}},
	{"AI hangs when stalemated", onReply(func(_ *behaviour, line string) string {
		if strings.HasPrefix(line, "ERROR stalemate") {
			return ""
		}
		return line + "\n"
	}), nil, []string{"ai.stalemate"}},

	{"HINTS have no end", onReply(func(_ *behaviour, line string) string {
		if line == "ENDHINTS" {
			return ""
		}
		return line + "\n"
	}), nil, []string{"hints.list"}},
	{"HINTS cheat", onReply(func(_ *behaviour, line string) string {
		if line == "ENDHINTS" {
			return "A0-A0 just so\nENDHINTS\n"
		}
		return line + "\n"
	}), nil, []string{"hints.legal"}},
	{"HINTS turn back", func(t *behaviour) {
		var held []string
		onReply(func(_ *behaviour, line string) string {
			first, _, more := strings.Cut(line, " ")
			if more && isMove(first) {
				held = append([]string{line + "\n"}, held...)
				return ""
			}
			all := strings.Join(held, "") + line + "\n"
			held = nil
			return all
		})(t)
	}, nil, []string{"hints.best", "hints.order"}},
	{"HINTS have Red's scores", func(t *behaviour) {
		var black atomic.Bool
		in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
			if w == "FEN" {
				black.Store(strings.HasSuffix(line, " b"))
			}
			return plugintest.Action{}, false
		})(t)
		onReply(func(_ *behaviour, line string) string {
			if black.Load() {
				line = strings.NewReplacer("score mate ", "score mate -", "score cp -", "score cp ").Replace(line)
			}
			return line + "\n"
		})(t)
	}, nil, []string{"hints.scores"}},
	{"HINTS begin with the worst", func(t *behaviour) {
		held := ""
		onReply(func(_ *behaviour, line string) string {
			first, _, more := strings.Cut(line, " ")
			if more && isMove(first) {
				if held == "" {
					held = first + "\n"
					return ""
				}
				return first + "\n"
			}
			all := held + line + "\n"
			held = ""
			return all
		})(t)
	}, nil, []string{"hints.best"}},
	{"HINTS when mated", onReply(func(t *behaviour, line string) string {
		if t.last.Load() == "HINTS" && strings.HasPrefix(line, "ERROR checkmate") {
			return "ENDHINTS\n"
		}
		return line + "\n"
	}), nil, []string{"hints.mate"}},
	{"HINTS move", func(t *behaviour) {
		in(func(_ *behaviour, w, _ string) (plugintest.Action, bool) { return plugintest.Obey("AI"), w == "HINTS" })(t)
		onReply(func(t *behaviour, line string) string {
			if isMove(line) && t.asked.Load() == "HINTS" {
				return line + "\nENDHINTS\n"
			}
			return line + "\n"
		})(t)
	}, nil, []string{"hints.stay"}},

	{"BAN is nothing", ignoresList("BAN", 0), nil, []string{"ban.ai", "ban.hints"}},
	{"BAN of legal moves only", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Obey("no move"), line == "A0-A9"
	}), nil, []string{"ban.list"}},
	{"BAN not in the book", func(t *behaviour) {
		started := true
		in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
			if w == "FEN" {
				started = line == "FEN "+start.WireFEN()
			}
			return plugintest.Action{}, false
		})(t)
		follow := t.in
		ignoresList("BAN", 0)(t)
		deaf := t.in
		t.in = func(line string) plugintest.Action {
			if act := follow(line); !started {
				return act
			}
			return deaf(line)
		}
	}, nil, []string{"ban.ai", "ban.hints"}},
	{"BAN of all", accepts("AI", "every legal move is banned", "A0-A1\n"), nil, []string{"ban.all"}},
	{"BAN stays", keepsBans, nil, []string{"ban.next.ai", "ban.next.hints"}},
	{"BAN outlives an aborted AI", outlivesAbort, nil, []string{"ban.aborted"}},
	{"BAN of the other side's move", func(t *behaviour) {
		blind := false
		in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
			if line == boards.PoisonedMate {
				blind = true
			}
			ask := blind && w == "AI"
			blind = blind && !ask
			return plugintest.Send(boards.Poisoned.Other + "\n"), ask
		})(t)
	}, nil, []string{"ban.root"}},
	{"BGTHINK OFF", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), line == "BGTHINK OFF"
	}), nil, []string{"bgthink.off"}},
	{"BGTHINK ON", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), line == "BGTHINK ON"
	}), nil, []string{"bgthink.on"}},

	{"BGTHINK aloud", func(t *behaviour) {
		var on atomic.Bool
		in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
			if line == "BGTHINK ON" {
				on.Store(true)
			}
			return plugintest.Action{}, false
		})(t)
		onReply(func(_ *behaviour, line string) string {
			if on.Load() && isMove(line) {
				return line + "\nstill thinking\n"
			}
			return line + "\n"
		})(t)
	}, nil, []string{"bgthink.bails"}},

	{"QUIT late", func(t *behaviour) {
		onReply(func(_ *behaviour, line string) string {
			if line == "BYE" {
				time.Sleep(1700 * time.Millisecond)
			}
			return line + "\n"
		})(t)
	}, nil, []string{"quit.ends"}},
	{"QUIT without BYE", onReply(func(_ *behaviour, line string) string { return strings.Replace(line+"\n", "BYE\n", "", 1) }), nil, []string{"quit.bye"}},
	{"QUIT and stay", on("QUIT", plugintest.Action{Send: "BYE\n", Hang: true}), nil, []string{"quit.ends"}},
	{"QUIT is nothing", on("QUIT", plugintest.Action{}), nil, []string{"quit.bye", "quit.ends"}},

	{"ABORT always answers", idle("ABORT", plugintest.Send("ABORTED\n")), nil, []string{"abort.silent"}},
	{"ABORT is nothing", on("ABORT", plugintest.Action{}), nil, abortChecks},
	{"ABORT is TIMEOUT", on("ABORT", plugintest.Obey("TIMEOUT")), nil, abortChecks},
	{"TIMEOUT is nothing", on("TIMEOUT", plugintest.Action{}), nil, timeoutChecks},
	{"TIMEOUT is ABORT", on("TIMEOUT", plugintest.Obey("ABORT")), nil, timeoutChecks},
	{"TIMEOUT always answers", idle("TIMEOUT", plugintest.Send("ERROR\n")), nil, []string{"timeout.silent"}},
	{"TIMEOUT is not played", takesBack(func(t *behaviour, line string) bool { return isMove(line) && t.last.Load() == "TIMEOUT" }), nil, []string{"timeout.made"}},
	{"ABORTED late", onReply(func(_ *behaviour, line string) string {
		if line == "ABORTED" {
			time.Sleep(1600 * time.Millisecond)
		}
		return line + "\n"
	}), nil, abortedChecks},
	{"LEVEL does not interrupt", thinking(func(word string) (plugintest.Action, bool) {
		return plugintest.Send("1\n"), word == "LEVEL"
	}), nil, []string{"interrupt.level", "interrupt.setlevel", "interrupt.thinking"}},
	{"AI does not interrupt", ignoresWhileThinking("AI"), nil, []string{"interrupt.ai"}},
	{"BAN does not interrupt", ignoresWhileThinking("BAN"), nil, []string{"interrupt.ban"}},
	{"BGTHINK does not interrupt", ignoresWhileThinking("BGTHINK"), nil, []string{"interrupt.bgthink"}},
	{"FEN does not interrupt", ignoresWhileThinking("FEN"), nil, []string{"interrupt.fen"}},
	{"HINTS do not interrupt", ignoresWhileThinking("HINTS"), nil, []string{"interrupt.hints"}},
	{"LOAD does not interrupt", ignoresWhileThinking("LOAD"), nil, []string{"interrupt.load"}},
	{"PLAY does not interrupt", ignoresWhileThinking("PLAY"), nil, []string{"interrupt.play"}},
	{"UNDO does not interrupt", ignoresWhileThinking("UNDO"), nil, []string{"interrupt.undo"}},
	{"BAN interrupts and is forgotten", pretendsToObey("BAN"), nil, []string{"interrupt.ban"}},
	{"FEN interrupts and is forgotten", pretendsToObey("FEN"), nil, []string{"interrupt.fen"}},
	{"LEVEL interrupts and is forgotten", pretendsToObey("LEVEL"), nil, []string{"interrupt.setlevel"}},
	{"LOAD interrupts and is forgotten", pretendsToObey("LOAD"), nil, []string{"interrupt.load"}},
	{"PLAY interrupts and is forgotten", pretendsToObey("PLAY"), nil, []string{"interrupt.play"}},
	{"UNDO interrupts and is forgotten", pretendsToObey("UNDO"), nil, []string{"interrupt.undo"}},
	{"QUIT does not interrupt", thinking(func(word string) (plugintest.Action, bool) {
		return plugintest.Action{Send: "BYE\n", Die: true}, word == "QUIT"
	}), nil, []string{"interrupt.quit"}},
	{"UNDO dies", thinking(func(word string) (plugintest.Action, bool) {
		return plugintest.Action{Die: true}, word == "UNDO"
	}), nil, []string{"interrupt.undo"}},

	{"unknown words", onReply(func(_ *behaviour, line string) string {
		if strings.Contains(line, "unknown command") {
			return ""
		}
		return line + "\n"
	}), nil, []string{"input.unknown", "interrupt.unknown"}},
	{"words are cut", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Obey("LEVEL"), line == "LEVELX"
	}), nil, []string{"input.whole"}},
	{"a piece is 256 bytes", func(t *behaviour) {
		t.raw = func(p []byte) []byte {
			if len(p) <= 256 || !bytes.HasPrefix(p, []byte("PLAY")) {
				return p
			}
			return p[:bytes.LastIndexByte(p[:256], '\n')+1]
		}
	}, nil, []string{"input.pipelined"}},
	{"a piece is a command", func(t *behaviour) {
		t.raw = func(p []byte) []byte {
			if bytes.HasPrefix(p, []byte("PLAY")) && bytes.HasSuffix(p, []byte("\nAI\n")) {
				return p[:bytes.IndexByte(p, '\n')+1]
			}
			return p
		}
	}, nil, []string{"input.playai"}},
	{"a command is a piece", func(t *behaviour) {
		t.raw = func(p []byte) []byte { return append(bytes.TrimSuffix(p, []byte("\n")), '\n') }
	}, nil, []string{"input.pieces"}},
	{"short memory", changesUndo(func(_ string, running string) bool { return len(running) > 300 }, "ERROR\n"), nil, []string{"robust.undo"}},
	{"short games", shortGames, nil, []string{"robust.game"}},
	{"arguments kill", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Action{Die: true}, strings.Contains(line, " ?*") && !strings.HasPrefix(line, "~")
	}), nil, []string{"robust.arguments"}},
	{"noise kills", in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
		return plugintest.Action{Die: true}, strings.Contains(line, "~\xff")
	}), nil, []string{"robust.noise"}},
}

// examined returns the report of a plugin with a fault.
func examined(t *testing.T, f fault) *check.Report {
	if f.info == nil {
		f.info = replace("", "")
	}
	o := check.Options{Spec: "player", Budget: time.Hour}
	if f.name != "" {
		o.Only = append(quick(), f.want...)
	}
	return run(t, newServer(), f.info, f.change, o)
}

// run checks a server whose behaviour is changed.
func run(t *testing.T, server *qhplugin.Server, info infoMode, tamper func(*behaviour), o check.Options) *check.Report {
	suite := Suite(Plugin{
		Name: "player", Play: newPlugin(server, false, tamper), Debug: newPlugin(server, true, tamper),
		Info: pluginclient.Pipe(func(ctx context.Context, _ io.Reader, out io.Writer) error {
			return info(ctx, server.Info().String(), out)
		}),
	})
	r, err := check.Run(t.Context(), suite, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// quick returns all chapters but robust, which takes time.
func quick() []string {
	var names []string
	for _, n := range table {
		if chapter, _, _ := strings.Cut(n.name, "."); chapter != "robust" && !slices.Contains(names, chapter) {
			names = append(names, chapter)
		}
	}
	return names
}

// found returns the names of the checks with some verdicts.
func found(r *check.Report, verdicts ...check.Verdict) []string {
	var names []string
	for _, res := range r.Results {
		if slices.Contains(verdicts, res.Verdict) {
			names = append(names, res.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestFaultless checks that a plugin without faults passes all checks that apply.
func TestFaultless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := examined(t, fault{})
		want := []string{"input.bgthink", "input.unsupported"}
		if diff := cmp.Diff(want, found(r, check.Absent)); diff != "" || !r.OK() {
			t.Errorf("what does not apply, -want +got:\n%s", diff)
		}
		if r.Count(check.Passed, false)+r.Count(check.Passed, true) != len(table)-len(want) {
			t.Errorf("not passed: %v", found(r, check.Failed, check.Advised, check.Skipped, check.Unreached))
		}
	})
}

// TestFaults checks that exactly the fault of a plugin is found, and that dependent checks are
// skipped.
func TestFaults(t *testing.T) {
	for _, f := range enginetest.Daily(3, faults) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := examined(t, f)
				slices.Sort(f.want)
				if diff := cmp.Diff(f.want, found(r, check.Failed, check.Advised)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
					report(t, r)
				}
			})
		})
	}
}

// TestEveryFault checks that every binding check has a fault.
func TestEveryFault(t *testing.T) {
	for _, n := range table {
		if !qhplugin.RuleNamed(n.name).Advice && !slices.ContainsFunc(faults, func(f fault) bool { return slices.Contains(f.want, n.name) }) {
			t.Errorf("no plugin fails %s", n.name)
		}
	}
}
