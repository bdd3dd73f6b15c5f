package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/bench"
)

// A stoneSession is the Session of stones, with the conversation in it.
type stoneSession struct {
	*embeddedSession
	talk *prompt
}

// stones opens the engine of a game that exists only as a row in a copy of the table.
func stones(t *testing.T, searcher engine.Searcher) stoneSession {
	t.Helper()
	o := Options{Games: games.Default.With(gamestest.Stones(searcher)), Memory: 1 << 30}
	s := opened(t, "stones,hash=2", o)
	return stoneSession{s.(*embeddedSession), s.(*embeddedSession).Session.(*prompt)}
}

// TestStones: the engine of a game without a protocol is a Session like any other.
func TestStones(t *testing.T) {
	s := stones(t, enginetest.Ranker{Depth: 3})
	roll, err := s.Position().Parse("roll 2")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.talk.Load(t.Context(), roll); err != nil {
		t.Fatal(err)
	}
	for _, lim := range []engine.Limits{{}, {Level: 3, Lines: 2}, {Nodes: 7}} {
		bounded, _ := s.Bounds().Limits(lim)
		want, err := engine.Best(t.Context(), engine.WithLevels(enginetest.Ranker{Depth: 3}), s.Position(), bounded)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.Best(t.Context(), s, s.Position(), lim)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(engine.Score{})); diff != "" || err != nil {
			t.Errorf("%+v: %v, -want +got:\n%s", lim, err, diff)
		}
	}
	if err := s.talk.Undo(t.Context()); err != nil || s.Position().String() != "7 first" {
		t.Errorf("after undo %v, %v", s.Position(), err)
	}
	if err := s.talk.Undo(t.Context()); err == nil {
		t.Error("Undo at the start succeeded")
	}
	if err := s.talk.NewGame(t.Context(), xiangqi.Start()); err == nil {
		t.Error("a position of another game was accepted")
	}
	if n, err := pluginclient.Session(s).(bench.Counter).Perft(t.Context(), s.Position(), 2); n != 3 || err != nil {
		t.Errorf("perft 2 is %d, %v", n, err)
	}
	if threads, direct := DirectThreads(s.embeddedSession); !direct || threads != 1 {
		t.Errorf("direct %v, threads %d", direct, threads)
	}
	if state := s.State(); state.Status != pluginclient.StatusRunning {
		t.Errorf("state %+v", state)
	}
	if err := errors.Join(s.Restart(t.Context()), s.Idle(t.Context()), s.Close()); err != nil {
		t.Error(err)
	}
	if state := s.State(); state.Status != pluginclient.StatusEnded {
		t.Errorf("after Close: state %+v", state)
	}
	if _, err := engine.Best(t.Context(), s, enginetest.Stones.Start(), engine.Limits{}); !errors.Is(err, pluginclient.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestStonesPrompt: a typed command is executed, and one that fails changes nothing.
func TestStonesPrompt(t *testing.T) {
	s := stones(t, enginetest.Ranker{})
	for _, c := range [][2]string{
		{"level", "5"},
		{"level 3\nlevel", "ok 3"},
		{"level 99", "error: refused: no level 99: levels go from 1 to 10"},
		{"go", "error: it is chance's turn: play what comes of it"},
		{"play roll 2 take 2 take 1", "ok"},
		{"play take 1", `error: stones: take 1 is illegal in "4 second"`},
		{"undo", "ok"},
		{"position 3 second 1 moves take 1", "ok"},
		{"undo\ngo", "ok take 1 score *"},
		{"position nonsense", "error: *"},
		{"play", "error: the move is missing"},
		{"dance", `error: unknown command "dance"`},
	} {
		answer, err := s.Raw(t.Context(), c[0])
		got := strings.Join(answer, " ")
		want, begins := strings.CutSuffix(c[1], "*")
		if err != nil || got != want && !(begins && strings.HasPrefix(got, want)) {
			t.Errorf("%q: %q, %v, want %q", c[0], got, err, c[1])
		}
		if s.talk.Language().Fails(answer) != strings.HasPrefix(c[1], errorPrefix) {
			t.Errorf("%q fails: %v", c[0], s.talk.Language().Fails(answer))
		}
	}
	if s.Position().String() != "2 first" {
		t.Errorf("the position is %v", s.Position())
	}
	play, _ := s.talk.Language().Lookup("play")
	if words := play.Complete([]string{"roll", "1"}); !slices.Equal(words, pluginclient.Completions([]string{"take 1"}, true)) {
		t.Errorf("after play roll 1: %v", words)
	}
}

// endless thinks until it is interrupted.
type endless struct{ begun chan struct{} }

func (e endless) Search(ctx context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		close(e.begun)
		<-ctx.Done()
		yield(nil, context.Cause(ctx))
	}
}

// TestStonesKilled: Kill makes the running search fail, and the Session remains usable.
func TestStonesKilled(t *testing.T) {
	e := endless{make(chan struct{})}
	s := stones(t, e)
	s.Kill() // while no search runs, this is a no-op
	done := make(chan error)
	go func() {
		_, err := engine.Best(context.Background(), s, s.Position(), engine.Limits{})
		done <- err
	}()
	<-e.begun
	s.Kill()
	if err := <-done; !errors.Is(err, pluginclient.ErrDied) {
		t.Errorf("the search that ran: %v", err)
	}
	if err := errors.Join(s.Restart(t.Context()), s.Idle(t.Context())); err != nil {
		t.Error(err)
	}
}

// TestStonesGivenUp: a search ends with its context or its Session, and another search that waits
// for it ends with its own context.
func TestStonesGivenUp(t *testing.T) {
	why := errors.New("enough")
	e := endless{make(chan struct{})}
	s := stones(t, e)
	pos := s.Position()
	done := make(chan error)
	go func() {
		_, err := engine.Best(context.Background(), s, pos, engine.Limits{})
		done <- err
	}()
	<-e.begun
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := engine.Best(ctx, s, pos, engine.Limits{}); !errors.Is(err, why) {
		t.Errorf("a search that waits: %v", err)
	}
	if err := s.Idle(ctx); !errors.Is(err, why) {
		t.Errorf("Idle: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, pluginclient.ErrClosed) {
		t.Errorf("the search that ran: %v", err)
	}
}

// TestStonesKind: the kind of such an engine comes from the table of games.
func TestStonesKind(t *testing.T) {
	o := Options{Games: gamestest.Table(), Memory: 1 << 30}
	var embedded []string
	for _, kind := range o.kinds().All() {
		if kind.Embedded && !kind.Network {
			embedded = append(embedded, kind.Name)
		}
	}
	want := []string{builtinName}
	for _, game := range o.Games.Players()[1:] {
		want = append(want, game.Name())
	}
	if diff := cmp.Diff(want, embedded); diff != "" {
		t.Error(diff)
	}
	d, err := Parse("stones,hash=3", o)
	if got := fmt.Sprintln(d.Name, d.Game.Name(), d.Embedded, d.Memory, err); got != "stones,hash=3 stones true 3 <nil>\n" {
		t.Error(got)
	}
	for spec, want := range map[string]string{
		"stones,hash=900": "engine specification: stones: hash=900: this machine has 1024 MiB of memory, of which a table may have three quarters: give at most hash=768",
		"stones,size=3":   `engine specification: stones: there is no option "size", only hash, book, bookseed and bookgames`,
		"stones:./x":      `engine specification "stones:./x": stones takes no command line`,
	} {
		if s, err := Open(t.Context(), spec, o); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", spec, s, err, want)
		}
	}
}
