package qh

import (
	"slices"
	"sync/atomic"

	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
)

// banStays bans again what was banned, before every AI and HINTS up to the next FEN or BAN.
func banStays(t *tampering) {
	var list []string
	left, drop := 0, atomic.Bool{}
	in(func(_ *tampering, w, line string) (plugintest.Action, bool) {
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
	swallowsOnce("OK", &drop)(t)
}

// swallowsOnce keeps an answer back when drop is set, which is then over.
func swallowsOnce(answer string, drop *atomic.Bool) func(*tampering) {
	return saysOf(func(_ *tampering, line string) string {
		if line == answer && drop.Swap(false) {
			return ""
		}
		return line + "\n"
	})
}

// takesBack takes back what was played when the next command comes.
func takesBack(what func(t *tampering, answer string) bool) func(*tampering) {
	return func(t *tampering) {
		var moved atomic.Bool
		var drop atomic.Int32
		in(func(_ *tampering, _, line string) (plugintest.Action, bool) {
			if !moved.Swap(false) {
				return plugintest.Action{}, false
			}
			drop.Add(1)
			return plugintest.Obey("UNDO", line), true
		})(t)
		saysOf(func(t *tampering, line string) string {
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

// loadsAnew plays a list from where the game has begun.
func loadsAnew(t *tampering) {
	begun := "FEN " + start.WireFEN()
	var drop atomic.Bool
	in(func(_ *tampering, w, line string) (plugintest.Action, bool) {
		switch w {
		case "FEN":
			begun = line
		case "LOAD":
			drop.Store(true)
			return plugintest.Obey(begun, line), true
		}
		return plugintest.Action{}, false
	})(t)
	swallowsOnce("OK", &drop)(t)
}

// undoOf answers something else to an UNDO, by the command before it and as many u as UNDOs came
// one after the other.
func undoOf(when func(before, running string) bool, answer string) func(*tampering) {
	return func(t *tampering) {
		before, running := "", ""
		in(func(_ *tampering, w, _ string) (plugintest.Action, bool) {
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

// cheats answers AI with a move that is none, by the last FEN and how many AIs came one after
// the other.
func cheats(when func(fen string, running int) bool) func(*tampering) {
	return func(t *tampering) {
		fen, running := "", 0
		var bad atomic.Bool
		in(func(_ *tampering, w, line string) (plugintest.Action, bool) {
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
		saysOf(func(_ *tampering, line string) string {
			if isMove(line) && bad.Load() {
				return "A0-A0\n"
			}
			return line + "\n"
		})(t)
	}
}

// busy answers ERROR to a command while it thinks, and thinks on; the lines after it are its own.
func busy(word string) func(*tampering) {
	return listed(word, func(t *tampering) (plugintest.Action, bool) {
		return plugintest.Send("ERROR\n"), t.think.Load() > 0
	})
}

// pretends interrupts its thought for a command, and says that it has carried it out.
func pretends(word string) func(*tampering) {
	return func(t *tampering) {
		var drop atomic.Bool
		listed(word, func(t *tampering) (plugintest.Action, bool) {
			if t.think.Load() == 0 {
				return plugintest.Action{}, false
			}
			drop.Store(true)
			return plugintest.Action{Send: "ABORTED\nOK\n", Obey: []string{"ABORT"}}, true
		})(t)
		swallowsOnce("ABORTED", &drop)(t)
	}
}

// listed does something else with a command, and skips the lines of its list then. A
// LEVEL alone is left to itself.
func listed(word string, f func(t *tampering) (plugintest.Action, bool)) func(*tampering) {
	return func(t *tampering) {
		left := 0
		in(func(t *tampering, w, line string) (plugintest.Action, bool) {
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

// shortGames are over after 200 moves.
func shortGames(t *tampering) {
	moves := 0
	in(func(_ *tampering, w, _ string) (plugintest.Action, bool) {
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
