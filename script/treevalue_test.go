package script

import (
	"errors"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/tree"
)

func TestTree(t *testing.T) {
	b := newBench(t.Context())
	grown := sampleTree(t)
	b.names["t"] = object{testTree(grown)}
	b.expect(t, [][2]string{
		{`t`, `tree of ` + grown.Summary()},
		{`type(t), bool(t), t == t.root, t.root.parent`, `("node", True, True, None)`},
		{`t.move, t.score, t.value, t.path, t.rank, t.pv, t.kind, t.error, t.same`, `(None, None, -0.10, (), 0, (), "searched", None, None)`},
		{`t.children`, `(A0-A1 -0.10, A0-A2 -0.10)`},
		{`[(n.move, n.rank, n.score, n.value, n.depth, n.nodes, n.pv, n.comment) for n in t.children]`, `[("A0-A1", 1, +0.10, -0.10, 1, 0, ("A0-A1",), ""), ("A0-A2", 2, +0.05, -0.10, 1, 0, ("A0-A2",), "")]`},
		{`t.children[0].parent == t, t.children[0] == t.children[1], t.children[0] != t.children[0]`, `(True, False, False)`},
		{`t.board, t.board == board()`, `(rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1, True)`},
		{`t.children[0].board.move_stack`, `["A0-A1"]`},
		{`t.children[0].children[1].path`, `("A0-A1", "A9-A8")`},
		{`t.best_line, t.children[1].best_line, t.children[0].children[0].best_line`, `(("A0-A1", "A9-A7"), ("A9-A7",), ())`},
		{`board().play(*t.best_line).move_stack == list(t.best_line)`, `True`},
		{`[" ".join(n.path) for n in t.walk()]`, `["", "A0-A1", "A0-A1 A9-A7", "A0-A1 A9-A8", "A0-A2", "A0-A2 A9-A7", "A0-A2 A9-A8"]`},
		{`t.find(lambda n: n.move == "A9-A7")`, `A0-A1 A9-A7 +0.10`},
		{`t.find(lambda n: False)`, `None`},
		{`t.find(lambda n: fail("no"))`, `error: fail: no`},
		{`t.find(1)`, `error: find: for parameter fn: got int, want callable`},
		{`{t: 1}[t.root], {n: n.move for n in t.walk()}[t.children[1]]`, `(1, "A0-A2")`},
		{`t < t`, `error: node < node: not ordered`},
		{`t.text(-1)`, `error: text: width -1: want 0 or more`},
		{`t.children[0].svg()`, `error: svg: tree of ` + xiangqi.StartFEN + `: only the root can be written: use node.root`},
		{`t.dot().startswith("digraph"), t.svg().startswith("<svg"), t.html("A <title>").startswith("<!DOCTYPE html>")`, `(True, True, True)`},
		{`t.board.push("h2e2"), t.board.move_stack`, `(None, [])`},
	})
}

// TestTreeForms compares the formats with those that the tree itself writes.
func TestTreeForms(t *testing.T) {
	b := newBench(t.Context())
	grown := sampleTree(t)
	b.names["t"] = object{testTree(grown)}
	o := tree.WriteOptions{Width: 30, Title: "A title", Games: games.Default}
	for _, f := range tree.Formats() {
		var want strings.Builder
		if err := f.Write(&want, grown, o); err != nil {
			t.Fatal(err)
		}
		call := map[string]string{"text": `t.text(width=30) + "\n"`, "json": `t.json() + "\n"`, "html": `t.html(title="A title")`}[f.Name]
		if call == "" {
			call = "t." + f.Name + "()"
		}
		got := b.run(t, "x = "+call)["x"]
		if string(got.(starlark.String)) != want.String() {
			t.Errorf("%s is not what the tree writes:\n%s", call, got)
		}
	}
	data, err := testTree(grown).MarshalJSON()
	if err != nil || string(data)+"\n" != b.eval("t.json()") && !strings.HasPrefix(string(data), `{"game":"xiangqi"`) {
		t.Errorf("JSON of the root: %s, %v", data, err)
	}
}

// TestTreeOfStones walks a tree with chance outcomes, merged nodes and returns.
func TestTreeOfStones(t *testing.T) {
	grown, err := tree.Grow(t.Context(), fake{}, enginetest.Stones.Start(), tree.Options{Width: 3, Depth: 6})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t.Context())
	b.names["t"] = object{testTree(grown)}
	b.expect(t, [][2]string{
		{`len(t.walk()) - 1`, starlark.MakeInt(grown.Size).String()},
		{`all([n.same != None for n in t.walk() if n.kind == "merged"])`, `True`},
		{`t.find(lambda n: n.kind == "over").board.is_game_over`, `True`},
		{`[n for n in t.walk() if n.board.move_stack != list(n.path)]`, `[]`},
	})
}

// TestFailedNode shows why a search failed.
func TestFailedNode(t *testing.T) {
	failed := &tree.Node{Pos: xiangqi.Start(), Kind: tree.Failed, Err: errors.New("it died")}
	grown := &tree.Tree{Root: failed, Failed: 1, Options: tree.Options{Width: 1, Depth: 1, Limits: engine.Limits{}}}
	b := newBench(t.Context())
	b.names["t"] = object{testTree(grown)}
	b.expect(t, [][2]string{{`t.kind, t.error, t.value, t.best_line`, `("failed", "it died", None, ())`}})
}
