package universal_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/universal"
)

// TestServerTranscripts holds the conversations of testdata/uci and testdata/ucci. The
// engine ranks by a fixed rule.
func TestServerTranscripts(t *testing.T) {
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			plugintest.Transcripts(t, "testdata/"+p.name, func(r enginetest.Ranker) pluginclient.Starter {
				return p.inProcess(universal.Served{
					Searcher: r, Name: "Ranker 1.0", Author: "its maker", Options: demoOptions,
				}).Start
			})
		})
	}
}

// demoOptions are options of every kind.
var demoOptions = []universal.Setter{
	{Option: universal.Option{Name: "Move Overhead", Kind: universal.Spin, Default: "10", Max: 100}},
	{Option: universal.Option{Name: "Style", Kind: universal.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: universal.Option{Name: "Book", Kind: universal.String}},
	{Option: universal.Option{Name: "Fails", Kind: universal.Button}, Set: func(string) error { return errors.New("it always fails") }},
}
