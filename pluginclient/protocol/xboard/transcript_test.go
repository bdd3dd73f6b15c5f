package xboard_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// TestServerTranscripts runs the conversations of testdata/server. The engine ranks moves by a
// fixed rule.
func TestServerTranscripts(t *testing.T) {
	plugintest.RunTranscripts(t, "testdata/server", func(r enginetest.Ranker) pluginclient.Starter {
		return xboard.InProcess(uci.ServerConfig{
			Searcher: r, Name: `Ranker "1.0"`, Author: "its maker", Options: demoOptions,
		}).Start
	})
}

var demoOptions = []uci.Setter{
	{Option: uci.Option{Name: "Hash", Kind: uci.Spin, Default: "16", Min: 1, Max: 64}, Set: func(string) error { return nil }},
	{Option: uci.Option{Name: "Threads", Kind: uci.Spin, Default: "1", Min: 1, Max: 2}},
	{Option: uci.Option{Name: "Move Overhead", Kind: uci.Spin, Default: "10", Max: 100}},
	{Option: uci.Option{Name: "Style", Kind: uci.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: uci.Option{Name: "Own Book", Kind: uci.Check, Default: "true"}},
	{Option: uci.Option{Name: "Book", Kind: uci.String, Default: `my "book"`}},
	{Option: uci.Option{Name: "Fails", Kind: uci.Button}, Set: func(string) error { return errors.New("it always fails: always") }},
}
