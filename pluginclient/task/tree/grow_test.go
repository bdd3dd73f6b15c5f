package tree

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// TestOrder checks the order in which positions are searched.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ name, graph, want string }{
		{
			"best line first, then the lowest cost",
			`a first: b=50 c=40 d=0
			 b second: e=-50 f=-90
			 c second: g=-40 h=-45
			 d second: i=0 j=-1
			 e first: ex=50
			 f first: fx=90
			 g first: gx=40
			 h first: hx=45
			 i first: ix=0
			 j first: jx=1`,
			"a b e c g h f d i j",
		},
		{
			"switch from a line that turns out worse",
			`a first: b=50 c=40
			 b second: d=100 e=95
			 c second: f=-40
			 d first: dx=-100
			 e first: ex=-95
			 f first: fx=40`,
			"a b c f d e",
		},
		{
			"by rank without scores",
			`a first: b c
			 b second: d e
			 c second: f g
			 d first: dx
			 e first: ex
			 f first: fx
			 g first: gx`,
			"a b d c e f g",
		},
		{
			"likelier outcome first",
			`a first: r=10
			 r chance: b@0.25 c@0.75
			 b first: bx=10
			 c first: cx=10`,
			"a c b",
		},
		{
			"best line continues after a shorter path to its last position",
			`a first: b=50 c=10
			 b second: e=-50
			 e first: d=50
			 c second: x=20 d=0
			 d first: dx=50
			 x first: xx=-20`,
			"a b e c d x",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, g := growGraph(t, c.graph, Options{Width: 3, Depth: 3})
			if got := strings.Join(g.searched, " "); got != c.want {
				t.Errorf("searched %s\n    want %s", got, c.want)
			}
		})
	}
}

// TestLimits checks that width, depth and the number of nodes limit the tree.
func TestLimits(t *testing.T) {
	start := xiangqi.Start()
	for _, c := range []struct {
		o                    Options
		searched, size, open int
	}{
		{Options{}, 40, 120, 0},
		{Options{Width: 2, Depth: 3}, 7, 14, 0},
		{Options{Width: 1, Depth: 5}, 5, 5, 0},
		{Options{Width: 4, Depth: 1}, 1, 4, 0},
		{Options{Width: 3, Depth: 4, MaxNodes: 10}, 3, 9, 7},
		{Options{Width: 3, MaxNodes: 3}, 1, 3, 3},
	} {
		tree, err := Grow(t.Context(), enginetest.Ranker{}, start, c.o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, tree)
		got := []int{tree.Searched, tree.Size, tree.Open()}
		if diff := cmp.Diff([]int{c.searched, c.size, c.open}, got); diff != "" {
			t.Errorf("%+v: searched, size, open (-want +got):\n%s", c.o, diff)
		}
	}
}

func TestInvalidOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"tree: width -1: want 1 or more":                            {Width: -1},
		"tree: depth -2: want 1 or more":                            {Depth: -2},
		"tree: maximum nodes -3: want 1 or more":                    {MaxNodes: -3},
		"tree: maximum nodes 4: want at least the width, 5":         {Width: 5, MaxNodes: 4},
		"tree: maximum nodes 10000: want at least the width, 20000": {Width: 20000},
	} {
		tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), o)
		if tree != nil || err == nil || err.Error() != want {
			t.Errorf("tree %v, error %v, want %s", tree, err, want)
		}
	}
}

// TestBanAtTheRoot checks that Ban applies only at the root, and that Lines is the width.
func TestBanAtTheRoot(t *testing.T) {
	start := xiangqi.Start()
	ban := start.Moves()[:40]
	s := &recorder{}
	tree, err := Grow(t.Context(), s, start, Options{Width: 2, Depth: 2, Limits: engine.Limits{Ban: ban, Lines: 9, Nodes: 7}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range tree.Root.Children {
		if slices.Contains(ban, n.Move) {
			t.Errorf("%s is banned", n.Name)
		}
	}
	want := []engine.Limits{{Nodes: 7, Lines: 2, Ban: ban}, {Nodes: 7, Lines: 2}, {Nodes: 7, Lines: 2}}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if s.forgot != 3 {
		t.Errorf("Forget was called %d times, want 3", s.forgot)
	}
}

// A recorder is a Ranker that records the limits of its searches.
type recorder struct {
	enginetest.Ranker
	asked  []engine.Limits
	forgot int
}

func (s *recorder) Forget() { s.forgot++ }

func (s *recorder) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	s.asked = append(s.asked, lim)
	return s.Ranker.Search(ctx, pos, lim)
}

const twoByTwo = `
	a first: b=50 c=40
	b second: d=-50 e=-90
	c second: f=-40 g=-45`

// TestInterrupted checks that Grow returns the tree so far, whatever ends it.
func TestInterrupted(t *testing.T) {
	quit := errors.New("enough")
	for _, c := range []struct {
		cause    error
		at       int // the current search
		searched int
		want     error
	}{
		{quit, 1, 0, quit},
		{quit, 2, 1, quit},
		{engine.ErrMoveNow, 1, 1, nil},
		{engine.ErrMoveNow, 2, 2, nil},
	} {
		t.Run(fmt.Sprintf("%v at %d", c.cause, c.at), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			g := parseGraph(twoByTwo)
			g.onSearch = func() {
				if len(g.searched) == c.at {
					cancel(c.cause)
				}
			}
			tree, err := Grow(ctx, g, g.Start(), Options{})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			check(t, tree)
			if tree.Searched != c.searched || tree.Failed != 0 {
				t.Errorf("%d searched, %d failed, want %d and none", tree.Searched, tree.Failed, c.searched)
			}
		})
	}
	t.Run("before the start", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(quit)
		g := parseGraph(twoByTwo)
		tree, err := Grow(ctx, g, g.Start(), Options{})
		if !errors.Is(err, quit) || len(g.searched) != 0 || tree.Root.Kind != Unsearched {
			t.Errorf("error %v, searched %v", err, g.searched)
		}
	})
}

// TestEngineFails checks that growth continues after a failed search.
func TestEngineFails(t *testing.T) {
	start := fmt.Errorf("graph: %w", pluginclient.ErrStart)
	for _, c := range []struct {
		name, at string
		err      error
		searched string
		want     error
	}{
		{"somewhere", "b", errBroken, "a b b c", nil},
		{"at the root", "a", errBroken, "a a", errBroken},
		{"cannot be restarted", "b", start, "a b b", start},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := parseGraph(twoByTwo)
			g.fails[c.at] = c.err
			tree, err := Grow(t.Context(), g, g.Start(), Options{Depth: 2})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			check(t, tree)
			if got := strings.Join(g.searched, " "); got != c.searched {
				t.Errorf("searched %s, want %s", got, c.searched)
			}
			if tree.Failed != 1 || !errors.Is(tree.firstError(), c.err) {
				t.Errorf("%d failed, first error %v", tree.Failed, tree.firstError())
			}
		})
	}
	t.Run("once", func(t *testing.T) {
		g := parseGraph(twoByTwo)
		g.fails["b"] = errBroken
		g.onSearch = func() {
			if len(g.searched) == 3 {
				delete(g.fails, "b")
			}
		}
		tree, err := Grow(t.Context(), g, g.Start(), Options{Depth: 2})
		if err != nil || tree.Failed != 0 || tree.firstError() != nil {
			t.Errorf("error %v, %d failed, first error %v", err, tree.Failed, tree.firstError())
		}
		check(t, tree)
	})
}

// A fixedLines always returns the same lines.
type fixedLines []engine.Line

func (n fixedLines) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(n, nil) }
}

// TestInvalidLines checks that illegal, empty, duplicate and surplus lines are skipped.
func TestInvalidLines(t *testing.T) {
	g := parseGraph(`a first: b c d e`)
	line := func(moves ...engine.Move) engine.Line { return engine.Line{Moves: moves} }
	s := fixedLines{line(9), line(2, 7), {}, line(2), line(4), line(1), line(3)}
	tree, err := Grow(t.Context(), s, g.Start(), Options{Width: 3, Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	var got []string
	for _, n := range tree.Root.Children {
		got = append(got, fmt.Sprint(n.Rank, " ", n.PV))
	}
	if diff := cmp.Diff([]string{"2 [ac]", "5 [ae]", "6 [ab]"}, got); diff != "" {
		t.Errorf("children (-want +got):\n%s", diff)
	}
	_, err = Grow(t.Context(), fixedLines{line(9), line(8)}, g.Start(), Options{})
	if !errors.Is(err, pluginclient.ErrIllegal) || err.Error() != "tree: an illegal move, and no legal one in 2 lines" {
		t.Errorf("error %v", err)
	}
}

func TestFinishedGame(t *testing.T) {
	mated, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/r8/r3K4 w")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Grow(t.Context(), enginetest.Ranker{}, mated, Options{})
	if err != nil || tree.Root.Kind != Over || tree.Root.Value != engine.MateIn(0) || len(tree.Root.Best()) != 0 {
		t.Errorf("root %v worth %v, error %v", tree.Root.Kind, tree.Root.Value, err)
	}
}

// TestProgress checks that Progress is called after every search, and can call Best.
func TestProgress(t *testing.T) {
	var got []string
	progress := func(tree *Tree) {
		text := fmt.Sprint(tree.Searched, " of ", tree.Size, ":")
		for _, n := range tree.Root.Best() {
			text += fmt.Sprint(" ", n.Name, " ", n.Value)
		}
		got = append(got, text)
	}
	growGraph(t, `
		a first: b=50 c=40
		b second: d=-20 e=-10
		c second: f=-40 g=-45`, Options{Depth: 2, Progress: progress})
	want := []string{
		"1 of 2: ab cp 50",
		"2 of 4: ac cp 40",
		"3 of 6: ac cp 40 cf cp -40",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// drawGraph draws a graph with cycles, chance, double moves and missing scores.
func drawGraph(t *rapid.T) string {
	const names = "abcdefghij"
	var text strings.Builder
	scores := rapid.SampledFrom([]string{"all", "some", "none"}).Draw(t, "scores")
	for i := range names {
		turn := rapid.SampledFrom([]string{"first", "second", "first", "second", "chance", "wins first", "wins second"}).Draw(t, "turn")
		if i == 0 && strings.HasPrefix(turn, "wins") {
			turn = "first"
		}
		fmt.Fprintf(&text, "%c %s", names[i], turn)
		if strings.HasPrefix(turn, "wins") {
			text.WriteByte('\n')
			continue
		}
		text.WriteByte(':')
		to := rapid.SliceOfNDistinct(rapid.SampledFrom([]byte(names+"xy")), 1, 4, rapid.ID).Draw(t, "to")
		for _, name := range to {
			switch {
			case turn == "chance":
				fmt.Fprintf(&text, " %c@%g", name, 1/float64(len(to)))
			case scores == "none" || scores == "some" && rapid.Bool().Draw(t, "unknown"):
				fmt.Fprintf(&text, " %c", name)
			case rapid.IntRange(0, 5).Draw(t, "mate") == 0:
				fmt.Fprintf(&text, " %c=#%d", name, rapid.IntRange(-3, 3).Draw(t, "moves"))
			default:
				fmt.Fprintf(&text, " %c=%d", name, rapid.IntRange(-60, 60).Draw(t, "cp"))
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// TestEveryGraph checks the invariants on random graphs.
func TestEveryGraph(t *testing.T) { rapid.Check(t, everyGraph) }

func FuzzEveryGraph(f *testing.F) { f.Fuzz(rapid.MakeFuzz(everyGraph)) }

func everyGraph(t *rapid.T) {
	g := parseGraph(drawGraph(t))
	if rapid.Bool().Draw(t, "failure") {
		g.fails[rapid.SampledFrom([]string{"b", "c", "d"}).Draw(t, "where")] = errBroken
	}
	g.lines["x"] = "draw"
	o := Options{Width: rapid.IntRange(1, 4).Draw(t, "width"), Depth: rapid.IntRange(1, 8).Draw(t, "depth"), MaxNodes: 60}
	tree, err := Grow(context.Background(), g, g.Start(), o)
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	count := map[string]int{}
	for _, name := range g.searched {
		count[name]++
		if count[name] > 1 && g.fails[name] == nil {
			t.Errorf("%s was searched twice", name)
		}
	}
	again, err := Grow(context.Background(), g, g.Start(), o)
	if err != nil || string(allFormats(again)) != string(allFormats(tree)) {
		t.Errorf("the second tree differs")
	}
}

// allFormats returns a tree in all formats.
func allFormats(tree *Tree) []byte {
	var b strings.Builder
	for _, f := range Formats() {
		if err := f.Write(&b, tree, WriteOptions{}); err != nil {
			return nil
		}
	}
	return []byte(b.String())
}

// TestEveryGame checks the invariants on games, from positions after random moves.
func TestEveryGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom([]engine.Game{xiangqi.Rules, enginetest.Stones}).Draw(t, "game")
		pos := game.Start()
		for range rapid.IntRange(0, 6).Draw(t, "plies") {
			if moves := pos.Moves(); len(moves) > 0 {
				pos, _ = pos.Play(rapid.SampledFrom(moves).Draw(t, "move"))
			}
		}
		o := Options{
			Width: rapid.IntRange(1, 4).Draw(t, "width"), Depth: rapid.IntRange(1, 5).Draw(t, "depth"),
			MaxNodes: rapid.IntRange(4, 150).Draw(t, "nodes"),
		}
		tree, err := Grow(context.Background(), enginetest.Ranker{}, pos, o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, tree)
		if tree.Size > o.MaxNodes {
			t.Errorf("%d moves, want at most %d", tree.Size, o.MaxNodes)
		}
	})
}

// BenchmarkGrow measures growth alone: search results are cached.
func BenchmarkGrow(b *testing.B) {
	for _, o := range []Options{{Width: 3, Depth: 4}, {Width: 3, Depth: 7}} {
		b.Run(fmt.Sprintf("width=%d/depth=%d", o.Width, o.Depth), func(b *testing.B) {
			s := cachedRanker{}
			grow := func() int {
				tree, err := Grow(b.Context(), s, xiangqi.Start(), o)
				if err != nil {
					b.Fatal(err)
				}
				return tree.Size
			}
			grow()
			nodes := 0
			for b.Loop() {
				nodes += grow()
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}

// A cachedRanker is a Ranker that caches its results.
type cachedRanker map[uint64][]engine.Line

func (r cachedRanker) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		lines, ok := r[pos.Key()]
		if !ok {
			var err error
			if lines, err = engine.Best(ctx, enginetest.Ranker{}, pos, lim); err != nil {
				yield(nil, err)
				return
			}
			r[pos.Key()] = lines
		}
		yield(lines, nil)
	}
}

// firstError returns the error of the first Failed node, or nil.
func (t *Tree) firstError() error {
	var first error
	t.Root.walk(func(node *Node) {
		if first == nil {
			first = node.Err
		}
	})
	return first
}
