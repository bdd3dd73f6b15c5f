package plugintest

import (
	"strings"
	"time"
)

// A Behaviour is what an engine makes of a host's line. It is asked about one line after
// the other, and may take its time.
type Behaviour func(line string) Action

// An Action is what an engine does with a line instead of executing it, in the order of the fields. The
// zero Action ignores the line.
type Action struct {
	Send  string   // bytes to be sent
	Flood bool     // it then writes for ever
	Die   bool     // it then dies, with exit status 3
	Hang  bool     // it then reads on and does nothing more
	Obey  []string // lines to be obeyed in place of this one
}

// Obey is to obey other lines, or the line itself.
func Obey(lines ...string) Action { return Action{Obey: lines} }

// Send returns an Action that sends text. The text must include its line ending.
func Send(text string) Action { return Action{Send: text} }

// On makes an engine do something at a command, or at the first word of one.
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
	gone := false
	return func(line string) Action {
		gone = gone || isCommand(line, command)
		if gone {
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
