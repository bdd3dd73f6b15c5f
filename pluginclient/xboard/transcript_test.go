package xboard_test

import (
	"errors"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/universal"
	"qhsh/pluginclient/xboard"
)

// TestServerTranscripts holds the conversations of testdata/server. The engine ranks by a
// fixed rule.
func TestServerTranscripts(t *testing.T) {
	plugintest.Transcripts(t, "testdata/server", func(r enginetest.Ranker) pluginclient.Starter {
		return xboard.InProcess(universal.Served{
			Searcher: r, Name: `Ranker "1.0"`, Author: "its maker", Options: demoOptions,
		}).Start
	})
}

// demoOptions are options of every kind.
var demoOptions = []universal.Setter{
	{Option: universal.Option{Name: "Hash", Kind: universal.Spin, Default: "16", Min: 1, Max: 64}, Set: func(string) error { return nil }},
	{Option: universal.Option{Name: "Threads", Kind: universal.Spin, Default: "1", Min: 1, Max: 2}},
	{Option: universal.Option{Name: "Move Overhead", Kind: universal.Spin, Default: "10", Max: 100}},
	{Option: universal.Option{Name: "Style", Kind: universal.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: universal.Option{Name: "Own Book", Kind: universal.Check, Default: "true"}},
	{Option: universal.Option{Name: "Book", Kind: universal.String, Default: `my "book"`}},
	{Option: universal.Option{Name: "Fails", Kind: universal.Button}, Set: func(string) error { return errors.New("it always fails: always") }},
}
