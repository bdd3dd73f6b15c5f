package repl

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// TestReplaySkipsSearches: recorded searches that were not lines of the protocol cannot be sent.
// They are reported once.
func TestReplaySkipsSearches(t *testing.T) {
	folder := t.TempDir()
	sent, unsent := filepath.Join(folder, "sent.trace"), filepath.Join(folder, "unsent.trace")
	lines := strings.Join([]string{
		".record " + sent, ".hints 1", "LEVEL", ".hints 2", ".record " + unsent, ".hints 1", ".record off",
		".replay " + sent, ".replay " + unsent,
	}, "\n")
	var out, errs strings.Builder
	s := New(Host{
		Stdin: strings.NewReader(lines), Stdout: &out, Stderr: &errs, NameOf: nameForTest, Games: games.Default,
		Open: func(ctx context.Context, spec string, _ OpenOptions) (pluginclient.Session, error) {
			one := 1
			return attach.Open(ctx, spec, attach.Options{Games: games.Default, Level: &one})
		},
	}, Options{Engine: "builtin"})
	if err := s.Run(t.Context()); err == nil {
		t.Error("want an error for a recording without commands")
	}
	want := `searches skipped, as they were not lines of the protocol: 2
1 command, all answered as recorded
searches skipped, as they were not lines of the protocol: 1
line 9: .replay: ` + unsent + `: no commands in the recording
`
	if errs.String() != want {
		t.Errorf("%s\nwant\n%s", errs.String(), want)
	}
}
