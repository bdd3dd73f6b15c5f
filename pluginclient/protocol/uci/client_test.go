package uci_test

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
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// sent returns all lines that an idle client has sent.
func sent(c *uci.Client) []string {
	_ = c.Idle(context.Background()) // the lines to a lost engine count, too
	return plugintest.SentLines(c)
}

func checkSent(t *testing.T, c *uci.Client, want ...string) {
	t.Helper()
	if err := c.Idle(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, sent(c)); diff != "" {
		t.Errorf("-want +sent:\n%s", diff)
	}
}

// TestSent compares what the client sends, line by line.
func TestSent(t *testing.T) {
	want := [][]string{{
		">uci", "~isready",
		">ucinewgame", "~isready",
		">setoption name MultiPV value 2",
		">position startpos", ">go depth 2 nodes 500 movetime 1500", "~isready",
		">setoption name MultiPV value 1",
		">position startpos moves h2e2 h7e7 e2e6 d9e8", ">go nodes 25600", "~isready",
		">position startpos", ">go depth 1 searchmoves " + without("i0i1"), "~isready",
		">ucinewgame", "~isready",
		">position startpos", ">go movetime 20", "~isready",
		">position startpos", ">go nodes 100", "~isready",
		">position startpos", ">go nodes 400 movetime 20", "~isready",
		">quit", ">uci", "~isready", ">ucinewgame", "~isready",
		">position startpos", ">go depth 1", "~isready",
	}, {
		">ucci", ">setoption usemillisec true", "~isready",
		">setoption newgame", "~isready",
		">setoption multipv 2",
		">position startpos", ">go depth 2", "~isready",
		">setoption multipv 1",
		capturePosition("d9e8"), ">go nodes 25600", "~isready",
		">position startpos", ">banmoves i0i1", ">go depth 1", "~isready",
		">setoption newgame", "~isready",
		">position startpos", ">go time 20 movestogo 1", "~isready",
		">position startpos", ">go nodes 100", "~isready",
		">position startpos", ">go nodes 400", "~isready",
		">quit", ">ucci", ">setoption usemillisec true", "~isready", ">setoption newgame", "~isready",
		">position startpos", ">go depth 1", "~isready",
	}}
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialServer(t, i, enginetest.Ranker{})
				defer client.Close()
				ask := func(pos *xiangqi.Position, lim engine.Limits) {
					t.Helper()
					if _, err := engine.Best(t.Context(), client, pos, lim); err != nil {
						t.Fatal(err)
					}
				}
				ask(xiangqi.Start(), engine.Limits{Lines: 2, Depth: 2, Nodes: 500, Time: 1500 * time.Millisecond})
				ask(position("H2-E2", "H7-E7", "E2-E6", "D9-E8"), engine.Limits{})
				ask(xiangqi.Start(), engine.Limits{Depth: 1, Ban: mustMoves("I0-I1", "A9-A8")})
				client.Forget()
				ask(xiangqi.Start(), engine.Limits{Time: 20 * time.Millisecond})
				ask(xiangqi.Start(), engine.Limits{Level: 1})
				if err := client.SetLevel(t.Context(), 2); err != nil {
					t.Fatal(err)
				}
				ask(xiangqi.Start(), engine.Limits{Time: 20 * time.Millisecond})
				if err := client.Restart(t.Context()); err != nil {
					t.Fatal(err)
				}
				ask(xiangqi.Start(), engine.Limits{Depth: 1})
				checkSent(t, client, want[i]...)
			})
		})
	}
}

// without returns Red's first moves without one, separated by spaces.
func without(move string) string {
	var moves []string
	for _, m := range xiangqi.Start().LegalMoves() {
		if m.UCI() != move {
			moves = append(moves, m.UCI())
		}
	}
	return strings.Join(moves, " ")
}

// capturePosition returns the position after the capture, and a move.
func capturePosition(move string) string {
	return ">position fen " + position("H2-E2", "H7-E7", "E2-E6").String() + " moves " + move
}

// TestSettings: a setting finds its option regardless of case and spaces; the error for an unknown
// one lists the options.
func TestSettings(t *testing.T) {
	offers := uci.OptionList{
		{Name: "Move Overhead", Kind: uci.Spin, Default: "10", Max: 5000},
		{Name: "Clear Hash", Kind: uci.Button},
		{Name: "Style", Kind: uci.Combo, Vars: []string{"Solid", "Risky"}, Default: "Solid"},
		{Name: "Use Book", Kind: uci.Check, Default: "true"},
		{Name: "Book File", Kind: uci.String},
		{Name: "User", Kind: uci.Label},
		{Name: "MultiPV", Kind: uci.Spin, Min: 1, Max: 5},
	}
	for _, c := range []struct{ key, value, want, err string }{
		{"move_overhead", "30", "Move Overhead=30", ""},
		{"MoveOverhead", "030", "Move Overhead=30", ""},
		{"Move%20Overhead", "30", "Move Overhead=30", ""},
		{"MoveOverhead", "5001", "", `engine option Move Overhead=5001: want a number from 0 to 5000`},
		{"MoveOverhead", "2.50", "", `engine option Move Overhead=2.50: want a whole number from 0 to 5000`},
		{"MoveOverhead", "much", "", `engine option Move Overhead=much: want a number from 0 to 5000`},
		{"style", "risky", "Style=Risky", ""},
		{"style", "wild", "", `engine option Style=wild: want one of Solid, Risky`},
		{"use-book", "OFF", "Use Book=false", ""},
		{"use-book", "maybe", "", `engine option Use Book=maybe: want true or false`},
		{"bookfile", "a%2Cb%3D%25%zz", "Book File=a,b=%%zz", ""},
		{"clearhash", "true", "Clear Hash=", ""},
		{"clearhash", "5", "", `engine option Clear Hash=5: it is a button: want true or no value`},
		{"user", "me", "", `engine option User=me: a label cannot be set`},
		{"multipv", "3", "", `engine option "MultiPV" cannot be set here: it follows from the number of lines requested`},
		{"usebok", "on", "", `engine option "usebok": perhaps "Use Book" is meant; the engine offers Move Overhead, Clear Hash, Style, Use Book, Book File, User`},
		{"Threads", "2", "", `engine option "Threads": the engine offers Move Overhead, Clear Hash, Style, Use Book, Book File, User`},
	} {
		got, err := offers.Resolve(uci.ReadSetting(c.key, c.value))
		switch {
		case c.err != "" && (err == nil || err.Error() != c.err || !errors.Is(err, uci.ErrOption)):
			t.Errorf("%s=%s: error %v", c.key, c.value, err)
		case c.err == "" && (err != nil || got.Name+"="+got.Value != c.want):
			t.Errorf("%s=%s: %q, %v", c.key, c.value, got, err)
		}
	}
}

// TestSettingsAreSent: settings are sent at the start, and again after a crash, with later ones.
func TestSettingsAreSent(t *testing.T) {
	set := func(string) error { return nil }
	served := uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served", Options: []uci.Setter{
		{Option: uci.Option{Name: "Cache", Kind: uci.Spin, Default: "16", Min: 1, Max: 64}, Set: set},
		{Option: uci.Option{Name: "Clear", Kind: uci.Button}, Set: set},
	}}
	want := []string{">setoption name Cache value 32", ">setoption name Cache value 8", ">setoption name Clear", ">setoption name Cache value 8"}
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			options := uci.Options{Settings: []uci.Setting{{Name: "CACHE", Value: "32"}}}
			client, err := p.dial(t.Context(), p.inProcess(served), options)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			for _, line := range [2][]string{{"name Cache value 8", "name Clear"}, {"cache 8", "clear"}}[i] {
				if _, err := client.Raw(t.Context(), "setoption "+line); err != nil {
					t.Fatal(err)
				}
			}
			client.Kill()
			_, _ = engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1})
			if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1}); err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(sent(client), func(line string) bool {
				return !strings.HasPrefix(line, ">setoption") || strings.Contains(line, "newgame") || strings.Contains(line, "milli")
			})
			if i == 1 {
				for j, line := range got {
					got[j] = strings.NewReplacer("setoption ", "setoption name ", "cache ", "Cache value ", "clear", "Clear").Replace(line)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, err := p.dial(t.Context(), p.inProcess(served), uci.Options{Settings: []uci.Setting{{Name: "Threads", Value: "2"}}}); !errors.Is(err, uci.ErrOption) {
				t.Errorf("an unknown setting: %v", err)
			}
		})
	}
}

// TestStop: ErrMoveNow returns the best move so far, and cancelling ctx leaves the engine idle.
func TestStop(t *testing.T) {
	errTest := errors.New("given up by the test")
	for i, p := range both {
		for _, cause := range []error{engine.ErrMoveNow, errTest} {
			t.Run(fmt.Sprint(p.name, " ", cause), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := enginetest.Ranker{Depth: 100, Pace: time.Second}
					client := dialServer(t, i, s)
					defer client.Close()
					ctx, cancel := context.WithCancelCause(t.Context())
					time.AfterFunc(3500*time.Millisecond, func() { cancel(cause) })
					lines, err := engine.Best(ctx, client, xiangqi.Start(), engine.Limits{Depth: 100})
					if cause == errTest {
						if !errors.Is(err, errTest) {
							t.Errorf("error %v", err)
						}
					} else if err != nil || lines[0].Depth != 3 {
						t.Errorf("%+v, error %v", lines, err)
					}
					if err := client.Idle(t.Context()); err != nil {
						t.Fatal(err)
					}
					said := sent(client)
					if diff := cmp.Diff([]string{">go depth 100", ">stop", "~isready"}, said[len(said)-3:]); diff != "" {
						t.Errorf("-want +sent:\n%s", diff)
					}
					if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 2}); err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// TestStream: every list is yielded at once, and breaking out of the loop abandons the search.
func TestStream(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialServer(t, i, enginetest.Ranker{Depth: 100, Pace: time.Second})
				defer client.Close()
				begun := time.Now()
				var depths []int
				for lines, err := range client.Search(t.Context(), xiangqi.Start(), engine.Limits{Lines: 3, Depth: 100}) {
					if err != nil {
						t.Fatal(err)
					}
					depths = append(depths, lines[0].Depth)
					if lines[0].Depth == 4 && len(lines) == 3 {
						break
					}
				}
				if !slices.IsSorted(depths) || depths[0] != 1 || time.Since(begun) != 4*time.Second {
					t.Errorf("depths %v after %v", depths, time.Since(begun))
				}
				if err := client.Idle(t.Context()); err != nil || time.Since(begun) != 4*time.Second {
					t.Errorf("not idle after %v: %v", time.Since(begun), err)
				}
			})
		})
	}
}

// TestBurst: a loop that is slower than the engine sees each change of the best move where it happened, and
// then the last list.
func TestBurst(t *testing.T) {
	said, want := "", []int{1, 2, 3, 6}
	for depth, move := range []string{1: "h2e2", 2: "b2e2", 3: "h2e2", 4: "h2e2", 5: "h2e2", 6: "h2e2"} {
		if depth > 0 {
			said += fmt.Sprintf("info depth %d score cp 5 pv %s\n", depth, move)
		}
	}
	for i, p := range both {
		synctest.Test(t, func(t *testing.T) {
			m := prankster(i, 0)
			m.OnCommand = on("go", say(said+"bestmove h2e2\n"))
			client, err := p.dial(t.Context(), asProgram(m), uci.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			var depths []int
			for lines, err := range client.Search(t.Context(), xiangqi.Start(), engine.Limits{Depth: 6}) {
				if err != nil {
					t.Fatal(err)
				}
				depths = append(depths, lines[0].Depth)
				time.Sleep(time.Second)
			}
			if depths = slices.Compact(depths); !slices.Equal(depths, want) {
				t.Errorf("%s: lists of depths %v, want %v", p.name, depths, want)
			}
		})
	}
}

// TestBestLast: an engine may send a list from its last line to its first.
func TestBestLast(t *testing.T) {
	const said = `info depth 1 multipv 3 score cp 3 pv c3c4
info depth 1 multipv 2 score cp 4 pv b2e2
info depth 1 multipv 1 score cp 5 pv h2e2
info depth 2 multipv 3 score cp 23 pv a3a4
info depth 2 multipv 2 score cp 24 pv i3i4
info depth 2 multipv 1 score cp 25 pv e3e4
bestmove e3e4
`
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			m := prankster(i, 0)
			m.OnCommand = on("go", say(said))
			client, err := p.dial(t.Context(), asProgram(m), uci.Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { t.Error(j) }}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Lines: 3})
			if err != nil {
				t.Fatal(err)
			}
			want := []engine.Line{
				{Moves: mustMoves("E3-E4"), Score: engine.Centipawns(25), Depth: 2},
				{Moves: mustMoves("I3-I4"), Score: engine.Centipawns(24), Depth: 2},
				{Moves: mustMoves("A3-A4"), Score: engine.Centipawns(23), Depth: 2},
			}
			plugintest.CheckSameLines(t, want, lines, xiangqi.Start(), engine.Limits{Lines: 3})
		})
	}
}

// TestOffers: an engine may offer a draw or resign with its best move. If it resigns without one, it
// has no move to play, but the lines so far.
func TestOffers(t *testing.T) {
	play := engine.Limits{Depth: 1, Play: true}
	for _, c := range []struct {
		said  string
		lim   engine.Limits
		offer engine.Offer
		err   error
	}{
		{"bestmove h2e2 draw", play, engine.DrawOffer, nil},
		{"bestmove h2e2 ponder h9g7 draw", play, engine.DrawOffer, nil},
		{"bestmove h2e2 resign", play, engine.Resignation, nil},
		{"bestmove resign", play, 0, pluginclient.ErrResigned},
		{"info depth 1 score cp -900 pv h2e2\nbestmove resign", play, 0, pluginclient.ErrResigned},
		{"info depth 1 score cp -900 pv h2e2\nbestmove resign", engine.Limits{Depth: 1}, engine.Resignation, nil},
	} {
		for i, p := range both {
			m := prankster(i, 0)
			m.OnCommand = on("go", say(c.said+"\n"))
			client, err := p.dial(t.Context(), asProgram(m), uci.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			lines, err := engine.Best(t.Context(), client, xiangqi.Start(), c.lim)
			if !errors.Is(err, c.err) || err == nil && (lines[0].Offer != c.offer || lines[0].Text != c.offer.String() || lines[0].Move() != mustMoves("H2-E2")[0]) {
				t.Errorf("%s %q: %+v, error %v", p.name, c.said, lines, err)
			}
		}
	}
}

// TestRefusedQuestions: an invalid search is an error, and nothing is sent.
func TestRefusedQuestions(t *testing.T) {
	mated, err := xiangqi.ParseFEN("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			client := dialServer(t, i, enginetest.Ranker{})
			defer client.Close()
			before := len(sent(client))
			for _, c := range []struct {
				pos  engine.Position
				lim  engine.Limits
				want error
			}{
				{mated, engine.Limits{}, engine.ErrNoMove},
				{xiangqi.Start(), engine.Limits{Ban: xiangqi.Start().Moves()}, engine.ErrNoMove},
				{xiangqi.Start(), engine.Limits{Level: 11}, nil},
				{enginetest.Stones.Start(), engine.Limits{}, nil},
			} {
				_, err := engine.Best(t.Context(), client, c.pos, c.lim)
				if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), "served: ") {
					t.Errorf("%v: error %v", c.pos, err)
				}
			}
			if err := client.SetLevel(t.Context(), 11); !errors.Is(err, pluginclient.ErrRefused) {
				t.Errorf("level 11: %v", err)
			}
			if len(sent(client)) != before {
				t.Errorf("it sent %q", sent(client)[before:])
			}
			client.Close()
			if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{}); !errors.Is(err, pluginclient.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

// TestNoLevel: at level 0 a search without limits runs until ErrMoveNow, or until ctx ends.
func TestNoLevel(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialServer(t, i, enginetest.Ranker{Depth: 100_000, Pace: 400 * time.Millisecond})
				defer client.Close()
				if id, known := client.Level(); id != engine.DefaultLevel || !known {
					t.Errorf("level %d, %v", id, known)
				}
				if err := client.SetLevel(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{})
				if took := time.Since(begun); err != nil || took != 5*time.Minute || len(lines) != 1 {
					t.Errorf("%+v, error %v after %v", lines, err, took)
				}
			})
		})
	}
}

// TestSentForgetting: if each search begins with a new game, the ping after that command also ends
// the search before. Any other command is preceded by a ping.
func TestSentForgetting(t *testing.T) {
	client := dialServer(t, 0, enginetest.Ranker{})
	defer client.Close()
	for range 2 {
		client.Forget()
		if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Raw(t.Context(), "ucinewgame"); err != nil {
		t.Fatal(err)
	}
	checkSent(t, client,
		">uci", "~isready",
		">ucinewgame", "~isready", ">position startpos", ">go depth 1",
		">ucinewgame", "~isready", ">position startpos", ">go depth 1",
		"~isready", ">ucinewgame", "~isready")
}

// TestLostBehindAnswer: if an engine exits shortly after its answer, the next search restarts it
// without an error.
func TestLostBehindAnswer(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := prankster(i, 0)
				games := 0
				m.OnCommand = func(line string) act {
					if line == "ucinewgame" || line == "setoption newgame" {
						if games++; games%2 == 0 {
							return act{Die: true}
						}
					}
					return plain(line)
				}
				client, err := p.dial(t.Context(), asProgram(m), uci.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				for range 3 {
					client.Forget()
					if _, err := searchOnce(t.Context(), client, engine.Limits{Depth: 1}); err != nil {
						t.Fatal(err)
					}
				}
				if m.Starts() != 3 {
					t.Errorf("started %d times, want 3", m.Starts())
				}
			})
		})
	}
}

// TestDemandedOnce: a setting that the protocol requires is sent only once.
func TestDemandedOnce(t *testing.T) {
	variant := uci.Setter{Option: uci.Option{
		Name: "UCI_Variant", Kind: uci.Combo, Default: "chess", Vars: []string{"chess", "xiangqi"},
	}}
	program := uci.UCI.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served", Options: []uci.Setter{variant}})
	client, err := uci.UCI.Dial(t.Context(), program, uci.Options{Settings: []uci.Setting{{Name: "uci_variant", Value: "Xiangqi"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	checkSent(t, client, ">uci", ">setoption name UCI_Variant value xiangqi", "~isready")
}
