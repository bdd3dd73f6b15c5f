package qtp

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/plugintest"
)

// TestReference: the reference has the words that the server knows, and no others.
func TestReference(t *testing.T) {
	var known []string
	for _, c := range commands {
		known = append(known, c.Word)
	}
	slices.Sort(known)
	if diff := cmp.Diff(known, plugintest.Words(Language())); diff != "" {
		t.Errorf("-server +reference\n%s", diff)
	}
}
