package xiangqi

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/xiangqi/xiangqitest/plain"
)

// playouts calls check with positions of random games, each from one of the
// published perft positions, and the board that the game was played on.
func playouts(t *testing.T, plies int, check func(t *rapid.T, p *Position, b *Board)) {
	t.Helper()
	roots := append(readPerft(t), readRandom100(t)...)
	rapid.Check(t, func(t *rapid.T) {
		p, err := ParseFEN(rapid.SampledFrom(roots).Draw(t, "root").FEN)
		if err != nil {
			t.Fatal(err)
		}
		b := p.Board()
		for range rapid.IntRange(0, plies).Draw(t, "plies") {
			moves := p.LegalMoves()
			if len(moves) == 0 {
				break
			}
			m := rapid.SampledFrom(moves).Draw(t, "move")
			if p, err = p.PlayMove(m); err != nil {
				t.Fatal(err)
			}
			b.Do(m)
		}
		check(t, p, b)
	})
}

// plainBoard returns the position as a plain board.
func plainBoard(t *rapid.T, p *Position) *plain.Board {
	ref, err := plain.Parse(p.FEN())
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func fromPlain(list []plain.Move) (moves []Move) {
	for _, m := range list {
		moves = append(moves, NewMove(Square(m.From), Square(m.To)))
	}
	return moves
}

func TestMovesAgreeWithReference(t *testing.T) {
	playouts(t, 40, func(t *rapid.T, p *Position, b *Board) {
		ref := plainBoard(t, p)
		want := fromPlain(ref.Moves())
		got := b.AppendMoves(nil)
		if !slices.Equal(got, p.LegalMoves()) {
			t.Fatalf("%v: board and position list different moves", p)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: moves (-reference +generated):\n%s", p, diff)
		}
		if n := b.CountMoves(); n != len(want) {
			t.Fatalf("%v: CountMoves %d, want %d", p, n, len(want))
		}
		if b.InCheck() != ref.InCheck() {
			t.Fatalf("%v: InCheck %v", p, b.InCheck())
		}
		checkCaptures(t, p, b, want)
		checkLegal(t, p, b, want)
		for _, m := range want {
			after := ref.After(plain.Move{From: int(m.From()), To: int(m.To())})
			if got, want := b.GivesCheck(m), after.InCheck(); got != want {
				t.Fatalf("%v: GivesCheck(%v) = %v", p, m, got)
			}
		}
	})
}

// TestChecks draws positions with men around the king, where moves give check in every way.
func TestChecks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		king := Square(rapid.IntRange(7, 9).Draw(t, "rank")*9 + rapid.IntRange(3, 5).Draw(t, "file"))
		near := crosses[king].Or(horseSources[king].mask).Or(horseSources[king].to[0])
		var squares [90]Piece
		for _, sq := range rapid.SliceOfN(rapid.SampledFrom(slices.Collect(near.All())), 3, 9).Draw(t, "points") {
			squares[sq] = NewPiece(Side(rapid.IntRange(0, 1).Draw(t, "side")), rapid.SampledFrom([]Kind{Rook, Horse, Cannon, Cannon, Pawn}).Draw(t, "kind"))
		}
		squares[king], squares[rapid.IntRange(3, 5).Draw(t, "own king")] = NewPiece(Black, King), NewPiece(Red, King)
		p, err := ParseFEN(BoardFEN(&squares, Red))
		if err != nil {
			t.Skip(err)
		}
		b := p.Board()
		var checks []Move
		for _, m := range p.LegalMoves() {
			next, err := p.PlayMove(m)
			if err != nil {
				t.Fatal(err)
			}
			if b.GivesCheck(m) != next.InCheck() {
				t.Fatalf("%v: GivesCheck(%v) = %v", p, m, !next.InCheck())
			}
			b.Do(m)
			if b.InCheck() != next.InCheck() {
				t.Fatalf("%v: InCheck after %v: %v", p, m, b.InCheck())
			}
			b.Undo()
			if next.InCheck() && p.At(m.To()) == Empty {
				checks = append(checks, m)
			}
		}
		if diff := cmp.Diff(checks, b.AppendQuietChecks(nil)); diff != "" {
			t.Fatalf("%v: quiet checks (-want +got):\n%s", p, diff)
		}
	})
}

func checkCaptures(t *rapid.T, p *Position, b *Board, legal []Move) {
	var want []Move
	for _, m := range legal {
		if p.At(m.To()) != Empty {
			want = append(want, m)
		}
	}
	got := b.AppendCaptures(nil)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%v: captures (-reference +generated):\n%s", p, diff)
	}
}

// checkLegal calls Legal with every possible move value, and for some of them checks the
// reported reason.
func checkLegal(t *rapid.T, p *Position, b *Board, legal []Move) {
	for n := range 1 << 16 {
		_, want := slices.BinarySearch(legal, Move(n))
		if b.Legal(Move(n)) != want {
			t.Fatalf("%v: Legal(%v) = %v", p, Move(n), !want)
		}
		if n%61 == 0 && !want {
			checkReason(t, p, Move(n))
		}
	}
}

func checkReason(t *rapid.T, p *Position, m Move) {
	err := p.explain(m)
	if illegal, ok := err.(*MoveError); ok && illegal.Reason == "" {
		t.Fatalf("%v: no reason against %v", p, m)
	}
}

// TestDoUndo plays moves and passes on a board and undoes them.
func TestDoUndo(t *testing.T) {
	playouts(t, 20, func(t *rapid.T, p *Position, b *Board) {
		b.InCheck()
		before, plies := b.state, b.Ply()
		for _, m := range b.AppendMoves(nil) {
			next, err := p.PlayMove(m)
			if err != nil {
				t.Fatal(err)
			}
			key := b.KeyAfter(m)
			b.Do(m)
			if reread := mustParse(next.FEN()); b.Key() != reread.Key() || b.Key() != next.Key() || b.Key() != key {
				t.Fatalf("%v: keys differ from that of the FEN", next)
			}
			b.InCheck()
			if b.state != next.state {
				t.Fatalf("%v: the board differs from the position", next)
			}
			if !b.InCheck() {
				b.Pass()
				if b.Key() == next.Key() || b.Side() == next.Side() {
					t.Fatalf("%v: Pass left the side to move", next)
				}
				b.Undo()
			}
			b.Undo()
			if b.state != before || b.Ply() != plies {
				t.Fatalf("%v: %v and Undo changed the board", p, m)
			}
		}
	})
}

// TestBoardOfPosition compares a board made from a position with the board on which the same game
// was played.
func TestBoardOfPosition(t *testing.T) {
	playouts(t, 60, func(t *rapid.T, p *Position, played *Board) {
		b := p.Board()
		b.InCheck()
		played.InCheck()
		if b.state != played.state {
			t.Fatalf("%v: states differ", p)
		}
		if diff := cmp.Diff(played.history, b.history, cmp.AllowUnexported(undoInfo{})); diff != "" {
			t.Fatalf("%v: histories (-played +copied):\n%s", p, diff)
		}
		if b.Occurrences() != played.Occurrences() {
			t.Fatalf("%v: occurrences differ", p)
		}
		for b.Ply() > 0 {
			b.Undo()
		}
		first, _ := p.History()
		b.check = first.(*Position).check
		if b.state != first.(*Position).state {
			t.Fatalf("%v: undone to another start than %v", p, first)
		}
	})
}

func TestOccurrences(t *testing.T) {
	b := Start().Board()
	shuffle := []string{"h2e2", "h9g7", "e2h2", "g7h9"}
	for round := range 3 {
		if got := b.Occurrences(); got != round {
			t.Errorf("round %d: %d occurrences", round, got)
		}
		verdict, ok := b.Repetition()
		if verdict != Draws || ok != (round > 0) {
			t.Errorf("round %d: repetition %v %v", round, verdict, ok)
		}
		for _, text := range shuffle {
			b.Do(mustMove(t, text))
		}
	}
	b.Pass()
	for range 2 {
		for _, text := range []string{"h9g7", "h2e2", "g7h9", "e2h2"} {
			b.Do(mustMove(t, text))
		}
	}
	if got := b.Occurrences(); got != 2 {
		t.Errorf("behind a Pass: %d occurrences, want 2", got)
	}
	for b.Ply() > 12 {
		b.Undo()
	}
	if got := b.Occurrences(); got != 3 {
		t.Errorf("undone to the third round: %d occurrences, want 3", got)
	}
}

func mustMove(t testing.TB, text string) Move {
	t.Helper()
	m, err := ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPerpetualCheck replays cases on which all implementations agree.
func TestPerpetualCheck(t *testing.T) {
	tests := []struct {
		fen, moves string
		want       Verdict
	}{
		{"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", "h8h9 f9f8 h9h8 f8f9", Loses},
		{"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", "h8h9 f9f8 h9h8 f8f9 h8h9", Wins},
		{"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1", "h8g8 f9f8 g8h8 f8f9", Draws},
	}
	for _, test := range tests {
		b := mustParse(test.fen).Board()
		for i := 0; i < len(test.moves); i += 5 {
			b.Do(mustMove(t, test.moves[i:i+4]))
		}
		if got, ok := b.Repetition(); !ok || got != test.want {
			t.Errorf("%s %s: %v %v, want %v", test.fen, test.moves, got, ok, test.want)
		}
	}
}

// TestMaxMoves adds up the largest numbers of moves of the pieces of one side.
func TestMaxMoves(t *testing.T) {
	most := func(where Bitboard, reach func(Square) Bitboard) (n int) {
		for sq := range where.All() {
			n = max(n, reach(sq).Count())
		}
		return n
	}
	empty := Bitboard{}
	total := 2*most(allSquares(), func(sq Square) Bitboard { return rookTargets(sq, empty) }) +
		2*most(allSquares(), func(sq Square) Bitboard { return cannonTargets(sq, empty) }) +
		2*most(allSquares(), func(sq Square) Bitboard { return horseTargets(sq, empty) }) +
		2*most(elephantHomes[Red], func(sq Square) Bitboard { return elephantTargets(sq, empty) }) +
		2*most(advisorHomes[Red], func(sq Square) Bitboard { return advisorSteps[sq] }) +
		most(palaces[Red], func(sq Square) Bitboard { return kingSteps[sq] }) +
		5*most(pawnHomes[Red], func(sq Square) Bitboard { return pawnSteps[Red][sq] })
	if total != 119 || total > MaxMoves {
		t.Errorf("a side can have %d moves, documented are 119, MaxMoves is %d", total, MaxMoves)
	}
}

// TestAttackers compares Attackers with the pieces whose targets include a point.
func TestAttackers(t *testing.T) {
	playouts(t, 40, func(t *rapid.T, p *Position, b *Board) {
		for target := range Square(90) {
			var want Bitboard
			for sq := range b.Occupied().All() {
				takes := b.targets(sq).Has(target)
				if b.At(sq).Kind() == Cannon && b.At(target) == Empty {
					continue // it would move there without a capture
				}
				if takes {
					want = want.Or(SquareBB(sq))
				}
			}
			got := b.Attackers(Red, target, b.Occupied()).Or(b.Attackers(Black, target, b.Occupied()))
			if b.At(target) == Empty {
				got = got.AndNot(b.both(Cannon))
			}
			if got != want {
				t.Fatalf("%v: attackers of %v: %v, want %v", p, target, slices.Collect(got.All()), slices.Collect(want.All()))
			}
		}
	})
}

func TestBoardDoesNotAllocate(t *testing.T) {
	b := Start().Board()
	moves := make([]Move, 0, MaxMoves)
	allocs := testing.AllocsPerRun(100, func() {
		moves = b.AppendMoves(moves[:0])
		for _, m := range moves {
			b.GivesCheck(m)
			b.Do(m)
			b.InCheck()
			b.Legal(m)
			b.Occurrences()
			b.Repetition()
			b.Undo()
		}
		moves = b.AppendCaptures(moves[:0])
		perft(b, 2, new(atomic.Bool))
	})
	if allocs != 0 {
		t.Errorf("%v allocations a round", allocs)
	}
}
