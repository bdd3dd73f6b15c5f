package repl

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
)

// tardy is an engine whose AI and HINTS block until they are cancelled, as can happen on a busy
// machine.
type tardy struct{ *qhplugin.Client }

func (s tardy) Raw(ctx context.Context, text string) ([]string, error) {
	if cmd, _ := qhplugin.ParseCommand(text); cmd.Word == qhplugin.AI || cmd.Word == qhplugin.Hints {
		<-ctx.Done()
	}
	return s.Client.Raw(ctx, text)
}

func openTardy(ctx context.Context, _ string, o OpenOptions) (pluginclient.Session, error) {
	client, err := qhplugin.Dial(ctx, fakes()["slow"], qhplugin.Options{ClientOptions: pluginclient.ClientOptions{Warn: o.Warn}})
	return tardy{client}, err
}

// pipe returns what a shell writes to stdout for piped lines.
func pipe(t *testing.T, open func(context.Context, string, OpenOptions) (pluginclient.Session, error), lines string) string {
	t.Helper()
	var out, said strings.Builder
	shell := New(Host{Stdin: strings.NewReader(lines), Stdout: &out, Stderr: &said, Open: open, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language()}, Options{Engine: "slow"})
	if err := shell.Run(t.Context()); err != nil {
		t.Errorf("%v: %s", err, said.String())
	}
	return out.String()
}

// TestStoppedBeforeAsked: a request gets its answer even if the engine is told to stop before the
// request was sent.
func TestStoppedBeforeAsked(t *testing.T) {
	recorded := filepath.Join(t.TempDir(), "recorded")
	if err := os.WriteFile(recorded, []byte("0.000 +0.000 slow > AI\n0.001 +0.001 slow > ABORT\n0.001 +0.000 slow < ABORTED\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const hint = "A0-A1 score cp 10 depth 1 nodes 1 pv A0-A1\nENDHINTS\n"
	for _, c := range []struct{ name, lines, want string }{
		{"AI ABORT", "AI\n.wait 1ms\nABORT\nLEVEL\n", "ABORTED\n1\n"},
		{"a command in another case", "AI\n.Wait 1ms\nABORT\nLEVEL\n", "ABORTED\n1\n"},
		{"AI TIMEOUT", "AI\n.wait 1ms\nTIMEOUT\nLEVEL\n", "A0-A1\n1\n"},
		{"HINTS ABORT", "HINTS\n.wait 1ms\nABORT\nLEVEL\n", "ABORTED\n1\n"},
		{"HINTS TIMEOUT", "HINTS 1\n.wait 1ms\nTIMEOUT\nLEVEL\n", hint + "1\n"},
		{".timeout", ".timeout 1ms\nAI\nLEVEL\n", "A0-A1\n1\n"},
		{".all", ".attach slow\n.all AI\n.wait 1ms\nABORT\nLEVEL\n", "slow      slow2\n----      -----\nABORTED   ABORTED\n1\n"},
		{".replay", ".replay " + recorded + "\nLEVEL\n", "1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if diff := cmp.Diff(c.want, pipe(t, openTardy, c.lines)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// bridged is a Bridge to an engine whose searches start after a delay of one second. Other
// commands can be sent meanwhile.
type bridged struct {
	*qhplugin.Client
	native late
}

func (b bridged) Native() pluginclient.Session { return b.native }

type late struct{ *uci.Client }

func (s late) Raw(ctx context.Context, text string) ([]string, error) {
	if strings.HasPrefix(text, "go") {
		time.Sleep(time.Second)
	}
	return s.Client.Raw(ctx, text)
}

// TestNativeStoppedBeforeAsked is the same test in the engine's own protocol.
func TestNativeStoppedBeforeAsked(t *testing.T) {
	for _, stop := range []string{"ABORT", "TIMEOUT", "stop", ".raw stop"} {
		t.Run(stop, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ranker := enginetest.Ranker{Depth: 100, Pace: time.Second}
				native, err := uci.UCI.Dial(t.Context(), uci.UCI.InProcess(uci.ServerConfig{Searcher: ranker, Name: "served"}), uci.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer native.Close()
				open := func(ctx context.Context, _ string, _ OpenOptions) (pluginclient.Session, error) {
					front, err := qhplugin.Dial(ctx, qhplugin.InProcess(&qhplugin.Server{Searcher: native, Name: "served"}), qhplugin.Options{})
					return bridged{front, late{native}}, err
				}
				said := pipe(t, open, "PLAY H2-E2\n.raw go infinite\n.wait 1ms\n"+stop+"\nLEVEL\n")
				lines := strings.Split(said, "\n")
				if len(lines) < 4 || !strings.HasPrefix(lines[len(lines)-3], "bestmove ") {
					t.Errorf("it says\n%s", said)
				}
				sent := strings.Join(plugintest.SentLines(native), "\n") + "\n"
				if want := "~position startpos moves h2e2\n>go infinite\n>stop\n"; !strings.Contains(sent, want) {
					t.Errorf("it was sent\n%s", sent)
				}
			})
		})
	}
}
