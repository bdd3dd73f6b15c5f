// Package plugintest holds what the tests of the protocol packages share. Each protocol has a
// client and a server, and its package tests the same properties of them:
//
//   - roundtrip.go: a client of a server of s returns what s returns. [CheckRoundTrip] tests this for one search; a property
//     test tests many.
//   - transcript.go: what a server sends, and when. [RunTranscripts] plays the host's side of conversations in files.
//   - faultyengine.go, behaviour.go and faulttest.go: how a client handles an engine that hangs, floods, crashes or sends invalid
//     lines. A [FaultyEngine] is placed between the client and a correct server and changes lines. A [FaultTest] tests how the
//     client reacts.
//   - recording.go: how a client handles a real engine, which is known by a trace. A [Recording] replays that engine.
//
// The package does not depend on a protocol: an engine is a pluginclient.Starter. Only tests import
// it.
package plugintest

import (
	"slices"
	"strings"

	"qhsh/pluginclient"
)

// SentLines returns the lines that a host has sent in a conversation, each after ">", or "~" for a
// ping.
func SentLines(s pluginclient.Session) []string { return TraceLines(s, ">~") }

// TraceLines returns the lines of a conversation with some directions, each after the sign of its
// pluginclient.Direction. Of long conversations it returns the last thousand.
func TraceLines(s pluginclient.Session, directions string) []string {
	var said []string
	wanted := func(e pluginclient.Entry) bool { return strings.ContainsRune(directions, rune(e.Dir)) }
	for _, e := range s.Trace().Last(1000, wanted) {
		said = append(said, e.Dir.String()+e.Text)
	}
	return said
}

// Words returns the words of a language, sorted.
func Words(l pluginclient.Language) (words []string) {
	for _, c := range l.Commands {
		words = append(words, c.Word)
	}
	slices.Sort(words)
	return words
}
