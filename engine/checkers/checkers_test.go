package checkers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

func TestConform(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, v := range Variants() {
		t.Run(v.String(), func(t *testing.T) { enginetest.Conform(t, Rules{v}, 40) })
	}
}

// randomBoard returns a board of few pieces with many kings, where captures are long.
func randomBoard(t *rapid.T, v Variant) Board {
	var black, white, kings Set
	for i := range 32 {
		s := squareAt(i)
		switch k := rapid.IntRange(0, 9).Draw(t, fmt.Sprint(i)); {
		case k == 1 && white.Len() < maxPieces || k == 0 && lastRow[Black].Has(s) && black.Len() < maxPieces:
			if k == 1 {
				white, kings = white|One(s), kings|One(s)
			} else {
				black, kings = black|One(s), kings|One(s)
			}
		case k == 2 && black.Len() < maxPieces:
			black, kings = black|One(s), kings|One(s)
		case k == 3 && !lastRow[Black].Has(s) && black.Len() < maxPieces:
			black |= One(s)
		case k == 4 && !lastRow[White].Has(s) && white.Len() < maxPieces:
			white |= One(s)
		}
	}
	return With(v, black, white, kings, Colour(rapid.IntRange(0, 1).Draw(t, "turn")))
}

func anyVariant(t *rapid.T) Variant { return rapid.SampledFrom(Variants()).Draw(t, "variant") }

// TestBoards checks on random boards what must hold for every move: it is distinct, its text reads
// back in both notations, it can be walked, and the key is that of the board it leads to.
func TestBoards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := randomBoard(t, anyVariant(t))
		back, err := ParseBoard(b.variant, b.String())
		if err != nil || back != b {
			t.Fatalf("%v reads back as %v, %v", &b, &back, err)
		}
		moves := b.AppendMoves(nil)
		if b.CanMove() != (len(moves) > 0) || b.CanCapture() != (len(moves) > 0 && moves[0].Captured() != 0) {
			t.Fatalf("%v: %d moves, can move: %v, can capture: %v", &b, len(moves), b.CanMove(), b.CanCapture())
		}
		for i, m := range moves {
			if slices.Contains(moves[:i], m) {
				t.Fatalf("%v: %s comes twice", &b, b.Format(m))
			}
			checkMove(t, b, m)
		}
	})
}

func checkMove(t *rapid.T, b Board, m Move) {
	for _, text := range []string{b.Format(m), b.FormatAlgebraic(m)} {
		if got, err := b.ParseMove(text); err != nil || got != m {
			t.Fatalf("%v: %s reads back as %v, %v", &b, text, got, err)
		}
	}
	way := b.CapturePath(m)
	if n := len(way.Landings); n == 0 || way.Landings[n-1] != m.To() || len(way.Captured) != m.Captured().Len() {
		t.Fatalf("%v: %s goes %v", &b, b.Format(m), way)
	}
	after := b
	after.Do(m)
	if after.key != after.hash() || after.side[Black]&after.side[White] != 0 || after.kings&^(after.side[0]|after.side[1]) != 0 {
		t.Fatalf("%v: %s leads to %v, key %x for %x", &b, b.Format(m), &after, after.key, after.hash())
	}
	for _, c := range []Colour{Black, White} {
		if after.Men(c)&lastRow[c] != 0 {
			t.Fatalf("%v: %s leaves a man on the last row: %v", &b, b.Format(m), &after)
		}
	}
}

// TestNumbering compares the numbers with the corners of each variant's board, and the algebraic
// names.
func TestNumbering(t *testing.T) {
	for _, c := range []struct {
		v             Variant
		number, x, y  int
		algebraicName string
	}{
		{English, 1, 6, 0, "b8"},
		{English, 4, 0, 0, "h8"},
		{English, 5, 7, 1, "a7"},
		{English, 32, 1, 7, "g1"},
		{Russian, 22, 5, 5, "c3"},
		{Brazilian, 29, 7, 7, "a1"},
		{Italian, 1, 0, 0, "h8"},
		{Italian, 5, 1, 1, "g7"},
		{Italian, 23, 5, 5, "c3"},
		{Italian, 32, 7, 7, "a1"},
		{Spanish, 1, 7, 7, "a1"},
		{Spanish, 4, 1, 7, "g1"},
		{Spanish, 32, 0, 0, "h8"},
	} {
		s, ok := c.v.Square(c.number)
		x, y := s.XY()
		if !ok || x != c.x || y != c.y || s.Algebraic() != c.algebraicName {
			t.Errorf("%v %d is (%d, %d), %s; want (%d, %d), %s", c.v, c.number, x, y, s.Algebraic(), c.x, c.y, c.algebraicName)
		}
	}
	for _, v := range Variants() {
		for n := 1; n <= 32; n++ {
			s, _ := v.Square(n)
			back, err := v.ParseSquare(s.Algebraic())
			x, y := s.XY()
			if at, ok := SquareXY(x, y); v.Number(s) != n || err != nil || back != s || at != s || !ok {
				t.Errorf("%v: square %d is %v, number %d", v, n, s, v.Number(s))
			}
		}
		if _, ok := v.Square(33); ok {
			t.Errorf("%v has a square 33", v)
		}
	}
}

// TestMoves lists the moves of positions in which the variants differ.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		v          Variant
		name       string
		fen, moves string
	}{
		{Russian, "a king must land where it can capture on", "W:WK29:B22,11", "29x8 29x4"},
		{Brazilian, "most pieces are compulsory", "W:W22:B18,17,10", "22x6"},
		{Russian, "a man becomes a king and captures on", "W:W12:B8,10", "12x14 12x17 12x21"},
		{Brazilian, "a man captures on as a man", "W:W12:B8,7", "12x10"},
		{English, "a man that is crowned stops", "W:W12:B8,7", "12x3"},
		{English, "men do not capture backward", "W:W14:B18,1", "14-10 14-9"},
		{Italian, "a man does not capture a king", "W:W23:BK19,1", "23-20"},
		{Russian, "captures with the same ends", "W:WK32:B27,26,19,18,10,11", "32x23x30 32x23x16x7x14x23x30 32x31"},
	} {
		b, err := ParseBoard(c.v, c.fen)
		if err != nil {
			t.Fatal(c.name, err)
		}
		var names []string
		for _, m := range b.AppendMoves(nil) {
			names = append(names, b.Format(m))
		}
		if got := strings.Join(names, " "); got != c.moves {
			t.Errorf("%v, %s: %q, want %q", c.v, c.name, got, c.moves)
		}
	}
}

// TestParseErrors lists the errors of invalid positions and moves.
func TestParseErrors(t *testing.T) {
	var got strings.Builder
	for _, text := range []string{
		"", "W:W1", "X:W1:B2", "W:W1:W2", "W:W21,21:B1", "W:W33:B1", "W:W4:B5", "W:W21:B1-13", "W:Wa2:B1", "W:W9-21:B", "W:W21:B4-1",
	} {
		_, err := Rules{English}.Position(text)
		fmt.Fprintln(&got, err)
	}
	b := NewBoard(English)
	for _, text := range []string{"", "11", "11-33", "11-20", "15-18", "21-17", "11-7", "hello-world", "b2-c3"} {
		_, err := b.ParseMove(text)
		fmt.Fprintln(&got, err, errors.Is(err, ErrMalformed))
	}
	want := `position "": want a side to move and two lists of squares, such as B:W21,K30:B1-4
position "W:W1": want a side to move and two lists of squares, such as B:W21,K30:B1-4
position "X:W1:B2": side to move: "X": want W or B
position "W:W1:W2": white is given twice
position "W:W21,21:B1": white: two pieces on square 21
position "W:W33:B1": white: square "33": want 1 to 32
position "W:W4:B5": white: a man on square 4, where men are crowned
position "W:W21:B1-13": black has 13 pieces: at most 12 are allowed
position "W:Wa2:B1": white: a2 is a light square
position "W:W9-21:B": white has 13 pieces: at most 12 are allowed
position "W:W21:B4-1": black: range "4-1": want the lower square first
move "": want squares such as 11-15, 15x22 or c3-d4 true
move "11": want squares such as 11-15, 15x22 or c3-d4 true
move "11-33": want squares such as 11-15, 15x22 or c3-d4 true
move "11-20": illegal move: the piece does not move like that false
move "15-18": illegal move: the first square is empty false
move "21-17": illegal move: it is black's turn false
move "11-7": illegal move: the last square is not empty false
move "hello-world": want squares such as 11-15, 15x22 or c3-d4 true
move "b2-c3": illegal move: it is black's turn false
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// TestDraws moves kings back and forth.
func TestDraws(t *testing.T) {
	for _, v := range Variants() {
		black, white := One(squareAt(0)), One(squareAt(31))
		start := NewPosition(With(v, black, white, black|white, White))
		var pos engine.Position = start
		for i := range 8 {
			if got := engine.Adjudicate(pos); got.Over() {
				t.Errorf("%v: over after %d plies: %v", v, i, got)
			}
			_, moves := pos.History()
			want := pos.Moves()[0]
			if len(moves) >= 2 {
				last := Move(moves[len(moves)-2])
				want = engine.Move(NewMove(last.To(), last.From(), 0))
			}
			next, err := pos.Play(want)
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
		if got := engine.Adjudicate(pos).String(); got != "draw by repetition" || pos.Key() != start.Key() {
			t.Errorf("%v: %s", v, got)
		}
	}
}

// TestDrawRules reaches each rule of each variant by moves that change nothing but where kings stand.
func TestDrawRules(t *testing.T) {
	for name, c := range map[string]struct {
		board Board
		plies int
		want  string // at plies, and ongoing one before
	}{
		"two against one":  {kings(Russian, []int{30, 31}, []int{9}), 10, "draw by two against one, 5 moves"},
		"a man among two":  {withMan(kings(Russian, []int{31}, []int{9}), White, 30), 10, "draw by two against one, 5 moves"},
		"main road":        {kings(Brazilian, []int{30, 31, 32}, []int{18}), 10, "draw by main road, 5 moves"},
		"off the road":     {kings(Brazilian, []int{30, 31, 32}, []int{9}), 30, "draw by three kings against one, 15 moves"},
		"four against one": {kings(Russian, []int{30, 31, 32, 28}, []int{9}), 30, "draw by three kings against one, 15 moves"},
		"one each":         {kings(Russian, []int{30}, []int{1}), 30, "draw by 15-move limit"},
		"one each, Brazil": {kings(Brazilian, []int{30}, []int{1}), 40, "draw by 20-move limit"},
		"equal kings":      {withMan(kings(Russian, []int{30, 31, 32}, []int{1, 2, 3, 4}), White, 21), 30, "draw by 15-move limit"},
		"spanish":          {kings(Spanish, []int{30, 31}, []int{9}), 100, "draw by 50-move limit"},
		"english":          {kings(English, []int{30, 31}, []int{9}), 80, "draw by 40-move limit"},
		"italian":          {kings(Italian, []int{30, 31}, []int{9}), 80, "draw by 40-move limit"},
	} {
		if got := after(c.board, c.plies-1, 0).draw(); got.Over() {
			t.Errorf("%s: %v after %d plies", name, got, c.plies-1)
		}
		if got := after(c.board, c.plies, 0).draw().String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	// Men that move keep the balance.
	men := withMan(withMan(kings(Russian, []int{30, 31, 32}, []int{1, 2, 3}), White, 21), Black, 12)
	if got := after(men, 60, 40).draw().String(); got != "draw by equal kings, 30 moves" {
		t.Errorf("equal kings: %s", got)
	}
	six := men
	for _, n := range []int{28, 29} {
		six = withMan(six, White, n)
	}
	for _, n := range []int{5, 6} {
		six = withMan(six, Black, n)
	}
	if got := after(six, 120, 100).draw().String(); got != "draw by equal kings, 60 moves" || after(six, 119, 100).draw().Over() {
		t.Errorf("six: %s", got)
	}
	// The king has only come to the road.
	p := after(kings(Russian, []int{30, 31, 32}, []int{18}), 10, 0)
	p.previous.previous.board = kings(Russian, []int{30, 31, 32}, []int{9})
	if got := p.draw(); got.Over() {
		t.Errorf("newly on the road: %v", got)
	}
}

// kings returns a board with kings of both sides alone.
func kings(v Variant, white, black []int) Board {
	var sides [2]Set
	for c, numbers := range map[Colour][]int{White: white, Black: black} {
		for _, n := range numbers {
			s, _ := v.Square(n)
			sides[c] |= One(s)
		}
	}
	return With(v, sides[Black], sides[White], sides[Black]|sides[White], White)
}

func withMan(b Board, c Colour, n int) Board {
	s, _ := b.variant.Square(n)
	b.side[c] |= One(s)
	return b
}

// after returns the board after plies since the balance has changed, the last ones since one, irreversible, of
// which nothing has moved.
func after(b Board, plies, irreversible int) *Position {
	var p *Position
	for i := range plies + 1 {
		p = &Position{board: b, previous: p, balancePlies: i, quietPlies: max(i-irreversible, 0)}
	}
	return p
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		v         Variant
		fen, want string
	}{
		{English, "W:W:B1", "first wins by no piece left"},
		{Russian, "W:W:B1", "second wins by no piece left"},
		{English, "B:W9,6:B1", "ongoing"},
		{English, "W:W12:B8,3", "first wins by no move left"},
	} {
		pos, err := Rules{c.v}.Position(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := pos.Result().String(); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.v, c.fen, got, c.want)
		}
	}
}

// FuzzPosition parses any text in any variant. A valid position must survive formatting and
// parsing.
func FuzzPosition(f *testing.F) {
	for i, p := range Samples(English) {
		f.Add(i, p.String())
	}
	f.Add(1, "B:W18,K10-12:Bc3.")
	f.Fuzz(func(t *testing.T, variant int, text string) {
		rules := Rules{Variant(uint(variant) % uint(numVariants))}
		pos, err := rules.Position(text)
		if err != nil {
			return
		}
		back, err := rules.Position(pos.String())
		if err != nil || back.String() != pos.String() || back.Key() != pos.Key() {
			t.Errorf("%q is %v, which reads back as %v, %v", text, pos, back, err)
		}
	})
}
