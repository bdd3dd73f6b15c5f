package qhplugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/serving"
)

// The tests of this file test what a transcript cannot: the exact bytes, and Searchers of all
// kinds.

// searcherFunc is a function as a Searcher.
type searcherFunc func(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error]

func (f searcherFunc) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return f(ctx, pos, lim)
}

// thinks is a Searcher that yields a list every second, and then waits until it is stopped. Then it
// returns err, or the cause if err is nil.
func thinks(err error, lists ...[]engine.Line) searcherFunc {
	return func(ctx context.Context, _ engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
		return func(yield func([]engine.Line, error) bool) {
			for _, list := range lists {
				time.Sleep(time.Second)
				if !yield(list, nil) {
					return
				}
			}
			<-ctx.Done()
			if err == nil {
				err = context.Cause(ctx)
			}
			yield(nil, err)
		}
	}
}

// answersWith is a Searcher that answers at once.
func answersWith(lines []engine.Line, err error) searcherFunc {
	return func(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
		return func(yield func([]engine.Line, error) bool) { yield(lines, err) }
	}
}

func lines(t *testing.T, moves ...string) []engine.Line {
	t.Helper()
	var all []engine.Line
	for _, m := range mustMoves(moves...) {
		all = append(all, engine.Line{Moves: []engine.Move{m}})
	}
	return all
}

// writes holds the pieces that a server has written.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

// converse sends pieces to a server, a second apart, and returns what it has written. It must be
// called in a synctest bubble.
func converse(t *testing.T, server *Server, pieces ...string) []string {
	t.Helper()
	in, host := io.Pipe()
	var out writes
	done := make(chan error, 1)
	go func() { done <- server.Serve(t.Context(), in, &out) }()
	for _, piece := range pieces {
		go func() { _, _ = io.WriteString(host, piece) }()
		time.Sleep(time.Second)
		synctest.Wait()
	}
	said := slices.Clone(out)
	host.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	in.Close()
	return said
}

// TestAnswersAsBytes: answers end with one LF, whatever the commands end with, and each is flushed
// by itself, even if more commands wait.
func TestAnswersAsBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := converse(
			t, &Server{Searcher: enginetest.Ranker{}},
			"LEVEL\r\nLEVEL 3\n\r\n\nSCR\r\nBAN 0\nFOO\r\nAI\r\nAI\n", "HINTS 2\r\n", "HINTS\nAI\nQUIT\r\nLEVEL\n",
		)
		want := []string{
			"5\n", "OK\n", xiangqi.Start().Diagram(), "OK\n", "ERROR unknown command\n", "ABORTED\n", "B2-H2\n",
			"", // the hints
			"ABORTED\n", "ABORTED\n", "BYE\n",
		}
		if len(got) != len(want) || strings.Count(got[7], "\n") != 3 || !strings.HasSuffix(got[7], "\nENDHINTS\n") || strings.Contains(got[7], "\r") {
			t.Fatalf("got %q", got)
		}
		if !isMove(got[6]) {
			t.Errorf("the answer of AI is %q", got[6])
		}
		want[6], want[7] = got[6], got[7]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestTimeoutAlwaysAnswers: after TIMEOUT a server answers with the best move so far within a
// second, whatever its Searcher does; without one, with any legal move that is not banned.
func TestTimeoutAlwaysAnswers(t *testing.T) {
	deaf := searcherFunc(func(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
		return func(yield func([]engine.Line, error) bool) {
			if yield(lines(t, "H2-E2"), nil) {
				time.Sleep(time.Minute)
			}
		}
	})
	start := xiangqi.Start().Moves()
	first, second := iccs(start[0]), iccs(start[1])
	ban := "BAN 1\n" + first + "\n"
	for _, c := range []struct {
		name string
		s    engine.Searcher
		say  string
		want string
	}{
		{"the second list of three", thinks(nil, lines(t, "A3-A4"), lines(t, "C3-C4"), lines(t, "E3-E4")), "AI\n", "C3-C4\n"},
		{"the best of several", thinks(nil, lines(t, "A3-A4"), lines(t, "C3-C4", "E3-E4")), "AI\n", "C3-C4\n"},
		{"hints", thinks(nil, lines(t, "C3-C4", "E3-E4", "A3-A4", "G3-G4")), "HINTS\n", "C3-C4\nE3-E4\nA3-A4\nENDHINTS\n"},
		{"it fails in the end", thinks(errors.New("lost"), lines(t, "C3-C4")), "AI\n", "C3-C4\n"},
		{"nothing yet", thinks(nil), "AI\n", first + "\n"},
		{"no hints yet", thinks(nil), "HINTS\n", first + "\nENDHINTS\n"},
		{"nothing yet, and a ban", thinks(nil), ban + "AI\n", "OK\n" + second + "\n"},
		{"nothing legal", thinks(nil, lines(t, "A0-A9")), "AI\n", first + "\n"},
		{"nothing but what is banned", thinks(nil, lines(t, first)), ban + "HINTS\n", "OK\n" + second + "\nENDHINTS\n"},
		{"a list without moves", thinks(nil, []engine.Line{{}}), "AI\n", first + "\n"},
		{"it does not stop", deaf, "AI\n", "H2-E2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := converse(t, &Server{Searcher: c.s}, c.say, "", "", "TIMEOUT\n")
				if c.name == "the second list of three" {
					got = converse(t, &Server{Searcher: c.s}, c.say, "", "TIMEOUT\n")
				}
				if diff := cmp.Diff(c.want, strings.Join(got, "")); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				time.Sleep(time.Minute) // until the last one has stopped
			})
		})
	}
}

// TestWhyASearchStops: TIMEOUT cancels the Searcher with the cause ErrMoveNow, and every other
// interruption with another cause.
func TestWhyASearchStops(t *testing.T) {
	for _, c := range []struct {
		interrupt string
		now       bool
	}{
		{"TIMEOUT\n", true},
		{"timeout\r\n", true},
		{"ABORT\n", false},
		{"LEVEL\n", false},
		{"FOO\n", false},
		{"AI\n", false},
		{"QUIT\n", false},
		{"TIMEOUTS\n", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var causes []error
			s := searcherFunc(func(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
				return func(yield func([]engine.Line, error) bool) {
					<-ctx.Done()
					causes = append(causes, context.Cause(ctx))
				}
			})
			_ = converse(t, &Server{Searcher: s}, "AI\n", c.interrupt)
			if len(causes) == 0 || errors.Is(causes[0], engine.ErrMoveNow) != c.now {
				t.Errorf("%q: the causes are %v", c.interrupt, causes)
			}
		})
	}
}

// TestOrderDecides: a line after AI interrupts it, even if the search has ended by then.
func TestOrderDecides(t *testing.T) {
	for _, c := range []struct {
		line, said string
		answers    bool
	}{
		{"LEVEL\n", "ABORTED\n", false},
		{"foo\r\n", "ABORTED\n", false},
		{"ABORT\n", "ABORTED\n", false},
		{"timeout\n", "", true},
		{"\r\n", "", true},
	} {
		var out bytes.Buffer
		in, host := io.Pipe()
		talk := &serverConn{
			server: &Server{}, ctx: t.Context(), out: serving.NewLineWriter(&out, nil),
			lines: serving.ReadLines(in, t.Context().Done(), serving.ReaderOptions{MaxLine: maxLine, ReadAhead: maxQueued}),
		}
		_, _ = io.WriteString(host, c.line)
		<-talk.lines.Ready()
		ended := serving.StartSearch(t.Context(), serving.Request{Searcher: answersWith(lines(t, "H2-E2"), nil), Pos: xiangqi.Start()})
		<-ended.Done()
		if answers := talk.await(ended); answers != c.answers || out.String() != c.said {
			t.Errorf("%q: answers %v, said %q", c.line, answers, out.String())
		}
		host.Close()
	}
}

// TestOnlyLegalHints: hints are legal and not banned, in the Searcher's order. Their number is 3,
// Server.Hints, or the command's.
func TestOnlyLegalHints(t *testing.T) {
	given := append(lines(t, "A0-A9", "H2-E2", "A3-A4"), engine.Line{})
	given = append(given, lines(t, "C3-C4", "E3-E4", "G3-G4", "I3-I4")...)
	for _, c := range []struct {
		hints     int
		say, want string
	}{
		{0, "HINTS\n", "A3-A4\nC3-C4\nE3-E4\nENDHINTS\n"},
		{2, "HINTS\n", "A3-A4\nC3-C4\nENDHINTS\n"},
		{2, "HINTS 4\n", "A3-A4\nC3-C4\nE3-E4\nG3-G4\nENDHINTS\n"},
		{9, "HINTS\n", "A3-A4\nC3-C4\nE3-E4\nG3-G4\nI3-I4\nENDHINTS\n"},
		{0, "AI\n", "A3-A4\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &Server{Searcher: answersWith(given, nil), Hints: c.hints}
			got := strings.Join(converse(t, server, "BAN 1\nH2-E2\n"+c.say), "")
			if diff := cmp.Diff("OK\n"+c.want, got); diff != "" {
				t.Errorf("Hints %d, %q: -want +got:\n%s", c.hints, c.say, diff)
			}
		})
	}
}

// TestBanEndsWithAFailedSearch: the next AI or HINTS clears the ban list, even if the search fails.
func TestBanEndsWithAFailedSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bans []int
		s := searcherFunc(func(_ context.Context, _ engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
			bans = append(bans, len(lim.Ban))
			return answersWith(nil, errors.New("lost"))(nil, nil, lim)
		})
		_ = converse(t, &Server{Searcher: s}, "BAN 1\nH2-E2\nAI\n", "AI\n", "BAN 2\nH2-E2\nA0-A9\nHINTS\n", "HINTS\n")
		if diff := cmp.Diff([]int{1, 0, 2, 0}, bans); diff != "" {
			t.Errorf("banned moves a search, -want +got:\n%s", diff)
		}
	})
}

// TestSearchLimits: a search uses the conversation's level, by default 5, the number of lines of
// the command, and the ban list; AI asks for a move to play. A Searcher without levels gets the ten node budgets.
func TestSearchLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []engine.Limits
		s := searcherFunc(func(_ context.Context, _ engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
			got = append(got, lim)
			return answersWith(lines(t, "H2-E2"), nil)(nil, nil, lim)
		})
		pieces := []string{"HINTS\n", "BAN 2\nA3-A4\na0a9\nHINTS 7\n"}
		ban := mustMoves("A3-A4", "A0-A9")
		want := []engine.Limits{{Nodes: 25_600, Lines: 3}, {Nodes: 25_600, Lines: 7, Ban: ban}}
		for level, nodes := 1, int64(100); level <= 10; level, nodes = level+1, nodes*4 {
			pieces = append(pieces, fmt.Sprintf("LEVEL %d\nAI\n", level), "UNDO\n")
			want = append(want, engine.Limits{Nodes: nodes, Lines: 1, Play: true})
		}
		_ = converse(t, &Server{Searcher: s}, pieces...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestLevelsOfTheEmbeddedEngine: level n is 100 x 4^(n-1) nodes.
func TestLevelsOfTheEmbeddedEngine(t *testing.T) {
	s, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	nodes := int64(100)
	for i, level := range s.Levels() {
		if level.ID != i+1 || level.Limits.Nodes != nodes || level.Text == "" {
			t.Errorf("level %d is %+v, want %d nodes", i+1, level, nodes)
		}
		nodes *= 4
	}
	if len(s.Levels()) != 10 {
		t.Errorf("there are %d levels", len(s.Levels()))
	}
}

// TestFENIsANewGame: after FEN the embedded engine answers like a new one, whatever it has searched
// before.
func TestFENIsANewGame(t *testing.T) {
	const fen = "FEN r1eakae1r/9/1ch4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4HC1/9/RHEAKAE1R b\nLOAD 2\nG6-G5\nH2-H4\n"
	say := func(text string) string {
		var out bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			s, err := search.New(search.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			in, host := io.Pipe()
			go func() { _, _ = io.WriteString(host, "BAN 0\n") }()
			if err := (&Server{Searcher: s}).Serve(t.Context(), in, &answered{&out, host, strings.Split(text, "|")}); err != nil {
				t.Fatal(err)
			}
			in.Close()
		})
		return out.String()
	}
	fresh := say("LEVEL 4\n" + fen + "HINTS\n|QUIT\n")
	used := say("LEVEL 4\nHINTS\n|" + fen + "AI\n|AI\n|UNDO\nHINTS 9\n|" + fen + "HINTS\n|QUIT\n")
	last := func(text string) string { return text[strings.LastIndex(text[:len(text)-40], "OK\n"):] }
	if diff := cmp.Diff(last(fresh), last(used)); diff != "" {
		t.Errorf("-fresh +used:\n%s", diff)
	}
}

// answered sends the next piece when the last command of the one before, an AI or HINTS, has been
// answered.
type answered struct {
	out    *bytes.Buffer
	host   io.Writer
	pieces []string
}

func (a *answered) Write(p []byte) (int, error) {
	n, err := a.out.Write(p)
	over := a.out.String() == "OK\n" || bytes.HasSuffix(p, []byte("ENDHINTS\n")) || isMove(string(p))
	if over && len(a.pieces) > 0 {
		piece := a.pieces[0]
		a.pieces = a.pieces[1:]
		go func() { _, _ = io.WriteString(a.host, piece) }()
	}
	return n, err
}

// TestErrorsAreQuiet: an ERROR is one line, contains no last lines of an engine, no text quoted
// from the input, and nothing of the form of a move; OK has no text.
func TestErrorsAreQuiet(t *testing.T) {
	for _, c := range []struct{ err, want string }{
		{"the engine died", "ERROR the search failed: the engine died\n"},
		{"after H2-E2 h9g7\nand then\r\n", "ERROR the search failed: after H2 to E2 h9 to g7 and then\n"},
		{`said "H2-E2 is best" twice`, "ERROR the search failed: said \"H2 to E2 is best\" twice\n"},
		{"said \x1b[2J\u009b\xff", `ERROR the search failed: said \x1b[2J\u009b\xff` + "\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := converse(t, &Server{Searcher: answersWith(nil, errors.New(c.err))}, "AI\n", "HINTS\n", "UNDO\n")
			want := []string{c.want, c.want, "ERROR there is no move to take back\n"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q: -want +got:\n%s", c.err, diff)
			}
		})
	}
}

// TestLoadIllegal: LOAD with an illegal move reports its line and the reason, and does not change
// the board.
func TestLoadIllegal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := converse(
			t, &Server{Searcher: enginetest.Ranker{}},
			"PLAY H2-E2\n", "LOAD 4\nH9-G7\nH0-G2\nA9-A5\nI9-H9\n", "LOAD 1\nH2-E2\n", "UNDO\n", "UNDO\n",
		)
		if len(got) != 5 || !strings.HasPrefix(got[1], "ERROR line 3: ") || !strings.HasSuffix(got[1], " the path is blocked at A6\n") ||
			!strings.HasPrefix(got[2], "ERROR line 1: ") || !strings.HasSuffix(got[2], " no piece on H2\n") ||
			got[3] != "OK\n" || !strings.HasPrefix(got[4], "ERROR") {
			t.Errorf("got %q", got)
		}
	})
}

// TestGreatestCounts: LOAD takes up to 10,000 lines and BAN up to 256. A larger count is rejected
// at once, without reading a line.
func TestGreatestCounts(t *testing.T) {
	shuffle := strings.Repeat("A0-A1\nA9-A8\nA1-A0\nA8-A9\n", 2500)
	ban := strings.Repeat("A0-A1\n", 256)
	synctest.Test(t, func(t *testing.T) {
		got := converse(
			t, &Server{Searcher: enginetest.Ranker{}},
			"LOAD 10000\n"+shuffle, "UNDO\n", "LOAD 10001\n", "UNDO\n",
			"BAN 256\n"+ban, "LEVEL\n", "BAN 257\n", "LEVEL\n",
		)
		want := []string{
			"OK\n", "OK\n", "ERROR the count has to be a number from 0 to 10000\n", "OK\n",
			"OK\n", "5\n", "ERROR the count has to be a number from 0 to 256\n", "5\n",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestEndOfInput: the end of the input, and of ctx, is like QUIT without BYE: a search stops at
// once, and nothing more is written.
func TestEndOfInput(t *testing.T) {
	for _, say := range []string{"AI\n", "HINTS\n", "LOAD 3\nH2-E2\n", "LEVEL", "", "BGTHINK ON\nAI\n"} {
		synctest.Test(t, func(t *testing.T) {
			in, host := io.Pipe()
			var out writes
			done := make(chan error, 1)
			go func() {
				done <- (&Server{Searcher: enginetest.Ranker{Depth: 100, Pace: time.Minute}}).Serve(t.Context(), in, &out)
			}()
			_, _ = io.WriteString(host, say)
			time.Sleep(time.Second)
			synctest.Wait()
			before := strings.Count(strings.Join(out, ""), "\n")
			begun := time.Now()
			host.Close()
			if err := <-done; err != nil || time.Since(begun) != 0 {
				t.Errorf("%q: error %v after %v", say, err, time.Since(begun))
			}
			said := strings.Join(out, "")
			if say == "LEVEL" {
				said = strings.TrimPrefix(said, "5\n") // the end of the input ends a command
			}
			if strings.Count(said, "\n") != before {
				t.Errorf("%q: at the end it says %q", say, said)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		in, host := io.Pipe()
		defer host.Close()
		why, begun := errors.New("shut down"), time.Now()
		time.AfterFunc(time.Second, func() { cancel(why) })
		go func() { _, _ = io.WriteString(host, "AI\n") }()
		var out writes
		err := (&Server{Searcher: enginetest.Ranker{Depth: 100, Pace: time.Minute}}).Serve(ctx, in, &out)
		if err != nil && !errors.Is(err, why) || len(out) != 0 || time.Since(begun) != time.Second {
			t.Errorf("error %v after %v, said %q", err, time.Since(begun), out)
		}
	})
}

// TestBGThinkIsKept: neither FEN nor an invalid BGTHINK changes BGTHINK.
func TestBGThinkIsKept(t *testing.T) {
	on, off := " begin level 5 after 2", " begin level 5 after 0"
	for _, c := range []struct {
		say  string
		want string // the last search started
	}{
		{"BGTHINK ON\n" + startFEN + "\n", on},
		{"BGTHINK ON\nBGTHINK maybe\n", on},
		{"bgthink on\nBGTHINK\n", on},
		{"BGTHINK ON\nBGTHINK OFF\nBGTHINK maybe\n", off},
		{"BGTHINK ON\nbgthink off\n" + startFEN + "\n", off},
		{"", off},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &witness{game: mustMoves("H2-E2", "H9-G7")}
			_ = converse(t, &Server{Searcher: w}, c.say+"AI\n")
			begun := slices.DeleteFunc(w.seen, func(s string) bool { return !strings.Contains(s, "begin") })
			if len(begun) == 0 || !strings.HasSuffix(begun[len(begun)-1], c.want) {
				t.Errorf("%q: %q, want %q at the end", c.say, begun, c.want)
			}
		})
	}
}

// TestAnyOtherCommandDropsPondering: background thinking ends at every command except the expected
// PLAY and the AI after it.
func TestAnyOtherCommandDropsPondering(t *testing.T) {
	for _, say := range []string{
		"SCR", "BAN 0", "LOAD 0", "LOAD 1\nH9-G7", "HINTS", "BGTHINK ON", "BGTHINK OFF", "FOO", "LEVEL 3", "AI",
		"ABORT", "TIMEOUT", "QUIT", "FEN x", "UNDO 1", "PLAY", "PLAY B9-C7", "PLAY H9-G7\nPLAY H0-G2", "PLAY H9-G7\nH0-G2",
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &witness{game: mustMoves("H2-E2", "H9-G7", "H0-G2", "I9-H9")}
			var before []string
			s := searcherFunc(func(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
				before = slices.Clone(w.seen)
				return w.Search(ctx, pos, lim)
			})
			_ = converse(t, &Server{Searcher: leveler{s, w}}, "BGTHINK ON\nAI\n", "", say+"\n")
			if !slices.Contains(w.seen, "2s drop level 5 after 2") {
				t.Errorf("%q: %q, and before the last search %q", say, w.seen, before)
			}
		})
	}
}

// TestPonderedPosition: background thinking searches the position after the expected reply, with
// the limits of the level.
func TestPonderedPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := mustMoves("H2-E2", "B9-C7")
		var seen []string
		s := searcherFunc(func(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
			return func(yield func([]engine.Line, error) bool) {
				seen = append(seen, fmt.Sprint(pos, lim))
				if len(seen) == 1 {
					yield([]engine.Line{{Moves: game}}, nil)
					return
				}
				<-ctx.Done()
			}
		})
		_ = converse(t, &Server{Searcher: s, Level: 1}, "BGTHINK ON\nAI\n")
		want := []string{
			fmt.Sprint(xiangqi.Start(), engine.Limits{Nodes: 100, Lines: 1, Play: true}),
			fmt.Sprint(position("H2-E2", "B9-C7"), engine.Limits{Nodes: 100, Lines: 1}),
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

type leveler struct {
	engine.Searcher
	*witness
}

func (l leveler) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return l.Searcher.Search(ctx, pos, lim)
}

// TestFormatHint: a hint is the move, followed by UCI's tokens; a mate counts the mover's moves and
// is negative if the mover is mated.
func TestFormatHint(t *testing.T) {
	moves := mustMoves("H2-E2", "H9-G7")
	for _, c := range []struct {
		line engine.Line
		want string
	}{
		{engine.Line{Moves: moves, Score: engine.Centipawns(35), Depth: 12, Nodes: 81234}, "H2-E2 score cp 35 depth 12 nodes 81234 pv H2-E2 H9-G7"},
		{engine.Line{Moves: moves, Score: engine.Centipawns(-7)}, "H2-E2 score cp -7 pv H2-E2 H9-G7"},
		{engine.Line{Moves: moves[:1], Score: engine.MateIn(3), Depth: 6}, "H2-E2 score mate 3 depth 6 pv H2-E2"},
		{engine.Line{Moves: moves[:1], Score: engine.MateIn(-3)}, "H2-E2 score mate -3 pv H2-E2"},
		{engine.Line{Moves: moves[:1], Text: "a quiet\nmove"}, "H2-E2 a quiet move"},
		{engine.Line{Moves: moves[:1]}, "H2-E2"},
	} {
		if got := formatHint(c.line); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
		if c.line.Text == "" {
			back, err := parseHint(xiangqi.Start(), c.want)
			if diff := cmp.Diff(c.line, back, cmp.AllowUnexported(engine.Score{})); err != nil || diff != "" {
				t.Errorf("%q reads as %+v, %v", c.want, back, err)
			}
		}
	}
}
