// Package plugintest is what the tests of the protocols share. A protocol has a client and
// a server, and its package tests the same things of them, whatever the protocol is:
//
//   - roundtrip.go: a client of a server of s answers what s answers. [CheckRoundTrip] tests it for one
//     question; a property test asks many.
//   - transcript.go: what a server says, and when. [RunTranscripts] plays the host's side of
//     conversations that are kept in files.
//   - faultyengine.go, behaviour.go and faulttest.go: what a client does about an engine that hangs,
//     floods, dies or talks nonsense. A [FaultyEngine] stands between the client and a server
//     that behaves, and tampers with the lines that pass. A [FaultTest] reports whether the
//     client has come off well.
//   - recording.go: what a client makes of a real engine, which is known by the trace of a
//     conversation with it. A [Recording] is that engine again.
//
// Nothing here knows a protocol: an engine is a pluginclient.Starter. Only tests import
// this package.
package plugintest

import (
	"strings"

	"qhsh/pluginclient"
)

// SentLines is all that a host has sent in a conversation: ">" and the line, or "~" and the
// line if it is a ping.
func SentLines(s pluginclient.Session) []string { return TraceLines(s, ">~") }

// TraceLines are the lines of a conversation that went in some directions, each behind the
// sign of its pluginclient.Direction. Of long conversations it is the end.
func TraceLines(s pluginclient.Session, directions string) []string {
	var said []string
	wanted := func(e pluginclient.Entry) bool { return strings.ContainsRune(directions, rune(e.Dir)) }
	for _, e := range s.Trace().Last(1000, wanted) {
		said = append(said, e.Dir.String()+e.Text)
	}
	return said
}
