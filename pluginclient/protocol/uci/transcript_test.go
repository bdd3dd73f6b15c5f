package uci_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// TestServerTranscripts runs the conversations of testdata/uci and testdata/ucci. The engine ranks
// moves by a fixed rule.
func TestServerTranscripts(t *testing.T) {
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			plugintest.RunTranscripts(t, "testdata/"+p.name, func(r enginetest.Ranker) pluginclient.Starter {
				return p.inProcess(uci.ServerConfig{
					Searcher: r, Name: "Ranker 1.0", Author: "its maker", Options: demoOptions,
				}).Start
			})
		})
	}
}

// demoOptions are options of every kind.
var demoOptions = []uci.Setter{
	{Option: uci.Option{Name: "Eval Noise", Kind: uci.Spin, Default: "10", Max: 100}},
	{Option: uci.Option{Name: "Style", Kind: uci.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: uci.Option{Name: "Book", Kind: uci.String}},
	{Option: uci.Option{Name: "Fails", Kind: uci.Button}, Set: func(string) error { return errors.New("it always fails") }},
}
