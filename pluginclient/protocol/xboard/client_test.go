package xboard_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// checkSent compares all lines that an idle client has sent since its first game began.
func checkSent(t *testing.T, c *uci.Client, want string) {
	t.Helper()
	if err := c.Idle(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(plugintest.SentLines(c), "\n")
	_, got, _ := strings.Cut(said, "~ping 2\n")
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got+"\n"); diff != "" {
		t.Errorf("-want +sent:\n%s", diff)
	}
}

func ask(t *testing.T, c *uci.Client, pos engine.Position, lim engine.Limits) []engine.Line {
	t.Helper()
	lines, err := engine.Best(t.Context(), c, pos, lim)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestSent compares what the client sends, line by line. Between searches of the same game the
// board is updated by undo and moves; "new" is sent only if nothing else clears a limit.
func TestSent(t *testing.T) {
	client := dial(t, program(enginetest.Ranker{}, nil))
	defer client.Close()
	after := xiangqitest.After
	lines := ask(t, client, after("H2-E2"), engine.Limits{Lines: 2, Depth: 2, Time: 1500 * time.Millisecond})
	next, err := after("H2-E2").Play(lines[0].Move())
	if err != nil {
		t.Fatal(err)
	}
	ask(t, client, next, engine.Limits{Time: 2 * time.Second})
	ask(t, client, after("H2-E2", "H9-G7"), engine.Limits{Depth: 1, Ban: xiangqitest.Moves("I0-I1", "A9-A8")})
	ask(t, client, xiangqi.Start(), engine.Limits{Nodes: 700})
	ask(t, client, xiangqi.Start(), engine.Limits{Depth: 3})
	other, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/9/4K1N2 w - - 3 9")
	if err != nil {
		t.Fatal(err)
	}
	ask(t, client, other, engine.Limits{Depth: 3})
	client.Forget()
	ask(t, client, xiangqi.Start(), engine.Limits{Depth: 3})
	checkSent(t, client, `
>new
>variant xiangqi
>force
>post
>easy
~ping 3
>option MultiPV=2
>usermove h2e2
>st 2
>sd 2
>go
>force
~ping 4
>option MultiPV=1
>st 2
>sd 99
>go
>force
~ping 5
>undo
>undo
>usermove h9g7
>exclude i0i1
>st 86400
>sd 1
>go
>force
~ping 6
>undo
>undo
>undo
>nps 700
>st 1
>sd 99
>go
>force
~ping 7
>new
>variant xiangqi
>force
>post
>easy
>st 86400
>sd 3
>go
>force
~ping 8
>setboard 3k5/9/9/9/9/9/9/9/9/4K1H2 w - - 3 9
>st 86400
>sd 3
>go
>force
~ping 9
>new
>variant xiangqi
>force
>post
>easy
~ping 10
>st 86400
>sd 3
>go
>force
~ping 11
`)
}

// TestSentOtherwise compares what the client sends to engines that lack features: edit without
// setboard, no ping but a wait for lines, and a clock without "st".
func TestSentOtherwise(t *testing.T) {
	features := without("setboard", "ping", "usermove", "nps")
	program := (&plugintest.FaultyEngine{
		Engine: xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
		OnCommand: func(line string) plugintest.Action {
			switch word, _, _ := strings.Cut(line, " "); word {
			case "st":
				return plugintest.Send("Error (unknown command): st\n")
			case "edit", "#", "c", ".":
				return plugintest.Action{}
			}
			return plugintest.Obey(line)
		},
		OnReply: features,
	}).Start
	client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "served", Start: program}, xboard.Options{Letters: xboard.KnightBishop})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1})
	ask(t, client, xiangqi.Start(), engine.Limits{Time: 61 * time.Second, Depth: 1})
	other, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/9/4K1N2 b")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = engine.Best(t.Context(), client, other, engine.Limits{Depth: 1}) // the server knows no edit
	said := strings.Join(plugintest.SentLines(client), "\n")
	for _, want := range []string{
		">st 86400\n>sd 1\n>go\n>force\n>undo\n>level 1 1:01 0\n>time 6100\n>otim 6100\n>sd 1\n>go\n",
		">new\n>variant xiangqi\n>force\n>post\n>easy\n>a3a4\n>edit\n>#\n>Ke0\n>Ng0\n>c\n>Kd9\n>.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it sent\n%s\nwithout\n%s", said, want)
		}
	}
}

// TestNumbering: the client detects an engine that numbers ranks from 1, by its moves or by what it
// calls illegal, and uses the numbering that a SPEC sets.
func TestNumbering(t *testing.T) {
	fromOne := func(line string) string {
		words := strings.Fields(line)
		for i, word := range words {
			if m, ok := uci.FromZero.Parse(word); ok {
				words[i] = uci.FromOne.Format(m)
			}
		}
		return strings.Join(words, " ") + "\n"
	}
	toZero := func(line string) plugintest.Action {
		words := strings.Fields(line)
		for i, word := range words {
			if !uci.IsMove(word) {
				continue
			}
			m, ok := uci.FromOne.Parse(word)
			if !ok {
				return plugintest.Send("Illegal move: " + word + "\n")
			}
			words[i] = uci.FromZero.Format(m)
		}
		return plugintest.Obey(strings.Join(words, " "))
	}
	pos := xiangqitest.After("B0-C2", "H9-G7")
	want := plugintest.SearchLines(t, enginetest.Ranker{}, pos, engine.Limits{Depth: 1})
	for _, known := range []bool{false, true} {
		m := &plugintest.FaultyEngine{
			Engine:    xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
			OnCommand: toZero, OnReply: fromOne,
		}
		var options xboard.Options
		if known {
			if err := options.Set("ranks", "1"); err != nil {
				t.Fatal(err)
			}
		}
		client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "served", Start: m.Start}, options)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 2 {
			plugintest.CheckSameLines(t, want, ask(t, client, pos, engine.Limits{Depth: 1}), pos, engine.Limits{})
		}
	}
}

// TestBestLast: an engine may send a list from its last line to its first, although lines have no
// numbers.
func TestBestLast(t *testing.T) {
	m := &plugintest.FaultyEngine{
		Engine: xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
		OnCommand: on("go", say("1 33 0 10 c3c4\n1 34 0 20 b2e2\n1 35 0 30 h2e2\n"+
			"2 23 0 40 a3a4\n2 24 0 50 i3i4\n2 25 0 60 e3e4\nmove e3e4\n")),
	}
	client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "served", Start: m.Start}, xboard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	want := []engine.Line{
		{Moves: xiangqitest.Moves("E3-E4"), Score: engine.Centipawns(25), Depth: 2, Nodes: 60},
		{Moves: xiangqitest.Moves("I3-I4"), Score: engine.Centipawns(24), Depth: 2, Nodes: 50},
		{Moves: xiangqitest.Moves("A3-A4"), Score: engine.Centipawns(23), Depth: 2, Nodes: 40},
	}
	lim := engine.Limits{Lines: 3}
	plugintest.CheckSameLines(t, want, ask(t, client, xiangqi.Start(), lim), xiangqi.Start(), lim)
}

// TestRawMultiPV: when the user has typed another number of lines, that is how many a list has.
func TestRawMultiPV(t *testing.T) {
	m := &plugintest.FaultyEngine{
		Engine:    xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
		OnCommand: on("go", say("1 35 0 10 h2e2\n1 34 0 20 b2e2\n1 33 0 30 c3c4\n2 36 0 40 h2e2\nmove h2e2\n")),
	}
	client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "served", Start: m.Start}, xboard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ask(t, client, xiangqi.Start(), engine.Limits{Lines: 3})
	if _, err := client.Raw(t.Context(), "option MultiPV=1"); err != nil {
		t.Fatal(err)
	}
	client.Forget()
	want := []engine.Line{{Moves: xiangqitest.Moves("H2-E2"), Score: engine.Centipawns(36), Depth: 2, Nodes: 40}}
	plugintest.CheckSameLines(t, want, ask(t, client, xiangqi.Start(), engine.Limits{}), xiangqi.Start(), engine.Limits{})
}

// TestOffers: an engine may offer a draw before its move, or resign instead of it. It then has no move
// to play, but the lines so far. That its opponent resigns is a claim.
func TestOffers(t *testing.T) {
	play := engine.Limits{Depth: 1, Play: true}
	for _, c := range []struct {
		moves   []string
		instead string // of the move; "move" is the move itself
		lim     engine.Limits
		offer   engine.Offer
		err     error
	}{
		{nil, "offer draw\nmove", play, engine.DrawOffer, nil},
		{nil, "# no draw offer\nmove", play, engine.NoOffer, nil},
		{nil, "resign", play, 0, pluginclient.ErrResigned},
		{nil, "resign", engine.Limits{Depth: 1}, engine.Resignation, nil},
		{nil, "0-1 {Red Resigns}", play, 0, pluginclient.ErrResigned},
		{nil, "White resigns", play, 0, pluginclient.ErrResigned},
		{nil, "computer resigns", play, 0, pluginclient.ErrResigned},
		{nil, "1-0 {Black resigns}", play, 0, pluginclient.ErrRefused},
		{[]string{"H2-E2"}, "1-0 {Black resigns}", play, 0, pluginclient.ErrResigned},
		{[]string{"H2-E2"}, "0-1 {White resigns}", play, 0, pluginclient.ErrRefused},
	} {
		client := dial(t, program(enginetest.Ranker{}, func(line string) string {
			if strings.HasPrefix(line, "move ") {
				line = strings.Replace(c.instead, "move", line, 1)
			}
			return line + "\n"
		}))
		defer client.Close()
		lines, err := engine.Best(t.Context(), client, xiangqitest.After(c.moves...), c.lim)
		isResigned := errors.Is(c.err, pluginclient.ErrResigned)
		if !errors.Is(err, c.err) || errors.Is(err, pluginclient.ErrResigned) != isResigned || err == nil && (lines[0].Offer != c.offer || lines[0].Text != c.offer.String()) {
			t.Errorf("%q: %+v, error %v", c.instead, lines, err)
		}
	}
}

// offering is a Searcher with an offer.
type offering struct {
	enginetest.Ranker
	offer engine.Offer
}

func (o offering) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		lines, err := engine.Best(ctx, o.Ranker, pos, lim)
		lines[0].Offer = o.offer
		yield(lines, err)
	}
}

// TestOffersServed: the server tells the host what its Searcher offers.
func TestOffersServed(t *testing.T) {
	lim := engine.Limits{Depth: 1}
	for _, offer := range []engine.Offer{engine.NoOffer, engine.DrawOffer, engine.Resignation} {
		client := dial(t, program(offering{offer: offer}, nil))
		defer client.Close()
		if lines := ask(t, client, xiangqi.Start(), lim); lines[0].Offer != offer {
			t.Errorf("%v: %+v", offer, lines)
		}
	}
}

// TestOptionsOfSpec tests the options of a SPEC.
func TestOptionsOfSpec(t *testing.T) {
	var o xboard.Options
	for _, c := range []struct{ key, value, err string }{
		{"letters", "nb", ""},
		{"letters", "xx", "engine option letters=xx: want he or nb, the letters of horses and elephants in a FEN"},
		{"ranks", "2", "engine option ranks=2: want 0 or 1, the number of Red's own rank"},
		{"Hash", "2", ""},
	} {
		err := o.Set(c.key, c.value)
		if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err || !errors.Is(err, uci.ErrOption)) {
			t.Errorf("%s=%s: error %v", c.key, c.value, err)
		}
	}
}

// TestSettings: settings are sent as the protocol requires, before the first game.
func TestSettings(t *testing.T) {
	served := uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served", Options: demoOptions}
	var o xboard.Options
	for _, s := range []string{"memory=32", "cores=2", "own_book=off", "style=risky", "fails=1", "moveoverhead=7", "book=a b"} {
		key, value, _ := strings.Cut(s, "=")
		if err := o.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	client, err := xboard.Dial(t.Context(), xboard.InProcess(served), o)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	said := strings.Join(plugintest.SentLines(client), "\n")
	want := ">memory 32\n>cores 2\n>option Own Book=0\n>option Style=Risky\n>option Fails\n>option Move Overhead=7\n>option Book=a b\n~ping 2"
	if !strings.HasSuffix(said, want) {
		t.Errorf("it sent\n%s", said)
	}
	_, err = xboard.Dial(t.Context(), xboard.InProcess(served), xboard.Options{Options: uci.Options{Settings: []uci.Setting{{Name: "MultiPV", Value: "3"}}}})
	if !errors.Is(err, uci.ErrOption) {
		t.Errorf("MultiPV: %v", err)
	}
}

// TestStop: ErrMoveNow returns the best move so far, and cancelling ctx leaves the engine idle.
func TestStop(t *testing.T) {
	errTest := errors.New("given up by the test")
	for _, cause := range []error{engine.ErrMoveNow, errTest} {
		t.Run(fmt.Sprint(cause), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dial(t, program(enginetest.Ranker{Depth: 100, Pace: time.Second}, nil))
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
				said := plugintest.SentLines(client)
				if diff := cmp.Diff([]string{">go", ">?", ">force", "~ping 4"}, said[len(said)-4:]); diff != "" {
					t.Errorf("-want +sent:\n%s", diff)
				}
				ask(t, client, xiangqi.Start(), engine.Limits{Time: 2 * time.Second})
			})
		})
	}
}

// TestPonder: a search on the opponent's time has no limit until the hit.
func TestPonder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dial(t, program(enginetest.Ranker{Depth: 100, Pace: time.Second}, nil))
		defer client.Close()
		hit := make(chan struct{})
		time.AfterFunc(2500*time.Millisecond, func() { close(hit) })
		begun := time.Now()
		var last []engine.Line
		for lines, err := range client.Ponder(t.Context(), xiangqi.Start(), engine.Limits{Time: 2 * time.Second}, hit) {
			if err != nil {
				t.Fatal(err)
			}
			last = lines
		}
		if took := time.Since(begun); took != 4500*time.Millisecond || last[0].Depth != 4 {
			t.Errorf("%+v after %v", last, took)
		}
	})
}

// TestRaw runs a conversation of raw lines: a game of the user with the engine.
func TestRaw(t *testing.T) {
	client := dial(t, program(enginetest.Ranker{}, nil))
	defer client.Close()
	best := func(pos engine.Position) string {
		return "move " + xiangqi.Move(plugintest.SearchLines(t, enginetest.Ranker{}, pos, engine.NodeLevels()[engine.DefaultLevel-1].Limits)[0].Move()).UCI()
	}
	reply := best(xiangqitest.After("H2-E2"))
	for _, c := range []struct{ say, want string }{
		{"ping 77", "pong 77"},
		{"new", ""},
		{"usermove h2e2", reply},
		{"foo", "Error (unknown command): foo"},
		{"force", ""},
		{"undo", ""},
		{"go", reply},
		{"option MultiPV=2", ""},
		{"remove\nsetboard 3k5/9/9/9/9/9/9/9/9/4K1N2 w", ""},
	} {
		answer, err := client.Raw(t.Context(), c.say)
		got := ""
		if len(answer) > 0 {
			got = answer[len(answer)-1]
		}
		if err != nil || got != c.want {
			t.Errorf("%q: %q, %v", c.say, answer, err)
		}
	}
	if got := client.Position().String(); got != "3k5/9/9/9/9/9/9/9/9/4K1N2 w - - 0 1" {
		t.Errorf("the position is %s", got)
	}
	if _, err := client.Raw(t.Context(), "usermove e0a4"); err == nil || !strings.Contains(err.Error(), "board is unknown") {
		t.Errorf("an illegal move: %v", err)
	}
	// A search undoes all of that.
	if lines := ask(t, client, xiangqi.Start(), engine.Limits{Depth: 1}); len(lines) != 1 {
		t.Errorf("%v", lines)
	}
	if _, err := client.Raw(t.Context(), "quit"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Raw(t.Context(), "ping 1"); !errors.Is(err, pluginclient.ErrNotRunning) {
		t.Errorf("after quit: %v", err)
	}
}

// TestRawAnalyze: an analysis of the user ends by exit, or when ctx ends.
func TestRawAnalyze(t *testing.T) {
	for _, word := range []string{"exit", ""} {
		t.Run(word, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dial(t, program(enginetest.Ranker{Depth: 100, Pace: time.Second}, nil))
				defer client.Close()
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(2500*time.Millisecond, func() {
					if word == "" {
						cancel(engine.ErrMoveNow)
					} else if answer, err := client.Raw(t.Context(), word); err != nil || answer != nil {
						t.Errorf("%s: %q, %v", word, answer, err)
					}
				})
				answer, err := client.Raw(ctx, "analyze")
				if err != nil || len(answer) != 3 || answer[2] != "pong 0" {
					t.Errorf("%q, %v", answer, err)
				}
			})
		})
	}
}

// TestRawBehindTheEnd: a line that makes the engine think is sent, and the search stopped, even if
// ctx has already ended.
func TestRawBehindTheEnd(t *testing.T) {
	for line, stop := range map[string]string{"go": "?", "analyze": "exit"} {
		t.Run(line, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dial(t, program(enginetest.Ranker{Depth: 100, Pace: time.Second}, nil))
				defer client.Close()
				errTest := errors.New("given up by the test")
				ctx, giveUp := context.WithCancelCause(t.Context())
				giveUp(errTest)
				answer, err := client.Raw(ctx, line)
				if answer != nil || !errors.Is(err, errTest) {
					t.Errorf("%q, %v", answer, err)
				}
				if said := strings.Join(plugintest.SentLines(client), "\n"); !strings.Contains(said, ">"+line+"\n>"+stop) {
					t.Errorf("it sent\n%s", said)
				}
			})
		})
	}
}
