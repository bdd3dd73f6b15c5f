package qhplugin

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
)

// TestReference: the reference has the words that the server knows, and no others.
func TestReference(t *testing.T) {
	var words []string
	for word := range knownWords(t) {
		words = append(words, string(word))
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(plugintest.Words(Language()))), slices.Sorted(slices.Values(words))); diff != "" {
		t.Errorf("-reference +server\n%s", diff)
	}
}

// knownWords returns the words of the protocol to which the server does not reply that it does not
// know them.
func knownWords(t *testing.T) map[Word]bool {
	known := map[Word]bool{}
	for _, word := range []Word{Level, FEN, Play, Load, AI, Hints, Ban, Undo, BGThink, Abort, Timeout, Scr, Quit, OK, Error, Aborted, Bye, EndHints} {
		var out bytes.Buffer
		if err := (&Server{Searcher: enginetest.Ranker{}, Name: "qhsh"}).Serve(t.Context(), strings.NewReader(string(word)+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "unknown command") {
			known[word] = true
		}
	}
	return known
}
