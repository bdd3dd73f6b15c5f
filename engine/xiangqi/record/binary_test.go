package record

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A leaf is a node in the order of the binary forms.
type leaf struct {
	*record.Node
	follows, instead bool
}

// leaves returns the nodes behind one: the main line of each before its alternatives.
func leaves(n *record.Node) (all []leaf) {
	for i, next := range n.Next {
		all = append(all, leaf{next, len(next.Next) > 0, i < len(n.Next)-1})
		all = append(all, leaves(next)...)
	}
	return all
}

// encodeXQF returns a game as XQStudio writes it in any version, to see that it is read. The order is that
// of the file's tree, in which alternatives come behind the whole line.
func encodeXQF(t failer, g *record.Game, version byte, keys [13]byte) []byte {
	t.Helper()
	head := make([]byte, xqfHeader)
	copy(head, "XQ")
	head[2] = version
	var key xqfKey
	if version > xqfLastPlain {
		copy(head[3:], keys[:])
		key = newXQFKey(head)
	}
	pieces := []byte(strings.Repeat("\xff", 32))
	grid := gridOf(startPos(g))
	for sq, piece := range grid {
		for slot := range pieces {
			if piece != xiangqi.Empty && binitPieces[slot] == piece.Letter() && pieces[slot] == 0xff {
				pieces[slot] = byte(sq%9*10 + sq/9)
				break
			}
		}
	}
	for i := range pieces {
		slot := i
		if version > xqfLastUnrotated {
			slot = (i + 1 + int(key.pieces)) % 32
		}
		head[xqfPieces+i] = pieces[slot] + key.pieces
	}
	if startPos(g).Side() == xiangqi.Black {
		head[xqfTurn] = 1
	}
	head[xqfType] = 3
	head[xqfResult] = []byte{0, 1, 2, 3}[g.Result]
	for _, text := range xqfTexts {
		raw := gb18030(g.Tags.Get(text.name))
		head[text.at] = byte(len(raw))
		copy(head[text.at+1:][:text.size], raw)
	}
	var body []byte
	add := func(from, to byte, n *record.Node, follows, instead bool) {
		comment := gb18030(n.Comment)
		flags := byte(0)
		switch {
		case version <= xqfLastPlain:
			if follows {
				flags |= 0xf0
			}
			if instead {
				flags |= 0x0f
			}
		default:
			for bit, set := range map[byte]bool{0x80: follows, 0x40: instead, 0x20: len(comment) > 0} {
				if set {
					flags |= bit
				}
			}
		}
		body = append(body, from+xqfFromAdd+key.from, to+xqfToAdd+key.to, flags, 0xff)
		if version <= xqfLastPlain || len(comment) > 0 {
			body = binary.LittleEndian.AppendUint32(body, uint32(len(comment))+key.length)
			body = append(body, comment...)
		}
	}
	add(0, 0, g.Root, len(g.Root.Next) > 0, false)
	point := func(sq xiangqi.Square) byte { return byte(sq%9*10 + sq/9) }
	for _, l := range leaves(g.Root) {
		add(point(xiangqi.Move(l.Move).From()), point(xiangqi.Move(l.Move).To()), l.Node, l.follows, l.instead)
	}
	for i := range body {
		body[i] += key.stream[i%32]
	}
	return append(head, body...)
}

// short makes a game one that the binary forms can hold.
func short(g *record.Game) *record.Game {
	flatten(g.Root)
	for i := range g.Tags {
		g.Tags[i].Value = "胡荣华 a"
	}
	g.Tags.Set("ECCO", "")
	return g
}

// TestXQF: games with random keys of every version are read again.
func TestXQF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := short(randomGame(t))
		g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
		version := rapid.SampledFrom([]byte{0x0a, 0x0b, 0x0c, 0x10, 0x12}).Draw(t, "version")
		var keys [13]byte
		copy(keys[:], rapid.SliceOfN(rapid.Byte(), 13, 13).Draw(t, "keys"))
		again, errs := readText(encodeXQF(t, g, version, keys))
		if errs != nil || len(again) != 1 {
			t.Fatalf("%d games, %v", len(again), errs)
		}
		if diff := cmp.Diff(dump(t, []*record.Game{g}), dump(t, again)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// TestXQFByItsAuthor is the example of the description of version 1.0: a game's first eight
// moves, byte for byte.
func TestXQFByItsAuthor(t *testing.T) {
	const moves = `1820f0ff00000000 2f38f00000000000 6763f00000000000 5760f00000000000 293bf00000000000 2c4af00000000000
		2b27f00000000000 2236f00000000000 2133f00000000000 182af00000000000 2b2ff00000000000 2422f00000000000
		276bf00000000000 606df00000000000 336df00000000000 5e5ef00000000000 716f000000000000`
	body, err := hex.DecodeString(strings.Join(strings.Fields(moves), ""))
	if err != nil {
		t.Fatal(err)
	}
	raw := append(encodeXQF(t, record.NewGame(xiangqi.Start()), xqfLastPlain, [13]byte{})[:xqfHeader], body...)
	raw[xqfResult] = 2
	const want = "1. c3c4 h9g7 2. g3g4 b7c7 3. c0e2 b9a7 4. b0c2 a9b9 5. a0b0 b9b5 6. b2a2 b5h5 7. h2h7 c7h7 8. h0g2 i9h9 0-1\n"
	if diff := cmp.Diff(want, outline(t, raw)); len(raw) != 0x488 || diff != "" {
		t.Errorf("%d bytes (-want +got):\n%s", len(raw), diff)
	}
}

func TestDamagedXQF(t *testing.T) {
	g, _ := readText([]byte(variations))
	whole := encodeXQF(t, g[0], 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	for _, c := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"header", whole[:100], " !! byte 0x64: unexpected end of file within the header of XQF\n"},
		{"moves", whole[:len(whole)-2], "!! byte 0x457: unexpected end of file within the game\n"},
	} {
		if got := outline(t, c.raw); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// encodeCBR returns a game as CCBridge writes it in any version.
func encodeCBR(g *record.Game, version byte) []byte {
	l := cbrLayouts[version]
	raw := make([]byte, l.moves)
	copy(raw, cbrMagic)
	raw[cbrVersion] = version
	for _, text := range l.texts {
		copy(raw[text.at:][:text.size], utf16Bytes(g.Tags.Get(text.name)))
	}
	raw[l.result] = byte([]int{0, 1, 2, 3}[g.Result])
	raw[l.turn] = 1 + byte(startPos(g).Side())
	grid := gridOf(startPos(g))
	for sq, piece := range grid {
		if letter := piece.Letter(); piece != xiangqi.Empty {
			kind := 1 + strings.IndexByte("RNBAKCP", letter&^0x20)
			raw[l.board+(9-sq/9)*9+sq%9] = byte(kind) + 0x10 + (letter&0x20)/2
		}
	}
	add := func(from, to byte, n *record.Node, follows, instead bool) {
		flags := byte(0)
		for bit, set := range map[byte]bool{1: !follows, 2: instead, 4: n.Comment != ""} {
			if set {
				flags |= bit
			}
		}
		raw = append(raw, flags, 0, from, to)
		if n.Comment != "" {
			text := utf16Bytes(n.Comment)
			raw = binary.LittleEndian.AppendUint32(raw, uint32(len(text)))
			raw = append(raw, text...)
		}
	}
	add(0, 0, g.Root, len(g.Root.Next) > 0, false)
	point := func(sq xiangqi.Square) byte {
		if version == 1 {
			return byte(sq%9)<<4 | byte(9-sq/9)
		}
		return byte(9-sq/9)*9 + byte(sq%9)
	}
	for _, leaf := range leaves(g.Root) {
		add(point(xiangqi.Move(leaf.Move).From()), point(xiangqi.Move(leaf.Move).To()), leaf.Node, leaf.follows, leaf.instead)
	}
	return raw
}

func TestCBR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := short(randomGame(t))
		g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
		version := rapid.SampledFrom([]byte{1, 2}).Draw(t, "version")
		again, errs := readText(encodeCBR(g, version))
		if errs != nil || len(again) != 1 {
			t.Fatalf("%d games, %v", len(again), errs)
		}
		if diff := cmp.Diff(dump(t, []*record.Game{g}), dump(t, again)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

const cbf = `<?xml version="1.0" encoding="UTF-8"?>
<ChineseChessRecord Version="1.0"><Head><Name>第一局</Name><Red>胡荣华</Red><URL /><RecordResult>1</RecordResult>
<FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN></Head>
<MoveList>
<Move value="00-00"><![CDATA[ 开始 ]]></Move>
<Move value="77-47" />
<Move value="72-42">好&lt;</Move>
<Move value="79-67" end="1"/>
</MoveList></ChineseChessRecord>`

func TestCBF(t *testing.T) {
	const all = "Title=第一局 Red=胡荣华 {开始} 1. h2e2 h7e7 {好<} 2. h0g2 1-0"
	checkOutlines(t, library, []outlineCase{
		{"whole", cbf, all + "\n"},
		{"cut", cbf[:strings.Index(cbf, "</MoveList>")], all + " !! line 9: XML syntax error on line 9: unexpected EOF\n"},
		{"illegal", strings.Replace(cbf, "79-67", "79-66", 1), "Title=第一局 Red=胡荣华 {开始} 1. h2e2 h7e7 {好<} 1-0 !! line 8: move 3: H0-G3: illegal horse move\n"},
		{"malformed", strings.Replace(cbf, "79-67", "7967", 1), "Title=第一局 Red=胡荣华 {开始} 1. h2e2 h7e7 {好<} 1-0 !! line 8: move 3: invalid move \"7967\": use the form 77-47\n"},
		{"variation", strings.Replace(cbf, `"79-67"`, `"79-67" var="1"`, 1), "Title=第一局 Red=胡荣华 {开始} 1. h2e2 h7e7 {好<} 1-0 !! line 8: move 3: unknown attribute var=\"1\": possibly a variation\n"},
		{"FEN", strings.Replace(cbf, "rnbak", "xnbak", 1), " !! line 5: no game: start position: rank 9, file A: unknown letter \"x\"\n"},
	})
}

// TestTextsOfXQF: all texts of a header have one encoding. 錢洪發 alone looks like Big5.
func TestTextsOfXQF(t *testing.T) {
	g := record.NewGame(xiangqi.Start())
	g.Tags.Set("Red", "王嘉良")
	g.Tags.Set("Black", "錢洪發")
	games, errs := readText(encodeXQF(t, g, xqfLastPlain, [13]byte{}))
	if errs != nil || games[0].Tags.Get("Red") != "王嘉良" || games[0].Tags.Get("Black") != "錢洪發" {
		t.Errorf("%v, %v", games[0].Tags, errs)
	}
}

// TestIdeographicSpace: CBR keeps it.
func TestIdeographicSpace(t *testing.T) {
	g := record.NewGame(xiangqi.Start())
	g.Tags.Set("Red", "王\u3000琳娜")
	if games, errs := readText(encodeCBR(g, 2)); errs != nil || games[0].Tags.Get("Red") != "王\u3000琳娜" {
		t.Errorf("%v, %v", games, errs)
	}
}

func TestReadDhtmlXQ(t *testing.T) {
	script := func(tags, value string) string {
		return "<html>\n[DhtmlXQ]" + tags + "[/DhtmlXQ]\n<script>var DhtmlXQ_movelist = " + value + ";</script></html>"
	}
	page := "<html><div>[DhtmlXQ]\n[DhtmlXQ_title]a &amp; b[/DhtmlXQ_title][DhtmlXQ_result]红胜[/DhtmlXQ_result][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]" +
		"[DhtmlXQ_move_1_3_2]1927[/DhtmlXQ_move_1_3_2][DhtmlXQ_move_0_2_1]10227967[/DhtmlXQ_move_0_2_1]" +
		"[DhtmlXQ_comment0]x||y[/DhtmlXQ_comment0][DhtmlXQ_comment1_2]z[/DhtmlXQ_comment1_2][/DhtmlXQ]</div></html>"
	checkOutlines(t, library, []outlineCase{
		{"page", page, "Title=a & b {x y} 1. h2e2 h9g7 (1... b9c7 {z} 2. h0g2 (2. b0c2)) 1-0\n"},
		{"no wrapping", "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]", "1. h2e2 h9g7 *\n"},
		{"Black first", "[DhtmlXQ_binit]9999999949999999999999999999999999999930999999999999999999999999[/DhtmlXQ_binit][DhtmlXQ_movelist][/DhtmlXQ_movelist]", " !! line 1: start position: no black king\n"},
		{"illegal", strings.Replace(page, "77477062", "77477063", 1), "Title=a & b {x y} 1. h2e2 b9c7 {z} 2. h0g2 (2. b0c2) 1-0 !! line 2: move 2: H9-G6: illegal horse move\n"},
		{"no such line", strings.Replace(page, "move_1_3_2", "move_7_3_2", 2), "Title=a & b {x y} 1. h2e2 h9g7 (1... b9c7 {z} 2. h0g2) 1-0 !! line 2: variation 2 of line 7, which does not exist\n"},
		{"a script with segments", script("", "'[0_1_0]774770627967[/0_1_0][0_2_1]1022[/0_2_1]'"), "1. h2e2 h9g7 (1... b9c7) 2. h0g2 *\n"},
		{"a script with a tag", script("[DhtmlXQ_movelist][/DhtmlXQ_movelist]", "'[DhtmlXQ_movelist]77477062[\\/DhtmlXQ_movelist]'"), "1. h2e2 h9g7 *\n"},
		{"a script with digits in parts", script("", "\"7747\" +\n '7062'; DhtmlXQ_movelist += '7967'"), "1. h2e2 h9g7 2. h0g2 *\n"},
		{"a script with another start", script("[DhtmlXQ_binit][/DhtmlXQ_binit]", "'[0_1_0]5949[/0_1_0]', DhtmlXQ_fen = '3k5/9/9/9/9/9/9/9/9/5K3 w'"), "1. f0e0 *\n"},
		{"a script in doubt", script("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "'7062'"), "1. h2e2 *\n"},
		{"a damaged script", script("", "'[0_1_0]7747[/0_1_0][0_9_1]7062[/0_9_1]'"), "1. h2e2 * !! line 3: variation 1 of line 0 at move 9, which does not exist\n"},
		{"only a script", "<script>\nvar DhtmlXQ_movelist='7747'</script>", "1. h2e2 *\n"},
		{"a script before the game", "<script>var DhtmlXQ_movelist='7747'</script>[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red][/DhtmlXQ]", "Red=a 1. h2e2 *\n"},
		{"a page without moves", script("[DhtmlXQ_red]a[/DhtmlXQ_red]", "moves()"), "Red=a * !! line 2: the page names DhtmlXQ, but no moves were found in it\n"},
		{"neither moves nor a position", "[DhtmlXQ][DhtmlXQ_result]红胜[/DhtmlXQ_result][/DhtmlXQ]", "1-0 !! line 1: neither moves nor a position\n"},
		{"odd digits", "[DhtmlXQ_movelist]774[/DhtmlXQ_movelist]", "* !! line 1: move 1: missing digits: a move has four\n"},
		{"the bad pair's line", strings.Replace(page, "77477062[", "\n77477062[", 1) + "\n[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red]\n[DhtmlXQ_movelist]7747x[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_1_1]7749[/DhtmlXQ_move_0_1_1][/DhtmlXQ]", "" +
			"Title=a & b {x y} 1. h2e2 h9g7 (1... b9c7 {z} 2. h0g2 (2. b0c2)) 1-0\n" +
			"Red=a 1. h2e2 * !! line 6: game 2: move 2: missing digits: a move has four (and 1 more)\n"},
		{"cut", page[:strings.Index(page, "10227967")+6], "Title=a & b 1. h2e2 h9g7 (1... b9c7 2. b0c2) 1-0 !! line 2: unclosed tag [DhtmlXQ_move_0_2_1] (and 1 more)\n"},
		{"cut between pairs", page[:strings.Index(page, "[DhtmlXQ_move_1")] + "\n", "Title=a & b 1. h2e2 h9g7 1-0 !! line 2: unexpected end of file within the game\n"},
		{"cut in a name", "[DhtmlXQ_movel", "* !! line 1: unexpected end of file within the game\n"},
		{"a pair without an end", "[DhtmlXQ_red]a\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "Red=a 1. h2e2 * !! line 1: unclosed tag [DhtmlXQ_red]\n"},
		{"a damaged name", "[DhtmlXQ_red]a[/DhtmlXQ_red]\n[DhtmlXQ_movlist]7747[/DhtmlXQ_movelist]", "Red=a movlist=7747 * !! line 2: [/DhtmlXQ_movelist] after [DhtmlXQ_movlist]: a tag is damaged\n"},
		{"a damaged bracket", "[DhtmlXQ_red]a[/DhtmlXQ_red]\nDhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "Red=a * !! line 1: [/DhtmlXQ_movelist] after [DhtmlXQ_red]: a tag is damaged\n"},
		{"tags behind the end", "[DhtmlXQ]\n[DhtmlXQ_red]a[/DhtmlXQ_red]\n[/DhtmlXQ]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "Red=a * !! line 3: tags behind [/DhtmlXQ] are ignored\n"},
		{"two lists of moves", "[DhtmlXQ_movelist]1747[/DhtmlXQ_movelist]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "1. h2e2 * !! line 2: another tag [DhtmlXQ_movelist], which differs\n"},
		{"leaves itself", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_move_1_1_1]7747[/DhtmlXQ_move_1_1_1]", "1. h2e2 * !! line 2: variation 1 of line 1, which does not exist\n"},
		{"short binit", "[DhtmlXQ_binit]77[/DhtmlXQ_binit][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", " !! line 1: binit has 2 digits instead of 64\n"},
	})
}

// TestManyVariations: their order in the file does not matter, and however many there are,
// and however long the lines that they leave, there is an end.
func TestManyVariations(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const most = 20_000
	var text strings.Builder
	text.WriteString("[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]")
	for id := most; id > 0; id-- {
		fmt.Fprintf(&text, "[DhtmlXQ_move_%d_1_%d]7747[/DhtmlXQ_move_%d_1_%d]", id-1, id, id-1, id)
	}
	games, errs := readText([]byte(text.String() + "[/DhtmlXQ]"))
	if errs != nil || len(games) != 1 || len(games[0].Root.Next) != 1+most {
		t.Errorf("%d games, %v", len(games), errs)
	}
	text.Reset()
	const plies = 8000
	text.WriteString("[DhtmlXQ][DhtmlXQ_movelist]" + strings.Repeat("0908000108090100", plies/4) + "[/DhtmlXQ_movelist]")
	for id := range maxReplayed/plies + 1 {
		fmt.Fprintf(&text, "[DhtmlXQ_move_0_%d_%d]0908[/DhtmlXQ_move_0_%d_%d]", plies+1, id+1, plies+1, id+1)
	}
	_, errs = readText([]byte(text.String() + "[/DhtmlXQ]"))
	const want = "line 1: variation 625 is ignored: more than 5000000 moves would be replayed for the variations (and 1 more)"
	if len(errs) != 1 || errs[0].Error() != want {
		t.Errorf("the errors are %v, want %s", errs, want)
	}
}

// TestManyTags: a game keeps so many, and tells of the others.
func TestManyTags(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var pgn, dhtml, line strings.Builder
	dhtml.WriteString("[DhtmlXQ]")
	line.WriteString(`{"moves":[],"tags":{`)
	for i := range 50_000 {
		fmt.Fprintf(&pgn, "[T%d \"x\"]\n", i)
		fmt.Fprintf(&dhtml, "[DhtmlXQ_T%d]x[/DhtmlXQ_T%d]\n", i, i)
		fmt.Fprintf(&line, `"T%d":"x",`, i)
	}
	const told = "more than 500 tags: the rest is ignored"
	for _, c := range [][2]string{
		{pgn.String() + "\n1. h2e2 *\n", "line 501: game 1: " + told},
		{dhtml.String() + "[/DhtmlXQ]", "line 501: " + told + " (and 49499 more)"},
		{line.String() + `"a":"b"}}`, "line 1: game 1: " + told},
	} {
		games, errs := readText([]byte(c[0]))
		if len(games) != 1 || len(games[0].Tags) != record.MaxTags || len(errs) != 1 || errs[0].Error() != c[1] {
			t.Errorf("%.20s: %d games, %v, want %s", c[0], len(games), errs, c[1])
		}
	}
}

func TestReadJSON(t *testing.T) {
	checkOutlines(t, library, []outlineCase{
		{"moves alone", `{"moves":["h2e2","马8进7"]}`, "1. h2e2 h9g7 *\n"},
		{"damaged", "{\"moves\":[\"h2e2\",\"h2e2\"],\"notes\":[{\"ply\":9}]}\n\n{\"moves\":[]\n{\"fen\":\"x\"}\n{\"a\":1}\n{\"moves\":[\"c3c4\"]}", "" +
			"1. h2e2 * !! line 1: game 1: ply 2: h2e2: no piece on H2 (and 1 more)\n" +
			" !! line 3: game 2: unexpected end of JSON input\n" +
			" !! line 4: game 3: start position: 1 rank instead of 10\n" +
			" !! line 5: game 4: not a game: neither fen nor moves\n" +
			"1. c3c4 *\n"},
		{"another type", `{"moves":["h2e2",{}]}`, " !! line 1: game 1: the key moves is a JSON object: want a text\n"},
		{"other tags", `{"tags":{"Red":1},"moves":[]}`, " !! line 1: game 1: the key tags is a JSON number: want a text\n"},
		{"no such place", `{"moves":["h2e2"],"variations":[{"ply":2,"moves":["h9g7"]}]}`, "1. h2e2 * !! line 1: game 1: variation of ply 2, which does not exist\n"},
	})
}

// aMatch is two games of a match: one that a fault has ended, and one that was adjudicated.
const aMatch = `{"match":1,"game":"xiangqi","players":[]}
{"game":1,"round":1,"pair":1,"opening":2,"first":"a","second":"b","result":"0-1","reason":"crash","fault":{"player":"a","error":"a: AI: died"},"start":"` + xiangqi.StartFEN + `","book":1,"moves":[{"move":"H2-E2","by":"first"},{"move":"H9-G7","by":"second","cp":-35,"depth":8,"nodes":5,"seconds":0.1}],"date":"2026-11-21","seconds":1}
{"game":2,"round":2,"pair":1,"first":"b","second":"a","result":"1/2-1/2","reason":"move limit","start":"3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1","moves":[{"move":"I0-I9","by":"first","mate":3,"seconds":0.25}],"date":"2026-11-22","seconds":1}
`

// TestReadMatch: games of a match are those of its PGN.
func TestReadMatch(t *testing.T) {
	const want = `[Game "Chinese Chess"]
[Event "?"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[Red "a"]
[Black "b"]
[Result "0-1"]
[GameNumber "1"]
[Termination "crash"]
[Format "ICCS"]

1. H2-E2 {book} 1... H9-G7 {-0.35/8 0.10s
a: crash: a: AI: died} 0-1

[Game "Chinese Chess"]
[Event "?"]
[Site "?"]
[Date "2026.11.22"]
[Round "2"]
[Red "b"]
[Black "a"]
[Result "1/2-1/2"]
[GameNumber "2"]
[SetUp "1"]
[FEN "3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1"]
[Format "ICCS"]

1. I0-I9 {+M3 0.25s
move limit} 1/2-1/2
`
	games, errs := readText([]byte(aMatch))
	if errs != nil {
		t.Fatal(errs)
	}
	if diff := cmp.Diff(want, string(write(t, games, "pgn", notation.ICCS))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	checkOutlines(t, library, []outlineCase{
		{"another game", `{"match":1,"game":"stones"}`, " !! line 1: a match of \"stones\", not Xiangqi\n"},
		{"illegal", strings.ReplaceAll(aMatch, "H9-G7", "H9-G6"), "" +
			"Date=2026.11.21 Round=1 Red=a Black=b GameNumber=1 Termination=crash 1. h2e2 {book} 0-1 !! line 2: game 1: ply 2: H9-G6: illegal horse move; possible: B9-A7 B9-C7 H9-G7 H9-I7\n" +
			"Date=2026.11.22 Round=2 Red=b Black=a GameNumber=2 1. i0i9 {+M3 0.25s move limit} 1/2-1/2\n"},
		{"a start that is no text", `{"game":1,"first":"a","start":7}`, " !! line 1: game 1: the key start is a JSON number: want a text\n"},
	})
}

// FuzzRead: whatever a file holds, there is an end, and what has been read is legal and is
// the same after it was written. A seed for each form.
func FuzzRead(f *testing.F) {
	games, _ := readText([]byte(variations))
	g := games[0]
	for _, form := range Library.Formats() {
		if form.CanWrite() {
			f.Add(write(f, games, form.Name, 0))
		}
	}
	f.Add([]byte(variations))
	f.Add([]byte(cbf))
	f.Add([]byte(list))
	f.Add([]byte(columns))
	f.Add([]byte(drawn))
	f.Add(mxq("甲-胜-乙", "7C-4C", "7J-6H"))
	f.Add([]byte("FORMAT WXF\nRED\ta;b\nSTART{\n1. C2.5 H8+7 !!2. H2+3\n}END\n"))
	f.Add([]byte("774770627967"))
	f.Add([]byte(aMatch))
	f.Add(gb18030("[Red \"胡荣华\"]\n1. 炮二平五 马８进７ *"))
	short(g)
	f.Add(encodeXQF(f, g, 0x0a, [13]byte{}))
	f.Add(encodeXQF(f, g, 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}))
	f.Add(encodeCBR(g, 1))
	f.Add(encodeCBR(g, 2))
	f.Fuzz(func(t *testing.T, text []byte) { checkRead(t, text) })
}

func checkRead(t *testing.T, text []byte) {
	games, errs := readText(text)
	for _, err := range errs {
		if strings.ContainsAny(err.Error(), "\x1b\r\n") {
			t.Fatalf("%q disturbs a terminal", err)
		}
	}
	if len(games) == 0 {
		return
	}
	all := 0
	for _, g := range games {
		all += nodes(t, g)
	}
	if all > 2000 {
		return
	}
	for _, form := range []string{"pgn", "json", "dhtmlxq"} {
		once, errs := readText(write(t, games, form, 0))
		if errs != nil {
			t.Fatalf("%s: %v", form, errs)
		}
		twice, errs := readText(write(t, once, form, 0))
		if errs != nil || !bytes.Equal([]byte(dump(t, once)), []byte(dump(t, twice))) {
			t.Fatalf("%s: %v\n%s\n%s", form, errs, dump(t, once), dump(t, twice))
		}
		for i, g := range games {
			if len(once) != len(games) || uci(once[i]) != uci(g) {
				t.Fatalf("%s: %d games of %d, or other moves", form, len(once), len(games))
			}
		}
	}
}
