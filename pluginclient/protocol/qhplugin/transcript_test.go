package qhplugin

import (
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestServerTranscripts runs the conversations of testdata/server. The engine ranks moves by a
// fixed rule.
func TestServerTranscripts(t *testing.T) {
	plugintest.RunTranscripts(t, "testdata/server", func(r enginetest.Ranker) pluginclient.Starter {
		return InProcess(&Server{Searcher: r, Name: "ranker"}).Start
	})
}
