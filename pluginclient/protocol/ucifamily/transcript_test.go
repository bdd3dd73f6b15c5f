package ucifamily_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/ucifamily"
)

// TestServerTranscripts runs the conversations of testdata/uci and testdata/ucci. The engine ranks
// moves by a fixed rule.
func TestServerTranscripts(t *testing.T) {
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			plugintest.RunTranscripts(t, "testdata/"+p.name, func(r enginetest.Ranker) pluginclient.Starter {
				return p.inProcess(ucifamily.ServerConfig{
					Searcher: r, Name: "Ranker 1.0", Author: "its maker", Options: demoOptions,
				}).Start
			})
		})
	}
}

// demoOptions are options of every kind.
var demoOptions = []ucifamily.Setter{
	{Option: ucifamily.Option{Name: "Move Overhead", Kind: ucifamily.Spin, Default: "10", Max: 100}},
	{Option: ucifamily.Option{Name: "Style", Kind: ucifamily.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: ucifamily.Option{Name: "Book", Kind: ucifamily.String}},
	{Option: ucifamily.Option{Name: "Fails", Kind: ucifamily.Button}, Set: func(string) error { return errors.New("it always fails") }},
}
