package search_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
	"qhsh/engine/xiangqi/search"
)

func newEngine(t testing.TB, o search.Options) *search.Engine {
	t.Helper()
	e, err := search.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func position(t rapid.TB, fen string) *xiangqi.Position {
	t.Helper()
	pos, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return pos
}

func play(t rapid.TB, pos engine.Position, m engine.Move) engine.Position {
	t.Helper()
	next, err := pos.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// playAll plays moves written like a0b1.
func playAll(t rapid.TB, fen string, moves ...string) engine.Position {
	t.Helper()
	var pos engine.Position = position(t, fen)
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		pos = play(t, pos, m)
	}
	return pos
}

var rootMoves = []string{
	"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
	"r1bakab1r/9/1cn1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b",
	"3ak4/4aP3/9/p7p/4R4/4C4/P3c3P/B3B4/4A4/3r1K3 w",
	"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w",
	"3k5/9/9/9/9/9/9/9/4A4/5K3 b",
}

// anyPosition returns a position after random moves.
func anyPosition(t *rapid.T) engine.Position {
	var pos engine.Position = position(t, rapid.SampledFrom(rootMoves).Draw(t, "fen"))
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 60).Draw(t, "moves") {
		legal := pos.Moves()
		if len(legal) == 0 {
			break
		}
		pos = play(t, pos, legal[n%len(legal)])
	}
	return pos
}

// anyLimits returns limits that end a search soon, other than time.
func anyLimits(t *rapid.T, pos engine.Position) engine.Limits {
	lim := engine.Limits{
		Level: rapid.IntRange(0, 3).Draw(t, "level"),
		Nodes: rapid.Int64Range(1, 1500).Draw(t, "nodes"),
		Depth: rapid.IntRange(0, 6).Draw(t, "depth"),
		Lines: rapid.SampledFrom([]int{0, 1, 2, 3, 5, 200}).Draw(t, "lines"),
	}
	for _, m := range pos.Moves() {
		if rapid.IntRange(0, 3).Draw(t, "ban") == 0 {
			lim.Ban = append(lim.Ban, m)
		}
	}
	return lim
}

// allowed returns the moves that a search may choose from.
func allowed(pos engine.Position, lim engine.Limits) []engine.Move {
	return slices.DeleteFunc(pos.Moves(), func(m engine.Move) bool { return slices.Contains(lim.Ban, m) })
}

// checkAnswer checks the invariants of a list: as many lines as requested, sorted, with different
// first moves that are allowed, legal to their ends, within the limits.
func checkAnswer(t *rapid.T, pos engine.Position, lim engine.Limits, list []engine.Line) {
	moves := allowed(pos, lim)
	if want := min(max(1, lim.Lines), len(moves)); len(list) != want {
		t.Fatalf("%d lines, want %d", len(list), want)
	}
	seen := map[engine.Move]bool{}
	for i, line := range list {
		if !slices.Contains(moves, line.Move()) || seen[line.Move()] {
			t.Fatalf("line %d: %s is not allowed or is repeated", i, pos.Format(line.Move()))
		}
		seen[line.Move()] = true
		if i > 0 && line.Score.Compare(list[i-1].Score) > 0 {
			t.Fatalf("line %d (%v) is better than the one before (%v)", i, line.Score, list[i-1].Score)
		}
		if i == 0 && !line.Score.Known() {
			t.Fatalf("%v with %+v: the first line has no score", pos, lim)
		}
		if lim.Nodes > 0 && line.Nodes > lim.Nodes || lim.Depth > 0 && line.Depth > lim.Depth {
			t.Fatalf("line %d: %d nodes, depth %d, beyond %+v", i, line.Nodes, line.Depth, lim)
		}
		end := pos
		for _, m := range line.Moves {
			end = play(t, end, m)
		}
	}
}

func TestEveryAnswerIsLegal(t *testing.T) {
	e := newEngine(t, search.DefaultOptions())
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		lim := anyLimits(t, pos)
		lists := 0
		for list, err := range e.Search(t.Context(), pos, lim) {
			if none := len(allowed(pos, lim)) == 0; none != errors.Is(err, engine.ErrNoMove) || !none && err != nil {
				t.Fatalf("error %v with %d moves to choose from", err, len(allowed(pos, lim)))
			}
			if lists++; err == nil {
				checkAnswer(t, pos, lim, list)
			}
		}
		if lists == 0 {
			t.Fatal("the search ended without an answer or an error")
		}
	})
}

// With any rules on or off, answers are valid, and an engine gives the same answers after Forget.
func TestAnyRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := small()
		rules := reflect.ValueOf(&o).Elem()
		for i := range rules.NumField() {
			if f := rules.Field(i); f.Kind() == reflect.Bool {
				f.SetBool(rapid.Bool().Draw(t, rules.Type().Field(i).Name))
			}
		}
		e, err := search.New(o)
		if err != nil {
			t.Fatal(err)
		}
		pos := anyPosition(t)
		lim := anyLimits(t, pos)
		if len(allowed(pos, lim)) == 0 {
			return
		}
		first, err := engine.Best(t.Context(), e, pos, lim)
		if err != nil {
			t.Fatal(err)
		}
		checkAnswer(t, pos, lim, first)
		e.Forget()
		again, err := engine.Best(t.Context(), e, pos, lim)
		if diff := cmp.Diff(fmt.Sprint(first), fmt.Sprint(again)); diff != "" || err != nil {
			t.Fatalf("after Forget: %v\n%s", err, diff)
		}
	})
}

// record returns every list of a search.
func record(t rapid.TB, s engine.Searcher, pos engine.Position, lim engine.Limits) []string {
	var told []string
	for list, err := range s.Search(context.Background(), pos, lim) {
		told = append(told, fmt.Sprint(list, err))
	}
	return told
}

// An engine after Forget reports the same as a new one.
func TestForgottenIsNew(t *testing.T) {
	enginetest.SkipUnderRace(t)
	used := newEngine(t, small())
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		lim := anyLimits(t, pos)
		fresh, err := search.New(small())
		if err != nil {
			t.Fatal(err)
		}
		want := record(t, fresh, pos, lim)
		record(t, used, pos, engine.Limits{Nodes: 1500})
		used.Forget()
		if diff := cmp.Diff(want, record(t, used, pos, lim)); diff != "" {
			t.Fatalf("an engine after Forget differs from a new one:\n%s", diff)
		}
	})
}

// small returns the default options with a small table and the network that never changes.
func small() search.Options {
	o := search.DefaultOptions()
	o.Hash = 1
	o.UseNetwork(net.Small())
	return o
}

// Ranging twice over the same sequence runs two searches.
func TestWarmTableHelps(t *testing.T) {
	e := newEngine(t, small())
	answer := e.Search(t.Context(), position(t, rootMoves[1]), engine.Limits{Depth: 6})
	var nodes [2]int64
	for i := range nodes {
		for list, err := range answer {
			if err != nil {
				t.Fatal(err)
			}
			nodes[i] = list[0].Nodes
		}
	}
	if nodes[1] >= nodes[0] {
		t.Errorf("%d nodes the first time, %d the second", nodes[0], nodes[1])
	}
}

// The scores of several lines are those of their moves: the second line is the best line when the
// first move is banned.
func TestLinesAgreeWithBans(t *testing.T) {
	e := newEngine(t, small())
	pos := position(t, "2ba1a3/2R1r4/3k5/p1N6/6b2/9/9/4B4/4A4/4KAB2 w")
	both := best(t, e, pos, engine.Limits{Depth: 8, Lines: 2})
	e.Forget()
	second := best(t, e, pos, engine.Limits{Depth: 8, Ban: []engine.Move{both[0].Move()}})
	if want := engine.MateIn(2); both[0].Score != want {
		t.Errorf("first line %v, want %v", both[0].Score, want)
	}
	if both[1].Score != second[0].Score {
		t.Errorf("second line %v, with the first banned %v", both[1].Score, second[0].Score)
	}
}

func best(t testing.TB, e *search.Engine, pos engine.Position, lim engine.Limits) []engine.Line {
	t.Helper()
	list, err := engine.Best(t.Context(), e, pos, lim)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Without limits a search ends when a deeper search cannot change the answer.
func TestEndsByItself(t *testing.T) {
	e := newEngine(t, small())
	for _, test := range []struct {
		name, fen string
		want      engine.Score
	}{
		{"mate in one", "2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w", engine.MateIn(1)},
		{"mated in one", "3k5/5R3/9/9/9/9/9/9/9/5KR2 b", engine.MateIn(-1)},
	} {
		if got := best(t, e, position(t, test.fen), engine.Limits{})[0].Score; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestDepthLimit(t *testing.T) {
	e := newEngine(t, small())
	for depth := 1; depth <= 5; depth++ {
		if got := best(t, e, position(t, rootMoves[1]), engine.Limits{Depth: depth})[0].Depth; got != depth {
			t.Errorf("depth %d allowed, %d reached", depth, got)
		}
	}
}

// Even the smallest limits give an answer.
func TestAlwaysAnAnswer(t *testing.T) {
	now, cancel := context.WithCancelCause(t.Context())
	cancel(engine.ErrMoveNow)
	for name, test := range map[string]struct {
		ctx context.Context
		lim engine.Limits
	}{
		"one node":                 {t.Context(), engine.Limits{Nodes: 1, Lines: 3}},
		"ten nodes":                {t.Context(), engine.Limits{Nodes: 10, Lines: 3}},
		"no time":                  {t.Context(), engine.Limits{Time: 1, Lines: 3}},
		"a millisecond":            {t.Context(), engine.Limits{Time: time.Millisecond, Lines: 3}},
		"move now":                 {now, engine.Limits{Lines: 3}},
		"move now, one node":       {now, engine.Limits{Nodes: 1, Lines: 3}},
		"move now, without limits": {now, engine.Limits{}},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, small())
			list, err := engine.Best(test.ctx, e, xiangqi.Start(), test.lim)
			if err != nil {
				t.Fatal(err)
			}
			if want := max(1, test.lim.Lines); len(list) != want {
				t.Errorf("%d lines, want %d", len(list), want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user has left"))
	mated := playAll(t, "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w", "g0g9")
	stalemated := playAll(t, "3k5/9/5R3/9/9/9/9/9/9/4K4 w", "f7f8")
	for _, test := range []struct {
		name string
		ctx  context.Context
		pos  engine.Position
		lim  engine.Limits
		want string
		is   error
	}{
		{"checkmate", t.Context(), mated, engine.Limits{}, "search: checkmate: no move to choose from", engine.ErrNoMove},
		{"stalemate", t.Context(), stalemated, engine.Limits{}, "search: stalemate: no move to choose from", engine.ErrNoMove},
		{
			"all banned", t.Context(), xiangqi.Start(),
			engine.Limits{Ban: xiangqi.Start().Moves()},
			"search: every move is banned: no move to choose from", engine.ErrNoMove,
		},
		{"given up", gone, xiangqi.Start(), engine.Limits{}, "search: the user has left", context.Cause(gone)},
		{"no such level", t.Context(), xiangqi.Start(), engine.Limits{Level: 11}, "search: no level 11: levels go from 1 to 10", nil},
		{
			"another game", t.Context(), nil,
			engine.Limits{},
			"search: there is no position", nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := engine.Best(test.ctx, newEngine(t, small()), test.pos, test.lim)
			if err == nil || err.Error() != test.want {
				t.Fatalf("error %v, want %s", err, test.want)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v does not wrap %v", err, test.is)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		change func(*search.Options)
		want   string
	}{
		{func(o *search.Options) { o.Hash = -1 }, "search: hash=-1: want 1 to 65536 MiB"},
		{func(o *search.Options) { o.Hash = 1 << 20 }, "search: hash=1048576: want 1 to 65536 MiB"},
		{func(o *search.Options) { o.Threads = 257 }, "search: threads=257: want 1 to 256"},
		{func(o *search.Options) { o.Nodes = -5 }, "search: nodes=-5: want a positive number, or 0 for the ordinary levels"},
		{func(o *search.Options) { o.Aspiration = -1 }, "search: aspiration=-1: want centipawns, or 0 for none"},
	} {
		o := search.DefaultOptions()
		test.change(&o)
		if _, err := search.New(o); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	newEngine(t, search.Options{})
}

func TestLevels(t *testing.T) {
	if diff := cmp.Diff(engine.NodeLevels(), newEngine(t, small()).Levels(), cmpopts.IgnoreFields(engine.Level{}, "Elo")); diff != "" {
		t.Errorf("levels differ from engine.NodeLevels:\n%s", diff)
	}
	o := small()
	o.Nodes = 777
	e := newEngine(t, o)
	for i, level := range e.Levels() {
		want := engine.Level{ID: i + 1, Text: "777 nodes a move at every level", Limits: engine.Limits{Nodes: 777}}
		if diff := cmp.Diff(want, level); diff != "" {
			t.Error(diff)
		}
		if got := best(t, e, xiangqi.Start(), engine.Limits{Level: level.ID})[0].Nodes; got > 777 {
			t.Errorf("level %d: %d nodes", level.ID, got)
		}
	}
}

// A search allocates for its lists, never for nodes.
func TestNodesAllocateNothing(t *testing.T) {
	enginetest.SkipUnderRace(t)
	pos := position(t, rootMoves[1])
	for _, name := range []string{"small", "net"} {
		o := small()
		o.Evaluator = evaluators[name]
		e := newEngine(t, o)
		allocations := func(nodes int64) float64 {
			return testing.AllocsPerRun(3, func() {
				e.Forget()
				best(t, e, pos, engine.Limits{Nodes: nodes})
			})
		}
		if few, many := allocations(1000), allocations(50_000); many > few+100 {
			t.Errorf("%s: %.0f allocations for 1,000 nodes, %.0f for 50,000", name, few, many)
		}
	}
}

// FuzzSearch searches any position with any limits.
func FuzzSearch(f *testing.F) {
	for _, fen := range rootMoves {
		f.Add(fen, uint16(300), uint8(3))
	}
	e := newEngine(f, small())
	f.Fuzz(func(t *testing.T, fen string, nodes uint16, lines uint8) {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Skip()
		}
		lim := engine.Limits{Nodes: int64(nodes) + 1, Lines: int(lines)}
		list, err := engine.Best(t.Context(), e, pos, lim)
		if errors.Is(err, engine.ErrNoMove) && len(pos.Moves()) == 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range list {
			end := engine.Position(pos)
			for _, m := range line.Moves {
				end = play(t, end, m)
			}
		}
	})
}
