package qtp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestServerTranscripts runs the conversations of testdata/server. The engine ranks moves by a
// fixed rule.
func TestServerTranscripts(t *testing.T) {
	plugintest.RunTranscripts(t, "testdata/server", func(r enginetest.Ranker) pluginclient.Starter {
		return InProcess(&Server{Searcher: r, Name: "ranker"}).Start
	})
}

// serve returns the output of a server for some lines.
func serve(t *testing.T, s *Server, lines ...string) string {
	t.Helper()
	var out strings.Builder
	if err := s.Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCommands: every listed command is known and works, and no other.
func TestCommands(t *testing.T) {
	s := &Server{Searcher: enginetest.Ranker{}, Name: "ranker"}
	for _, c := range Commands() {
		if got := serve(t, s, KnownCommand+" "+c.Word); got != "= true\n\n" {
			t.Errorf("%s is not known: %q", c.Word, got)
		}
		if got := serve(t, s, c.Word+" a b c d"); got != "? invalid syntax\n\n" {
			t.Errorf("%s: %q", c.Word, got)
		}
	}
}

// TestManyWalls: walls never fails, so any int is stored (2.2, 4.2), and the protocol can express
// the resulting board.
func TestManyWalls(t *testing.T) {
	s := &Server{Searcher: enginetest.Ranker{}, Name: "ranker"}
	got := serve(t, s, "boardsize 3", "playwall white A2 h", "walls 2147483647", "playwall black A3 v", "showboard", "walls 2147483648")
	for _, want := range []string{"black walls: 2147483646\n", "white walls: 2147483646\n", "\n\n? invalid syntax\n\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	g := newGame(quoridor.Default)
	if allocated := testing.AllocsPerRun(10, func() { g.setWalls(7) }); allocated > 0 {
		t.Errorf("walls does more than to set a number: %v allocations", allocated)
	}
	if _, err := g.execute(Walls, []string{"1000000"}); err != nil {
		t.Fatal(err)
	}
	again, err := quoridor.Default.Position(g.position().String())
	if want := "9 b E9/1000000 E1/1000000 -"; err != nil || again.String() != want || again.Key() != g.position().Key() {
		t.Errorf("%v, %v, want %s", again, err, want)
	}
}

// stubborn is a Searcher that always gives the same answer.
type stubborn struct {
	move engine.Move
	err  error
}

func (s stubborn) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if s.err != nil {
			yield(nil, s.err)
			return
		}
		yield([]engine.Line{{Moves: []engine.Move{s.move}}}, nil)
	}
}

// program is a Searcher in front of a program.
type program struct{ stubborn }

func (program) NoMove(error) {}

// TestGenMoveWithoutMove: if the Searcher fails, genmove plays a step towards the goal, and fails if that
// would be instead of a program.
func TestGenMoveWithoutMove(t *testing.T) {
	illegal := engine.Move(quoridor.NewAction(quoridor.Black, quoridor.Step, 0))
	for _, c := range []struct {
		s    stubborn
		warn string
		fail string
	}{
		{stubborn{err: errors.New("it is\nout of order")}, "genmove: it is\nout of order; a step towards the goal was played instead", "it is out of order"},
		{stubborn{move: illegal}, "genmove: it gave no legal move; a step towards the goal was played instead", "it gave no legal move"},
		{stubborn{move: engine.NoMove}, "genmove: it gave no legal move; a step towards the goal was played instead", "it gave no legal move"},
		{stubborn{err: fmt.Errorf("it is over: %w", engine.ErrNoMove)}, "", "it is over: no move to choose from"},
	} {
		warned := ""
		s := &Server{Searcher: c.s, Name: "stubborn", Warn: func(text string) { warned += text }}
		if got := serve(t, s, "genmove black", "genmove white"); got != "= E8\n\n= E2\n\n" {
			t.Errorf("%v: %q", c.s, got)
		}
		if want := c.warn + c.warn; warned != want {
			t.Errorf("%v: warned %q, want %q", c.s, warned, want)
		}
		failed := "? the search failed: " + c.fail + "\n\n"
		if got := serve(t, &Server{Searcher: program{c.s}}, "genmove black", "genmove black", "winner"); got != failed+failed+"= false\n\n" {
			t.Errorf("%v, a program: %q", c.s, got)
		}
	}
}

// TestResponsesAreASCII: names and errors have the characters of a response, and no others.
func TestResponsesAreASCII(t *testing.T) {
	s := &Server{Searcher: program{stubborn{err: errors.New("said \x1b[2J\u009b\xff 中")}}, Name: "N\a\u202e 象"}
	want := `= N\a\u202e \u8c61` + "\n\n" + `? the search failed: said \x1b[2J\u009b\xff \u4e2d` + "\n\n"
	if got := serve(t, s, Name, "genmove black"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEndOfInput: a genmove has its time even if the input ends behind it.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		s := &Server{Searcher: enginetest.Ranker{Depth: 10, Pace: 300 * time.Millisecond}, Name: "ranker"}
		got := serve(t, s, "boardsize 3", "genmove black")
		if took := time.Since(begun); took != DefaultTime || !strings.HasPrefix(got, "= \n\n= ") {
			t.Errorf("%q after %v", got, took)
		}
	})
}

// TestOverlong: a line of any length is parsed. One that is longer than any command fails.
func TestOverlong(t *testing.T) {
	s := &Server{Searcher: enginetest.Ranker{}, Name: "ranker"}
	many := func(text string) string { return strings.Repeat(text, 1<<17) }
	for _, c := range []struct{ line, want string }{
		{many("x"), "? unknown command\n\n"},
		{"name" + many(" "), "= ranker\n\n"},
		{"name" + many(" \x01") + "xyz", "? invalid syntax\n\n"},
		{many(" ") + "name", "= ranker\n\n"},
		{many("\t\x7f") + "known_command" + many(" ") + "name" + many("\x02"), "= true\n\n"},
		{many(" ") + "#" + many("name "), ""},
		{"name" + many(" ") + "# " + many("x "), "= ranker\n\n"},
		{"# " + many("x "), ""},
		{many(" \r\t"), ""},
		{"known_command " + many("name"), "= false\n\n"},
		{"undo " + many("0") + "1", "? invalid syntax\n\n"},
		{"name " + many("x "), "? invalid syntax\n\n"},
	} {
		if got, want := serve(t, s, c.line, "winner"), c.want+"= false\n\n"; got != want {
			t.Errorf("%.20q...: %.100q, want %q", c.line, got, want)
		}
	}
}

// TestServerEnds: the end of ctx ends the server during a search, and its cause is the error.
func TestServerEnds(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &Server{Searcher: waiting{cancel: func() { cancel(cause) }}, Name: "waiting"}
	var out strings.Builder
	err := s.Serve(ctx, strings.NewReader("genmove black\nname\n"), &out)
	if !errors.Is(err, cause) || out.String() != "" {
		t.Errorf("%v, %q", err, out.String())
	}
}

type waiting struct{ cancel func() }

func (w waiting) Search(ctx context.Context, _ engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		w.cancel()
		<-ctx.Done()
		yield(nil, context.Cause(ctx))
	}
}
