package qhcheck

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// TestPeers checks that known faults of real plugins are found. The plugins are in the folder
// $QHSH_PEERS.
func TestPeers(t *testing.T) {
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: it names the folder with real plugins")
	}
	for _, c := range []struct {
		program string
		failed  []string
		advised []string
		quirks  []string
		chance  string // a check that it fails sometimes
	}{
		{
			"ucci2qh/UCCI2QH",
			[]string{
				"abort.silent", "ban.next.hints", "fen.error",
				"interrupt.ai", "interrupt.ban", "interrupt.bgthink", "interrupt.fen", "interrupt.hints",
				"interrupt.level", "interrupt.load", "interrupt.play", "interrupt.quit", "interrupt.setlevel",
				"interrupt.thinking", "interrupt.undo",
				"level.current", "level.range", "load.illegal",
				"play.check", "play.malformed", "play.own", "play.step", "play.turn", "robust.game",
			},
			[]string{"ban.count", "bgthink.bare", "input.end", "input.unknown", "input.whole", "level.word", "load.count"},
			[]string{"level=count", "ban=keeps"},
			"",
		},
		{
			"folium/folium",
			[]string{
				"abort.0", "abort.10", "abort.100", "abort.1000", "ai.mate", "ai.stalemate", "ban.all", "fen.long",
				"interrupt.ban", "interrupt.fen", "interrupt.level", "interrupt.load", "interrupt.play",
				"interrupt.quit", "interrupt.setlevel", "interrupt.undo",
				"level.range", "load.illegal", "play.empty", "play.malformed", "play.own", "play.step", "play.turn", "robust.undo",
			},
			[]string{
				"ban.count", "fen.illegal", "fen.noside", "input.bgthink", "input.end", "input.scr", "input.unsupported", "load.count",
			},
			[]string{"fenlong=none", "abort=none", "scr=none"},
			"robust.arguments", // it sometimes plays moves that it was not sent
		},
	} {
		t.Run(filepath.Base(c.program), func(t *testing.T) {
			path := filepath.Join(folder, c.program)
			if _, err := os.Stat(path); err != nil {
				t.Skip(err)
			}
			cmd := pluginclient.Command{Path: path}
			play := qhplugin.InMode(cmd, "-plugin")
			debug := play
			debug.Args = append(slices.Clone(play.Args), "debug")
			s := Suite(Plugin{Name: c.program, Info: qhplugin.InMode(cmd, "-info").Start, Play: play.Start, Debug: debug.Start})
			r, err := check.Run(t.Context(), s, check.Options{Spec: path})
			if err != nil {
				t.Fatal(err)
			}
			if late := found(r, check.Unreached); len(late) > 0 {
				t.Skipf("the machine is too busy: there was no time for %v", late)
			}
			failed := slices.DeleteFunc(found(r, check.Failed), func(name string) bool { return name == c.chance })
			if diff := cmp.Diff(c.failed, failed); diff != "" {
				t.Errorf("failed, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(c.advised, found(r, check.Advised)); diff != "" {
				t.Errorf("advice, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(c.quirks, s.Quirks(r, nil)); diff != "" {
				t.Errorf("quirks, -want +got:\n%s", diff)
			}
		})
	}
}
