package uci

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/plugintest"
)

// TestReference: the reference has the words that the server knows, and no others.
func TestReference(t *testing.T) {
	known := append(slices.Collect(maps.Keys(dialect.Commands)), dialect.Greeting, "isready", "setoption", "position", "go", "stop", "ponderhit", "quit")
	if diff := cmp.Diff(slices.Sorted(slices.Values(known)), plugintest.Words(Language())); diff != "" {
		t.Errorf("-server +reference\n%s", diff)
	}
}
