package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// jittery is rank with a varying delay, on which results must not depend.
func jittery(n *atomic.Int64) thinkFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		return slow(time.Duration(n.Add(1)*7919%13)*time.Millisecond)(ctx, pos, lim)
	}
}

func upTo(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i+1)
	}
	return numbers
}

// TestJobs checks that the number of jobs does not change the games or their order, and that there
// are at most two engines per job.
func TestJobs(t *testing.T) {
	var want *collector
	for _, jobs := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(jobs), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s fakeEngines
				var n atomic.Int64
				var out collector
				config := stonesConfig(s.player("a", jittery(&n)), s.player("b", jittery(&n)), s.player("c", jittery(&n)))
				config.Rounds, config.Order = 4, Random
				for size := 5; size < 12; size++ {
					config.Openings = append(config.Openings, stonesAt(t, fmt.Sprintf("%d second", size)))
				}
				table, err := Run(t.Context(), config, Options{Jobs: jobs, Outputs: []Output{&out}})
				if err != nil {
					t.Fatal(err)
				}
				s.allClosed(t)
				if table.Games != 24 || s.most > 2*jobs {
					t.Errorf("%d games, %d engines at once", table.Games, s.most)
				}
				if want == nil {
					want = &out
				}
				if diff := cmp.Diff(want.records, out.records); diff != "" {
					t.Errorf("games differ: -1 job +%d jobs\n%s", jobs, diff)
				}
				if !slices.Equal(out.numbers(), upTo(24)) {
					t.Errorf("order %v", out.numbers())
				}
			})
		})
	}
}

// TestEnginesAreReused checks that two players and one job start two engines, not two per game.
func TestEnginesAreReused(t *testing.T) {
	var s fakeEngines
	config := stonesConfig(s.player("a", rank), s.player("b", rank))
	config.Games = 50
	if _, err := Run(t.Context(), config, Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	s.allClosed(t)
	if s.opened != 2 {
		t.Errorf("%d engines were started", s.opened)
	}
}

// TestForgotten checks that an engine is reset before each game.
func TestForgotten(t *testing.T) {
	var s fakeEngines
	p := s.player("a", rank)
	open := p.Open
	p.Open = func(ctx context.Context) (pluginclient.Session, error) {
		session, err := open(ctx)
		f := session.(*fake)
		f.think = func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
			if _, moves := pos.History(); len(moves) <= 3 && !f.forgotten {
				return nil, errors.New("not reset before the game")
			}
			if _, moves := pos.History(); len(moves) > 3 {
				f.forgotten = false
			}
			return rank(ctx, pos, lim)
		}
		return session, err
	}
	config := stonesConfig(p, s.player("b", rank))
	config.Games = 10
	if _, err := Run(t.Context(), config, Options{}); err != nil {
		t.Fatal(err)
	}
}

// TestStartFails checks engines that cannot start, at the beginning and during a match. Finished
// games are kept.
func TestStartFails(t *testing.T) {
	for _, good := range []int{0, 1, 3} {
		var s fakeEngines
		var out collector
		p := s.player("bad", failing(always, pluginclient.ErrDied))
		open, opened := p.Open, 0
		p.Open = func(ctx context.Context) (pluginclient.Session, error) {
			if opened++; opened > good {
				return nil, fmt.Errorf("bad: %w", pluginclient.ErrStart)
			}
			return open(ctx)
		}
		config := stonesConfig(s.player("a", rank), p)
		config.Games = 10
		table, err := Run(t.Context(), config, Options{Outputs: []Output{&out}})
		if !errors.Is(err, pluginclient.ErrStart) || table.Games != good || len(out.records) != good {
			t.Errorf("after %d good starts: error %v, %d games", good, err, table.Games)
		}
		if opened != good+startAttempts {
			t.Errorf("%d starts, want %d good ones and %d tries", opened, good, startAttempts)
		}
		s.allClosed(t)
	}
}

// TestInterrupt checks that a cancelled match drops unfinished games and writes finished ones, even
// after a gap.
func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s fakeEngines
		var out collector
		ctx, cancel := context.WithCancelCause(t.Context())
		first := func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
			if start, _ := pos.History(); start.String() == "5 first" {
				return slow(time.Hour)(ctx, pos, lim)
			}
			return slow(time.Second)(ctx, pos, lim)
		}
		config := stonesConfig(s.player("a", first), s.player("b", first))
		config.Openings = []engine.Position{stonesAt(t, "5 first"), stonesAt(t, "6 first"), stonesAt(t, "7 first")}
		config.Games, config.Repeat = 6, false
		errStop := errors.New("stop")
		time.AfterFunc(59*time.Minute, func() { cancel(errStop) })
		table, err := Run(ctx, config, Options{Jobs: 2, Outputs: []Output{&out}})
		if !errors.Is(err, errStop) {
			t.Errorf("error %v", err)
		}
		// Games 1 and 4 block both jobs.
		if !slices.Equal(out.numbers(), []int{2, 3}) || table.Games != 2 {
			t.Errorf("games %v", out.numbers())
		}
		s.allClosed(t)
	})
}

// TestSPRT checks that the match ends with the decision, after the same games whatever the number
// of jobs.
func TestSPRT(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		var s fakeEngines
		var out collector
		lost := failing(always, pluginclient.ErrDied)
		config := stonesConfig(s.player("a", rank), s.player("b", lost))
		config.Games = 10_000
		config.SPRT = &SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}
		table, err := Run(t.Context(), config, Options{Jobs: jobs, Outputs: []Output{&out}})
		if err != nil {
			t.Fatal(err)
		}
		s.allClosed(t)
		test := table.Test()
		// A won pair adds ln(0.64/0.5) = 0.247 in the limit: twelve exceed 2.94.
		if test.Decision != "H1" || table.Games != 24 || !slices.Equal(out.numbers(), upTo(24)) {
			t.Errorf("%d jobs: %+v after %d games", jobs, test, table.Games)
		}
	}
}

// A failingOutput fails at game at.
type failingOutput struct {
	collector
	at int
}

func (f *failingOutput) Write(r Record) error {
	if r.Game == f.at {
		return errors.New("disk full")
	}
	return f.collector.Write(r)
}

func TestOutputFails(t *testing.T) {
	var s fakeEngines
	out := failingOutput{at: 3}
	config := stonesConfig(s.player("a", rank), s.player("b", rank))
	config.Games = 100
	table, err := Run(t.Context(), config, Options{Jobs: 3, Outputs: []Output{&out}})
	if err == nil || err.Error() != "output: disk full" || table.Games != 2 || !slices.Equal(out.numbers(), []int{1, 2}) {
		t.Errorf("error %v after %d games", err, table.Games)
	}
	s.allClosed(t)
}

// TestProgress checks that Progress gets every game, in order, with the table so far.
func TestProgress(t *testing.T) {
	var s fakeEngines
	var calls []string
	config := stonesConfig(s.player("a", rank), s.player("b", rank))
	_, err := Run(t.Context(), config, Options{Jobs: 2, Progress: func(r Record, fresh bool, t *Table) {
		calls = append(calls, fmt.Sprint(r.Game, fresh, t.Games, t.Total))
	}})
	if err != nil || strings.Join(calls, "; ") != "1 true 1 2; 2 true 2 2" {
		t.Errorf("%q, %v", calls, err)
	}
}
