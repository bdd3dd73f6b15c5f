package attach

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// peers are programs of other authors. They are in the folder $QHSH_PEERS.
var peers = []struct {
	name, program string
	level         int // a fast level
}{
	{"UCCI2QH with ElephantEye", "ucci2qh/UCCI2QH", 0},
	{"folium", "folium/folium", 6},
}

// peer starts one of them, or skips the test.
func peer(t *testing.T, program string, level int) pluginclient.Session {
	t.Helper()
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: set it to the folder with  " + program)
	}
	path := filepath.Join(folder, program)
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	s, err := Open(t.Context(), path, Options{Games: games.Default, Level: &level, ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { t.Log(text) }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestPeerGames plays a whole game with each peer.
func TestPeerGames(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			theirs := peer(t, p.program, p.level)
			ours, err := Open(t.Context(), "builtin,nodes=20000", Options{Games: games.Default})
			if err != nil {
				t.Fatal(err)
			}
			defer ours.Close()
			pos := playGame(t, [2]pluginclient.Session{theirs, ours}, 300)
			t.Logf("%d plies, %v: %v", len(moves(pos)), pos.Result(), pos)
		})
	}
}

func moves(pos engine.Position) []engine.Move {
	_, moves := pos.History()
	return moves
}

func playGame(t *testing.T, sides [2]pluginclient.Session, most int) engine.Position {
	pos := engine.Position(xiangqi.Start())
	for ply := 0; ply < most && !pos.Result().Over(); ply++ {
		lines, err := engine.Best(t.Context(), sides[ply%2], pos, engine.Limits{})
		if ply > 100 && errors.Is(err, pluginclient.ErrRefused) {
			t.Logf("ply %d: %v", ply, err) // ElephantEye sends no move once it counts the game as drawn
			break
		}
		if err != nil {
			t.Fatalf("ply %d in %v: %v", ply, pos, err)
		}
		if pos, err = pos.Play(lines[0].Move()); err != nil {
			t.Fatal(err)
		}
	}
	return pos
}

// TestPeerHints gets three hints for a position from each peer.
func TestPeerHints(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			s := peer(t, p.program, p.level)
			for _, fen := range []string{
				xiangqi.StartFEN,
				"r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
				"1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
				"5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
			} {
				pos, err := xiangqi.ParseFEN(fen)
				if err != nil {
					t.Fatal(err)
				}
				lines, err := engine.Best(context.Background(), s, pos, engine.Limits{Lines: 3})
				if err != nil || len(lines) != 3 {
					t.Fatalf("%s: %v, %v", fen, lines, err)
				}
				for _, line := range lines {
					t.Logf("%s: %s %s", fen, pos.Format(line.Move()), line.Text)
				}
			}
		})
	}
}
