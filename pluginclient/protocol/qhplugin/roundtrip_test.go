package qhplugin

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient/plugintest"
)

// dialServer returns a Client of a Server of s in this process.
func dialServer(t testing.TB, s engine.Searcher, change ...func(*Plugin)) *Client {
	t.Helper()
	plugin := InProcess(&Server{Searcher: s, Name: "served"})
	for _, f := range change {
		f(&plugin)
	}
	client, err := Dial(context.Background(), plugin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// tellingNoCount hides that HINTS takes a count.
func tellingNoCount(p *Plugin) {
	info := p.Info
	p.Info = func(ctx context.Context) (Info, error) {
		i, err := info(ctx)
		i.Text = nil
		return i, err
	}
}

// randomLimits returns limits that the protocol can express, without a time limit.
func randomLimits(t *rapid.T, pos engine.Position, maxLevel int) engine.Limits {
	return engine.Limits{
		Level: rapid.IntRange(1, maxLevel).Draw(t, "level"),
		Lines: rapid.IntRange(0, 7).Draw(t, "lines"),
		Ban:   plugintest.RandomBan(t, pos),
	}
}

// TestLaw: a Client of a Server of s returns what s returns.
func TestLaw(t *testing.T) {
	ranker := engine.WithLevels(enginetest.Ranker{Depth: 3})
	embedded, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		s        engine.Searcher
		change   []func(*Plugin)
		maxLevel int
	}{
		{"ranker", ranker, nil, 10},
		{"ranker without counted hints", ranker, []func(*Plugin){tellingNoCount}, 10},
		{"embedded engine", embedded, nil, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dialServer(t, c.s, c.change...)
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 40)
				plugintest.CheckRoundTrip(t, client, c.s, pos, randomLimits(t, pos, c.maxLevel))
			})
		})
	}
}

// TestLawDefaultLevel: a search without a level uses the conversation's.
func TestLawDefaultLevel(t *testing.T) {
	s := engine.WithLevels(enginetest.Ranker{})
	client := dialServer(t, s)
	defer client.Close()
	for _, level := range []int{0, 3, 0} {
		lim := engine.Limits{Level: level}
		got := plugintest.SearchLines(t, client, xiangqi.Start(), lim)
		if level == 0 {
			level = engine.DefaultLevel
		}
		want := plugintest.SearchLines(t, s, xiangqi.Start(), engine.Limits{Level: level})
		plugintest.CheckSameLines(t, want, got, xiangqi.Start(), lim)
	}
}

// TestLawTime: Time is enforced by TIMEOUT.
func TestLawTime(t *testing.T) {
	for depth := range 6 {
		synctest.Test(t, func(t *testing.T) {
			s := engine.WithLevels(enginetest.Ranker{Depth: 5, Pace: time.Second})
			client := dialServer(t, s)
			defer client.Close()
			lim := engine.Limits{Level: 1, Lines: 2, Time: time.Duration(depth)*time.Second + time.Second/2}
			want := plugintest.SearchLines(t, s, xiangqi.Start(), lim)
			plugintest.CheckSameLines(t, want, plugintest.SearchLines(t, client, xiangqi.Start(), lim), xiangqi.Start(), lim)
		})
	}
}

// TestMovesToPlay: searches with Limits.Play along a game are PLAY and AI alone, since the plugin's
// board keeps each answer.
func TestMovesToPlay(t *testing.T) {
	client := dialServer(t, enginetest.Ranker{})
	defer client.Close()
	pos := xiangqi.Rules.Start()
	want := []string{"~LEVEL", ">" + startFEN}
	for range 4 {
		lines, err := engine.Best(t.Context(), client, pos, engine.Limits{Play: true})
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(lines[0].Move()); err != nil {
			t.Fatal(err)
		}
		reply := pos.Moves()[0]
		want = append(want, ">AI", ">PLAY "+iccs(reply))
		if pos, err = pos.Play(reply); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want[:len(want)-1], plugintest.SentLines(client)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, played := client.Position().History(); len(played) != 0 {
		t.Errorf("the conversation has followed the searches: %v", client.Position())
	}
}

// TestGameOverTheWire plays a game by typed calls: the next move is sent as PLAY, several moves as
// LOAD, and a new game as FEN.
func TestGameOverTheWire(t *testing.T) {
	client := dialServer(t, enginetest.Ranker{})
	defer client.Close()
	ctx := t.Context()
	moves := func(texts ...string) []engine.Move {
		pos, all := client.Position(), []engine.Move{}
		for _, text := range texts {
			m, err := pos.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
			if pos, err = pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	steps := []func() error{
		func() error { return client.NewGame(ctx, xiangqi.Start()) },
		func() error { return client.Load(ctx, moves("H2-E2")[0]) },
		func() error { return client.Load(ctx, moves("H9-G7", "H0-G2", "I9-H9")...) },
		func() error { return client.Undo(ctx) },
		func() error { _, err := client.AI(ctx, engine.Limits{Level: 2, Ban: moves("I9-H9")}); return err },
		func() error { return client.SetBGThink(ctx, false) },
		func() error { return client.SetLevel(ctx, 4) },
		func() error { _, err := client.AskLevel(ctx); return err },
		func() error { _, err := client.Raw(ctx, "SCR"); return err },
		func() error { return client.Restart(ctx) },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	_, played := client.Position().History()
	if len(played) != 4 || !slices.Equal(played[:3], mustMoves("H2-E2", "H9-G7", "H0-G2")) {
		t.Errorf("the game is %v", client.Position())
	}
	got := plugintest.SentLines(client)
	last := iccs(played[3])
	want := []string{
		"~LEVEL",
		">FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w",
		">PLAY H2-E2", ">LOAD 3", ">H9-G7", ">H0-G2", ">I9-H9", ">UNDO",
		">LEVEL 2", ">BAN 1", ">I9-H9", ">AI", ">BAN 0", ">BGTHINK OFF",
		">LEVEL 4", ">LEVEL", ">SCR", "~LEVEL",
		">QUIT", "~LEVEL", ">LEVEL 4", ">BGTHINK OFF",
		">FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w",
		">LOAD 4", ">H2-E2", ">H9-G7", ">H0-G2", ">" + last,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
