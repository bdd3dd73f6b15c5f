package record

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// TestLenient: what stands before an illegal move, beside it and behind it is kept.
func TestLenient(t *testing.T) {
	checkOutlines(t, Library.Lenient(), []outlineCase{
		{
			"the main line", "[Red \"a\"]\n1. h2e2 {x} h9g7 2. h2h3?! {y} b9c7 3. b0c2 (3. a0a1 {z}) 1-0\n\n[Red \"b\"]\n1. c3c4 *\n",
			"Red=a 1. h2e2 {x} 1... h9g7 {dropped: h2h3?! (y) b9c7 3. b0c2 (3. a0a1 (z))} 1-0 !! line 2: game 1: move 2. h2h3: no piece on H2; kept as a comment\nRed=b 1. c3c4 *\n",
		},
		{
			"a variation", "1. h2e2 h9g7 (1... a9a8 2. a0a0 b9c7) 2. h0g2 *",
			"1. h2e2 h9g7 (1... a9a8 {dropped: a0a0 b9c7}) 2. h0g2 * !! line 1: game 1: move 2. a0a0: start and target are the same; possible: a0a1 a0a2 i0i1 i0i2; kept as a comment\n",
		},
		{
			"alternatives to it", "1. h2e2 h9g7 2. a0a0 $2 {bad} (2. h0g2 {good} b9c7) (2. b0c2) 2... i9h9 *",
			"1. h2e2 h9g7 {dropped: a0a0 $2 (bad) 2... i9h9} 2. h0g2 {good} (2. b0c2) 2... b9c7 * !! line 1: game 1: move 2. a0a0: start and target are the same; possible: a0a1 a0a2 i0i1 i0i2; kept as a comment\n",
		},
		{
			"an illegal alternative to it", "1. a0a0 (1. h2e2 a0a0 i9h9) (1. x) h9g7 *",
			"{dropped: x dropped: a0a0 h9g7} 1. h2e2 {dropped: a0a0 i9h9} * !! line 1: game 1: move 1. a0a0: start and target are the same; possible: a0a1 a0a2 i0i1 i0i2; kept as a comment (and 2 more)\n",
		},
		{
			"another one beside other damage", "1. h2e2 a0a0 (1... h9g7 {x",
			"1. h2e2 {dropped: a0a0} 1... h9g7 {x} * !! line 1: game 1: unclosed comment: missing } (and 2 more)\n",
		},
		{"a missing move", "1. C2=5 2. H2+3 3. P7+1 1-0", "1. h2e2 b9c7 2. c3c4 1-0 !! line 1: game 1: move 1... H2+3 has the number 2.: a move before it is missing, or the number is wrong; the number is ignored\n"},
		{
			"moves after a result", "1. h2e2 * 1... h9g7 *\n2. h0g2 1-0 2... i9h9 3. a0a0 0-1 3... x\n\n1. c3c4 *\n",
			"1. h2e2 h9g7 2. h0g2 i9h9 {dropped: a0a0} 0-1 !! line 1: game 1: move 1... h9g7 after the result *; the game continues (and 3 more)\n1. c3c4 *\n",
		},
		{
			"a variation without a beginning", "1. h2e2 h9g7 ) 2. h0g2 (2. b0c2) ) 2... i9h9 1-0\n",
			"1. h2e2 h9g7 2. h0g2 (2. b0c2) 2... i9h9 1-0 !! line 1: game 1: unexpected ): missing (; ignored (and 1 more)\n",
		},
		{"two results", "[Result \"1-0\"]\n1. h2e2 0-1\n", "1. h2e2 1-0 !! line 1: game 1: result 1-0 in the tag, but 0-1 after the moves; that of the tag is kept\n"},
		{
			"JSON", `{"fen":"","result":"1-0","moves":["h2e2","a0a0","h0g2"],"notes":[{"ply":1,"text":"x"},{"ply":3,"text":"y"}],"variations":[{"ply":2,"moves":["h9g7"]},{"ply":3,"moves":["b0c2"],"notes":[{"ply":3,"text":"z"}]}]}` + "\n",
			"1. h2e2 {x dropped: a0a0 h0g2 (y) (b0c2 (z))} 1... h9g7 1-0 !! line 1: game 1: ply 2: a0a0: the piece on A0 is red, black is to move; kept as a comment\n",
		},
		{
			"digits", "774700007062\n",
			"1. h2e2 {dropped: A9-A9 H9-G7} * !! line 1: move 2: A9-A9: start and target are the same; kept as a comment\n",
		},
		{
			"DhtmlXQ", "[DhtmlXQ]\n[DhtmlXQ_movelist]774700007062[/DhtmlXQ_movelist]\n[DhtmlXQ_comment2]x[/DhtmlXQ_comment2]\n[DhtmlXQ_move_0_2_1]7062[/DhtmlXQ_move_0_2_1]\n[DhtmlXQ_move_0_3_2]7967[/DhtmlXQ_move_0_3_2]\n[DhtmlXQ_comment2_3]y[/DhtmlXQ_comment2_3]\n[/DhtmlXQ]\n",
			"1. h2e2 {dropped: A9-A9 (x) H9-G7 dropped: move 3: H0-G2 (y)} 1... h9g7 * !! line 2: move 2: A9-A9: start and target are the same; kept as a comment (and 1 more)\n",
		},
		{
			"MXQ", string(mxq("x", "7C-4C", "0A-0B", "7J-6H")),
			"Site=聚义堂 Date=2003.05.21 RedElo=1700 BlackElo=1650 Title=x OriginalDate=2003年5月21日 1. h2e2 {dropped: A0-A1 H9-G7 黑方认负} * !! byte 0x42: move 1... A0-A1: the piece on A0 is red, black is to move; kept as a comment\n",
		},
		{
			"CBF", `<?xml version="1.0"?><ChineseChessRecord><Head></Head><MoveList><Move value="00-00"/><Move value="77-47"/><Move value="00-00">x</Move><Move value="99-47"/><Move value="70-62">y</Move></MoveList></ChineseChessRecord>`,
			"1. h2e2 {x dropped: ? H9-G7 (y)} * !! line 1: move 2: a point outside the board; kept as a comment\n",
		},
	})
}

// TestLenientTree: in XQF and CBR, too, alternatives to an illegal move replace it, and its replies are
// kept.
func TestLenientTree(t *testing.T) {
	g := record.NewGame(xiangqi.Start())
	add := func(n *record.Node, move, comment string) *record.Node {
		m, err := xiangqi.ParseMove(move)
		if err != nil {
			t.Fatal(err)
		}
		n = n.Append(engine.Move(m))
		n.Comment = comment
		return n
	}
	first := add(g.Root, "h2e2", "x")
	bad := add(first, "a0a0", "")
	reply := add(bad, "h0g2", "y")
	add(reply, "i9h9", "")
	add(reply, "b9c7", "z")
	add(bad, "b0c2", "")
	add(first, "h9g7", "good")
	const want = "1. h2e2 {x dropped: A0-A0 H0-G2 (y) I9-H9; move 4: B9-C7 (z); move 3: B0-C2} 1... h9g7 {good} * !! byte %s: move 2: A0-A0: the piece on A0 is red, black is to move; kept as a comment\n"
	for name, file := range map[string][2]string{
		"xqf": {string(encodeXQF(t, g, 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})), "0x40d"},
		"cbr": {string(encodeCBR(g, 2)), "0x8b4"},
	} {
		if diff := cmp.Diff(fmt.Sprintf(want, file[1]), outlineBy(t, Library.Lenient(), []byte(file[0]))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// damages are moves of a game in each form, and an illegal move in their place.
var damages = map[string]struct {
	move    *regexp.Regexp
	illegal string
}{
	"pgn":     {regexp.MustCompile(`\b[a-i][0-9][a-i][0-9]\b`), "e9e0"},
	"json":    {regexp.MustCompile(`\b[a-i][0-9][a-i][0-9]\b`), "e9e0"},
	"dhtmlxq": {regexp.MustCompile(`\b[0-8][0-9][0-8][0-9]\b`), "4049"},
}

// TestLenientKeepsAll: if any move of a game is damaged, every comment of the game is there; a game that
// is not damaged is read as usual.
func TestLenientKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGame(t)
		count := 0
		g.Walk(func(n *record.Node) bool {
			n.StartingComment, n.Comment, n.Glyphs = "", fmt.Sprintf("note%dx", count), nil
			count++
			return true
		})
		form := rapid.SampledFrom([]string{"pgn", "json", "dhtmlxq"}).Draw(t, "form")
		text := string(write(t, []*record.Game{g}, form, notation.UCI))
		games, errs := readBy(Library.Lenient(), text)
		strict, _ := readBy(Library, text)
		if errs != nil || dump(t, games) != dump(t, strict) {
			t.Fatalf("%s is read as %s %v", text, dump(t, games), errs)
		}
		d := damages[form]
		words := d.move.FindAllStringIndex(text, -1)
		if len(words) == 0 {
			return
		}
		w := rapid.SampledFrom(words).Draw(t, "word")
		damaged := text[:w[0]] + d.illegal + text[w[1]:]
		games, _ = readBy(Library.Lenient(), damaged)
		all := dump(t, games)
		for i := range count {
			if note := fmt.Sprintf("note%dx", i); !strings.Contains(all, note) {
				t.Fatalf("%s is read without %s: %s", damaged, note, all)
			}
		}
	})
}

// readBy returns the games of a text, and its errors.
func readBy(lib *record.Library, text string) (games []*record.Game, errs []error) {
	for g, err := range lib.Read(strings.NewReader(text), "") {
		if g != nil {
			games = append(games, g)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return games, errs
}
