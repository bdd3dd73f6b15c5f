package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// TestRoundTrip: what is written is read again as the same games.
func TestRoundTrip(t *testing.T) {
	enginetest.SkipUnderRace(t)
	styles := []notation.Style{notation.ICCS, notation.UCI, notation.WXF, notation.Chinese, notation.Traditional, notation.SAN}
	rapid.Check(t, func(t *rapid.T) {
		games := []*record.Game{randomGame(t), randomGame(t), randomGame(t)}
		for _, style := range styles {
			sameAgain(t, games, "pgn", style)
		}
		sameAgain(t, games, "json", rapid.SampledFrom(styles).Draw(t, "style"))
	})
}

func sameAgain(t *rapid.T, games []*record.Game, form string, style notation.Style) {
	t.Helper()
	text := write(t, games, form, style)
	again, errs := readText(text)
	if errs != nil {
		t.Fatalf("%s, %v: %v\n%s", form, style, errs, text)
	}
	if diff := cmp.Diff(dump(t, games), dump(t, again)); diff != "" {
		t.Fatalf("%s, %v (-want +got):\n%s\n%s", form, style, diff, text)
	}
}

// TestRoundTripDhtmlXQ: glyphs and what stands before a move go into the comment; what has
// become of that stays.
func TestRoundTripDhtmlXQ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := []*record.Game{randomGame(t), randomGame(t)}
		for _, g := range games {
			flatten(g.Root)
		}
		sameAgain(t, games, "dhtmlxq", notation.ICCS)
		sameAgain(t, games, "html", notation.ICCS)
	})
}

// TestLosesNotes: what becomes of notes in formats that cannot hold them is told once.
func TestLosesNotes(t *testing.T) {
	games, errs := readText([]byte("1. h2e2 (1. c3c4! {x}) 1... h9g7 ?! {a || b} 2. h0g2 $10 *"))
	if errs != nil {
		t.Fatal(errs)
	}
	const glyphs = "glyphs (written as comments)"
	for form, want := range map[string][]string{
		"xqf": {glyphs}, "cbr": {glyphs}, "cbl": {glyphs}, "json": nil, "moves": nil,
		"dhtmlxq": {"|| in comments (read as a new line)", glyphs}, "pgn": nil,
	} {
		if _, lost := writeLosing(t, games[0], form); !slices.Equal(lost, want) {
			t.Errorf("%s: %q, want %q", form, lost, want)
		}
	}
	games[0].Root.Comment = "{z"
	want := []string{"braces in comments (written as parentheses)"}
	if _, lost := writeLosing(t, games[0], "pgn"); !slices.Equal(lost, want) {
		t.Errorf("pgn: %q, want %q", lost, want)
	}
}

// TestDhtmlXQWithin: a value that looks like the form, in whichever case, does not end itself.
func TestDhtmlXQWithin(t *testing.T) {
	g := record.NewGame(xiangqi.Start())
	g.Tags.Add("Event", "a[dhtmlXQ_b]c[/dhtmlxq_event]d")
	g.Tags.Add("Red", "\u029f\ufffd*N8H\ufffd") // in GB18030 its last byte takes the bracket
	g.Root.Comment = "[/DhtmlXQ]"
	again, errs := readText(write(t, []*record.Game{g}, "dhtmlxq", notation.ICCS))
	if errs != nil || len(again) != 1 {
		t.Fatalf("%d games, %v", len(again), errs)
	}
	if got := again[0].Tags.Get("Event"); got != "a(dhtmlXQ_b]c(/dhtmlxq_event]d" {
		t.Fatal(got)
	}
}

// TestWritePage: the values of a page are escaped, and it is read as the UTF-8 that it declares. The
// name of a tag cannot be one of the format.
func TestWritePage(t *testing.T) {
	g := record.NewGame(xiangqi.Start())
	g.Tags = record.Tags{{Name: "Red", Value: "שלום <b>&lt;[DhtmlXQ]"}, {Name: "Comment0", Value: "a"}, {Name: "binit", Value: "b"}, {Name: "Hits", Value: "c"}}
	text, lost := writeLosing(t, g, "html")
	const want = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n" +
		"<title>DhtmlXQ</title>\n<pre>\n[DhtmlXQ]\n" + dhtmlHead + "[DhtmlXQ_red]שלום &lt;b&gt;&amp;lt;&#91;DhtmlXQ][/DhtmlXQ_red]\n" +
		"[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n[/DhtmlXQ]\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := []string{"the tag Comment0", "the tag binit", "the tag Hits"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
	for _, text := range append(enginetest.HostileTexts, g.Tags.Get("Red")) {
		g.Tags = record.Tags{{Name: "Red", Value: record.CleanLine(text)}}
		g.Root.Comment = record.CleanText(text)
		again, errs := readText(write(t, []*record.Game{g, g}, "html", notation.ICCS))
		if errs != nil || len(again) != 2 {
			t.Fatalf("%d games, %v", len(again), errs)
		}
		wantTag, wantComment := printable.Line(g.Tags[0].Value), strings.ReplaceAll(printable.Text(g.Root.Comment), " || ", " \n ")
		for _, g := range again {
			if tag, comment := g.Tags.Get("Red"), g.Root.Comment; tag != wantTag || comment != wantComment {
				t.Errorf("the tag %q and the comment %q, want %q and %q", tag, comment, wantTag, wantComment)
			}
		}
	}
}

// TestWriteHostile: PGN and DhtmlXQ, which people read as they are, have escaped what a terminal
// would obey, and are read so; JSON keeps it.
func TestWriteHostile(t *testing.T) {
	const hostile = "a\u009b2J\u202eb"
	for form, want := range map[string]string{"pgn": `a\u009b2J\u202eb`, "dhtmlxq": `a\u009b2J\u202eb`, "json": hostile} {
		g := record.NewGame(xiangqi.Start())
		g.Tags.Add("Event", hostile)
		g.Root.Comment = "first\n" + hostile
		once, errs := readText(write(t, []*record.Game{g}, form, notation.ICCS))
		if errs != nil || len(once) != 1 {
			t.Fatalf("%s: %d games, %v", form, len(once), errs)
		}
		if tag, comment := once[0].Tags.Get("Event"), once[0].Root.Comment; tag != want || comment != "first\n"+want {
			t.Errorf("%s: the tag %q and the comment %q, want %q", form, tag, comment, want)
		}
	}
	g := record.NewGame(xiangqi.Start())
	g.Tags.Set("Annotator", "\x1b[2J\xff") // an engine's name
	if text := string(write(t, []*record.Game{g}, "pgn", notation.ICCS)); !strings.Contains(text, `[Annotator "\\x1b[2J\\xff"]`) {
		t.Error(text)
	}
}

func flatten(n *record.Node) {
	n.Comment = record.CleanText(textOf(n))
	n.StartingComment, n.Glyphs = "", nil
	for _, next := range n.Next {
		flatten(next)
	}
}

// TestRoundTripMoves: the main line stays.
func TestRoundTripMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := []*record.Game{randomGame(t), randomGame(t)}
		text := write(t, games, "moves", notation.ICCS)
		again, errs := readText(text)
		if len(errs) > 0 || len(again) != len(games) {
			t.Fatalf("%d games, %v\n%s", len(again), errs, text)
		}
		for i, g := range games {
			if uci(again[i]) != uci(g) || startPos(again[i]).FEN() != startPos(g).FEN() {
				t.Fatalf("%s\n%s is not\n%s", text, uci(again[i]), uci(g))
			}
		}
	})
}

// variations is a game with everything.
const variations = `[Event "a \"cup\""]
[White "胡荣华"]
[Black "柳大华"]
[Round "?"]
[Result "1-0"]
[ECCO "C00"]

{about the game} 1. h2e2! {good
move} (1. c3c4 {the fairy} h9g7 (1... g6g5 2. h0g2) (1... b9c7 {two})) ({before} 1. g3g4 $14)
1... h9g7 $5 $10 2. h0g2 {} 1-0
`

func TestWritePGN(t *testing.T) {
	games, errs := readText([]byte(variations))
	if errs != nil {
		t.Fatal(errs)
	}
	const want = `[Game "Chinese Chess"]
[Event "a \"cup\""]
[Site "?"]
[Date "?"]
[Round "?"]
[Red "胡荣华"]
[Black "柳大华"]
[Result "1-0"]
[ECCO "C00"]

{about the game} 1. 炮二平五 $1 {good
move} (1. 兵七进一 {the fairy} 1... 马８进７ (1... 卒７进１ 2. 马二进三) (1... 马２进３
{two})) ({before} 1. 兵三进一 $14) 1... 马８进７ $5 $10 2. 马二进三 1-0
`
	if diff := cmp.Diff(want, string(write(t, games, "pgn", notation.Chinese))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWriteOthers(t *testing.T) {
	games, errs := readText([]byte(variations))
	if errs != nil {
		t.Fatal(errs)
	}
	const wantJSON = `{"tags":{"Event":"a \"cup\"","Red":"胡荣华","Black":"柳大华","ECCO":"C00"},"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","result":"1-0","moves":["H2-E2","H9-G7","H0-G2"],"notes":[{"ply":0,"text":"about the game"},{"ply":1,"text":"good\nmove","glyphs":[1]},{"ply":2,"glyphs":[5,10]}],"variations":[{"ply":1,"moves":["C3-C4","H9-G7"],"notes":[{"ply":1,"text":"the fairy"}],"variations":[{"ply":2,"moves":["G6-G5","H0-G2"]},{"ply":2,"moves":["B9-C7"],"notes":[{"ply":2,"text":"two"}]}]},{"ply":1,"moves":["G3-G4"],"notes":[{"ply":1,"before":"before","glyphs":[14]}]}]}
`
	if diff := cmp.Diff(wantJSON, string(write(t, games, "json", notation.ICCS))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const wantDhtml = `[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_init]500,350[/DhtmlXQ_init]
[DhtmlXQ_event]a "cup"[/DhtmlXQ_event]
[DhtmlXQ_red]胡荣华[/DhtmlXQ_red]
[DhtmlXQ_black]柳大华[/DhtmlXQ_black]
[DhtmlXQ_ECCO]C00[/DhtmlXQ_ECCO]
[DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_comment0]about the game[/DhtmlXQ_comment0]
[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]
[DhtmlXQ_comment1]!||good||move[/DhtmlXQ_comment1]
[DhtmlXQ_comment2]!? $10[/DhtmlXQ_comment2]
[DhtmlXQ_move_0_1_1]26257062[/DhtmlXQ_move_0_1_1]
[DhtmlXQ_comment1_1]the fairy[/DhtmlXQ_comment1_1]
[DhtmlXQ_move_1_2_2]63647967[/DhtmlXQ_move_1_2_2]
[DhtmlXQ_move_1_2_3]1022[/DhtmlXQ_move_1_2_3]
[DhtmlXQ_comment3_2]two[/DhtmlXQ_comment3_2]
[DhtmlXQ_move_0_1_4]6665[/DhtmlXQ_move_0_1_4]
[DhtmlXQ_comment4_1]before||$14[/DhtmlXQ_comment4_1]
[/DhtmlXQ]
`
	if diff := cmp.Diff(wantDhtml, string(write(t, games, "dhtmlxq", notation.ICCS))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const wantMoves = "startpos moves H2-E2 H9-G7 H0-G2\n"
	if diff := cmp.Diff(wantMoves, string(write(t, games, "moves", notation.ICCS))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReadOnly(t *testing.T) {
	f, _ := Library.FormatByName("CBF")
	if _, err := Library.NewWriter(nil, f, ""); err == nil || err.Error() != "cbf is read-only: use xqf, cbr, cbl, json, pgn, dhtmlxq, html, moves" {
		t.Error(err)
	}
}
