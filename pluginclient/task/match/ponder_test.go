package match

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// shuttle are the moves of a game that goes nowhere.
var shuttle = []string{"a0a1", "a9a8", "a1a0", "a8a9"}

// shuttleLine is a line of three moves of that game, in which the second is another one for a player
// that expects that.
func shuttleLine(pos engine.Position, expects string) engine.Line {
	_, moves := pos.History()
	var line engine.Line
	for i := range 3 {
		text := shuttle[(len(moves)+i)%len(shuttle)]
		if i == 1 && expects != "" {
			text = expects
		}
		m, err := pos.Parse(text)
		if err != nil {
			break
		}
		line.Moves = append(line.Moves, m)
		if pos, err = pos.Play(m); err != nil {
			break
		}
	}
	return line
}

// A pondering is a Session that thinks for a second on a move, and on its opponent's time as long as it
// may.
type pondering struct {
	*fake
	expects string   // instead of the next move of shuttle
	dies    bool     // while it ponders
	log     []string // what it does when, in seconds
	begun   time.Time
}

func (p *pondering) note(what string) {
	p.log = append(p.log, fmt.Sprintf("%v %s", time.Since(p.begun).Seconds(), what))
}

func (p *pondering) Idle(context.Context) error {
	if p.dies {
		return &pluginclient.Error{Engine: "fake", Err: pluginclient.ErrDied}
	}
	return nil
}

func (p *pondering) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		p.note("search")
		time.Sleep(time.Second)
		yield([]engine.Line{shuttleLine(pos, p.expects)}, nil)
	}
}

func (p *pondering) Ponder(ctx context.Context, pos engine.Position, _ engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		_, moves := pos.History()
		p.note(fmt.Sprintf("ponder after %d moves", len(moves)))
		select {
		case <-hit:
			p.note("hit")
			time.Sleep(250 * time.Millisecond)
			yield([]engine.Line{shuttleLine(pos, p.expects)}, nil)
		case <-ctx.Done():
			p.note(context.Cause(ctx).Error())
			yield(nil, context.Cause(ctx))
		}
	}
}

// TestPonder plays against an opponent that moves after two seconds.
func TestPonder(t *testing.T) {
	for _, c := range []struct {
		name string
		p    pondering
		off  bool
		want []string // what the player does, then its times and the result
	}{
		{"expected", pondering{}, false, []string{
			"0 search", "1 ponder after 2 moves", "3 hit", "3.25 ponder after 4 moves", "5.25 hit",
			"5.5 ponder after 6 moves", "7.5 the game is over", "[1 0.25 0.25] 1/2-1/2 move limit",
		}},
		{"another", pondering{expects: "i9i8"}, false, []string{
			"0 search", "1 ponder after 2 moves", "3 another move was played", "3 search", "4 ponder after 4 moves",
			"6 another move was played", "6 search", "7 ponder after 6 moves", "9 the game is over",
			"[1 1 1] 1/2-1/2 move limit",
		}},
		{"nothing expected", pondering{expects: "a0a0"}, false, []string{"0 search", "3 search", "6 search", "[1 1 1] 1/2-1/2 move limit"}},
		{"dies", pondering{expects: "i9i8", dies: true}, false, []string{
			"0 search", "1 ponder after 2 moves", "3 another move was played", "[1] 0-1 crash",
		}},
		{"off", pondering{}, true, []string{"0 search", "3 search", "6 search", "[1 1 1] 1/2-1/2 move limit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s fakeEngines
				var out records
				opponent := func(_ context.Context, pos engine.Position, _ engine.Limits) ([]engine.Line, error) {
					time.Sleep(2 * time.Second)
					return []engine.Line{shuttleLine(pos, "")}, nil
				}
				config := stonesConfig(s.player("a", nil), s.player("b", opponent))
				config.Game, config.Games, config.Repeat, config.MaxMoves = xiangqi.Rules, 1, false, 3
				config.Players[0].Ponder, config.Players[0].Time = !c.off, 5*time.Second
				open := config.Players[0].Open
				config.Players[0].Open = func(ctx context.Context) (pluginclient.Session, error) {
					session, err := open(ctx)
					c.p.fake, c.p.begun = session.(*fake), time.Now()
					return &c.p, err
				}
				if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
					t.Fatal(err)
				}
				s.allClosed(t)
				got := append(c.p.log, out.timesOfFirst())
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		})
	}
}

// records is an Output that keeps the records.
type records []Record

func (r *records) Write(record Record) error {
	*r = append(*r, record)
	return nil
}

// timesOfFirst returns the times of First's moves in the first game, and its result.
func (r records) timesOfFirst() string {
	var times []Seconds
	for _, p := range r[0].Moves {
		if p.By == engine.First.String() {
			times = append(times, p.Seconds)
		}
	}
	return fmt.Sprint(times, " ", r[0].Result, " ", r[0].Reason)
}

// switchable is a Session with BGTHINK.
type switchable struct {
	*fake
	err error
}

func (switchable) BGThink() bool                            { return false }
func (s switchable) SetBGThink(context.Context, bool) error { return s.err }

// TestCannotPonder checks the error of a player that was to think on its opponent's time.
func TestCannotPonder(t *testing.T) {
	for _, c := range []struct {
		name  string
		hints bool
		wrap  func(f *fake) pluginclient.Session
		want  string
	}{
		{"moves only", false, func(f *fake) pluginclient.Session { return f }, "its protocol has no such command and does not tell the expected reply"},
		{"no BGTHINK", false, func(f *fake) pluginclient.Session { return switchable{f, fmt.Errorf("has no BGTHINK")} }, "has no BGTHINK"},
		{"hints", true, func(f *fake) pluginclient.Session { return switchable{f, nil} }, "it is asked for hints, and BGTHINK is for moves"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s fakeEngines
			config := stonesConfig(s.player("a", rank), s.player("b", rank))
			config.Players[0].Ponder, config.Players[0].Hints = true, c.hints
			open := config.Players[0].Open
			config.Players[0].Open = func(ctx context.Context) (pluginclient.Session, error) {
				session, err := open(ctx)
				return c.wrap(session.(*fake)), err
			}
			_, err := Run(t.Context(), config, Options{})
			if err == nil || !strings.HasSuffix(err.Error(), "a: cannot think on its opponent's time: "+c.want) {
				t.Errorf("error %v", err)
			}
			s.allClosed(t)
		})
	}
}
