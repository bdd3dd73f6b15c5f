package pluginclient

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Bridge is a Session that speaks one protocol in front of an engine that speaks
// another.
type Bridge interface {
	Session
	// Native returns the conversation with the engine itself, in its own protocol. Closing the
	// Bridge closes it.
	Native() Session
}

// Native returns the conversation in the engine's own protocol: that behind a Bridge, or s itself.
func Native(s Session) Session {
	if b, ok := As[Bridge](s); ok {
		return b.Native()
	}
	return s
}

// Rename sets the engine name in the trace of s. If s is a Bridge, it also renames the trace of
// the engine behind it to name/protocol, as in eleeye/ucci.
func Rename(s Session, name string) {
	s.Trace().Rename(name)
	if b, ok := As[Bridge](s); ok {
		protocol, _, _ := strings.Cut(b.Native().Info().Protocol, " ")
		b.Native().Trace().Rename(name + "/" + strings.ToLower(protocol))
	}
}

// Traces returns the traces of s: its own and, for a Bridge, that of the engine behind it.
func Traces(s Session) []*Trace {
	if b, ok := As[Bridge](s); ok {
		return []*Trace{s.Trace(), b.Native().Trace()}
	}
	return []*Trace{s.Trace()}
}

// Recent returns the last n lines that the traces of s still have, in order, as a log would have them that
// began with the first.
func Recent(s Session, n int) []TraceLine {
	var lines []TraceLine
	var begun time.Time
	for _, t := range Traces(s) {
		name, kept := t.name(), t.Last(n, func(Entry) bool { return true })
		for i, e := range kept {
			if begun.IsZero() {
				begun = e.Time
			}
			lines = append(lines, TraceLine{
				At: e.Time.Sub(begun), Since: e.Time.Sub(kept[max(i-1, 0)].Time), Engine: name, Dir: e.Dir, Text: e.Text,
			})
		}
	}
	slices.SortStableFunc(lines, func(a, b TraceLine) int { return cmp.Compare(a.At, b.At) })
	lines = lines[max(len(lines)-n, 0):]
	for i := len(lines) - 1; i >= 0; i-- {
		lines[i].At -= lines[0].At
	}
	return lines
}
