package repl

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/record"
)

// TestStepEveryGame: what is written in a game of any kind is where it was written, also after the
// game has been saved and loaded.
func TestStepEveryGame(t *testing.T) {
	for _, spec := range []string{"builtin", "quoridor,size=5,walls=2", "qchess", "checkers"} {
		t.Run(spec, func(t *testing.T) {
			s := shellWith(t, ".attach "+spec)
			run := func(line string) string {
				var out strings.Builder
				if err := s.execute(t.Context(), line, &out); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				return out.String()
			}
			play := func(n, choice int) {
				for range n {
					pos := s.current.session.Position()
					legal := pos.Moves()
					run(pos.Format(legal[choice%len(legal)]))
				}
			}
			play(4, 0)
			run(".comment fourth")
			run(".prev 3")
			play(1, 1)
			run(".glyph ?!")
			run(".variation out")
			file := filepath.Join(t.TempDir(), "game.pgn")
			run(".save " + file)
			var texts []string
			for _, line := range []string{".load " + file, ".goto 4", ".comment", ".goto 1", ".variation 1", ".glyph", ".prev", ".next", ".prev 2", ".goto end"} {
				out := run(line)
				if first, _, _ := strings.Cut(out, "  "); first != "" {
					texts = append(texts, strings.TrimSpace(first))
				}
			}
			want := []string{"move 4 of 4", "fourth", "move 1 of 4", "variation, move 2 of 2", "?!", "move 1 of 4", "move 2 of 4", "move 0 of 4", "move 4 of 4"}
			if diff := cmp.Diff(want, texts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestStepsAreAGame: whatever is typed, the board stands in its game, the game's moves are legal, and no
// two continuations of a position are the same move.
func TestStepsAreAGame(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := shellWith(t, ".load testdata/files/games.pgn:"+rapid.SampledFrom([]string{"1", "2"}).Draw(r, "game"))
		commands := []string{
			".next", ".next 2", ".prev", ".prev 2", ".goto start", ".goto end", ".goto 2", ".variation 1", ".variation out",
			".comment x", ".glyph !", ".promote", ".promote main", ".promote 1", ".delete", ".delete 1", ".undo", "",
		}
		for range rapid.IntRange(1, 25).Draw(r, "commands") {
			line := rapid.SampledFrom(commands).Draw(r, "command")
			if line == "" {
				pos := s.current.session.Position()
				legal := pos.Moves()
				if len(legal) == 0 {
					continue
				}
				line = pos.Format(rapid.SampledFrom(legal[:min(len(legal), 4)]).Draw(r, "move"))
			}
			_ = s.execute(t.Context(), line, &strings.Builder{})
		}
		pos := s.current.session.Position()
		g := s.gameOf(pos)
		if _, rest := placeIn(g, pos); len(rest) > 0 {
			r.Errorf("the board has moves beyond its game: %v", rest)
		}
		nodes := 0
		for range g.Positions(true) {
			nodes++
		}
		g.Walk(func(*record.Node) bool { nodes--; return true })
		if nodes != 0 {
			r.Errorf("%d nodes are not legal", -nodes)
		}
		merged := g.Clone()
		merged.MergeRepeated()
		g.Walk(func(*record.Node) bool { nodes++; return true })
		merged.Walk(func(*record.Node) bool { nodes--; return true })
		if nodes != 0 {
			r.Errorf("%d nodes are repeated", nodes)
		}
	})
}
