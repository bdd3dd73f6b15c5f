package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"qhsh/engine/record"
	"qhsh/engine/xiangqi/notation"
)

// outline returns what has been read, in short: a game with its errors in a line, in UCI.
func outline(t *testing.T, text []byte) string {
	t.Helper()
	return outlineBy(t, library, text)
}

// An outlineCase is a text and the outline of what is read from it.
type outlineCase struct{ name, text, want string }

func checkOutlines(t *testing.T, lib *record.Library, cases []outlineCase) {
	t.Helper()
	for _, c := range cases {
		if diff := cmp.Diff(c.want, outlineBy(t, lib, []byte(c.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func outlineBy(t *testing.T, lib *record.Library, text []byte) string {
	t.Helper()
	var b strings.Builder
	for g, err := range lib.Read(strings.NewReader(string(text)), "") {
		if g != nil {
			moves := strings.TrimSpace(string(write(t, []*record.Game{g}, "pgn", notation.UCI)))
			_, moves, _ = strings.Cut(moves, "\n\n")
			for _, tag := range g.Tags {
				fmt.Fprintf(&b, "%s=%s ", tag.Name, tag.Value)
			}
			b.WriteString(strings.ReplaceAll(moves, "\n", " "))
		}
		if err != nil {
			fmt.Fprintf(&b, " !! %v", err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestReadPGN(t *testing.T) {
	checkOutlines(t, library, []outlineCase{
		{"all notations", "[Red \"a\"]\n1. H2-E2 h9g7 2. H2+3 车９平８ 3. Hc2 b9c7 *", "Red=a 1. h2e2 h9g7 2. h0g2 i9h9 3. b0c2 b9c7 *\n"},
		{"byte order mark", "\ufeff[Red \"a\"]\r\n\r\n1. h2e2 *\r\n", "Red=a 1. h2e2 *\n"},
		{"trailer", "[Red \"a\"]\n1. h2e2 0-1\n====\n欢迎访问\n\n[Red \"b\"]\n1. c3c4 1/2-1/2\n==== 1. x", "Red=a 1. h2e2 0-1\nRed=b 1. c3c4 1/2-1/2\n"},
		{"no result", "[Red \"a\"]\n1. h2e2\n[Red \"b\"]\n1. c3c4", "Red=a 1. h2e2 *\nRed=b 1. c3c4 *\n"},
		{"tags alone", "[Red \"a\"]\n[Black \"x\"]\n\n[Red \"b\"]\n", "Red=a Black=x *\nRed=b *\n"},
		{"game without tags behind one", "[Red \"a\"]\n1. h2e2 *\n\n1. c3c4 *\n", "Red=a 1. h2e2 *\n1. c3c4 *\n"},
		{"other text behind a result", "[Red \"a\"]\n1. h2e2 1-0 {x} 2. h2e3 (1... h9g7) h9g7\n[Red \"b\"]\n1. c3c4 1-0 1. h2e2 h9g7 0-1", "Red=a 1. h2e2 1-0\nRed=b 1. c3c4 1-0\n1. h2e2 h9g7 0-1\n"},
		{"quotes", `[Red "a "b" c"][Black "d\"e\\"] [Event "x] y"]` + "\n*", "Red=a \"b\" c Black=d\"e\\ Event=x] y *\n"},
		{"unknown values", "[Red \"?\"]\n[Date \"????.??.??\"]\n[Site \"\"]\n[WhiteElo \"7\"]\n1. h2e2 *", "RedElo=7 1. h2e2 *\n"},
		{"result of the tag", "[Result \"1-0\"]\n1. h2e2 *", "1. h2e2 1-0\n"},
		{"result in words", "[Result \"红胜\"]\n1. h2e2", "1. h2e2 1-0\n"},
		{"results with other signs", "[Result \"0:1\"]\n1. h2e2 0—1\n[Result \"0 - 1;\"]\n*\n[Result \"--\"]\n1. c3c4 1–0\n[Result \"0:0\"]\n*", "1. h2e2 0-1\n0-1\nResultText=-- 1. c3c4 1-0\nResultText=0:0 *\n"},
		{"result with a remark", "[Result \"0-1 (time)\"]\n1. h2e2 *", "ResultText=0-1 (time) 1. h2e2 0-1\n"},
		{"comments", "[Red \"a\"]\n{x} 1. h2e2 {y\n z} ; w }\n h9g7 {} *", "Red=a {x} 1. h2e2 {y  z w )} 1... h9g7 *\n"},
		{"glyphs", "[Red \"a\"]\n1. h2e2! h9g7?? 2. h0g2 $14 !!2... i9h9 ! 3. i0h0！？ *", "Red=a 1. h2e2 $1 h9g7 $4 2. h0g2 $14 $3 i9h9 $1 3. i0h0 $5 *\n"},
		{"numbers of Black's moves, too", "[FEN \"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b - - 0 12\"]\n1. 车５平８ 1. 馬九進七 2. 卒６进１ 2... 馬七進九 *", "12... e2h2 13. a2c3 f4f3 14. c3a4 *\n"},
		{"numbers from the FEN", "[FEN \"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b - - 0 12\"]\n12. ... 车５平８ 13. 馬九進七 *", "12... e2h2 13. a2c3 *\n"},
		{"moves behind a tag", "[Red \"a\"] 1. h2e2 h9g7\n2. h0g2 *\n\n[Red \"b\"] 1.炮二平五\n", "Red=a 1. h2e2 h9g7 2. h0g2 *\nRed=b 1. h2e2 *\n"},
		{"a bracket within a value", "[Red \"a \"b\"] c\"] [Black \"d\"]\n1. h2e2 *", "Red=a \"b\"] c Black=d 1. h2e2 *\n"},
		{"tags between moves", "[Red \"a\"]\n[Score \"7\"] 1. h2e2 [Score \"6\"] h9g7\n[Score \"1\"] 2. h0g2\n3... [Score \"2\"]\n[Red \"b\"]\n1. c3c4 *", "Red=a Score=7 1. h2e2 {Score \"6\"} 1... h9g7 {Score \"1\"} 2. h0g2 {Score \"2\"} *\nRed=b 1. c3c4 *\n"},
		{"full-width numbers", "１．炮二平五　马８进７\n２．马二进三　车９平８\n１．兵七进一　卒７进１", "1. h2e2 h9g7 2. h0g2 i9h9 *\n1. c3c4 g6g5 *\n"},
		{"full-width numbers behind a tag", "[Red \"a\"]\n１．炮二平五　马８进７\n３、马二进三", "Red=a 1. h2e2 h9g7 * !! line 3: game 1: move 2. 马二进三 has the number 3.: a move before it is missing, or the number is wrong\n"},
		{"full-width numbers behind tags between moves", "[Red \"a\"]\n[Score \"7\"] １．炮二平五 马８进７\n[Score \"1\"] ２．马二进三 车９平８\n[Score \"2\"] 3．车一平二\n[Red \"b\"]\n1．兵七进一 *\n\n１、炮二平五", "Red=a Score=7 1. h2e2 h9g7 {Score \"1\"} 2. h0g2 i9h9 {Score \"2\"} 3. i0h0 *\nRed=b 1. c3c4 *\n1. h2e2 *\n"},
		{"blanks inside", "[Red \"a\"]\n1. C 2 = 5 馬 8 进 7\n2. H2 + 3! r9 .8 + 3. h0 g2? R1 = 2 ++ *", "Red=a 1. h2e2 h9g7 2. h0g2 $1 i9h9 * !! line 3: game 1: move 3. h0: no pawn of red can move to H0; possible: a4 c4 e4 g4 i4\n"},
		{"captures with x", "[Red \"a\"]\n1. H2xH9 I9xH9 2. B2xB9+ a9xb9 *", "Red=a 1. h2h9 i9h9 2. b2b9 a9b9 *\n"},
		{"numbers without points", "1 C2=5 H8+7 (5) 2 H2+3 *", "1. h2e2 h9g7 2. h0g2 *\n"},
		{"numbers", "[Red \"a\"]\n1.h2e2 1...h9g7 2、h0g2 … i9h9 3 i0h0 *", "Red=a 1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 *\n"},
		{"variation in itself", "[Red \"a\"]\n1. h2e2 (1. c3c4 (1. g3g4 h9g7) g6g5) h9g7 *", "Red=a 1. h2e2 (1. c3c4 g6g5) (1. g3g4 h9g7) 1... h9g7 *\n"},
		{"percent", "[Red \"a\"]\n1. h2e2\n% x\nh9g7 *", "Red=a 1. h2e2 h9g7 *\n"},
		{"ranks from one", "[Red \"a\"]\n1. Cbe3 Hc8 2. Pc5 Rb10 *", "Red=a 1. b2e2 b9c7 2. c3c4 a9b9 *\n"},
		{"coordinates from one", "[Red \"a\"]\n1. b3e3 b10c8 *", "Red=a 1. b2e2 b9c7 *\n"},
		{"FEN without a side", "[FEN \"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4\"]\n1. 車５平８ 2. 馬九進七 *", "1... e2h2 2. a2c3 *\n"},
		{"moves behind two tags", "[Red \"a\"] [Black \"b\"] 1. h2e2 h9g7\n2. h0g2 *\n[Red \"c\"] *\n[Red \"d\"] *\n", "Red=a Black=b 1. h2e2 h9g7 2. h0g2 *\nRed=c *\nRed=d *\n"},
		{"a quotation mark before a bracket", "[Red \"a\"] b\"]\n1. h2e2 *", "Red=a\"] b 1. h2e2 *\n"},
		{"results in points", "[Result \"2-0\"]\n\n1. h2e2 2-0\n\n[Red \"a\"]\n\n1. h2e2 1-1\n\n[Red \"b\"]\n\n1. h2e2 0-2\n\n[Red \"c\"]\n\n0-0", "1. h2e2 1-0\nRed=a 1. h2e2 1/2-1/2\nRed=b 1. h2e2 0-1\nResultText=0-0 Red=c *\n"},
		{"signs", "[Red \"a\"]\n\n1. h2e2(?!) h9g7 (!) 2. h0g2!!! (2. c3c4) *", "Red=a 1. h2e2 $6 h9g7 $1 2. h0g2 {!!!} (2. c3c4) *\n"},
		{"unknown FEN", "[FEN \"?\"]\n\n1. h2e2 *", "1. h2e2 *\n"},
		{"pawn in digits", "[FEN \"4k4/9/4P4/4P4/4P4/9/9/9/9/3K5 w\"]\n1. 15.6 K5.6 *", "1. e7d7 e9f9 *\n"},
	})
}

// TestDamaged: what is wrong is told with its place, and the rest is read.
func TestDamaged(t *testing.T) {
	checkOutlines(t, library, []outlineCase{
		{
			"illegal", "[Red \"a\"]\n\n1. h2e2 h9g7\n2. h0g1 i9h9 *\n[Red \"b\"]\n1. c3c4 *",
			"Red=a 1. h2e2 h9g7 * !! line 4: game 1: move 2. h0g1: illegal horse move; possible: b0a2 b0c2 h0g2 h0i2\nRed=b 1. c3c4 *\n",
		},
		{
			"illegal in a variation", "[Red \"a\"]\n1. h2e2 (1. h2e3 (1. x) h9g7 {c}) (1. g3g4 g6g7) h9g7 *",
			"Red=a 1. h2e2 (1. g3g4) 1... h9g7 * !! line 2: game 1: move 1. h2e3: illegal cannon move; possible: b2b1 b2a2 b2c2 b2d2 b2e2 b2f2 b2g2 b2b3 b2b4 b2b5 b2b6 b2b9 h2h1 h2c2 h2d2 h2e2 h2f2 h2g2 h2i2 h2h3 ... (and 1 more)\n",
		},
		{"not a move", "[Red \"a\"]\n1. h2e2 hello *", "Red=a 1. h2e2 * !! line 2: game 1: move 1... \"hello\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n"},
		{"comment without an end", "[Red \"a\"]\n1. h2e2 {x\n[Red \"b\"]\n1. c3c4 *", "Red=a 1. h2e2 {x} * !! line 2: game 1: unclosed comment: missing }\nRed=b 1. c3c4 *\n"},
		{"variation without an end", "[Red \"a\"]\n1. h2e2 (1. c3c4", "Red=a 1. h2e2 (1. c3c4) * !! line 2: game 1: unclosed variation: missing )\n"},
		{"variation without a beginning", "[Red \"a\"]\n1. h2e2 ) h9g7", "Red=a 1. h2e2 * !! line 2: game 1: unexpected ): missing (\n"},
		{"variation of nothing", "[Red \"a\"]\n(1. h2e2) 1. c3c4 *", "Red=a 1. c3c4 * !! line 2: game 1: variation before the first move\n"},
		{"FEN", "[FEN \"x\"]\n1. h2e2 *\n[Red \"b\"]\n1. c3c4 *", " !! line 1: game 1: start position: 1 rank instead of 10\nRed=b 1. c3c4 *\n"},
		{"text behind a tag", "[Red \"a\"] (first)\n1. h2e2 *", "Red=a 1. h2e2 * !! line 1: game 1: unknown text \"(first)\" after a tag; ignored\n"},
		{"FEN in the midst", "[Red \"a\"]\n[FEN \"x\"] [Round \"1\"]\n[Black \"b\"]\n\n1. h2e2 *", " !! line 2: game 1: start position: 1 rank instead of 10\n"},
		{
			"another game", "[Red \"a\"]\n[Variant \"Stones\"]\n[FEN \"7 first\"]\n1. 2 *\n[Game \"shogi\"]\n*\n[Variant \"Xiangqi\"]\n1. c3c4 *",
			" !! line 2: game 1: a game of Stones, not Xiangqi\n" +
				"Variant=Xiangqi 1. c3c4 *\n !! line 5: game 2: a game of Shogi, not Xiangqi\n",
		},
		{
			"chess", "[Variant \"Standard\"]\n\n1. e4 *\n\n[Variant \"Standard\"]\n\n1. d4 *\n\n[Game \"Chinese Chess\"]\n[Variant \"Standard\"]\n\n1. c3c4 *\n\n[Variant \"Standard\"]\n\n1. c4 *",
			"Variant=Standard 1. c3c4 *\n !! line 1: game 1: a game of Western chess, not Xiangqi (and 2 more of the file)\n",
		},
		{"byte order marks behind a tag", "[Red \"a\"] \ufeff\ufeff\n1. h2e2 *", "Red=a 1. h2e2 * !! line 1: game 1: unknown text \"\\ufeff\\ufeff\" after a tag; ignored\n"},
		{"text behind a tag before another", "[Red \"a\"] b\n[Black \"c\"]\n1. c3c4 *", "Red=a Black=c 1. c3c4 * !! line 1: game 1: unknown text \"b\" after a tag; ignored\n"},
		{"digits", "[Red \"a\"]\n1 h2e2 1 h9g7 2 h0g2 6364 *", "Red=a 1. h2e2 h9g7 2. h0g2 * !! line 2: game 1: move 2... \"6364\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n"},
		{
			"tag without quotation marks", "[Red \"a\"]\n[Opening y]\n[Black \"b\"]\n\n1. h2e2 *\n\n[Red \"c\"]\n1. c3c4 *",
			"Red=a Black=b 1. h2e2 * !! line 2: game 1: invalid tag \"[Opening y]\": use the form [Red \"name\"]\nRed=c 1. c3c4 *\n",
		},
		{
			"tag with a damaged bracket, and a damaged FEN", "mRed \"a\"]\n[FE\x12 \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n[Black \"b\"]\n\n1. e0e1 e9e8 2. i1h3 *",
			"Black=b 1. e0e1 e9e8 * !! line 5: game 1: move 2. i1h3: no piece on I1 (and in line 1, invalid tag \"mRed \\\"a\\\"]\": use the form [Red \"name\"] (and 1 more))\n",
		},
		{"tag cut off", "[Red \"a\"]\n[Openi", "Red=a * !! line 2: game 1: invalid tag \"[Openi\": use the form [Red \"name\"]\n"},
		{"a missing move", "1. C2=5 2. H2+3 3. P7+1 1-0", "1. h2e2 1-0 !! line 1: game 1: move 1... H2+3 has the number 2.: a move before it is missing, or the number is wrong\n"},
		{"a missing move in Chinese", "[Red \"a\"]\n1.炮二平五 马8进7\n2.马二进三 3.车一平二 *", "Red=a 1. h2e2 h9g7 2. h0g2 * !! line 3: game 1: move 2... 车一平二 has the number 3.: a move before it is missing, or the number is wrong\n"},
		{"a missing first move", "1... C2=5 2. H2+3 *", "* !! line 1: game 1: move 1. C2=5 has the number 1...: a move before it is missing, or the number is wrong\n"},
		{"a missing move of Black, who begins", "[FEN \"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b\"]\n1... 车５平８ 2. 馬九進七 3. 馬七進九 *", "1... e2h2 2. a2c3 * !! line 2: game 1: move 2... 馬七進九 has the number 3.: a move before it is missing, or the number is wrong\n"},
		{"a missing move in a variation", "1. C2=5 H8+7 (1... H2+3 3. H2+3) 2. H2+3 *", "1. h2e2 h9g7 (1... b9c7) 2. h0g2 * !! line 1: game 1: move 2. H2+3 has the number 3.: a move before it is missing, or the number is wrong\n"},
		{"a wrong number", "1. h2e2 h9g7 3. h0g2 i9h9 5. i0h0 *", "1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 * !! line 1: game 1: move 2. h0g2 has the number 3.: a move before it is missing, or the number is wrong; the number is ignored\n"},
		{"empty", " \n", " !! the file is empty\n"},
		{"other text", "Dear reader,\n1. this is no game\n", " !! unknown record format, and not a list of moves\n"},
		{
			"moves after the result", "1. h2e2 h9g7 *\n{x} ; y\n2. h0g2! i9h9 3. i0h0 1-0\n\n1. c3c4 *",
			"1. h2e2 h9g7 * !! line 3: game 1: move 2. h0g2 after the result *\n1. c3c4 *\n",
		},
		{"two results", "[Result \"1-0\"]\n\n1. h2e2 黑胜\n\n[Result \"1/2-1/2\"]\n\n1. c3c4 和棋\n", "1. h2e2 1-0 !! line 1: game 1: result 1-0 in the tag, but 0-1 after the moves\n1. c3c4 1/2-1/2\n"},
		{"unknown result", "[Red \"a\"]\n[Result \"Black wins\"]\n1. h2e2 1-0", "Red=a ResultText=Black wins 1. h2e2 1-0 !! line 2: game 1: unknown result \"Black wins\": use 1-0, 0-1, 1/2-1/2 or *; kept as the tag ResultText\n"},
		{"bytes in no encoding", "[Event \"许银川\"]\n[Red \"许\xd2\xf8川\"]\n1. h2e2 *\n1. c3c4 *", "Event=许银川 Red=许\ufffd川 1. h2e2 * !! line 2: game 1: bytes that are not utf-8: save the file in one encoding\n1. c3c4 *\n"},
		{"a replacement character of the file", "[Event \"许\ufffd川\"]\n1. h2e2 *", "Event=许\ufffd川 1. h2e2 *\n"},
		{"UTF-16 with other text behind it", "\xff\xfe[\x00R\x00e\x00d\x00 \x00\"\x002u\"\x00]\x00\n\x00*\x00\n\x00\n[Red \"乙\"]\n1. c3c4 *\n[Red \"\xb1\xf8\xc6\xdf\xbd\xf8\xd2\xbb\"]\n1. h2e2 x", "Red=甲 *\nRed=乙 1. c3c4 *\nRed=兵七进一 1. h2e2 * !! line 7: game 3: move 1... \"x\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n"},
		{"tags twice", "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/5K3 w\"]\n\n1. K6+1 *", "1. d0d1 1-0 !! line 3: game 1: another tag Result \"0-1\"; ignored (and 1 more)\n"},
		{"tags more than twice", "[Event \"a\"]\n[Event \"b\"]\n[Event \"c\"]\n\n1. c3c4 *", "Event=a 1. c3c4 * !! line 2: game 1: another tag Event \"b\"; ignored (and 1 more)\n"},
		{"results that differ, and a tag twice", "[Result \"1-0\"]\n[Result \"0-1\"]\n\n1. c3c4 0-1", "1. c3c4 1-0 !! line 1: game 1: result 1-0 in the tag, but 0-1 after the moves (and 1 more)\n"},
		{"SetUp without FEN", "[Red \"a\"]\n[SetUp \"1\"]\n\n1. C2=5 *", "Red=a 1. h2e2 * !! line 2: game 1: the tag SetUp without a tag FEN; the game begins at the usual start\n"},
		{
			"ambiguous", "[FEN \"5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w\"]\n1. 前兵平五 f9e9 2. e0e1 *",
			"1. f6e6 f9e9 2. e0e1 * !! line 2: game 1: move 1. 前兵平五: ambiguous move; possible: F6-E6 D7-E7; F6-E6 is played\n",
		},
		{
			"ambiguous, then illegal", "[FEN \"5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w\"]\n1. 前兵平五 f9e9 2. d7d8 e9f9 3. x *",
			"1. f6e6 f9e9 2. d7d8 e9f9 * !! line 2: game 1: move 3. \"x\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n",
		},
	})
}

// TestLookAhead: which of two pawns it was, the next move shows.
func TestLookAhead(t *testing.T) {
	const text = "[FEN \"3k5/9/4P4/9/4P4/9/9/9/9/4K4 w\"]\n1. P5+1 K4+1 2. P5=6 K4-1 3. P6+1 K4=5 4. P6=5 *"
	const want = "1. e5e6 d9d8 2. e7d7 d8d9 3. d7d8 d9e9 4. d8e8 *\n"
	if diff := cmp.Diff(want, outline(t, []byte(text))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadMoves(t *testing.T) {
	checkOutlines(t, library, []outlineCase{
		{"UCI's command", "position startpos moves h2e2 h9g7\nposition fen 3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - 0 1 moves a6a5\n", "1. h2e2 h9g7 *\n1. a6a5 *\n"},
		{"FEN in a line of its own", "4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b\n车５平８\n马九进七\n", "1... e2h2 2. a2c3 *\n"},
		{"over many lines", "1. h2e2 h9g7 2. h0g2\ni9h9 1-0", "1. h2e2 h9g7 2. h0g2 i9h9 1-0\n"},
		{"many numbered", "1. h2e2 h9g7\n2. h0g2\n\n1. c3c4\n1. g3g4 *", "1. h2e2 h9g7 2. h0g2 *\n1. c3c4 *\n1. g3g4 *\n"},
		{"commas", "3k5/9/9/R8/2c6/9/9/9/9/5K3 w, a6a5 c5c6, 1-0", "1. a6a5 c5c6 1-0\n"},
		{"a heading", "第五局\n胡荣华 先胜 杨官璘\n\n1.炮二平五 马８进７\n2.马二进三\n1. c3c4 *", "{第五局 胡荣华 先胜 杨官璘} 1. h2e2 h9g7 2. h0g2 *\n1. c3c4 *\n"},
		{"a heading over moves without numbers", "ZHAO - KE\nZhongli Cup TV fast game\nh2e2 h9g7\nh0g2\n", "{ZHAO - KE Zhongli Cup TV fast game} 1. h2e2 h9g7 2. h0g2 *\n"},
		{"a heading in PGN's numbers", "Cup\n1. C2=5 x\n", "{Cup} 1. h2e2 * !! line 2: game 1: move 1... \"x\": not a move: want one such as H2-E2, C2=5 or 炮二平五\n"},
		{"notes", "# a\nstartpos\n# b\nstartpos moves h2e2\n", "*\n1. h2e2 *\n"},
		{"variations", "炮二平五 (马二进三) 马８进７ {好}", "1. h2e2 (1. h0g2) 1... h9g7 {好} *\n"},
		{"digits", "774770627967", "1. h2e2 h9g7 2. h0g2 *\n"},
		{"digits from Red's side", "724279677062", "1. h2e2 h9g7 2. h0g2 *\n"},
		{"wrong", "startpos\nstartpos moves h2e2 h2e2\nstartpos moves c3c4\n", "*\n1. h2e2 * !! line 2: game 2: move 1... h2e2: no piece on H2\n1. c3c4 *\n"},
		{"wrong position", "9/9/9/9/9/9/9/9/9/9 w\n", " !! line 1: game 1: start position: no red king\n"},
	})
}

func TestReadWXF(t *testing.T) {
	const text = "FORMAT  \tWXF\nGAME    \tCup\nRED     \tA;T;;\nBLACK   \tB;;;\nDATE    \t24-12-2022\n/*slow*/\n\nSTART{\n 1.  C2.5  H8+7     !!2.  H2+3!\n}END\n"
	const moves = "START{\n1. C2=5 }END\n"
	const want = "Event=Cup Red=A RedTeam=T Black=B Date=2022.12.24 OriginalDate=24-12-2022 {slow} 1. h2e2 h9g7 $3 2. h0g2 $1 *\n"
	checkOutlines(t, library, []outlineCase{
		{"tabs", text, want},
		{"blanks", "FORMAT WXF\nRED  A B ; 1200 ;;\nblack\tB;T;;\n/*x*/ /*y*/\nEVENT Cup ; 10m+0s\nRESULT  0-1\nDATE 2020-02-02 02:02:02\n" + moves, "Red=A B RedElo=1200 Black=B BlackTeam=T Event=Cup TimeControl=10m+0s Date=2020.02.02 OriginalDate=2020-02-02 02:02:02 {x y} 1. h2e2 0-1\n"},
		{"FEN", "FEN   4kaer1/4a4/9/9/9/9/9/7C1/9/4KAE2 w\n" + moves, "1. h2e2 *\n"},
		{"a damaged FEN", "\nFEN 4k\n" + moves, " !! line 2: game 1: start position: 1 rank instead of 10\n"},
		{"unknown words", "RED a\nSPONSOR b\nc\n" + moves, "Red=a 1. h2e2 * !! line 2: game 1: unknown header line \"SPONSOR b\"; the line is ignored (and 1 more)\n"},
		{"two results", "RED a\nRESULT 1-0\nSTART{\n1. C2=5 0-1 }END\n", "Red=a 1. h2e2 1-0 !! line 2: game 1: result 1-0 in the tag, but 0-1 after the moves\n"},
		{"moves behind the end", moves + "2. H2+3\n", "1. h2e2 *\n !! line 3: game 2: missing START{\n"},
		{"nothing", "FORMAT WXF\nSTART{ }END\n", "* !! line 2: game 1: neither moves nor a position\n"},
	})
	missing := outline(t, []byte(strings.Replace(text, "H8+7", "", 1)))
	if !strings.HasSuffix(missing, "1. h2e2 $3 * !! line 9: game 1: move 1... H2+3 has the number 2.: a move before it is missing, or the number is wrong\n") {
		t.Error(missing)
	}
	cut := outline(t, []byte(strings.TrimSuffix(text, "}END\n")))
	if !strings.HasSuffix(cut, "!! line 10: game 1: missing }END\n") {
		t.Error(cut)
	}
}

// TestEncodings: what is read does not depend on the encoding.
func TestEncodings(t *testing.T) {
	const simple = "[Red \"胡荣华\"]\n[Event \"五羊杯\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 {好} 车９平８ *"
	const old = "[Red \"許銀川\"]\n[Event \"五羊盃\"]\n\n1. 炮二平五 馬８進７ 2. 馬二進三 {好} 車９平８ *"
	for _, c := range []struct {
		name string
		enc  encoding.Encoding
		text string
		red  string
	}{
		{"GB18030", simplifiedchinese.GB18030, simple, "胡荣华"},
		{"GBK, traditional", simplifiedchinese.GBK, old, "許銀川"},
		{"Big5", traditionalchinese.Big5, old, "許銀川"},
		{"UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), simple, "胡荣华"},
		{"UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), old, "許銀川"},
		{"UTF-8 with a mark", unicode.UTF8BOM, simple, "胡荣华"},
	} {
		raw, err := c.enc.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		games, errs := readText(raw)
		if len(games) != 1 || errs != nil {
			t.Errorf("%s: %d games, %v", c.name, len(games), errs)
			continue
		}
		if got := games[0].Tags.Get("red"); got != c.red || uci(games[0]) != "h2e2 h9g7 h0g2 i9h9" {
			t.Errorf("%s: %q %s", c.name, got, uci(games[0]))
		}
	}
}

// TestMixedEncodings: every game of a file may be in another one.
func TestMixedEncodings(t *testing.T) {
	text := []byte("[Red \"胡荣华\"]\n1. 炮二平五 *\n")
	big5, _ := traditionalchinese.Big5.NewEncoder().Bytes([]byte("[Red \"許銀川\"]\n1. 馬二進三 馬８進７ *\n"))
	gb, _ := simplifiedchinese.GBK.NewEncoder().Bytes([]byte("[Red \"吕钦\"]\n1. 马二进三 马８进７ *\n"))
	got := outline(t, append(append(text, big5...), gb...))
	want := "Red=胡荣华 1. h2e2 *\nRed=許銀川 1. h0g2 h9g7 *\nRed=吕钦 1. h0g2 h9g7 *\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestShortTexts: a few characters that are valid in another encoding, too.
func TestShortTexts(t *testing.T) {
	const moves = "\n1. h2e2 h9g7 *\n"
	gbk, big5 := simplifiedchinese.GBK, traditionalchinese.Big5
	for _, c := range []struct {
		name string
		enc  encoding.Encoding // nil: UTF-8
		text string
		want string // the players
	}{
		{"GB that is valid UTF-8", gbk, `[Red "太原"]`, "太原"},
		{"Latin", nil, `[Red "José Ñandú"]`, "José Ñandú"},
		{"Vietnamese", nil, `[Red "Nguyễn Thành Bảo"]`, "Nguyễn Thành Bảo"},
		{"Vietnamese, decomposed", nil, "[Red \"Nguye\u0302\u0303n\"]", "Nguye\u0302\u0303n"},
		{"Russian", nil, `[Red "Иванов"]`, "Иванов"},
		{"Greek", nil, `[Red "Γιώργος"]`, "Γιώργος"},
		{"Arabic", nil, `[Red "محمد"]`, "محمد"},
		{"Chinese with a point", nil, `[Red "佛兰克·陈"]`, "佛兰克·陈"},
		{"the games before", gbk, "[Red \"王天一\"]\n1. 炮二平五 马８进７ *\n[Red \"谢谢\"]", "王天一 谢谢"},
		{"the games behind", gbk, "[Red \"小谢\"]\n1. h2e2 *\n[Red \"王天一\"]\n1. 炮二平五 马８进７ *\n[Red \"a\"]", "小谢 王天一 a"},
		{"the games before, Big5", big5, "[Red \"許銀川\"]\n1. 炮二平五 馬８進７ *\n[Red \"蔡忠誠\"]", "許銀川 蔡忠誠"},
		{"cut", nil, "[Red \"\u80e1荣华\"]\n[Black \"\xe5\x90", "胡荣华"},
	} {
		raw := []byte(c.text + moves)
		if c.enc != nil {
			raw, _ = c.enc.NewEncoder().Bytes(raw)
		}
		games, errs := readText(raw)
		var got []string
		for _, g := range games {
			got = append(got, g.Tags.Get("Red"))
		}
		if strings.Join(got, " ") != c.want || errs != nil && c.name != "cut" {
			t.Errorf("%s: %q, want %q; %v", c.name, got, c.want, errs)
		}
	}
}

// TestBig5 reads a file of CCPD as it is.
func TestBig5(t *testing.T) {
	games, wrong := readFile(t, "testdata/ccpd/big5-black-first.pgn")
	if wrong != "" || len(games) != 1 {
		t.Fatal(len(games), wrong)
	}
	const want = `{"tags":{"Event":"北方杯 (1)三軍逼宮","Date":"1982.??.??","Red":"徐天利","Black":"呂欽"},"fen":"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b - - 0 1","result":"0-1","moves":["e2h2","a2c3","f4f3","c3d5","h2h0","e1f0","g3g0","e0e1","h0h1","e1e2","h1h4","c7c3","e5e4","d2d1","e4e3","d5e3","h4e4","e2e1","f3e3","c3c2","g0g5","e1e0","e3e2","f0e1","g5e5","d1d6","e5e6","e0f0","e4f4","f0e0","f4f2"]}
`
	if diff := cmp.Diff(want, dump(t, games)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
