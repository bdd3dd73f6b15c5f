package pluginclient

import "strings"

// A Bridge is a Session that speaks one protocol in front of an engine that speaks
// another.
type Bridge interface {
	Session
	// Native is the conversation with the engine itself, in its own protocol. It is closed
	// with the Bridge.
	Native() Session
}

// Rename names the trace of a Session, and with it that of the engine behind a Bridge: its
// lines have the protocol's name behind a slash, as in eleeye/ucci.
func Rename(s Session, name string) {
	s.Trace().Rename(name)
	if b, ok := As[Bridge](s); ok {
		protocol, _, _ := strings.Cut(b.Native().Info().Protocol, " ")
		b.Native().Trace().Rename(name + "/" + strings.ToLower(protocol))
	}
}

// Traces are the traces of a Session: its own, and that of the engine behind a Bridge.
func Traces(s Session) []*Trace {
	if b, ok := As[Bridge](s); ok {
		return []*Trace{s.Trace(), b.Native().Trace()}
	}
	return []*Trace{s.Trace()}
}
