package record

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// illegalFEN is a diagram with Red to move, and Black in check by a rook that can also step aside.
const (
	illegalFEN = "3k5/9/9/9/9/9/9/9/9/3RK4 w - - 0 1"
	whyIllegal = "black is in check and red is to move"
)

// illegalGame returns a game from there.
func illegalGame(t *testing.T, moves ...string) *record.Game {
	t.Helper()
	_, err := xiangqi.ParseFEN(illegalFEN)
	var illegal *xiangqi.IllegalError
	if !errors.As(err, &illegal) {
		t.Fatalf("error %v", err)
	}
	g := record.NewGame(illegal.Position)
	n := g.Root
	for _, text := range moves {
		m, err := xiangqi.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		n = n.Append(engine.Move(m))
	}
	return g
}

// illegalFiles returns files of a game in every form, and where an error about its start is.
func illegalFiles(t *testing.T, moves ...string) map[string]illegalFile {
	g := illegalGame(t, moves...)
	uci, digits := strings.Join(moves, " "), ""
	cbfMoves, quoted := "", ""
	for i, m := range moves {
		// Points are counted from Black's side.
		d := fmt.Sprintf("%c%c%c%c", m[0]-'a'+'0', '0'+'9'-m[1], m[2]-'a'+'0', '0'+'9'-m[3])
		digits += d
		cbfMoves += `<Move value="` + d[:2] + "-" + d[2:] + `"/>`
		if i > 0 {
			quoted += ","
		}
		quoted += `"` + m + `"`
	}
	binit := binit(startPos(g))
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	member, err := z.Create("a.pgn")
	if err == nil {
		_, err = member.Write([]byte("[FEN \"" + illegalFEN + "\"]\n\n" + uci + " *\n"))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	matched := strings.ReplaceAll(quoted, `"`, ``)
	if matched != "" {
		matched = `{"move":"` + strings.ReplaceAll(matched, ",", `"},{"move":"`) + `"}`
	}
	return map[string]illegalFile{
		"pgn":        {"[Red \"x\"]\n[FEN \"" + illegalFEN + "\"]\n\n" + uci + " *\n", "line 2: game 1: "},
		"json":       {`{"fen":"` + illegalFEN + `","moves":[` + quoted + "]}\n", "line 1: game 1: "},
		"match":      {`{"game":1,"round":1,"first":"a","second":"b","result":"*","start":"` + illegalFEN + `","moves":[` + matched + "]}\n", "line 1: game 1: "},
		"moves":      {illegalFEN + " moves " + uci + "\n", "line 1: game 1: "},
		"dhtmlxq":    {"[DhtmlXQ]\n[DhtmlXQ_binit]" + binit + "[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]" + digits + "[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n", "line 2: "},
		"dhtmlxqFEN": {"[DhtmlXQ]\n[DhtmlXQ_fen]" + illegalFEN + "[/DhtmlXQ_fen]\n[DhtmlXQ_movelist]" + digits + "[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n", "line 2: "},
		"wxf":        {"FORMAT\tWXF\nGAME\tx\nFEN\t" + illegalFEN + "\nSTART{\n" + uci + "\n}END\n", "line 3: game 1: "},
		"cbf":        {`<?xml version="1.0"?><ChineseChessRecord><Head><FEN>` + illegalFEN + `</FEN></Head><MoveList><Move value="00-00"/>` + cbfMoves + "</MoveList></ChineseChessRecord>", "line 1: no game: "},
		"xqf":        {string(encodeXQF(t, g, 0x0a, [13]byte{})), "byte 0x10: "},
		"encrypted":  {string(encodeXQF(t, g, 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})), "byte 0x10: "},
		"cbr1":       {string(encodeCBR(g, 1)), "byte 0x748: "},
		"cbr2":       {string(encodeCBR(g, 2)), "byte 0x848: "},
		"cbl":        {string(encodeCBL(1, liveCBL(g))), "game 1: byte 0x10d9c: "},
		"zip":        {archive.String(), "(a.pgn):1: game 1: "},
	}
}

type illegalFile struct{ text, place string }

// TestIllegalStart: in every form, a game whose start is illegal is an error that says where and
// why, or where that is wanted a game that says why; so it is with moves, but no move takes a
// king.
func TestIllegalStart(t *testing.T) {
	for name, moves := range map[string][]string{"a diagram": nil, "a game": {"d0c0", "d9d8"}, "a king is taken": {"d0d9"}} {
		for form, file := range illegalFiles(t, moves...) {
			want := " !! " + file.place + "start position: " + whyIllegal + "\n"
			if diff := cmp.Diff(want, outline(t, []byte(file.text))); diff != "" {
				t.Errorf("%s in %s (-want +got):\n%s", name, form, diff)
			}
			var games []*record.Game
			var errs []string
			for g, err := range library.WithIllegalStarts().Read(strings.NewReader(file.text), "") {
				games = append(games, g)
				if err != nil {
					errs = append(errs, err.Error())
				}
			}
			if len(games) != 1 || games[0] == nil {
				t.Errorf("%s in %s: the games %v, %q", name, form, games, errs)
				continue
			}
			g := games[0]
			wantMoves := strings.Join(moves, " ")
			if name == "a king is taken" {
				wantMoves = ""
				if len(errs) != 1 || !strings.Contains(errs[0], "a king cannot be captured") {
					t.Errorf("%s in %s: %q", name, form, errs)
				}
			} else if errs != nil {
				t.Errorf("%s in %s: %q", name, form, errs)
			}
			got := []string{g.Start.String(), g.Tags.Get(record.IllegalStart), uci(g)}
			if diff := cmp.Diff([]string{illegalFEN, whyIllegal, wantMoves}, got); diff != "" {
				t.Errorf("%s in %s (-want +got):\n%s", name, form, diff)
			}
		}
	}
}

// TestWriteIllegalStart: every form that is written keeps such a game, and says why.
func TestWriteIllegalStart(t *testing.T) {
	lenient := library.WithIllegalStarts()
	g := illegalGame(t, "d0c0", "d9d8")
	g.Tags.Set(record.IllegalStart, whyIllegal)
	for _, form := range []string{"pgn", "json", "dhtmlxq", "moves"} {
		text := write(t, []*record.Game{g}, form, notation.Chinese)
		if !strings.Contains(string(text), whyIllegal) {
			t.Errorf("%s does not say why:\n%s", form, text)
		}
		want := "IllegalStart=" + whyIllegal + " 1. d0c0 d9d8 *\n"
		if diff := cmp.Diff(want, outlineBy(t, lenient, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", form, diff)
		}
	}
	// What a file says of a start that is legal is not believed.
	const legal = "[IllegalStart \"x\"]\n\n1. H2-E2 *\n"
	if got := outlineBy(t, lenient, []byte(legal)); got != "1. h2e2 *\n" {
		t.Errorf("got %s", got)
	}
}
