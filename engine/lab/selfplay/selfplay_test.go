package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// plan returns one of short searches.
func plan() *Plan {
	return &Plan{
		Seed: 7, Nodes: 400, Soft: 20, Hash: 1, MinPlies: 8, MaxPlies: 10, Endings: 40, Fair: 600,
		Judge: ByRules(120), Resign: Streak{2000, 4}, Draw: Streak{20, 20},
	}
}

// upTo returns the numbers below n.
func upTo(n uint64) func() (uint64, bool) {
	i := uint64(0)
	return func() (uint64, bool) { i++; return i - 1, i <= n }
}

func play(t *testing.T, p *Plan, jobs int, n uint64) []*gamefile.Game {
	t.Helper()
	games := make([]*gamefile.Game, n)
	err := p.Play(t.Context(), jobs, upTo(n), func(g *gamefile.Game) error {
		games[g.Number] = g
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// Games follow from the plan, however many are played at a time; they are of both kinds, and
// each ends by the rules or by its scores.
func TestPlay(t *testing.T) {
	p := plan()
	games := play(t, p, 1, 12)
	if diff := cmp.Diff(games, play(t, p, 3, 12)); diff != "" {
		t.Errorf("three at a time (-one +three):\n%s", diff)
	}
	endings := 0
	for _, g := range games {
		if g.FEN != "" {
			endings++
		} else if n := len(g.Opening); n < 8 || n > 10 {
			t.Errorf("game %d begins with %d random moves", g.Number, n)
		}
		end, err := g.End()
		if err != nil {
			t.Error(err)
			continue
		}
		if result := p.Judge(end); result != g.Result && g.Result.Reason != gamefile.ByScore {
			t.Errorf("game %d: %v, by the rules %v", g.Number, g.Result, result)
		}
		if n, _ := rand.New(rand.NewPCG(7, g.Number)).IntN(100), 0; (n < 40) != (g.FEN != "") {
			t.Errorf("game %d: begins with %q", g.Number, g.FEN)
		}
	}
	if endings == 0 || endings == len(games) {
		t.Errorf("%d of %d games begin with an ending", endings, len(games))
	}
}

// Games start from the positions that are given.
func TestStarts(t *testing.T) {
	p := plan()
	p.Endings, p.MinPlies, p.MaxPlies, p.Starts = 0, 0, 0, xiangqi.Samples()[1:4]
	seen := map[string]bool{}
	for _, g := range play(t, p, 1, 6) {
		seen[g.FEN] = true
		if len(g.Opening) > 0 || !slices.ContainsFunc(p.Starts, func(s *xiangqi.Position) bool { return s.FEN() == g.FEN }) {
			t.Errorf("game %d: start %s, moves %v", g.Number, g.FEN, g.Opening)
		}
	}
	if len(seen) < 2 {
		t.Errorf("only %v", seen)
	}
}

// A context that ends, or an error of the receiver, ends it all.
func TestPlayEnds(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	played := 0
	err := plan().Play(ctx, 2, upTo(1e9), func(*gamefile.Game) error {
		played++
		cancel(why)
		return nil
	})
	if !errors.Is(err, why) || played > 2 {
		t.Errorf("%d games, error %v", played, err)
	}
	played = 0
	err = plan().Play(t.Context(), 1, upTo(1e9), func(*gamefile.Game) error {
		played++
		return why
	})
	if played != 1 || err == nil || err.Error() != "game 0: enough" {
		t.Errorf("%d games, error %v", played, err)
	}
}

// Where no opening gives a game, an error says why, or the context ends it.
func TestNoGame(t *testing.T) {
	for fen, want := range map[string]string{
		"3k5/9/9/9/9/9/9/9/3r5/r3K4 w - - 0 1": "game 0: no start found in 1000 tries: " +
			"1000 openings were over at once (second wins by checkmate: 3k5/9/9/9/9/9/9/9/3r5/r3K4 w - - 0 1), " +
			"0 had a score beyond 600: use other openings or fewer random moves",
		"3k5/9/9/9/9/9/9/2n6/4R3R/4K4 w - - 0 1": "game 0: no start found in 1000 tries: " +
			"0 openings were over at once, 1000 had a score beyond 600: use other openings or fewer random moves",
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		p := plan()
		p.Endings, p.MinPlies, p.MaxPlies, p.Nodes, p.Starts = 0, 0, 0, 1, []*xiangqi.Position{pos}
		if err := p.Play(t.Context(), 1, upTo(1), nil); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}

	ctx, cancel := context.WithCancelCause(t.Context())
	why, p, draws := errors.New("enough"), plan(), 0
	p.Judge = func(*xiangqi.Position) engine.Result {
		draws++
		cancel(why)
		return engine.Result{Outcome: engine.Draw}
	}
	if err := p.Play(ctx, 1, upTo(1), nil); !errors.Is(err, why) || draws != 1 {
		t.Errorf("%d openings were drawn, error %v", draws, err)
	}
	if pos := (&player{Plan: p}).drawOpening(ctx, rand.New(rand.NewPCG(p.Seed, 0))); pos.Ply() > 0 {
		t.Errorf("%d random moves when the context is over", pos.Ply())
	}
}

// Scores end a game when they have lasted.
func TestStreaks(t *testing.T) {
	p := &Plan{Resign: Streak{1000, 3}, Draw: Streak{10, 4}}
	for _, c := range []struct {
		scores string // for the side to move, Red first
		want   string
	}{
		{"1000 -1000", "ongoing"},
		{"1000 -1000 1000", "first wins by score"},
		{"31990 -31990 31990", "first wins by score"},
		{"1000 -1000 999", "ongoing"},
		{"-1000 1500 -1000", "second wins by score"},
		{"1000 1000 1000", "ongoing"},
		{"1000 -32768 1000 -1000", "ongoing"},
		{"0 10 -10 5", "draw by score"},
		{"0 10 -11 5 5 5", "ongoing"},
		{"0 0 -32768 0 0 0", "ongoing"},
	} {
		side, far, near := xiangqi.Red, 0, 0
		for _, word := range strings.Fields(c.scores) {
			var s gamefile.Score
			if _, err := fmt.Sscan(word, &s); err != nil {
				t.Fatal(err)
			}
			far, near = p.Resign.extendLead(far, side, s), p.Draw.extendEven(near, s)
			side = side.Other()
		}
		if got := p.adjudicate(far, near).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.scores, got, c.want)
		}
	}
	if far := (Streak{}).extendLead(0, xiangqi.Red, 31999); (&Plan{}).adjudicate(far, 99).Over() {
		t.Error("a game is over by scores that nobody asks for")
	}
}

// Where a game is broken off, the rules still come first.
func TestByRules(t *testing.T) {
	judge := ByRules(1)
	for fen, want := range map[string]engine.Result{
		"3k5/9/9/9/9/9/9/9/4R4/4K4 w": {Outcome: engine.FirstWins, Reason: "checkmate"},
		xiangqi.StartFEN:              {Outcome: engine.Draw, Reason: gamefile.ByLength},
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if judge(pos).Over() {
			t.Errorf("%s: over at once", fen)
		}
		m := pos.LegalMoves()[0]
		if want.Reason == "checkmate" {
			m = xiangqi.NewMove(13, 12) // E1-D1
		}
		if pos, err = pos.PlayMove(m); err != nil {
			t.Fatal(err)
		}
		if got := judge(pos); got != want {
			t.Errorf("%s: %v, want %v", fen, got, want)
		}
	}
}

// Random endgames have few pieces; some have a side with guards alone.
func TestDrawEnding(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	fortresses := 0
	for range 300 {
		pos := drawEnding(dice)
		b := pos.Board()
		if n := b.Occupied().Count(); n > 2*10 {
			t.Errorf("%s: %d pieces", pos.FEN(), n)
		}
		if (&Plan{Fair: 600}).maxStartScore(pos) == fortressScore {
			fortresses++
		}
	}
	if fortresses < 30 || fortresses > 100 {
		t.Errorf("%d fortresses of 300", fortresses)
	}
}

// A piece whose points are all taken is left out.
func TestPlace(t *testing.T) {
	dice, board := rand.New(rand.NewPCG(1, 2)), [90]byte{}
	for range 6 {
		place(&board, 'a', xiangqi.Red, dice)
	}
	if got := boardField(&board); strings.Count(got, "A") != 5 {
		t.Errorf("%s: want a guard on each of its five points", got)
	}
}

// The fingerprint is that of the program and the network, not of the run.
func TestFingerprint(t *testing.T) {
	first, err := Fingerprint(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Fingerprint(t.Context(), nil)
	if err != nil || again != first {
		t.Errorf("%x and %x, %v", first, again, err)
	}
	other, err := Fingerprint(t.Context(), net.Small())
	if err != nil || other == first {
		t.Errorf("%x with the network in the program and with another, %v", first, err)
	}
}

func TestCheck(t *testing.T) {
	for want, edit := range map[string]func(*Plan){
		"nodes=0, soft=0: want at least 1 a move":           func(p *Plan) { p.Nodes, p.Soft = 0, 0 },
		"nodes=-1, soft=20: want at least 1 a move":         func(p *Plan) { p.Nodes = -1 },
		"plies=8-7: want two numbers, the greater one last": func(p *Plan) { p.MaxPlies = 7 },
		"endgames=101: want 0 to 100 percent":               func(p *Plan) { p.Endings = 101 },
		"fair=0: want centipawns, more than 0":              func(p *Plan) { p.Fair = 0 },
		"resign=-1x4: want centipawns and plies":            func(p *Plan) { p.Resign.Score = -1 },
	} {
		p := plan()
		edit(p)
		if err := p.Check(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := plan().Check(); err != nil {
		t.Error(err)
	}
}

// BenchmarkPlay plays whole games as a run by default does.
func BenchmarkPlay(b *testing.B) {
	p := &Plan{
		Seed: 1, Nodes: 20000, Soft: 1000, Hash: 2, MinPlies: 8, MaxPlies: 10, Endings: 7, Fair: 600,
		Judge: ByRules(600), Resign: Streak{2000, 6},
	}
	pl, err := newPlayer(p)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	plies, number := 0, uint64(0)
	for b.Loop() {
		g, err := pl.game(b.Context(), number)
		if err != nil {
			b.Fatal(err)
		}
		number++
		plies += len(g.Plies)
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(plies)/float64(number), "positions/game")
}
