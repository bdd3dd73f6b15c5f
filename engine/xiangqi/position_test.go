package xiangqi

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

func TestResult(t *testing.T) {
	tests := []struct{ fen, want string }{
		{StartFEN, "ongoing"},
		{"3k5/9/9/9/9/9/9/9/3r1r3/4K4 w", "second wins by stalemate"},
		{"3k5/9/9/9/9/9/9/9/r8/r3K4 w", "second wins by checkmate"},
		{"R3k4/R8/9/9/9/9/9/9/9/3K5 b", "first wins by checkmate"},
		{"3k5/3P5/9/9/9/9/9/9/9/4K4 b", "ongoing"},
		{"3k5/4P4/3P5/9/9/9/9/9/9/4K4 b", "first wins by stalemate"},
		{"4k4/9/9/9/9/9/9/9/9/3K5 b", "ongoing"},
	}
	for _, test := range tests {
		p := parse(t, test.fen)
		if got := p.Result().String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.fen, got, test.want)
		}
		if got := len(p.Moves()); (got == 0) != p.Result().Over() {
			t.Errorf("%s: %s with %d moves", test.fen, p.Result(), got)
		}
	}
}

// TestGame checks the contract of engine.Position during a game.
func TestGame(t *testing.T) {
	if Rules.Name() != "xiangqi" {
		t.Errorf("name %q", Rules.Name())
	}
	pos := Rules.Start()
	texts := []string{"h2e2", "B9-C7", "e2e6", "c7e6"}
	var moves []engine.Move
	var fens []string
	for _, text := range texts {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos.Format(m) != Move(m).ICCS() {
			t.Errorf("%s formatted as %s", text, pos.Format(m))
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		fens = append(fens, pos.String())
	}
	want := []string{
		"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
		"r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2",
		"r1bakabnr/9/1cn4c1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2",
		"r1bakabnr/9/1c5c1/p1p1n1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 0 3",
	}
	if diff := cmp.Diff(want, fens); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
	first, history := pos.History()
	if first.String() != StartFEN || !slices.Equal(history, moves) {
		t.Errorf("history %v %v, want %v", first, history, moves)
	}
	if pos.Turn() != engine.First || pos.Game() != Rules {
		t.Errorf("turn %v, game %v", pos.Turn(), pos.Game())
	}
	if Rules.Start().String() != StartFEN {
		t.Error("playing moves changed the start position")
	}
	checkAccessors(t, pos.(*Position))
}

func TestConform(t *testing.T) { enginetest.Conform(t, Rules, 60) }

// TestCountersEnd continues from the largest counters that a FEN can have.
func TestCountersEnd(t *testing.T) {
	p := parse(t, strings.Replace(StartFEN, "w - - 0 1", "b - - 9999 99999", 1))
	next, err := p.PlayMove(mustMove(t, "h9g7"))
	if err != nil {
		t.Fatal(err)
	}
	if got := parse(t, next.FEN()).FEN(); got != next.FEN() || !strings.HasSuffix(got, "w - - 9999 99999") {
		t.Errorf("%s reads back as %s", next.FEN(), got)
	}
}

func checkAccessors(t *testing.T, p *Position) {
	t.Helper()
	_, last := p.Undo()
	if Move(last).UCI() != "c7e6" || p.Ply() != 4 || p.QuietPlies() != 0 || p.InCheck() || p.Side() != Red {
		t.Errorf("last move %v, ply %d, quiet %d, check %v", Move(last), p.Ply(), p.QuietPlies(), p.InCheck())
	}
	if before := p.Before(); before.Ply() != 3 || before.QuietPlies() != 0 {
		t.Errorf("before it ply %d, quiet %d", before.Ply(), before.QuietPlies())
	}
	if b := p.Board(); b.Ply() != 4 || b.QuietPlies() != 0 {
		t.Errorf("board: ply %d, quiet %d", b.Ply(), b.QuietPlies())
	}
	if before, last := Start().Undo(); before != nil || last != engine.NoMove || Start().Before() != nil {
		t.Error("the start position has a last move")
	}
}

// TestKeys compares the keys of equal and of different positions.
func TestKeys(t *testing.T) {
	same := []string{StartFEN, strings.TrimSuffix(StartFEN, "0 1") + "30 40", Start().WireFEN()}
	for _, fen := range same {
		if parse(t, fen).Key() != Start().Key() {
			t.Errorf("the key of %s differs from that of the start position", fen)
		}
	}
	if parse(t, strings.Replace(StartFEN, " w ", " b ", 1)).Key() == Start().Key() {
		t.Error("the key does not depend on the side to move")
	}
	// Must never change: keys may be stored.
	if got, want := Start().Key(), uint64(0x38da2a94d0956334); got != want {
		t.Errorf("key of the start position %#x, want %#x", got, want)
	}
	seen := map[uint64]bool{zobristSide: true}
	for piece := range zobrist {
		for _, key := range zobrist[piece] {
			if key != 0 && seen[key] {
				t.Errorf("key %#x occurs twice", key)
			}
			seen[key] = true
		}
	}
}

// TestConcurrentUse shares a position between goroutines, for the race detector.
func TestConcurrentUse(t *testing.T) {
	p := parse(t, "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/4A4/RNB1KAB1R w")
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			for _, m := range p.Moves() {
				next, err := p.Play(m)
				if err != nil {
					t.Error(err)
					return
				}
				next.Result()
				next.History()
				next.(*Position).Board()
			}
			p.Diagram()
		})
	}
	users.Wait()
}

func TestBitboard(t *testing.T) {
	var set Bitboard
	var want []Square
	for sq := Square(0); sq < 90; sq += 7 {
		set = set.Or(SquareBB(sq))
		want = append(want, sq)
	}
	if got := slices.Collect(set.All()); !slices.Equal(got, want) || set.Count() != len(want) || set.First() != 0 {
		t.Errorf("All %v, Count %d, First %v; want %v", got, set.Count(), set.First(), want)
	}
	for range set.All() {
		break
	}
	rest := allSquares().AndNot(set)
	if rest.Count() != 90-len(want) || rest.Intersects(set) || rest.Xor(set) != allSquares() || !rest.And(set).Empty() {
		t.Errorf("the rest of %v is %v", set, rest)
	}
	high := SquareBB(89)
	if sq, none := high.Next(); sq != 89 || !none.Empty() || high.First() != 89 {
		t.Errorf("Next of I9 is %v, %v", sq, none)
	}
}

func TestNames(t *testing.T) {
	for kind, want := range []string{"none", "rook", "horse", "elephant", "advisor", "king", "cannon", "pawn"} {
		if got := Kind(kind).String(); got != want {
			t.Errorf("kind %d is %q, want %q", kind, got, want)
		}
	}
	if Square(0).String() != "A0" || Square(89).String() != "I9" || Square(90).String() != "??" {
		t.Errorf("points %v %v %v", Square(0), Square(89), Square(90))
	}
	if Red.Other() != Black || Black.Other() != Red || Black.Turn() != engine.Second {
		t.Error("sides")
	}
}

// The position of a board is that of its FEN, without what was played before.
func TestBoardPosition(t *testing.T) {
	pos := parse(t, StartFEN)
	for _, text := range []string{"b2e2", "h9g7", "e2e6"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.PlayMove(Move(m)); err != nil {
			t.Fatal(err)
		}
	}
	got, want := pos.Board().Position(), parse(t, pos.FEN())
	if got.WireFEN() != want.WireFEN() || got.InCheck() != want.InCheck() || got.Key() != want.Key() || got.Before() != nil || got.Ply() != 0 {
		t.Errorf("%s in check %v, want %s in check %v", got, got.InCheck(), want, want.InCheck())
	}
	if got, want := got.LegalMoves(), want.LegalMoves(); !slices.Equal(got, want) {
		t.Errorf("moves %v, want %v", got, want)
	}
}
