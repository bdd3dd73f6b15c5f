package xboard_test

import (
	"bytes"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// TestReference: the server knows the words of the reference.
func TestReference(t *testing.T) {
	for _, word := range plugintest.Words(xboard.Language()) {
		var out bytes.Buffer
		if err := xboard.Serve(t.Context(), strings.NewReader(word+"\n"), &out, uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "ranker"}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "unknown command") {
			t.Errorf("%s: %s", word, out.String())
		}
	}
}
