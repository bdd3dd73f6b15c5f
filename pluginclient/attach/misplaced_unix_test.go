//go:build unix

package attach

import (
	"os"
	"strings"
	"testing"

	"qhsh/engine/games"
)

// TestMisplacedArgument: if an engine does not start because a file among its arguments is not in
// the folder in which it runs, the error says so.
func TestMisplacedArgument(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	if err := os.WriteFile("engine.sh", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	for _, protocol := range []string{"qh", "uci"} {
		_, err := Open(t.Context(), protocol+",dir="+other+":sh engine.sh", Options{Games: games.Default})
		want := "; there is no engine.sh in " + other + ", where the engine runs, but in " + here + ": dir=" + here + " runs it there"
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v\nwant ...%s", protocol, err, want)
		}
	}
}
