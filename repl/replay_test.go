package repl

import (
	"context"
	"io"
	"os"
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
		".trace " + sent, ".hints 1", "LEVEL", ".hints 2", ".trace " + unsent, ".hints 1", ".trace off",
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
	want := "recording until .trace off: " + sent + "\nrecording until .trace off: " + unsent + `
searches skipped, as they were not lines of the protocol: 2
1 command, all answered as recorded
searches skipped, as they were not lines of the protocol: 1
line 9: .replay: ` + unsent + `: no commands in the recording
`
	if errs.String() != want {
		t.Errorf("%s\nwant\n%s", errs.String(), want)
	}
}

// TestReplayShowsPrintable: the differences of answers are for people, so what a recording contains cannot
// control a terminal.
func TestReplayShowsPrintable(t *testing.T) {
	recording := filepath.Join(t.TempDir(), "hostile.trace")
	if err := os.WriteFile(recording, []byte("0.000 +0.000 x > LEVEL\n0.000 +0.000 x < \x1b[2J\u009b\xff\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := New(Host{
		Stdin: strings.NewReader(".replay " + recording), Stdout: &out, Stderr: io.Discard, NameOf: nameForTest, Games: games.Default,
		Open: func(ctx context.Context, spec string, _ OpenOptions) (pluginclient.Session, error) {
			return attach.Open(ctx, spec, attach.Options{Games: games.Default})
		},
	}, Options{Engine: "builtin"})
	if err := s.Run(t.Context()); err == nil {
		t.Error("want an error for another answer")
	}
	if want := "  LEVEL\n- \\x1b[2J\\u009b\\xff\n+ 5\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
