package qhcheck

import (
	"slices"
	"strings"
	"sync/atomic"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
)

// keepsBans repeats the last ban before every AI and HINTS, up to the next FEN or BAN.
func keepsBans(t *behaviour) {
	var list []string
	left, drop := 0, atomic.Bool{}
	in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		switch {
		case left > 0:
			left--
			list = append(list, line)
		case w == "BAN":
			cmd, _ := qhplugin.ParseCommand(line)
			left, _ = cmd.Count()
			list = []string{line}
		case w == "FEN":
			list = nil
		case (w == "AI" || w == "HINTS") && len(list) > 1:
			drop.Store(true)
			return plugintest.Obey(append(slices.Clone(list), line)...), true
		}
		return plugintest.Action{}, false
	})(t)
	dropsOnce("OK", &drop)(t)
}

// outlivesAbort repeats a ban before the AI after one that was aborted.
func outlivesAbort(t *behaviour) {
	var list []string
	left, drop, aborted := 0, atomic.Bool{}, false
	in(func(t *behaviour, w, line string) (plugintest.Action, bool) {
		switch {
		case left > 0:
			left--
			list = append(list, line)
		case w == "BAN":
			left, list, aborted = count(line), []string{line}, false
		case w == "FEN":
			list = nil
		case w == "ABORT":
			aborted = t.think.Load() > 0
		case w == "AI" && aborted && len(list) > 1:
			drop.Store(true)
			again := plugintest.Obey(append(slices.Clone(list), line)...)
			list = nil
			return again, true
		}
		return plugintest.Action{}, false
	})(t)
	dropsOnce("OK", &drop)(t)
}

// ignoresChecks answers AI and HINTS directly after FEN with a move that leaves the king in check, if
// there is one. strayingAdvisors answers AI with a move of an advisor to the next file.
var (
	ignoresChecks    = cheats(moveInCheck, "AI", "HINTS")
	strayingAdvisors = cheats(moveOfAdvisor, "AI")
)

// cheats answers some commands directly after FEN with the move that f returns, if that is not empty.
func cheats(f func(pos *xiangqi.Position) string, commands ...string) func(*behaviour) {
	return func(t *behaviour) { cheat(t, f, commands) }
}

func cheat(t *behaviour, f func(pos *xiangqi.Position) string, commands []string) {
	var cheat atomic.Value
	cheat.Store("")
	in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		if arg, ok := strings.CutPrefix(line, "FEN "); ok {
			pos, err := xiangqi.ParseFEN(arg)
			if cheat.Store(""); err == nil {
				cheat.Store(f(pos))
			}
		} else if !slices.Contains(commands, w) {
			cheat.Store("")
		}
		return plugintest.Action{}, false
	})(t)
	onReply(func(_ *behaviour, line string) string {
		first, rest, _ := strings.Cut(line, " ")
		if bad := cheat.Load().(string); bad != "" && isMove(first) {
			line = strings.TrimSpace(bad + " " + rest)
		}
		return line + "\n"
	})(t)
}

// moveOfAdvisor returns a move of an advisor to the side, or "".
func moveOfAdvisor(pos *xiangqi.Position) string {
	for from := range xiangqi.Square(90) {
		to := from + 1
		if from%9 == 3 {
			to = from - 1
		}
		if pos.At(from) == xiangqi.NewPiece(pos.Side(), xiangqi.Advisor) && pos.At(to) == xiangqi.Empty {
			return xiangqi.NewMove(from, to).ICCS()
		}
	}
	return ""
}

// moveInCheck returns a move that leaves the king in check, or "".
func moveInCheck(pos *xiangqi.Position) string {
	if !pos.InCheck() {
		return ""
	}
	for from := range xiangqi.Square(90) {
		for to := range xiangqi.Square(90) {
			if m := xiangqi.NewMove(from, to).ICCS(); qhplugin.ExplainMove(pos, m) == qhplugin.KingInCheck {
				return m
			}
		}
	}
	return ""
}

// dropsOnce drops an answer if drop is set, and clears drop.
func dropsOnce(answer string, drop *atomic.Bool) func(*behaviour) {
	return onReply(func(_ *behaviour, line string) string {
		if line == answer && drop.Swap(false) {
			return ""
		}
		return line + "\n"
	})
}

// takesBack takes a move back before the next command.
func takesBack(what func(t *behaviour, answer string) bool) func(*behaviour) {
	return func(t *behaviour) {
		var moved atomic.Bool
		var drop atomic.Int32
		in(func(_ *behaviour, _, line string) (plugintest.Action, bool) {
			if !moved.Swap(false) {
				return plugintest.Action{}, false
			}
			drop.Add(1)
			return plugintest.Obey("UNDO", line), true
		})(t)
		onReply(func(t *behaviour, line string) string {
			if line == "OK" && drop.Load() > 0 {
				drop.Add(-1)
				return ""
			}
			if what(t, line) {
				moved.Store(true)
			}
			return line + "\n"
		})(t)
	}
}

// loadsFromStart plays a list from the start of the game.
func loadsFromStart(t *behaviour) {
	started := "FEN " + start.WireFEN()
	var drop atomic.Bool
	in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
		switch w {
		case "FEN":
			started = line
		case "LOAD":
			drop.Store(true)
			return plugintest.Obey(started, line), true
		}
		return plugintest.Action{}, false
	})(t)
	dropsOnce("OK", &drop)(t)
}

// changesUndo replaces answers to UNDO, depending on the command before it and the number of
// consecutive UNDOs.
func changesUndo(when func(before, running string) bool, answer string) func(*behaviour) {
	return func(t *behaviour) {
		before, running := "", ""
		in(func(_ *behaviour, w, _ string) (plugintest.Action, bool) {
			was := before
			if slices.Contains([]string{"FEN", "PLAY", "LOAD", "AI", "UNDO"}, w) {
				before = w
			}
			if w != "UNDO" {
				running = ""
				return plugintest.Action{}, false
			}
			running += "u"
			return plugintest.Send(answer), when(was, running)
		})(t)
	}
}

// playsIllegal answers AI with an illegal move, depending on the last FEN and the number of
// consecutive AIs.
func playsIllegal(when func(fen string, running int) bool) func(*behaviour) {
	return func(t *behaviour) {
		fen, running := "", 0
		var bad atomic.Bool
		in(func(_ *behaviour, w, line string) (plugintest.Action, bool) {
			switch w {
			case "FEN":
				fen, running = line, 0
			case "AI":
				running++
				bad.Store(when(fen, running))
			default:
				running = 0
			}
			return plugintest.Action{}, false
		})(t)
		onReply(func(_ *behaviour, line string) string {
			if isMove(line) && bad.Load() {
				return "A0-A0\n"
			}
			return line + "\n"
		})(t)
	}
}

// ignoresWhileThinking answers ERROR to a command and its list while it thinks, and continues
// thinking.
func ignoresWhileThinking(word string) func(*behaviour) {
	return onList(word, func(t *behaviour) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), t.think.Load() > 0
	})
}

// pretendsToObey stops thinking for a command and answers OK without executing it.
func pretendsToObey(word string) func(*behaviour) {
	return func(t *behaviour) {
		var drop atomic.Bool
		onList(word, func(t *behaviour) (plugintest.Action, bool) {
			if t.think.Load() == 0 {
				return plugintest.Action{}, false
			}
			drop.Store(true)
			return plugintest.Action{Send: "ABORTED\nOK\n", Obey: []string{"ABORT"}}, true
		})(t)
		dropsOnce("ABORTED", &drop)(t)
	}
}

// onList replaces the action for a command and skips the lines of its list. LEVEL without an
// argument is not changed.
func onList(word string, f func(t *behaviour) (plugintest.Action, bool)) func(*behaviour) {
	return func(t *behaviour) {
		left := 0
		in(func(t *behaviour, w, line string) (plugintest.Action, bool) {
			if left > 0 {
				left--
				return plugintest.Action{}, true
			}
			if w != word || line == "LEVEL" {
				return plugintest.Action{}, false
			}
			act, ok := f(t)
			if n := count(line); ok && (word == "LOAD" || word == "BAN") {
				left = n
			}
			return act, ok
		})(t)
	}
}

// shortGames ends games after 200 moves.
func shortGames(t *behaviour) {
	moves := 0
	in(func(_ *behaviour, w, _ string) (plugintest.Action, bool) {
		switch w {
		case "FEN":
			moves = 0
		case "UNDO":
			moves--
		case "PLAY":
			moves++
		}
		return plugintest.Send("ERROR the game is over\n"), w == "PLAY" && moves > 200
	})(t)
}
