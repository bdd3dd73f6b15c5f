package repl

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/games/gamestest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// TestGameWithoutProtocol: the shell works for a game that has only an engine.
func TestGameWithoutProtocol(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.txt")
	all := gamestest.Table()
	options := attach.Options{Games: all}
	for _, c := range []struct{ lines, want string }{
		{".board", "7 first\nchance to move\n"},
		{".moves", "roll 1 roll 2\n"},
		{"roll 2\ntake 2\n.undo\n.fen\n.history", "7 first 2\n  1.  roll 2\n"},
		{"7 second 2\n.fen", "7 second 2\n"},
		{"position 5 first 1 moves take 1\nundo\n.fen", "ok\nok\n5 first 1\n"},
		{"play roll 1\n.hints", "ok\n   move    score  depth  line\n1  take 1  +4.35  1      take 1 roll 1 take 1\n"},
		{"2 first 1\ngo\n.fen", "take 1 score cp 709 depth 1 pv take 1 roll 2 take 1\n1 second\n"},
		{"roll 1\n.save " + file + "\n.undo\n.load " + file + "\n.fen", "7 first 1\n"},
		{"7 second 2\n.tree -depth 1 -width 1", "7 second 2\n└── take 2  +8.57  depth 1\n\n1 position searched, 1 move\n"},
	} {
		var out, errs strings.Builder
		s := New(Host{
			Stdin: strings.NewReader(c.lines), Stdout: &out, Stderr: &errs, NameOf: nameForTest, Games: all,
			Open: func(ctx context.Context, spec string, _ OpenOptions) (pluginclient.Session, error) {
				return attach.Open(ctx, spec, options)
			},
		}, Options{Engine: "stones"})
		if err := s.Run(t.Context()); err != nil || out.String() != c.want || errs.Len() > 0 {
			t.Errorf("%q: %v\n%s%s\nwant\n%s", c.lines, err, out.String(), errs.String(), c.want)
		}
	}
}
