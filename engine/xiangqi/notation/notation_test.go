package notation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
)

// TestRandomGames plays random games, which reach positions with horses, cannons and pawns
// behind each other.
func TestRandomGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := xiangqi.Start().Board()
		for range rapid.IntRange(0, 120).Draw(t, "plies") {
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				return
			}
			b.Do(rapid.SampledFrom(moves).Draw(t, "move"))
		}
		checkRoundTrip(t, b)
	})
}

// TestTandemPawns: every way in which up to five pawns can stand across the river.
func TestTandemPawns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "pawns")
		files := rapid.SliceOfNDistinct(rapid.IntRange(0, 8), 2, 2, rapid.ID).Draw(t, "files")
		black := rapid.Bool().Draw(t, "black")
		var squares [10][9]byte
		for range n {
			rank := rapid.IntRange(5, 9).Draw(t, "rank")
			file := rapid.SampledFrom(files).Draw(t, "file")
			if squares[rank][file] == 0 {
				squares[rank][file] = 'P'
			}
		}
		if squares[9][3] == 0 {
			squares[9][3] = 'k'
		} else {
			squares[7][3] = 'k'
		}
		if squares[9][3] != 'k' && squares[8][3] != 0 {
			return
		}
		squares[0][5] = 'K'
		fen := fenOf(squares, black)
		p, err := xiangqi.ParseFEN(fen)
		if err != nil {
			return // one of the kings is in the way
		}
		checkRoundTrip(t, p.Board())
	})
}

// fenOf writes a board of Red's, or the same with the colours and sides exchanged.
func fenOf(squares [10][9]byte, black bool) string {
	var text strings.Builder
	for i := range squares {
		rank := squares[9-i]
		if black {
			rank = squares[i]
		}
		for _, c := range rank {
			switch {
			case c == 0:
				c = '1'
			case black:
				c ^= 0x20
			}
			text.WriteByte(c)
		}
		text.WriteByte('/')
	}
	side := " w"
	if black {
		side = " b"
	}
	return strings.TrimSuffix(text.String(), "/") + side
}

func TestPositionsOfRealGames(t *testing.T) {
	n := 0
	eachLine(t, dataFile(t, "positions/fens999.txt"), func(line string) {
		if line != "" {
			n++
			checkRoundTrip(t, board(t, line))
		}
	})
	if n < 999 {
		t.Errorf("only %d positions", n)
	}
}

// TestTriple: games in three notations at once. One row is not true: its pawn has no other
// on its file.
func TestTriple(t *testing.T) {
	eachLine(t, dataFile(t, "notation/wukong-triple.tsv"), func(line string) {
		f := strings.Split(line, "\t")
		if f[0] == "game" || f[0] == "2" && f[1] == "71" {
			return
		}
		b := board(t, f[2])
		m, err := xiangqi.ParseMove(f[3])
		if err != nil {
			t.Fatal(err)
		}
		if got := Format(b, m, WXF); got != f[6] {
			t.Errorf("%s: %s is %s, want %s", f[2], f[3], got, f[6])
		}
		if got := Format(b, m, Chinese); got != f[5] {
			t.Errorf("%s: %s is %s, want %s", f[2], f[3], got, f[5])
		}
		for _, text := range f[3:] {
			if got, err := Parse(b, text); err != nil || got != m {
				t.Errorf("%s: %s is read as %v, %v; want %s", f[2], text, got, err, f[3])
			}
		}
	})
}

const (
	fivePawns  = "P2k5/P8/P8/P8/P8/9/9/9/9/5K3 w"
	fourPawns  = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w"
	threeOnOne = "3k5/9/8P/8P/8P/9/9/9/9/5K3 w"
	threeTwo   = "3k5/9/P5P2/P5P2/6P2/9/9/9/9/5K3 w"
	twoTwo     = "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w"
	cannons    = "2bakab2/9/9/4p4/9/7C1/9/7C1/9/3AKAB2 w"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ fen, move, wxf, chinese, traditional, san string }{
		{"startpos", "h2e2", "C2=5", "炮二平五", "炮二平五", "Che2"},
		{"startpos", "h0g2", "H2+3", "马二进三", "馬二進三", "Hg2"},
		{"startpos", "g3g4", "P3+1", "兵三进一", "兵三進一", "g4"},
		{"startpos", "d0e1", "A6+5", "仕六进五", "仕六進五", "Ade1"},
		{"startpos", "c0e2", "E7+5", "相七进五", "相七進五", "Ece2"},
		{"startpos", "e0e1", "K5+1", "帅五进一", "帥五進一", "Ke1"},
		{"startpos", "b2b9", "C8+7", "炮八进七", "炮八進七", "Cxb9"},
		{cannons, "h4h3", "C+-1", "前炮退一", "前炮退一", "C4h3"},
		{cannons, "h2e2", "C-=5", "后炮平五", "後炮平五", "Ce2"},
		{twoTwo, "d7e7", "16=5", "三兵平五", "三兵平五", "e7"},
		{twoTwo, "f6e6", "14=5", "一兵平五", "一兵平五", "fe6"},
		{twoTwo, "f5e5", "24=5", "二兵平五", "二兵平五", "e5"},
		{twoTwo, "h6h7", "P2+1", "兵二进一", "兵二進一", "h7"},
		{threeOnOne, "i7h7", "11=2", "前兵平二", "前兵平二", "h7"},
		{threeOnOne, "i6h6", "21=2", "中兵平二", "中兵平二", "h6"},
		{threeOnOne, "i5h5", "31=2", "后兵平二", "後兵平二", "h5"},
		{fourPawns, "e8f8", "15=4", "一兵平四", "一兵平四", "f8"},
		{fourPawns, "e5f5", "45=4", "四兵平四", "四兵平四", "f5"},
		{fivePawns, "a5b5", "59=8", "五兵平八", "五兵平八", "b5"},
		{threeTwo, "g7h7", "13=2", "一兵平二", "一兵平二", "h7"},
		{threeTwo, "g5h5", "3-=2", "三兵平二", "三兵平二", "h5"},
		{threeTwo, "a6b6", "29=8", "五兵平八", "五兵平八", "b6"},
	} {
		b := board(t, c.fen)
		m, err := xiangqi.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{Format(b, m, WXF), Format(b, m, Chinese), Format(b, m, Traditional), Format(b, m, SAN)}
		if diff := cmp.Diff([]string{c.wxf, c.chinese, c.traditional, c.san}, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.fen, c.move, diff)
		}
	}
}

func TestParse(t *testing.T) {
	const black = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"
	for _, c := range []struct{ fen, text, want string }{
		{"startpos", "H2E2", "h2e2"},
		{"startpos", "H2-e2", "h2e2"},
		{"startpos", "C2.5", "h2e2"},
		{"startpos", "c2=5", "h2e2"},
		{"startpos", "Ｃ２＝５", "h2e2"},
		{"startpos", "砲二平五", "h2e2"},
		{"startpos", "包2平5", "h2e2"},
		{"startpos", "炮２平５", "h2e2"},
		{"startpos", "俥一進一", "i0i1"},
		{"startpos", "傌八進七", "b0c2"},
		{"startpos", "象七进五", "c0e2"},
		{"startpos", "士六进五", "d0e1"},
		{"startpos", "将五进一", "e0e1"},
		{"startpos", "卒五进一", "e3e4"},
		{"startpos", "N2+3", "h0g2"},
		{"startpos", "B3+5", "g0e2"},
		{"startpos", "Nc2", "b0c2"},
		{"startpos", "Cxh9+", "h2h9"},
		{"startpos", "Pe4", "e3e4"},
		{"startpos", "H2-E2+", "h2e2"},
		{"startpos", "h2h9+", "h2h9"},
		{"startpos", "C2=5++", "h2e2"},
		{"startpos", "炮二平五#", "h2e2"},
		{"startpos", "M3+5", "g0e2"},
		{"startpos", "G4+5", "f0e1"},
		{"startpos", "g3g4", "g3g4"},
		{"startpos", "G3G4", "g3g4"},
		{twoTwo, "前六平五", "d7e7"},
		{twoTwo, "後四平五", "f5e5"},
		{threeOnOne, "中一平二", "i6h6"},
		{black, "馬8进7", "h9g7"},
		{black, "马八进七", "h9g7"},
		{black, "h8+7", "h9g7"},
		{black, "車1進1", "a9a8"},
		{black, "A4+5", "d9e8"},
		{cannons, "+C-1", "h4h3"},
		{cannons, "-C=5", "h2e2"},
		{cannons, "C--1", "h2h1"},
		{cannons, "后炮退一", "h2h1"},
		{cannons, "炮后退一", "h2h1"},
		{cannons, "一炮平五", "h4e4"},
		{cannons, "前二炮平五", "h4e4"},
		{cannons, "C2+4", "h4h8"}, // the rear one has no way
		{threeOnOne, "P+=2", "i7h7"},
		{threeOnOne, "P1=2", "i6h6"},
		{threeOnOne, "P-=2", "i5h5"},
		{threeOnOne, "11=2", "i7h7"},
		{threeOnOne, "1+=2", "i7h7"},
		{threeOnOne, "前兵平二", "i7h7"},
		{threeOnOne, "二兵平二", "i6h6"},
		{threeOnOne, "兵一平二", "i6h6"},
		{fivePawns, "++=8", "a9b9"},
		{fivePawns, "P+=8", "a8b8"},
		{fivePawns, "P9=8", "a7b7"},
		{fivePawns, "P-=8", "a6b6"},
		{fivePawns, "--=8", "a5b5"},
		{fivePawns, "前兵平八", "a9b9"},
		{fivePawns, "中兵平八", "a7b7"},
		{fourPawns, "P+.4", "e7f7"},
		{fourPawns, "后兵平四", "e5f5"},
		{fourPawns, "三兵平四", "e6f6"},
		{threeTwo, "3+=2", "g7h7"},
		{threeTwo, "3-=2", "g5h5"},
		{threeTwo, "9-=8", "a6b6"},
		{threeTwo, "前三兵平二", "g7h7"},
		{twoTwo, "前六兵平五", "d7e7"},
	} {
		got, err := Parse(board(t, c.fen), c.text)
		text := ""
		if err == nil {
			text = got.UCI()
		}
		if text != c.want {
			t.Errorf("%s %s: %s, %v; want %s", c.fen, c.text, text, err, c.want)
		}
	}
}

// TestRanksFromOne is how Fairy-Stockfish and PyChess count.
func TestRanksFromOne(t *testing.T) {
	for _, c := range []struct{ fen, text, want string }{
		{"startpos", "h3e3", "h2e2"},
		{"startpos", "Cbe3", "b2e2"},
		{"startpos", "a1a2", "a0a1"},
		{"startpos", "Pc5", "c3c4"},
		{"startpos", "Cxh10", "h2h9"},
		{"startpos", "h3h10", "h2h9"},
		{"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b", "a10a9", "a9a8"},
		{"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b", "Ad10e9", "d9e8"},
	} {
		got, _, err := FromOne.Parse(board(t, c.fen), c.text)
		if err != nil || got.UCI() != c.want {
			t.Errorf("%s: %v, %v; want %s", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"a0a1", "a11a10", "Ca0", "h3e3x"} {
		if got, _, err := FromOne.Parse(board(t, "startpos"), text); err == nil {
			t.Errorf("%s is read as %v", text, got)
		}
	}
}

func TestStyleRead(t *testing.T) {
	for text, want := range map[string]Style{
		"H2-E2": ICCS, "h2e2": UCI, "C2=5": WXF, "炮二平五": Chinese, "馬二進三": Traditional, "Che2": SAN,
	} {
		if _, got, err := FromZero.Parse(board(t, "startpos"), text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ fen, text, want string }{
		{"startpos", "h2h8", "h2h8: the path is blocked at H7; possible: b2b1 b2a2 b2c2 b2d2 b2e2 b2f2 b2g2 b2b3 b2b4 b2b5 b2b6 b2b9 h2h1 h2c2 h2d2 h2e2 h2f2 h2g2 h2i2 h2h3 ..."},
		{"startpos", "馬二進四", "馬二進四: H0-F1: the horse is blocked at G0; possible: 马八进九 马八进七 马二进三 马二进一"},
		{"startpos", "马三进四", "马三进四: red has no such horse on file 3; possible: 马八进九 马八进七 马二进三 马二进一"},
		{"startpos", "H2=4", "H2=4: no horse of red can move there; possible: H8+9 H8+7 H2+3 H2+1"},
		{"startpos", "+H-3", "+H-3: red has no two horses on one file; possible: H8+9 H8+7 H2+3 H2+1"},
		{"startpos", "Hd5", "Hd5: no horse of red can move to D5; possible: Ha2 Hc2 Hg2 Hi2"},
		{"startpos", "i6i5", "i6i5: the piece on I6 is black, red is to move"},
		{"startpos", "K5+2", "K5+2: E0-E2: a king cannot move like that; possible: K5+1"},
		{threeOnOne, "R1+1", "R1+1: red has no rook; possible: 31=2 21=2 11=2 11+1 K4=5 K4+1"},
		{twoTwo, "前兵平五", "前兵平五: ambiguous move; possible: F6-E6 D7-E7"},
		{threeTwo, "33=2", "33=2: ambiguous move; possible: G5-H5 G6-H6"},
		{"startpos", "Aj4", `"Aj4": not a move: want one such as H2-E2, C2=5 or 炮二平五`},
		{"startpos", "", `"": not a move: want one such as H2-E2, C2=5 or 炮二平五`},
		{"startpos", "\x1b[31mh2e2", `"\x1b[31mh2e2": not a move: want one such as H2-E2, C2=5 or 炮二平五`},
	} {
		got := ""
		if m, err := Parse(board(t, c.fen), c.text); err != nil {
			got = err.Error()
		} else {
			got = m.String()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"h2e2", "H2-E2", "C2=5", "炮二平五", "前炮退一", "+P+1", "35+1", "++.4", "Cbe2", "A10e9", "", "炮"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	boards := []*xiangqi.Board{board(f, "startpos"), board(f, threeTwo), board(f, fivePawns), board(f, cannons)}
	f.Fuzz(func(t *testing.T, text string, one bool) {
		ranks := FromZero
		if one {
			ranks = FromOne
		}
		for _, b := range boards {
			m, _, err := ranks.Parse(b, text)
			if err == nil && !b.Legal(m) {
				t.Fatalf("%q is read as %v, which is not legal", text, m)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Fatalf("%q: %q disturbs a terminal", text, err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"UCI", "h2e2"}, {"WXF", "C2=5"}, {"Chinese", "炮二平五"}, {"SAN", "Che2"}} {
		b.Run(c.name, func(b *testing.B) {
			start := board(b, "startpos")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(start, c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
