package pluginclient

import "strings"

// A Bridge is a Session that speaks one protocol in front of an engine that speaks
// another.
type Bridge interface {
	Session
	// Native returns the conversation with the engine itself, in its own protocol. Closing the
	// Bridge closes it.
	Native() Session
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
