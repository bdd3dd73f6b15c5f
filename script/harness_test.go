package script

import (
	"cmp"
	"context"
	"io"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/pluginclient/task/tree"
)

// testGames are the games used in tests.
var testGames = newCatalog(games.Default)

// newEnv calls New with the games used in tests, without input, and with output that is not looked at.
func newEnv(o Options) *Env {
	o.Games = games.Default
	o.Stdin = cmp.Or[io.Reader](o.Stdin, strings.NewReader(""))
	o.Stdout, o.Stderr = cmp.Or(o.Stdout, io.Discard), cmp.Or(o.Stderr, io.Discard)
	return New(o)
}

// A bench evaluates expressions about values without an Env.
type bench struct {
	thread  *starlark.Thread
	names   starlark.StringDict
	printed strings.Builder
}

func newBench(ctx context.Context) *bench { return newBenchOf(ctx, testGames) }

// newBenchOf returns a bench with boards of the given games.
func newBenchOf(ctx context.Context, g *catalog) *bench {
	b := &bench{names: starlark.StringDict{}}
	b.thread = &starlark.Thread{Print: func(_ *starlark.Thread, text string) { b.printed.WriteString(text + "\n") }}
	b.thread.SetLocal(taskKey, &task{ctx: ctx, run: newRunLimits(ctx, Limits{}, func(error) {})})
	for _, m := range valueFunctions(g) {
		b.names[m.name] = m.builtin
	}
	return b
}

// testTask returns a task of an Env of its own.
func testTask() *task {
	e := newEnv(Options{})
	b := newRunLimits(context.Background(), Limits{Steps: 1_000_000}, nil)
	e.running.Store(b)
	return &task{ctx: context.Background(), env: e, run: b, scope: e.scope, out: e.console}
}

// eval returns the value of an expression as the prompt shows it, or an error after "error: ".
func (b *bench) eval(expr string) string {
	v, err := starlark.EvalOptions(&syntax.FileOptions{}, b.thread, "test", expr, b.names)
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String()
}

// run runs statements and returns their globals.
func (b *bench) run(t testing.TB, source string) starlark.StringDict {
	t.Helper()
	options := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	globals, err := starlark.ExecFileOptions(options, b.thread, "test", source, b.names)
	if err != nil {
		t.Fatal(err)
	}
	return globals
}

// expect compares the values of expressions. In a table, each "EXPR" is followed by its value.
func (b *bench) expect(t *testing.T, table [][2]string) {
	t.Helper()
	for _, row := range table {
		if got := b.eval(row[0]); got != row[1] {
			t.Errorf("%s\n got %s\nwant %s", row[0], got, row[1])
		}
	}
}

// testTree returns the value of a tree.
func testTree(t *tree.Tree) node { return node{testGames.kind(t.Root.Pos.Game()), t, t.Root} }

// sampleTree returns a small tree of the first legal moves.
func sampleTree(t testing.TB) *tree.Tree {
	t.Helper()
	grown, err := tree.Grow(t.Context(), fake{}, xiangqi.Start(), tree.Options{Width: 2, Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// sampleHint returns a hint with all fields set.
func sampleHint(t testing.TB) *hint {
	t.Helper()
	start := xiangqi.Start()
	var moves []engine.Move
	pos := engine.Position(start)
	for _, text := range []string{"H2-E2", "H9-G7"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return newHints(start, []engine.Line{{Moves: moves, Score: engine.Centipawns(35), Depth: 12, Nodes: 81234, Text: "book <1>"}})[0]
}

// sampleOutcome returns how the game at a position ended.
func sampleOutcome(pos engine.Position) starlark.Value { return outcomeBy(pos, pos.Result()) }

// sampleRuling returns a ruling on the start position.
func sampleRuling(t testing.TB) *ruling {
	t.Helper()
	b := testGames.newBoard(xiangqi.Start())
	r, err := b.kind.row.Judge(b.pos, "asian")
	if err != nil {
		t.Fatal(err)
	}
	return &ruling{r, b.kind, b.pos}
}

// sampleGame returns a game with a variation and comments.
func sampleGame(t testing.TB) *game {
	t.Helper()
	for g, err := range xqrecord.Library.Read(strings.NewReader(samplePGN), "") {
		return &game{Game: g, kind: testGames.kind(xiangqi.Rules), damage: err}
	}
	t.Fatal("no game")
	return nil
}

const samplePGN = `[Red "Hu"]
[Black "Yang"]
[Result "1-0"]

{about} 1. C2=5 {central} H8+7 (1... {else} C8=5 $1 {same} 2. H2+3) 2. H2+3 $2 1-0
`

// samples returns a value of each class.
func samples(t testing.TB) map[string]starlark.Value {
	t.Helper()
	over, err := xiangqi.ParseFEN("3k5/4P4/4R4/9/9/9/9/9/9/4K4 b")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]starlark.Value{
		"Board": testGames.newBoard(xiangqi.Start()), "Outcome": sampleOutcome(over), "Ruling": object{sampleRuling(t)},
		"Game": object{sampleGame(t)}, "GameNode": object{sampleGame(t).root()},
		"Score": score{engine.Centipawns(35)}, "Hint": object{sampleHint(t)}, "Node": object{testTree(sampleTree(t))},
		"Puzzle": object{samplePuzzle(t, 1)}, "Played": object{samplePlayed()},
		"Validity": object{validity{}},
	}
}
