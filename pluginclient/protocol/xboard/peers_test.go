package xboard_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// dialFairy starts Fairy-Stockfish, or skips the test.
func dialFairy(t *testing.T) *uci.Client {
	t.Helper()
	folder := os.Getenv("QHSH_PEERS")
	path := filepath.Join(folder, "fairy", "fairy-stockfish")
	if _, err := os.Stat(path); err != nil || folder == "" {
		t.Skip("QHSH_PEERS does not name a folder with fairy/fairy-stockfish")
	}
	cmd := pluginclient.Command{Path: path}
	var o xboard.Options
	for _, s := range [][2]string{{"use_nnue", "false"}, {"memory", "16"}} {
		if err := o.Set(s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "fairy", Start: cmd.Start}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// TestPeerGame plays a game with a real engine. An illegal move, or a command that the engine does
// not understand, would be an error and end the game.
func TestPeerGame(t *testing.T) {
	ours, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	players := [2]engine.Searcher{dialFairy(t), ours}
	var pos engine.Position = xiangqi.Start()
	plies := 0
	for ; plies < 120 && !engine.Adjudicate(pos).Over(); plies++ {
		lines, err := engine.Best(t.Context(), players[plies%2], pos, engine.Limits{Nodes: 2000})
		if err != nil {
			t.Fatalf("ply %d, %v: %v", plies, pos, err)
		}
		if pos, err = pos.Play(lines[0].Move()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d plies, %v: %v", plies, engine.Adjudicate(pos), pos)
}

// TestPeerObeys: a real engine stops on request, is restarted after a crash, changes between games,
// and its moves can be excluded although it does not support exclude.
func TestPeerObeys(t *testing.T) {
	client := dialFairy(t)
	begun := time.Now()
	if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Time: 300 * time.Millisecond}); err != nil || time.Since(begun) > 3*time.Second {
		t.Errorf("a time: %v after %v", err, time.Since(begun))
	}
	client.Kill()
	_, _ = engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1})
	for _, pos := range []*xiangqi.Position{xiangqitest.After("H2-E2", "H9-G7"), xiangqi.Start(), xiangqitest.After("B0-C2")} {
		ban := pos.Moves()[2:]
		lines, err := engine.Best(t.Context(), client, pos, engine.Limits{Depth: 2, Lines: 5, Ban: ban})
		if err != nil || len(lines) != 2 || lines[0].Depth == 0 || !lines[0].Score.Known() {
			t.Errorf("two moves left in %v: %+v, %v", pos, lines, err)
		}
	}
}
