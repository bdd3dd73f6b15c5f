package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// random returns a random game of Stones.
func random(t *rapid.T) engine.Position {
	p := enginetest.Stones.Start()
	for range rapid.IntRange(0, 20).Draw(t, "plies") {
		legal := p.Moves()
		if len(legal) == 0 {
			break
		}
		p, _ = p.Play(rapid.SampledFrom(legal).Draw(t, "move"))
	}
	return p
}

// TestFromPosition: the record of a game leads to the current position.
func TestFromPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		g := FromPosition(p)
		var last engine.Position
		for _, pos := range g.Positions(true) {
			last = pos
		}
		_, want := p.History()
		_, got := last.History()
		if diff := cmp.Diff(want, got); diff != "" || g.Plies() != len(want) || g.Result != p.Result().Outcome {
			t.Fatalf("%d plies, result %v, -want +got:\n%s", g.Plies(), g.Result, diff)
		}
	})
}

// TestWalk: variations come after the main move, subtrees can be skipped, and illegal moves have no
// position.
func TestWalk(t *testing.T) {
	g := NewGame(enginetest.Stones.Start())
	two := g.Root.Add(12)
	two.Add(2).Add(1)
	two.Add(1)
	g.Root.Add(11).Add(2) // after a roll of 1 nobody takes 2
	if g.Root.Add(12) != two {
		t.Error("Add makes a move that is there already")
	}
	var all, some []engine.Move
	g.Walk(func(n *Node) bool { all = append(all, n.Move); return true })
	g.Walk(func(n *Node) bool { some = append(some, n.Move); return n != two })
	var legal []string
	for _, p := range g.Positions(true) {
		legal = append(legal, p.String())
	}
	if diff := cmp.Diff([]engine.Move{0, 12, 2, 1, 1, 11, 2}, all); diff != "" {
		t.Errorf("all nodes, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]engine.Move{0, 12, 11, 2}, some); diff != "" {
		t.Errorf("without what follows the first move, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff("7 first,7 first 2,5 first 2,4 second,6 second,7 first 1", strings.Join(legal, ",")); diff != "" {
		t.Errorf("positions, -want +got:\n%s", diff)
	}
}

// TestMergeRepeated: nothing is lost, and afterwards the moves lead to one node.
func TestMergeRepeated(t *testing.T) {
	g := NewGame(enginetest.Stones.Start())
	for i, last := range []engine.Move{1, 2, 1} {
		n := g.Root.Append(12).Append(2)
		n.Comment, n.Glyphs = string(rune('a'+i)), []uint8{uint8(1 + i%2)}
		n.Append(last).StartingComment = "before"
	}
	g.Root.Append(11)
	g.MergeRepeated()
	want := NewGame(g.Start)
	n := want.Root.Add(12).Add(2)
	n.Comment, n.Glyphs = "a\nb\nc", []uint8{1, 2}
	n.Add(1).StartingComment = "before\nbefore"
	n.Add(2).StartingComment = "before"
	want.Root.Add(11)
	if diff := cmp.Diff(want.Root, g.Root); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPromote: a child comes first, and the others keep their order.
func TestPromote(t *testing.T) {
	n := &Node{}
	for _, m := range []engine.Move{1, 2, 3, 4} {
		n.Append(m)
	}
	n.Promote(2)
	n.Promote(0)
	var got []engine.Move
	for _, next := range n.Next {
		got = append(got, next.Move)
	}
	if diff := cmp.Diff([]engine.Move{3, 1, 2, 4}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestParseGlyph: every glyph is read as it is written, and other texts are none.
func TestParseGlyph(t *testing.T) {
	for glyph := uint8(1); glyph > 0; glyph++ {
		if got, ok := ParseGlyph(GlyphSign(glyph)); got != glyph || !ok {
			t.Errorf("%s: %d, %v", GlyphSign(glyph), got, ok)
		}
	}
	for _, text := range []string{"", "$", "$0", "$256", "$-1", "!!!", "x!", "1"} {
		if got, ok := ParseGlyph(text); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}
