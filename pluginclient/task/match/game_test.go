package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// TestStones checks a game with chance and double moves, move by move.
func TestStones(t *testing.T) {
	var s fakeEngines
	var out collector
	table, err := Run(t.Context(), stonesConfig(s.player("a", rank), s.player("b", rank)), Options{Outputs: []Output{&out}})
	if err != nil {
		t.Fatal(err)
	}
	s.allClosed(t)
	pos := enginetest.Stones.Start()
	chances, doubles, before := 0, 0, ""
	for _, p := range out.records[0].Moves {
		if p.By != pos.Turn().String() {
			t.Errorf("%v: move %s by %s", pos, p.Move, p.By)
		}
		if p.By == "chance" {
			chances++
		}
		if p.By == before {
			doubles++
		}
		before = p.By
		m, err := pos.Parse(p.Move)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if chances == 0 || doubles == 0 {
		t.Errorf("%d chances and %d double moves: want some of both", chances, doubles)
	}
	if got := out.records[0].Result; got != record.FormatResult(pos.Result().Outcome) || out.records[0].Reason != "last stone" {
		t.Errorf("%+v", out.records[0])
	}
	if table.Games != 2 || s.opened != 2 {
		t.Errorf("%d games by %d engines", table.Games, s.opened)
	}
}

// TestFaults checks that an engine that fails loses with the right reason and is restarted, and
// that only it is.
func TestFaults(t *testing.T) {
	wrong := func(context.Context, engine.Position, engine.Limits) ([]engine.Line, error) {
		return []engine.Line{{Moves: []engine.Move{77}}}, nil
	}
	empty := func(context.Context, engine.Position, engine.Limits) ([]engine.Line, error) {
		return []engine.Line{{}}, nil
	}
	for _, c := range []struct {
		name  string
		think thinkFunc
		want  string
	}{
		{"died", failing(always, pluginclient.ErrDied), "crash"},
		{"died within a line", failing(always, errors.Join(pluginclient.ErrDied, pluginclient.ErrPartialLine)), "crash"},
		{"died when its time was up", failing(always, errors.Join(errTimeExceeded, pluginclient.ErrDied)), "crash"},
		{"deaf", failing(always, pluginclient.ErrInputBlocked), "timeout"},
		{"flood", failing(always, pluginclient.ErrFlood), "flood"},
		{"closed", failing(always, errors.Join(pluginclient.ErrDied, pluginclient.ErrOutputClosed)), "closed"},
		{"silent", failing(always, pluginclient.ErrNoReply), "timeout"},
		{"late", failing(always, pluginclient.ErrTimedOut), "timeout"},
		{"half a line", failing(always, pluginclient.ErrPartialLine), "timeout"},
		{"illegal hint", failing(always, pluginclient.ErrIllegal), "illegal move"},
		{"refused", failing(always, pluginclient.ErrRefused), "refused"},
		{"nonsense", failing(always, pluginclient.ErrInvalidReply), "no move"},
		{"another failure", failing(always, errors.New("odd")), "failure"},
		{"illegal move", wrong, "illegal move"},
		{"no move", empty, "no move"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s fakeEngines
			var out collector
			var traces []string
			table, err := Run(t.Context(), stonesConfig(s.player("good", rank), s.player("bad", c.think)), Options{
				Outputs: []Output{&out},
				Trace: func(game int, player string, session pluginclient.Session) string {
					traces = append(traces, fmt.Sprintf("%d %s %v", game, player, session != nil))
					return "kept"
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			s.allClosed(t)
			if diff := cmp.Diff([]string{"1-0 " + c.want, "0-1 " + c.want}, out.results()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"1 bad true", "2 bad true"}, traces); diff != "" {
				t.Error(diff)
			}
			if f := out.records[1].Fault; f == nil || f.Player != "bad" || f.Error == "" || f.Trace != "kept" {
				t.Errorf("fault %+v", f)
			}
			if table.Faults != 2 || table.Rows[1].Faults[c.want] != 2 || table.Rows[0].Faults != nil || s.opened != 3 {
				t.Errorf("table %+v, %d engines opened", table, s.opened)
			}
		})
	}
}

// slow searches for a duration, or until ctx is done.
func slow(d time.Duration) thinkFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		select {
		case <-time.After(d):
			return rank(ctx, pos, lim)
		case <-ctx.Done():
			return nil, fmt.Errorf("slow: %w", context.Cause(ctx))
		}
	}
}

// ignoreContext searches for a duration, even after ctx is done.
func ignoreContext(d time.Duration) thinkFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		time.Sleep(d)
		return rank(context.Background(), pos, lim)
	}
}

// TestTimeouts checks that a time limit may be exceeded by the margin only, and that an engine that does
// more than that has another reason.
func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		name  string
		think thinkFunc
		clock string
		want  string
		lost  error
	}{
		{"in time", slow(time.Second), "", "last stone", nil},
		{"within the margin", slow(1500 * time.Millisecond), "", "last stone", nil},
		{"beyond it", slow(2100 * time.Millisecond), "", "timeout", nil},
		{"never", slow(time.Hour), "", "timeout", nil},
		{"beyond it, ignoring the context", ignoreContext(2100 * time.Millisecond), "", "timeout", nil},
		{"never, and floods", slow(time.Hour), "", "flood", errors.Join(errTimeExceeded, pluginclient.ErrFlood)},
		{"never, not even when told to stop", slow(time.Hour), "", "timeout", errors.Join(errTimeExceeded, pluginclient.ErrNoReply)},
		{"a clock that lasts", slow(time.Second), "1/2", "last stone", nil},
		{"a clock that runs out", slow(2 * time.Second), "4", "timeout", nil},
		{"an increment", slow(2 * time.Second), "4+2", "last stone", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := fakeEngines{lost: c.lost}
				var out collector
				config := stonesConfig(s.player("a", c.think), s.player("b", rank))
				config.Openings = []engine.Position{stonesAt(t, "30 first 1")}
				if config.Players[0].Time = time.Second; c.clock != "" {
					clock, err := ParseClock(c.clock)
					if err != nil {
						t.Fatal(err)
					}
					config.Players[0].Time, config.Players[0].Clock = 0, clock
				}
				if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
					t.Fatal(err)
				}
				for _, r := range out.records {
					if r.Reason != c.want || (r.Fault != nil) != (c.want != "last stone") || r.Fault != nil && r.Fault.Player != "a" {
						t.Errorf("%s: %s, fault %+v", r.Result, r.Reason, r.Fault)
					}
				}
			})
		})
	}
}

// TestClockTime checks the time limits that searches get from a clock.
func TestClockTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s fakeEngines
		var times []time.Duration
		var clocks []engine.Clock
		watch := func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
			times, clocks = append(times, lim.Time), append(clocks, lim.Clock)
			return slow(lim.Time)(ctx, pos, lim)
		}
		config := stonesConfig(s.player("a", watch), s.player("b", rank))
		config.Players[0].Clock = Clock{Moves: 2, Time: 10 * time.Second}
		config.Openings = []engine.Position{stonesAt(t, "8 first 1")}
		config.Games, config.Repeat = 1, false
		if _, err := Run(t.Context(), config, Options{}); err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{5 * time.Second, 4750 * time.Millisecond, 5125 * time.Millisecond}
		if len(times) < 3 || cmp.Diff(want, times[:3]) != "" {
			t.Errorf("time limits %v, want %v", times, want)
		}
		left := []engine.Clock{{Left: 10 * time.Second}, {Left: 5 * time.Second}, {Left: 10250 * time.Millisecond}}
		if len(clocks) < 3 || cmp.Diff(left, clocks[:3]) != "" {
			t.Errorf("clocks %v, want %v", clocks, left)
		}
	})
}

// offering answers with an offer at some plies of a game, by ply.
func offering(offers map[int]engine.Offer) thinkFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		_, moves := pos.History()
		lines, err := rank(ctx, pos, lim)
		if lines[0].Offer = offers[len(moves)]; lines[0].Offer == engine.Resignation && !lim.Play {
			return nil, &pluginclient.Error{Engine: "fake", Err: pluginclient.ErrResigned}
		}
		return lines, err
	}
}

// TestOffers: a resignation loses, with or without a move. Two offers of a draw are an agreement if the
// second is the answer to the first. Neither is a fault.
func TestOffers(t *testing.T) {
	draw, resign := engine.DrawOffer, engine.Resignation
	for _, c := range []struct {
		name          string
		first, second map[int]engine.Offer
		hints         bool
		plies         int
		want          string
	}{
		{"resigns with a move", map[int]engine.Offer{2: resign}, nil, false, 2, "0-1 resignation"},
		{"resigns without a move", nil, map[int]engine.Offer{3: resign}, true, 3, "1-0 resignation"},
		{"claims a draw", map[int]engine.Offer{2: engine.DrawClaim}, nil, false, 2, "1/2-1/2 claim"},
		{"claims a win", map[int]engine.Offer{2: engine.WinClaim}, nil, false, 2, "1-0 claim"},
		{"agree", map[int]engine.Offer{2: draw}, map[int]engine.Offer{3: draw}, false, 3, "1/2-1/2 agreement"},
		{"agree on the second's offer", map[int]engine.Offer{2: draw}, map[int]engine.Offer{1: draw}, false, 2, "1/2-1/2 agreement"},
		{"the offer has been answered", map[int]engine.Offer{2: draw}, map[int]engine.Offer{5: draw}, false, 8, "1/2-1/2 move limit"},
		{"one offers always", map[int]engine.Offer{0: draw, 2: draw, 4: draw, 6: draw}, nil, false, 8, "1/2-1/2 move limit"},
		{"resigns to an offer", map[int]engine.Offer{0: draw}, map[int]engine.Offer{1: resign}, false, 1, "1-0 resignation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s fakeEngines
			var out collector
			config := stonesConfig(s.player("a", offering(c.first)), s.player("b", offering(c.second)))
			config.Game, config.Games, config.MaxMoves = xiangqi.Rules, 1, 4
			config.Repeat, config.Players[0].Hints, config.Players[1].Hints = false, c.hints, c.hints
			config.Players[1].Ban = true // a refusal of the ban is another one
			table, err := Run(t.Context(), config, Options{Outputs: []Output{&out}})
			if err != nil {
				t.Fatal(err)
			}
			r := out.records[0]
			if got := r.Result + " " + r.Reason; got != c.want || len(r.Moves) != c.plies || r.Fault != nil || table.Faults != 0 || s.opened != 2 {
				t.Errorf("%s after %d plies, want %s after %d; fault %v, %d engines opened", got, len(r.Moves), c.want, c.plies, r.Fault, s.opened)
			}
			if got, want := termination(r), r.Reason; !r.Early && got != want {
				t.Errorf("the termination is %q, want %q", got, want)
			}
		})
	}
}

// scored answers with the first move that is not banned, and a score from First's side.
func scored(score func(ply int) engine.Score) thinkFunc {
	return func(_ context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		_, moves := pos.History()
		s := score(len(moves))
		if pos.Turn() == engine.Second {
			s = s.Neg()
		}
		for _, m := range pos.Moves() {
			if len(lim.Ban) == 0 || m != lim.Ban[0] {
				return []engine.Line{{Moves: []engine.Move{m}, Score: s}}, nil
			}
		}
		return nil, engine.ErrNoMove
	}
}

// TestAdjudication checks the ply at which draws, resignations and the move limit end a game.
// Xiangqi's first moves shuttle, so nothing else ends it.
func TestAdjudication(t *testing.T) {
	cp := func(n int) func(int) engine.Score { return func(int) engine.Score { return engine.Centipawns(n) } }
	after := func(ply, n int) func(int) engine.Score {
		return func(at int) engine.Score { return engine.Centipawns(map[bool]int{true: n}[at >= ply]) }
	}
	for _, c := range []struct {
		name   string
		first  func(int) engine.Score
		second func(int) engine.Score
		change func(*Config)
		plies  int
		want   string
	}{
		{"draw", cp(5), cp(-5), func(t *Config) { t.Draw = DrawRule{MoveNumber: 2, MoveCount: 3, Score: 5} }, 6, "1/2-1/2 draw adjudication"},
		{"draw after its number", cp(5), cp(-5), func(t *Config) { t.Draw = DrawRule{MoveNumber: 4, MoveCount: 3, Score: 5} }, 8, "1/2-1/2 draw adjudication"},
		{"one sees more", cp(5), cp(-6), func(t *Config) { t.Draw, t.MaxMoves = DrawRule{MoveCount: 1, Score: 5}, 5 }, 10, "1/2-1/2 move limit"},
		{"resign", cp(-700), cp(0), func(t *Config) { t.Resign = ResignRule{MoveCount: 3, Score: 700} }, 5, "0-1 resignation"},
		{"second resigns", cp(0), cp(700), func(t *Config) { t.Resign = ResignRule{MoveCount: 3, Score: 700} }, 6, "1-0 resignation"},
		{"mated", func(int) engine.Score { return engine.MateIn(-3) }, cp(0), func(t *Config) { t.Resign = ResignRule{MoveCount: 1, Score: 700} }, 1, "0-1 resignation"},
		{"not bad enough", cp(-699), cp(0), func(t *Config) { t.Resign, t.MaxMoves = ResignRule{MoveCount: 1, Score: 700}, 4 }, 8, "1/2-1/2 move limit"},
		{"two sides", cp(-700), after(4, -700), func(t *Config) { t.Resign = ResignRule{MoveCount: 2, Score: 700, TwoSided: true} }, 8, "0-1 resignation"},
		{"unknown scores", func(int) engine.Score { return engine.Score{} }, cp(0), func(t *Config) {
			t.Draw, t.Resign, t.MaxMoves = DrawRule{MoveCount: 1, Score: 5}, ResignRule{MoveCount: 1, Score: 1}, 3
		}, 6, "1/2-1/2 move limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s fakeEngines
			var out collector
			config := stonesConfig(s.player("a", scored(c.first)), s.player("b", scored(c.second)))
			config.Game, config.Games, config.Repeat = xiangqi.Rules, 1, false
			c.change(config)
			if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
				t.Fatal(err)
			}
			r := out.records[0]
			if got := r.Result + " " + r.Reason; got != c.want || len(r.Moves) != c.plies || !r.Early || r.Fault != nil {
				t.Errorf("%s after %d plies, want %s after %d; early %v, fault %v", got, len(r.Moves), c.want, c.plies, r.Early, r.Fault)
			}
		})
	}
}

// TestRepetition checks that without a Judge the third occurrence of a position is a draw, and that
// the rules take precedence over adjudication.
func TestRepetition(t *testing.T) {
	var s fakeEngines
	var out collector
	shuttle := func(_ context.Context, pos engine.Position, _ engine.Limits) ([]engine.Line, error) {
		_, moves := pos.History()
		m, err := pos.Parse([]string{"a0a1", "a9a8", "a1a0", "a8a9"}[len(moves)%4])
		return []engine.Line{{Moves: []engine.Move{m}}}, err
	}
	config := stonesConfig(s.player("a", shuttle), s.player("b", shuttle))
	config.Game, config.Games, config.Repeat = xiangqi.Rules, 1, false
	config.MaxMoves = 4
	if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
		t.Fatal(err)
	}
	if r := out.records[0]; r.Reason != "repetition" || len(r.Moves) != 8 || r.Early {
		t.Errorf("%s after %d plies, early %v", r.Reason, len(r.Moves), r.Early)
	}
	for times, want := range map[int]string{1: "ongoing", 2: "ongoing", 3: "draw by repetition"} {
		if got := resultOfPosition(nil, enginetest.Stones.Start(), times).String(); got != want {
			t.Errorf("without a judge, %d times: %s", times, got)
		}
	}
}

// perpetualChecker gives perpetual check with a rook, except for moves in Limits.Ban if obeys is
// set; without obeys it refuses bans.
func perpetualChecker(obeys bool) thinkFunc {
	return func(_ context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		if len(lim.Ban) > 0 && !obeys {
			return nil, &pluginclient.Error{Engine: "checker", Err: pluginclient.ErrRefused}
		}
		for _, text := range []string{"h8h9", "h9h8", "f9f8", "f8f9"} {
			m, err := pos.Parse(text)
			if err == nil && !slices.Contains(lim.Ban, m) {
				return []engine.Line{{Moves: []engine.Move{m}}}, nil
			}
		}
		moves := slices.DeleteFunc(pos.Moves(), func(m engine.Move) bool { return slices.Contains(lim.Ban, m) })
		return []engine.Line{{Moves: moves[:1]}}, nil
	}
}

// TestBan checks that a player with Ban avoids losing by perpetual check. One whose engine refuses
// bans, or without Ban, loses.
func TestBan(t *testing.T) {
	pos, err := xiangqi.Rules.Position("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		ban, obeys bool
		want       string
	}{
		{"banned", true, true, "1/2-1/2 move limit"},
		{"refuses bans", true, false, "0-1 perpetual check"},
		{"without ban", false, true, "0-1 perpetual check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s fakeEngines
			var out collector
			config := stonesConfig(s.player("a", perpetualChecker(c.obeys)), s.player("b", perpetualChecker(true)))
			config.Game, config.Games, config.Repeat = xiangqi.Rules, 1, false
			config.Openings = []engine.Position{pos}
			config.Players[0].Ban, config.MaxMoves = c.ban, 7
			if _, err := Run(t.Context(), config, Options{Outputs: []Output{&out}}); err != nil {
				t.Fatal(err)
			}
			if got := out.results()[0]; got != c.want || out.records[0].Fault != nil {
				t.Errorf("%s, fault %v", got, out.records[0].Fault)
			}
		})
	}
}

// TestRefusedConfig checks that an engine that rejects its limits ends the match instead of losing
// every game.
func TestRefusedConfig(t *testing.T) {
	var s fakeEngines
	refuse := func(_ context.Context, _ engine.Position, lim engine.Limits) ([]engine.Line, error) {
		return nil, fmt.Errorf("no limit of %d nodes", lim.Nodes)
	}
	config := stonesConfig(s.player("a", refuse), s.player("b", rank))
	config.Players[0].Nodes = 7
	table, err := Run(t.Context(), config, Options{})
	if !errors.Is(err, ErrConfig) || !strings.HasSuffix(err.Error(), "a: no limit of 7 nodes") || table.Games != 0 {
		t.Errorf("error %v", err)
	}
	s.allClosed(t)
}

// faultListener is an engine that records how its games end by a fault.
type faultListener struct {
	pluginclient.Session
	told *[]string
	name string
}

func (l faultListener) EndByFault(_ context.Context, pos engine.Position, side engine.Turn, fault error) error {
	*l.told = append(*l.told, fmt.Sprintf("%s, %v: %v at %v", l.name, side, errors.Is(fault, pluginclient.ErrDied), pos))
	return nil
}

// TestTellFault checks that the engines of both sides are told of a fault.
func TestTellFault(t *testing.T) {
	var s fakeEngines
	var told []string
	listening := func(p Player) Player {
		open := p.Open
		p.Open = func(ctx context.Context) (pluginclient.Session, error) {
			session, err := open(ctx)
			return faultListener{session, &told, p.Name}, err
		}
		return p
	}
	config := stonesConfig(listening(s.player("a", failing(always, pluginclient.ErrDied))), listening(s.player("b", rank)))
	config.Games, config.Repeat = 1, false
	config.Openings = []engine.Position{stonesAt(t, "5 first")}
	if _, err := Run(t.Context(), config, Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a, first: true at 5 first 1", "b, second: true at 5 first 1"}, told); diff != "" {
		t.Error(diff)
	}
}
