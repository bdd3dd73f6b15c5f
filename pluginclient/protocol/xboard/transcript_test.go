package xboard_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/protocol/xboard"
)

// TestServerTranscripts runs the conversations of testdata/server. The engine ranks moves by a
// fixed rule.
func TestServerTranscripts(t *testing.T) {
	plugintest.RunTranscripts(t, "testdata/server", func(r enginetest.Ranker) pluginclient.Starter {
		return xboard.InProcess(ucifamily.ServerConfig{
			Searcher: r, Name: `Ranker "1.0"`, Author: "its maker", Options: demoOptions,
		}).Start
	})
}

var demoOptions = []ucifamily.Setter{
	{Option: ucifamily.Option{Name: "Hash", Kind: ucifamily.Spin, Default: "16", Min: 1, Max: 64}, Set: func(string) error { return nil }},
	{Option: ucifamily.Option{Name: "Threads", Kind: ucifamily.Spin, Default: "1", Min: 1, Max: 2}},
	{Option: ucifamily.Option{Name: "Move Overhead", Kind: ucifamily.Spin, Default: "10", Max: 100}},
	{Option: ucifamily.Option{Name: "Style", Kind: ucifamily.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: ucifamily.Option{Name: "Own Book", Kind: ucifamily.Check, Default: "true"}},
	{Option: ucifamily.Option{Name: "Book", Kind: ucifamily.String, Default: `my "book"`}},
	{Option: ucifamily.Option{Name: "Fails", Kind: ucifamily.Button}, Set: func(string) error { return errors.New("it always fails: always") }},
}
