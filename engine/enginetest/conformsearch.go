package enginetest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"qhsh/engine"
)

// ConformSearch tests what the contract requires of a Searcher that is limited by nodes, and that it
// gives the same answer after Forget, which it returns. Mates are proved. The position must not be over.
func ConformSearch(t *rapid.T, s engine.Searcher, pos engine.Position) (answer []engine.Line) {
	lim := engine.Limits{
		Nodes: rapid.Int64Range(1, 3000).Draw(t, "nodes"),
		Lines: rapid.IntRange(0, 6).Draw(t, "lines"),
	}
	moves := pos.Moves()
	lim.Ban = moves[:rapid.IntRange(0, len(moves)-1).Draw(t, "ban")]
	want := min(max(lim.Lines, 1), len(moves)-len(lim.Ban))
	for lines, err := range s.Search(t.Context(), pos, lim) {
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != want {
			t.Fatalf("%v: %d lines, want %d", pos, len(lines), want)
		}
		for i, line := range lines {
			if len(engine.FormatMoves(pos, line.Moves)) != len(line.Moves) {
				t.Fatalf("%v: line %v is illegal", pos, line)
			}
			if slices.Contains(lim.Ban, line.Move()) || line.Nodes > lim.Nodes {
				t.Fatalf("%v: %v breaks %v", pos, line, lim)
			}
			if i > 0 && line.Score.Compare(lines[i-1].Score) > 0 {
				t.Fatalf("%v: line %d is better than the one before: %v", pos, i+1, lines)
			}
		}
		ProveMates(t, pos, lim.Ban, lines)
		answer = lines
	}
	engine.Forget(s)
	again, err := engine.Best(t.Context(), s, pos, lim)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(answer) {
		t.Fatalf("%v: after Forget %v, %v; before %v", pos, again, err, answer)
	}
	return answer
}
