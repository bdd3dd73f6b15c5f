package serving

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// given is a Searcher that has a list at once, and after some time its end.
type given struct {
	lines  []engine.Line
	err    error
	thinks time.Duration // whatever it is told
}

func (g given) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if yield(g.lines, nil) {
			time.Sleep(g.thinks)
			if g.err != nil {
				yield(nil, g.err)
			}
		}
	}
}

// program is a Searcher in front of a program.
type program struct {
	given
	noMove *[]error // what it was told
}

func (p program) NoMove(err error) { *p.noMove = append(*p.noMove, err) }

// TestAnswer: an answer is legal, is not banned and is as long as wanted. Told to move, a search
// has one even if it does not end; in front of a program, one that the program has given.
func TestAnswer(t *testing.T) {
	pos := enginetest.Stones.Start()
	moves := pos.Moves()
	line := func(m engine.Move) engine.Line { return engine.Line{Moves: []engine.Move{m}} }
	illegal, lost := engine.Line{Moves: []engine.Move{engine.NoMove}}, errors.New("lost")
	for _, c := range []struct {
		name string
		given
		lim   engine.Limits
		now   bool
		ends  bool
		moves []engine.Move
		err   error
		none  error // of a program, which then gives no moves
	}{
		{name: "one", given: given{lines: []engine.Line{illegal, {}, line(moves[1]), line(moves[0])}}, ends: true, moves: moves[1:2]},
		{name: "two", given: given{lines: []engine.Line{line(moves[0]), line(moves[1])}}, lim: engine.Limits{Lines: 2}, ends: true, moves: moves[:2]},
		{name: "banned", given: given{lines: []engine.Line{line(moves[0])}}, lim: engine.Limits{Ban: moves[:1]}, ends: true, err: ErrNoLegalMove, none: ErrNoLegalMove},
		{name: "failed", given: given{lines: []engine.Line{line(moves[0])}, err: lost}, ends: true, err: lost, none: lost},
		{name: "failed when told to move", given: given{err: lost, thinks: time.Millisecond}, now: true, ends: true, moves: moves[:1], none: lost},
		{name: "failed with a line", given: given{lines: []engine.Line{line(moves[1])}, err: lost, thinks: time.Millisecond}, now: true, ends: true, moves: moves[1:2]},
		{name: "none legal when told to move", given: given{lines: []engine.Line{illegal}, thinks: time.Millisecond}, now: true, ends: true, moves: moves[:1], none: ErrNoLegalMove},
		{name: "unstoppable", given: given{lines: []engine.Line{line(moves[1])}, thinks: time.Hour}, now: true, moves: moves[1:2]},
		{name: "not the banned one", given: given{thinks: time.Hour}, lim: engine.Limits{Ban: moves[:1]}, now: true, moves: moves[1:2], none: pluginclient.ErrNoReply},
	} {
		var told []error
		for _, searcher := range []engine.Searcher{c.given, program{c.given, &told}} {
			if _, foreign := searcher.(Foreign); foreign && c.none != nil {
				c.name, c.moves, c.err = c.name+", a program", nil, c.none
			}
			synctest.Test(t, func(t *testing.T) {
				s := StartSearch(t.Context(), Request{Searcher: searcher, Pos: pos, Limits: c.lim})
				synctest.Wait()
				begun := time.Now()
				if c.now {
					s.MoveNow()
				}
				if ends := s.Wait(Grace); ends != c.ends || time.Since(begun) > Grace {
					t.Errorf("%s: ended %v after %v", c.name, ends, time.Since(begun))
				}
				lines, err := s.Answer()
				var got []engine.Move
				for _, l := range lines {
					got = append(got, l.Move())
				}
				if diff := cmp.Diff(c.moves, got); diff != "" || !errors.Is(err, c.err) {
					t.Errorf("%s: %v, -want +got:\n%s", c.name, err, diff)
				}
				<-s.Done()
			})
		}
		if told := errors.Join(told...); !errors.Is(told, c.none) {
			t.Errorf("%s: told %v, want %v", c.name, told, c.none)
		}
	}
}

// TestAfter: a search that begins after another one does not run beside it.
func TestAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, pos := time.Now(), enginetest.Stones.Start()
		first := StartSearch(t.Context(), Request{Searcher: given{thinks: time.Hour}, Pos: pos})
		first.GiveUp(ErrHostGone)
		second := StartSearch(t.Context(), Request{Searcher: given{}, Pos: pos, After: first})
		<-second.Done()
		if d := time.Since(begun); d != time.Hour {
			t.Errorf("the second search ends after %v", d)
		}
	})
}

// TestHoldAndPonder: an answer that is held waits to be asked for, and one on the opponent's time for
// the reply.
func TestHoldAndPonder(t *testing.T) {
	for _, c := range []struct {
		q    Request
		ends func(*Search)
	}{
		{Request{Hold: true}, (*Search).MoveNow},
		{Request{Ponder: true}, (*Search).PonderHit},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.q.Searcher, c.q.Pos = enginetest.Ranker{}, enginetest.Stones.Start()
			s := StartSearch(t.Context(), c.q)
			if s.Wait(time.Hour) {
				t.Error("it does not wait")
			}
			c.ends(s)
			<-s.Done()
			if _, err := s.Best(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLineWriter: the trace has the lines and not what ends an answer; nothing is said to a host
// that has gone.
func TestLineWriter(t *testing.T) {
	var out strings.Builder
	trace := pluginclient.NewTrace("host", nil)
	w := NewLineWriter(&out, trace)
	w.Suffix = "\n"
	w.TraceInput("ask")
	w.WriteLines("one", "two")
	w.Close()
	w.WriteLines("lost")
	var said []string
	for _, e := range trace.Last(9, func(pluginclient.Entry) bool { return true }) {
		said = append(said, e.Dir.String()+e.Text)
	}
	if diff := cmp.Diff([]string{">ask", "<one", "<two"}, said); diff != "" || out.String() != "one\ntwo\n\n" {
		t.Errorf("wrote %q; trace -want +got:\n%s", out.String(), diff)
	}
	in, closed := io.Pipe()
	in.Close()
	if w = NewLineWriter(closed, nil); w.Closed() {
		t.Error("hushed at the start")
	}
	if w.WriteLines("hello"); !w.Closed() {
		t.Error("the host has gone, and it does not know")
	}
}
