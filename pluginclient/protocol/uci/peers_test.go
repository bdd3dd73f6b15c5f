package uci_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// peer is a third-party engine.
type peer struct {
	name     string
	protocol int
	program  string // in the folder $QHSH_PEERS
	settings []uci.Setting
}

var peers = []peer{
	{"uci-fairy-stockfish", 0, "fairy/fairy-stockfish", []uci.Setting{{Name: "use_nnue", Value: "false"}, {Name: "hash", Value: "16"}}},
	{"uci-pikafish-hce", 0, "pikafish-hce/pikafish", []uci.Setting{{Name: "Threads", Value: "1"}, {Name: "sixtymoverule", Value: "false"}}},
	{"ucci-eleeye", 1, "eleeye/ELEEYE", []uci.Setting{{Name: "usebook", Value: "false"}}},
	{"ucci-fairy-stockfish", 1, "fairy/fairy-stockfish", []uci.Setting{{Name: "use_nnue", Value: "false"}}},
}

func (p peer) dial(t testing.TB, o uci.Options) *uci.Client {
	t.Helper()
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: it names the folder with " + p.program)
	}
	path := filepath.Join(folder, p.program)
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	cmd := pluginclient.Command{Path: path}
	o.Settings = p.settings
	client, err := both[p.protocol].dial(t.Context(), pluginclient.Program{Name: p.name, Start: cmd.Start}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// TestPeerGames plays a game with each engine. An illegal move, or a command that the engine does
// not understand, would be an error and end the game.
func TestPeerGames(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			theirs := p.dial(t, uci.Options{})
			ours, err := search.New(search.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			players := [2]engine.Searcher{theirs, ours}
			var pos engine.Position = xiangqi.Start()
			plies := 0
			for ; plies < 120 && !pos.Result().Over(); plies++ {
				lines, err := engine.Best(t.Context(), players[plies%2], pos, engine.Limits{Nodes: 2000})
				if err != nil {
					t.Fatalf("ply %d, %v: %v", plies, pos, err)
				}
				if pos, err = pos.Play(lines[0].Move()); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d plies, %v: %v", plies, pos.Result(), pos)
		})
	}
}

// TestPeersStop: a real engine stops on request, ponders, is restarted after a crash, and excludes
// moves.
func TestPeersStop(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			client := p.dial(t, uci.Options{})
			errMissed := errors.New("another reply was played")
			if lines, took, err := pondering(t, client, engine.Limits{Time: 100 * time.Millisecond}, 100*time.Millisecond, 0, nil); err != nil || len(lines) == 0 {
				t.Errorf("hit: %v, %v after %v", lines, err, took)
			}
			if _, took, err := pondering(t, client, engine.Limits{Depth: 90}, 0, 200*time.Millisecond, errMissed); !errors.Is(err, errMissed) {
				t.Errorf("missed: %v after %v", err, took)
			}
			if lines, took, err := pondering(t, client, engine.Limits{Depth: 90}, time.Millisecond, 200*time.Millisecond, engine.ErrMoveNow); err != nil || len(lines) == 0 {
				t.Errorf("move now: %v, %v after %v", lines, err, took)
			}
			if err := client.Idle(t.Context()); err != nil {
				t.Fatal(err)
			}
			client.Kill()
			_, _ = engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1})
			ban := xiangqi.Start().Moves()[2:]
			lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 2, Lines: 5, Ban: ban})
			if err != nil || len(lines) != 2 {
				t.Errorf("two moves left: %v, %v", lines, err)
			}
		})
	}
}
