package qtp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
	"qhsh/pluginclient"
)

// naive returns the engine of the protocol's authors, or skips the test.
func naive(t *testing.T, o Options) *Client {
	t.Helper()
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: it names the folder with quoridor/naive")
	}
	path := filepath.Join(folder, "quoridor", "naive")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	cmd := pluginclient.Command{Path: path, Args: []string{"-seed", "7"}}
	return dial(t, pluginclient.Program{Name: "naive", Start: cmd.Start}, o)
}

// TestPeerGames plays games with the engine of the protocol's authors and checks each of its moves.
// The only rule that it breaks is that of known_command, which fails.
func TestPeerGames(t *testing.T) {
	var told []string
	theirs := naive(t, Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { told = append(told, j.Name) }}})
	ours, err := search.New(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{3, 4, 5, 7, 9, 11} {
		pos := quoridor.Rules{Size: size, Walls: quoridor.DefaultWalls(size)}.Start()
		for plies := 0; !pos.Result().Over(); plies++ {
			var player engine.Searcher = ours
			limits := engine.Limits{Nodes: 500}
			if pos.Turn() == quoridor.White {
				player, limits = theirs, engine.Limits{}
			}
			lines, err := engine.Best(t.Context(), player, pos, limits)
			if err != nil {
				t.Fatalf("%v: %v", pos, err)
			}
			if pos, err = pos.Play(lines[0].Move()); err != nil || plies > 300 {
				t.Fatalf("%v after %d plies: %v", pos, plies, err)
			}
		}
		if err := theirs.CheckResult(t.Context(), pos); err != nil {
			t.Error(err)
		}
	}
	if _, err := theirs.Raw(t.Context(), "known_command foo"); err != nil {
		t.Error(err)
	}
	if !slices.Equal(told, []string{"known.answers"}) {
		t.Errorf("judged %q", told)
	}
}
