package records

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// TestMerge compares the tree of games with names, comments, variations, glyphs and another start.
func TestMerge(t *testing.T) {
	game := games.Default.DefaultGame()
	lib := games.Default.Records(game)
	const text = `[Red "胡荣华"]
[Black "柳大华"]
[Date "1998.05.01"]
[Result "1-0"]

{About the first.} 1. H2-E2 H9-G7 {first} 2. H0-G2 $1 (2. B0-C2 $3 {aside}) 1-0

[Red "?"]

1. H2-E2 B9-C7 2. H0-G2 *

[Red "徐天红"]

1. H2-E2 B9-C7 $2 {second} 2. B0-C2 1/2-1/2

[FEN "4k4/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1"]

1... E9-D9 *
`
	m := Merger{Games: games.Default}
	number := 0
	for g, err := range lib.Read(strings.NewReader(text), "games.pgn") {
		if err != nil {
			t.Fatal(err)
		}
		number++
		if err := m.Add("games.pgn: game "+strconv.Itoa(number), g); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	w, err := lib.NewWriter(&out, record.PGN, "iccs")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Merged() {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	golden.Compare(t, "testdata/merged.pgn", out.String())
}

// TestMergeKeepsMoves merges random games: every line of each is in the tree, and the tree has no other line.
func TestMergeKeepsMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games.Default.Games()).Draw(t, "game")
		m := Merger{Games: games.Default}
		want := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(t, "games") {
			pos := game.Start()
			for range rapid.IntRange(0, 8).Draw(t, "plies") {
				if moves := pos.Moves(); len(moves) > 0 {
					pos, _ = pos.Play(moves[rapid.IntRange(0, min(len(moves), 4)-1).Draw(t, "move")])
				}
			}
			g := record.FromPosition(pos)
			if err := m.Add("a game", g); err != nil {
				t.Fatal(err)
			}
			for _, line := range linesOf(g) {
				want[line] = true
			}
		}
		got := linesOf(m.Merged()[0])
		if len(got) != len(want) || slices.ContainsFunc(got, func(line string) bool { return !want[line] }) {
			t.Fatalf("the tree has the lines %q, want %v", got, want)
		}
	})
}

// linesOf returns the lines from the start to every node.
func linesOf(g *record.Game) (lines []string) {
	type step struct {
		n    *record.Node
		line string
	}
	for pending := []step{{g.Root, ""}}; len(pending) > 0; {
		s := pending[0]
		pending = pending[1:]
		lines = append(lines, s.line)
		for _, next := range s.n.Next {
			pending = append(pending, step{next, s.line + " " + strconv.Itoa(int(next.Move))})
		}
	}
	return lines
}
