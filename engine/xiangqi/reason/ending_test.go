package reason_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/reason"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

// forces reports whether the side to move forces the end of the game in so many of its moves.
func forces(b *plain.Board, n int) bool {
	return n > 0 && slices.ContainsFunc(b.Moves(), func(m plain.Move) bool {
		next := b.After(m)
		return !slices.ContainsFunc(next.Moves(), func(answer plain.Move) bool { return !forces(next.After(answer), n-1) })
	})
}

// forcesAsSaid reports whether a number of moves is the least in which the side to move forces the end, as far as two
// moves show it.
func forcesAsSaid(b *plain.Board, n int) bool {
	return forces(b, min(n, 2)) == (n <= 2) && !forces(b, min(n-1, 2))
}

func init() {
	claims = append(claims,
		claim{reason.ThrowsWin, `Throws away a won ending, mate in (\d+): now it is (a draw|lost)\.`, func(w *witness, words []string) bool {
			return forcesAsSaid(w.before, number(words[0])) && (words[1] == "lost" || !forces(w.after, 2))
		}},
		claim{reason.LosesDraw, `Loses a drawn ending: mate in (\d+)\.`, func(w *witness, words []string) bool {
			return !forces(w.before, 2) && forcesAsSaid(w.after, number(words[0]))
		}})
}

// TestEndings has every move of random endings judged.
func TestEndings(t *testing.T) {
	p := &prosecutor{T: t, counts: map[reason.Kind]int{}}
	known := func(p engine.Position) (engine.Ending, bool) {
		e, err := endings.Open("").Query(p.(*xiangqi.Position), xiangqi.Asian)
		return e, err == nil && e.Result(p.Turn()).Over()
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var squares [90]xiangqi.Piece
		for _, letter := range []byte([]string{"KRka", "KPk", "KPka", "KRkr"}[dice.IntN(4)]) {
			piece := xiangqi.PieceOf(letter)
			home := slices.Collect(xiangqi.Home(piece.Side(), piece.Kind()).All())
			squares[home[dice.IntN(len(home))]] = piece
		}
		pos, err := xiangqi.ParseFEN(xiangqi.BoardFEN(&squares, xiangqi.Side(dice.IntN(2))))
		if err != nil {
			continue
		}
		e, certain := known(pos)
		board, err := plain.Parse(pos.FEN())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pos.LegalMoves() {
			judged := reason.Move{Before: pos, Played: m, Bad: !slices.Contains(e.Moves, engine.Move(m)), Known: known}
			w := newWitness(judged, board, map[plain.Board]bool{*board: true})
			for _, r := range reason.Of(judged) {
				p.counts[r.Kind]++
				if err := w.check(r); err != nil || !certain && r.Kind != reason.OnlyMove {
					t.Errorf("%v, %v: %s: %v", pos, m, r.English, err)
				}
			}
		}
	}
	if p.counts[reason.ThrowsWin] == 0 || p.counts[reason.LosesDraw] == 0 {
		t.Errorf("%v", p.counts)
	}
	t.Log(p.counts)
}
