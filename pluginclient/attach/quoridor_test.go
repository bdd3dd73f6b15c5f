package attach

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qtp"
)

// TestRecorded replays conversations that were recorded with the engine of the protocol's authors
// against qhsh -qtp: the answers are equal, except for the name and the blanks after an empty sign.
// Every recorded answer is one line.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("../protocol/qtp/testdata/naive/*.txt")
	if err != nil || len(files) != 25 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var commands []string
			var want strings.Builder
			for line := range strings.Lines(string(text)) {
				if command, ok := strings.CutPrefix(line, "> "); ok {
					commands = append(commands, strings.TrimSpace(command))
				} else if answer, ok := strings.CutPrefix(line, "< "); ok {
					answer = strings.TrimSpace(answer)
					if len(answer) == 1 {
						answer += " "
					}
					want.WriteString(answer + "\n\n")
				}
			}
			var got strings.Builder
			err = qtpMode().Serve(t.Context(), ServeConfig{
				Engine: parsed(t, builtinName, Options{Games: games.Default}),
				In:     strings.NewReader(strings.Join(commands, "\n")), Out: &got,
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.String(), strings.ReplaceAll(got.String(), "= qhsh\n", "= Naive\n")); diff != "" {
				t.Errorf("-recorded +answered:\n%s", diff)
			}
		})
	}
}

// TestEnding: the end of a server reports the loss of its engine if the engine was not restarted
// since.
func TestEnding(t *testing.T) {
	for _, c := range []struct {
		lives, searches int
		want            error
	}{
		{0, 0, nil},
		{0, 2, pluginclient.ErrDied},
		{1, 1, pluginclient.ErrDied},
		{1, 2, nil},
	} {
		server := &qtp.Server{Searcher: enginetest.Ranker{}, Name: "mortal"}
		m := &plugintest.FaultyEngine{Engine: qtp.InProcess(server).Start, FaultyStarts: c.lives, OnCommand: plugintest.On(qtp.GenMove, plugintest.Action{Die: true})}
		client, err := qtp.Dial(t.Context(), pluginclient.Program{Name: "mortal", Start: m.Start}, qtp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range c.searches {
			_, _ = engine.Best(t.Context(), client, quoridor.Default.Start(), engine.Limits{})
		}
		_, closing := behind(client)
		if err := closing(); !errors.Is(err, c.want) {
			t.Errorf("%d lives, %d searches: %v, want %v", c.lives, c.searches, err, c.want)
		}
	}
}
