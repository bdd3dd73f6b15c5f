package tree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// text returns a tree as text, without the summary.
func text(t *testing.T, tree *Tree) string {
	t.Helper()
	var b strings.Builder
	if err := tree.Text(&b, 0); err != nil {
		t.Fatal(err)
	}
	body, _, _ := strings.Cut(b.String(), "\n\n")
	return body + "\n"
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		o           Options
		want        string
	}{
		{
			"alternating sides", `
			a first: b=50 c=40
			b second: d=-20 e=-30
			c second: f=-45 g=-60`,
			Options{Depth: 2},
			`a
├── ac  +0.45  engine +0.40
│   ├── cf  -0.45
│   └── cg  -0.60
└── ab  +0.20  engine +0.50
    ├── bd  -0.20
    └── be  -0.30
`,
		}, {
			"a side moves twice", `
			a first: b=50
			b first: c=40 d=30
			c second: e=-10`,
			Options{Depth: 3},
			`a
└── ab  +0.30  engine +0.50
    ├── bd  +0.30
    │   └── dd'
    └── bc  +0.10  engine +0.40
        └── ce  -0.10
`,
		}, {
			"mates are counted in moves of the winner", `
			a first: b=1
			b second: c=-1
			c second: d=-2
			d first: e=3
			e first: f=4
			f wins first`,
			Options{Depth: 9},
			`a
└── ab  mate 3  engine +0.01
    └── bc  mate -2  engine -0.01
        └── cd  mate -2  engine -0.02
            └── de  mate 2  engine +0.03
                └── ef  mate 1  engine +0.04  mate
`,
		}, {
			"an engine's mate comes nearer to the root", `
			a second: b=0
			b first: c=0
			c second: d=#-3
			d first: e=#2`,
			Options{Depth: 4},
			`a
└── ab  mate -3  engine +0.00
    └── bc  mate 3  engine +0.00
        └── cd  mate -2  engine mate -3
            └── de  mate 2
`,
		}, {
			"moves that lose and draw", `
			a first: b=0 c=0
			b wins second
			c draw`,
			Options{},
			`a
├── ac  +0.00  draw
└── ab  mate 0  engine +0.00  mate
`,
		}, {
			"chance is an average", `
			a first: r=10 s=5
			r chance: b@0.25 c@0.75
			b first: d=100
			c second: e=60
			s chance: f@0.5 g@0.5
			f wins first
			g second: h=0`,
			Options{Depth: 3},
			`a
├── as  +50.00  engine +0.05
│   ├── sf  odds 0.5  mate +0  mate
│   └── sg  odds 0.5  +0.00
│       └── gh  +0.00
└── ar  -0.20  engine +0.10
    ├── rb  odds 0.25  +1.00
    │   └── bd  +1.00
    └── rc  odds 0.75  -0.60
        └── ce  +0.60
`,
		}, {
			"all outcomes lead to mate", `
			a second: r=10
			r chance: b@0.5 c@0.5
			b second: d=#4
			c first: e=#-7`,
			Options{Depth: 3},
			`a
└── ar  mate 8  engine +0.10
    ├── rb  odds 0.5  mate -4
    │   └── bd  mate 4
    └── rc  odds 0.5  mate -7
        └── ce  mate -7
`,
		}, {
			"all outcomes lead to mate for the mover", `
			a first: r=10
			r chance: b@0.5 c@0.5
			b first: d=#4
			c second: e=#-7`,
			Options{Depth: 3},
			`a
└── ar  mate 8  engine +0.10
    ├── rb  odds 0.5  mate 4
    │   └── bd  mate 4
    └── rc  odds 0.5  mate 7
        └── ce  mate -7
`,
		}, {
			"an unknown value is not backed up", `
			a first: b=50 c=40
			b second: d=-60 e
			c second: f=-45`,
			Options{Depth: 2},
			`a
├── ab  +0.50
│   ├── bd  -0.60
│   └── be
└── ac  +0.45  engine +0.40
    └── cf  -0.45
`,
		}, {
			"without scores, by rank", `
			a first: b c
			b second: d e
			c second: w
			w wins second`,
			Options{Depth: 2},
			`a
├── ab
│   ├── bd
│   └── be
└── ac  mate -1
    └── cw  mate 1  mate
`,
		}, {
			"a failure leaves the engine's score", `
			a first: b=50 broken=40
			b second: d=-20`,
			Options{Depth: 2},
			`a
├── abroken  +0.40  error: graph: died
└── ab  +0.20  engine +0.50
    └── bd  -0.20
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := parseGraph(c.graph)
			g.fails["broken"] = errBroken
			tree, err := Grow(t.Context(), g, g.Start(), c.o)
			if err != nil {
				t.Fatal(err)
			}
			check(t, tree)
			if diff := cmp.Diff(c.want, text(t, tree)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMerging compares whole trees with repeated positions.
func TestMerging(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		depth       int
		want        string
	}{
		{
			"two ways to one position", `
			a first: b=50 c=40
			b second: d=-50
			c second: d=-40
			d first: e=70`,
			3, `a
├── ab  +0.70  engine +0.50
│   └── bd  -0.70  engine -0.50
│       └── de  +0.70
└── ac  +0.70  engine +0.40
    └── cd  -0.70  engine -0.40  as after ab bd
`,
		}, {
			"two ways, last move by different sides", `
			a first: b=50 c=40
			b second: d=-50
			c first: d=40
			d first: e=70`,
			3, `a
├── ab  +0.70  engine +0.50
│   └── bd  -0.70  engine -0.50
│       └── de  +0.70
└── ac  +0.70  engine +0.40
    └── cd  +0.70  engine +0.40  as after ab bd
`,
		}, {
			"first at the maximum depth, then nearer to the root", `
			a first: b=50 c=10
			b second: e=-50
			e first: d=50
			c second: d=-5
			d first: f=7`,
			3, `a
├── ab  +0.07  engine +0.50
│   └── be  -0.07  engine -0.50
│       └── ed  +0.07  engine +0.50  as after ac cd
└── ac  +0.07  engine +0.10
    └── cd  -0.07  engine -0.05
        └── df  +0.07
`,
		}, {
			"a return is a draw", `
			a first: b=50
			b second: c=-50
			c first: a=50 d=-10 b=20`,
			5, `a
└── ab  +0.00  engine +0.50
    └── bc  +0.00  engine -0.50
        ├── ca  +0.00  engine +0.50  back at the first position
        ├── cb  +0.00  engine +0.20  back at the position after ab
        └── cd  -0.10
            └── dd'
                └── d'd''
`,
		}, {
			"two positions that lead to each other", `
			a first: b=50 c=45
			b second: c=-50
			c second: b=-40 d=-45`,
			4, `a
├── ab  +0.40  engine +0.50
│   └── bc  -0.40  engine -0.50  as after ac
└── ac  +0.40  engine +0.45
    ├── cb  -0.40  as after ab, which leads here
    └── cd  -0.45
        └── dd'
            └── d'd''
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, _ := growGraph(t, c.graph, Options{Depth: c.depth})
			if diff := cmp.Diff(c.want, text(t, tree)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// shuffle is a graph that returns to its first position.
const shuffle = `
	a first: b=30
	b second: c=-30
	c first: d=30
	d second: a=-30`

// TestJudge checks that Judge gets the history, and that an unknown score keeps the engine's.
func TestJudge(t *testing.T) {
	for _, c := range []struct{ verdict, want engine.Score }{
		{engine.Centipawns(25), engine.Centipawns(25)},
		{engine.MateIn(0), engine.MateIn(-2)},
		{engine.Score{}, engine.Centipawns(30)},
	} {
		tree, _ := growJudged(t, c.verdict)
		if tree.Root.Value != c.want {
			t.Errorf("verdict %v: root value %v, want %v", c.verdict, tree.Root.Value, c.want)
		}
	}
}

func growJudged(t *testing.T, verdict engine.Score) (*Tree, *graph) {
	g := parseGraph(shuffle)
	tree, err := Grow(t.Context(), g, g.Start(), Options{Judge: func(pos engine.Position) engine.Score {
		_, moves := pos.History()
		if len(moves) != 4 || pos.String() != "a" {
			t.Errorf("judged is %v after %d moves", pos, len(moves))
		}
		return verdict
	}})
	if err != nil {
		t.Fatal(err)
	}
	return tree, g
}

// TestReturnToGameHistory checks repetitions of positions before the root.
func TestReturnToGameHistory(t *testing.T) {
	for _, c := range []struct {
		start string
		moves []string // the last one is the engine's
		want  string
	}{
		{xiangqi.StartFEN, []string{"A0-A1", "A9-A8", "A1-A0", "A8-A9"}, "A8-A9  +0.00  engine +0.90  repeats a position of the game"},
		// Red's rook gives perpetual check, which loses.
		{"4k4/9/9/9/9/9/9/9/3R5/5K3 w - - 0 1", []string{"D1-E1", "E9-D9", "E1-D1", "D9-E9"}, "D9-E9  +100.00  engine +0.90  repeats a position of the game"},
		{"3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1", []string{"E1-D1", "D9-E9", "D1-E1", "E9-D9", "E1-D1"}, "E1-D1  -100.00  engine +0.90  repeats a position of the game"},
	} {
		pos, err := xiangqi.Rules.Position(c.start)
		if err != nil {
			t.Fatal(err)
		}
		last := len(c.moves) - 1
		for _, move := range c.moves[:last] {
			pos = playText(t, pos, move)
		}
		back, err := pos.Parse(c.moves[last])
		if err != nil {
			t.Fatal(err)
		}
		s := fixedLines{{Moves: []engine.Move{back}, Score: engine.Centipawns(90)}}
		tree, err := Grow(t.Context(), s, pos, Options{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, tree)
		want := c.start + "\nafter " + strings.Join(c.moves[:last], " ") + "\n└── " + c.want + "\n"
		if diff := cmp.Diff(want, text(t, tree)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func playText(t *testing.T, pos engine.Position, text string) engine.Position {
	t.Helper()
	m, err := pos.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if pos, err = pos.Play(m); err != nil {
		t.Fatal(err)
	}
	return pos
}
