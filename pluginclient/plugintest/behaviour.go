package plugintest

import (
	"strings"
	"time"
)

// A Behaviour decides what an engine does with a line of the host. It is called with one line after
// the other, and may take its time.
type Behaviour func(line string) Action

// An Action is what an engine does with a line instead of executing it, in the order of the fields. The
// zero Action ignores the line.
type Action struct {
	Send  string   // bytes to send
	Flood bool     // then write without end
	Die   bool     // then exit with status 3
	Hang  bool     // then read on and do nothing more
	Obey  []string // lines to execute instead of this one
}

// Obey returns an Action that executes lines.
func Obey(lines ...string) Action { return Action{Obey: lines} }

// Send returns an Action that sends text. The text must include its line ending.
func Send(text string) Action { return Action{Send: text} }

// On makes an engine do something at a command, which may be only its first word.
func On(command string, a Action) Behaviour {
	return func(line string) Action {
		if isCommand(line, command) {
			return a
		}
		return Obey(line)
	}
}

// IgnoreAfter makes an engine ignore all input from a command on. Its output continues.
func IgnoreAfter(command string) Behaviour {
	ignoring := false
	return func(line string) Action {
		ignoring = ignoring || isCommand(line, command)
		if ignoring {
			return Action{}
		}
		return Obey(line)
	}
}

// Delay makes an engine wait before it executes a command.
func Delay(command string, d time.Duration) Behaviour {
	return func(line string) Action {
		if isCommand(line, command) {
			time.Sleep(d)
		}
		return Obey(line)
	}
}

func isCommand(line, command string) bool {
	return line == command || strings.HasPrefix(line, command+" ")
}
