package script

import (
	"encoding/json"
	"math"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

func TestScore(t *testing.T) {
	newBench(t.Context()).expect(t, [][2]string{
		{`score(35), score(cp=-35), score(mate=3), score(mate=-2), score(mate=0), -score(mate=0)`, `(+0.35, -0.35, mate 3, mate -2, mate 0, mate +0)`},
		{`type(score(1)), bool(score(0))`, `("score", True)`},
		{`str(score(35)) + "|%s" % score(mate=3)`, `"+0.35|mate 3"`},
		{`score(35).cp, score(35).mate, score(mate=3).cp, score(mate=3).mate`, `(35, None, None, 3)`},
		{`score(35).value(), score(mate=3).value(), score(mate=-3).value(mate=100), score(mate=0).value(), (-score(mate=0)).value()`, `(35, 9997, -97, -10000, 10000)`},
		{`score(0).chance, score(35).chance, score(-35).chance, score(1000).chance, score(mate=9).chance, score(mate=0).chance`, `(0.5, 0.5209, 0.4791, 0.962, 1.0, 0.0)`},
		{`sorted([score(1), score(mate=1), score(mate=-1), score(mate=9), score(-1), score(mate=-9)])`, `[mate -1, mate -9, -0.01, +0.01, mate 9, mate 1]`},
		{`max(score(1), score(2)), score(1) == score(cp=1), score(1) != score(1), score(1) <= score(1)`, `(+0.02, True, False, True)`},
		{`{score(1): "a"}[score(1)], score(1) == 1, score(1) == None`, `("a", False, False)`},
		{`dir(score(1))`, `["chance", "cp", "mate", "value", "win_chance"]`},
		{`score()`, `error: score: want either cp or mate, such as score(cp=35)`},
		{`score(1, 2)`, `error: score: want either cp or mate, such as score(cp=35)`},
		{`score(None, 2)`, `mate 2`},
		{`score("35")`, `error: score: for parameter cp: got string, want int`},
		{`score(1.5)`, `error: score: for parameter cp: got float, want int`},
		{`score(cp=1<<80)`, `error: score: for parameter "cp": 1208925819614629174706176 out of range (want value in signed 64-bit range)`},
		{`score(1) < 1`, `error: score < int not implemented`},
		{`+score(1)`, `error: unknown unary op: + score`},
		{`score(1) + score(1)`, `error: unknown binary op: score + score`},
	})
}

func drawScore(t *rapid.T, name string) engine.Score {
	if rapid.Bool().Draw(t, name+" is a mate") {
		return engine.MateIn(rapid.IntRange(-9, 9).Draw(t, name))
	}
	return engine.Centipawns(rapid.IntRange(-5000, 5000).Draw(t, name))
}

// TestScoreLaws checks that scores compare like engine.Score and consistently with each other.
func TestScoreLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawScore(t, "a"), drawScore(t, "b")
		x, y := score{a}, score{b}
		for op, want := range map[syntax.Token]bool{
			syntax.LT: a.Compare(b) < 0, syntax.LE: a.Compare(b) <= 0, syntax.EQL: a == b,
			syntax.NEQ: a != b, syntax.GT: a.Compare(b) > 0, syntax.GE: a.Compare(b) >= 0,
		} {
			if got, err := starlark.Compare(op, x, y); err != nil || got != want {
				t.Fatalf("%v %v %v: %v, %v", x, op, y, got, err)
			}
		}
		minus := negate(t, x)
		if negate(t, minus) != x {
			t.Fatalf("-(-%v) is %v", x, negate(t, minus))
		}
		if x.number(10_000) != -minus.number(10_000) {
			t.Fatalf("the value of %v is %d, that of %v %d", x, x.number(10_000), minus, minus.number(10_000))
		}
		if math.Abs(x.chance(engine.DefaultScale)+minus.chance(engine.DefaultScale)-1) > 1e-9 || x.chance(engine.DefaultScale) < 0 || x.chance(engine.DefaultScale) > 1 {
			t.Fatalf("the chances of %v are %v, those of %v %v", x, x.chance(engine.DefaultScale), minus, minus.chance(engine.DefaultScale))
		}
		if a.Compare(b) < 0 && (x.number(10_000) >= y.number(10_000) || x.chance(engine.DefaultScale) > y.chance(engine.DefaultScale)) {
			t.Fatalf("%v < %v, but their values or chances are not", x, y)
		}
		if hx, hy := hashOf(t, x), hashOf(t, y); x == y && hx != hy {
			t.Fatalf("%v and %v are equal, but their hashes differ", x, y)
		}
	})
}

func negate(t *rapid.T, s score) score {
	v, err := starlark.Unary(syntax.MINUS, s)
	if err != nil {
		t.Fatal(err)
	}
	return v.(score)
}

type fataler interface{ Fatal(...any) }

func hashOf(t fataler, v starlark.Value) uint32 {
	h, err := v.Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestJSONForms checks the JSON of each kind of value.
func TestJSONForms(t *testing.T) {
	tree := testTree(sampleTree(t))
	child := node{tree.kind, tree.tree, tree.Children[0]}
	for _, test := range []struct {
		v    json.Marshaler
		want string
	}{
		{score{engine.Centipawns(-35)}, `{"cp":-35}`},
		{score{engine.MateIn(3)}, `{"mate":3}`},
		{samples(t)["Board"].(*board), startQuoted},
		{samples(t)["Outcome"].(object), `{"winner":"red","reason":"stalemate"}`},
		{object{outcome{reason: "agreement"}}, `{"winner":null,"reason":"agreement"}`},
		{object{sampleHint(t)}, `{"move":"H2-E2","cp":35,"depth":12,"nodes":81234,"pv":["H2-E2","H9-G7"],"text":"book <1>"}`},
		{object{&hint{batch.Hint{Move: "H2-E2"}}}, `{"move":"H2-E2","pv":[]}`},
		{object{child}, `{"path":["A0-A1"],"move":"A0-A1","cp":10,"depth":1,"pv":["A0-A1"],"value":{"cp":-10},"position":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 1 1","kind":"searched"}`},
	} {
		got, err := test.v.MarshalJSON()
		if err != nil || string(got) != test.want {
			t.Errorf("%v:\n got %s, %v\nwant %s", test.v, got, err, test.want)
		}
		if emitted, err := encodeJSON(test.v.(starlark.Value), func() error { return nil }); err != nil || string(emitted) != test.want {
			t.Errorf("%v is emitted as %s, %v", test.v, emitted, err)
		}
	}
}
