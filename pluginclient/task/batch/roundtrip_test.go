package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

// plain returns an answer as it reads back: without the position, with errors as plain strings.
func plain(a Answer) Answer {
	bad := a.Pos == nil
	a.Pos, a.Err, a.Unscored = nil, toError(message(a.Err)), toError(message(a.Unscored))
	a.Item.Err = nil
	if bad {
		a.Item.Err = a.Err
	} else {
		a.Input = ""
	}
	a.Ops = a.OtherOps()
	if len(a.Hints) == 0 {
		a.Hints = nil
	}
	return a
}

var sameErrors = cmp.Comparer(func(a, b error) bool { return message(a) == message(b) })

// genAnswer draws answers about positions of the test game, whose moves contain blanks, and of
// Xiangqi.
func genAnswer() *rapid.Generator[Answer] {
	return rapid.Custom(func(t *rapid.T) Answer {
		a := Answer{Item: genItem().Draw(t, "item")}
		a.Fields = genFields().Draw(t, "fields")
		if _, ok := findOp(a.Ops, opID); !ok {
			a.ID = rapid.SampledFrom([]string{"", "17", "x, 1", "三"}).Draw(t, "id")
			a.IDNumber = a.ID == "17" && rapid.Bool().Draw(t, "number")
		}
		a.Line = rapid.IntRange(1, 1e9).Draw(t, "line")
		a.File = rapid.SampledFrom([]string{"", "a.epd", "C:\\x,\"y\".fen"}).Draw(t, "file")
		if a.Item.Err != nil {
			a.Err = a.Item.Err
			return a
		}
		a.Engine = rapid.SampledFrom([]string{"", "qhsh", "Fairy; \"x\", y"}).Draw(t, "engine")
		if a.Engine != "" {
			a.Spec = rapid.SampledFrom([]string{"", "builtin", "uci,a=\"b, c\":./x \"y; z\""}).Draw(t, "spec")
			a.Limits = genLimits.Draw(t, "limits")
		}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			a.Engine = "x" // without one, it would be a bad line
			a.Err = errors.New("folium: \"HINTS\"; died")
		case 1:
			a.Over = "checkmate"
		default:
			a.Hints = rapid.SliceOfN(genHint(a.Pos), 1, 3).Draw(t, "hints")
			a.Found = genFound.Draw(t, "found")
		}
		return a
	})
}

func genItem() *rapid.Generator[Item] {
	return rapid.Custom(func(t *rapid.T) Item {
		switch rapid.IntRange(0, 3).Draw(t, "item") {
		case 0:
			return Item{Input: "9/9, \"x\" w", Err: errors.New("2 ranks, not \"10\"")}
		case 1:
			return Record{Text: "5 first 2", Moves: []string{"take 2"}, ID: "stones, 1"}.Item(enginetest.Stones)
		case 2:
			return Record{Text: startBoard + " w", Moves: []string{"h2e2", "h9g7"}, BM: []string{"h0g2", "b0c2"}}.Item(xiangqi.Rules)
		}
		return Parse(xiangqi.Rules, startBoard+rapid.SampledFrom([]string{
			" w", ` b - - bm h9g7; c0 "a; b"; id "三, 4";`, ` w - - am h2e2; bm C2.5; hmvc 3; fmvn 12;`, ` b - - 5 7 ;D1 44 ;D2 "1`,
		}).Draw(t, "line"))
	})
}

func genHint(pos engine.Position) *rapid.Generator[Hint] {
	return rapid.Custom(func(t *rapid.T) Hint {
		m := rapid.SampledFrom(pos.Moves()).Draw(t, "move")
		h := Hint{Move: pos.Format(m), PV: engine.FormatMoves(pos, []engine.Move{m})}
		next, _ := pos.Play(m)
		if more := next.Moves(); len(more) > 0 && rapid.Bool().Draw(t, "more") {
			h.PV = append(h.PV, next.Format(more[0]))
		}
		h.Score = rapid.SampledFrom([]engine.Score{{}, engine.Centipawns(0), engine.Centipawns(-35), engine.MateIn(3), engine.MateIn(-2)}).Draw(t, "score")
		h.Depth = rapid.IntRange(0, 99).Draw(t, "depth")
		h.Nodes = rapid.Int64Range(0, 1<<60).Draw(t, "nodes")
		h.Text = rapid.SampledFrom([]string{"", `wdl 1 2 3, "x"`}).Draw(t, "text")
		h.Details = genDetails.Draw(t, "details")
		return h
	})
}

var genDetails = rapid.Custom(func(t *rapid.T) engine.Details {
	return engine.Details{
		SelDepth: rapid.IntRange(0, 200).Draw(t, "seldepth"), HashFull: rapid.IntRange(0, 1000).Draw(t, "hashfull"),
		TBHits: rapid.Int64Range(0, 1<<60).Draw(t, "tbhits"), WDL: rapid.SampledFrom([]engine.WDL{{}, {412, 500, 88}, {0, 0, 1000}}).Draw(t, "wdl"),
	}
})

// write writes an answer, and checks that this is one call of Write.
func write(t rapid.TB, sink func(io.Writer) Sink, answers ...Answer) string {
	var out bytes.Buffer
	writes := 0
	s := sink(writerFunc(func(p []byte) (int, error) {
		writes++
		return out.Write(p)
	}))
	for i, a := range answers {
		if err := s.Write(a); err != nil {
			t.Fatal(err)
		}
		if writes != i+1 {
			t.Fatalf("%d answers took %d calls of Write", i+1, writes)
		}
	}
	return out.String()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func newCSV3(w io.Writer) Sink { return &csvSink{w: w, hints: 3} }
func newJSON(w io.Writer) Sink { return &jsonSink{w} }
func newEPD(w io.Writer) Sink  { return &epdSink{w: w} }

func TestJSONReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := genAnswer().Draw(t, "answer")
		got, err := DecodeJSON([]byte(write(t, newJSON, a)))
		if diff := cmp.Diff(plain(a), got, sameErrors, cmp.AllowUnexported(engine.Score{})); diff != "" || err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}

func TestCSVReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := genAnswer().Draw(t, "answer")
		all := readCSV(t, write(t, newCSV3, a))
		if len(all) != 1 {
			t.Fatalf("%d rows", len(all))
		}
		got := all[0]
		a.Fields, got.Fields = escaped(a.Fields), escaped(got.Fields)
		if diff := cmp.Diff(plain(a), got, sameErrors, cmp.AllowUnexported(engine.Score{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

// readCSV reads a table of answers.
func readCSV(t rapid.TB, text string) (all []Answer) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns, err := NewCSVColumns(rows[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		a, err := columns.Decode(row)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// TestEPDReadsBack: EPD cannot hold the engine, its SPEC, the line number, the moves that were
// played, or quotes within quotes.
func TestEPDReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := genAnswer().Filter(func(a Answer) bool { return a.Pos == nil || a.Pos.Game() == xiangqi.Rules }).Draw(t, "answer")
		line := write(t, newEPD, a)
		got, ok, err := DecodeEPD(line)
		if !ok || err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want := plain(a)
		want.Engine, want.Spec, want.Unscored = "", "", nil
		if a.Pos != nil {
			want.File, want.Line, want.Err = "", 0, toError(strings.ReplaceAll(message(a.Err), `"`, "'"))
			want.Text = a.Pos.String()
			if got.Text, err = textOf(got.Text); err != nil {
				t.Fatal(err)
			}
		} else {
			want.Err = toError(message(a.Err) + ": " + a.Input)
			want.Input, want.Item.Err = want.Err.Error(), want.Err
		}
		if solved, scored := a.Solved(); !scored {
			want.BM, want.AM = nil, nil
		} else if is, isScored := got.Solved(); is != solved || !isScored {
			t.Fatalf("%q: solved %v, %v", line, is, isScored)
		}
		want.Fields, want.Moves, want.Ops, got.Ops = nil, nil, nil, nil
		for i := range want.Hints {
			want.Hints[i].Text, want.Hints[i].Details = "", engine.Details{WDL: want.Hints[i].WDL}
		}
		if diff := cmp.Diff(want, got, sameErrors, cmp.AllowUnexported(engine.Score{})); diff != "" {
			t.Fatalf("%q\n%s", line, diff)
		}
	})
}

func textOf(fen string) (string, error) {
	pos, err := xiangqi.Rules.Position(fen)
	if err != nil {
		return "", err
	}
	return pos.String(), nil
}

func TestMovesReadBack(t *testing.T) {
	for _, moves := range [][]string{nil, {"H2-E2"}, {"H2-E2", "H9-G7"}, {"take 2"}, {"roll 1", "take 1"}} {
		if got := SplitMoves(JoinMoves(moves)); cmp.Diff(moves, got) != "" {
			t.Errorf("%q reads back as %q", moves, got)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, line := range []string{"", "{", "[]", "{}", `{"fen":"x"}`, `{"hints":[{"cp":"x"}]}`, `{"line":"1","hints":[]}`} {
		if a, err := DecodeJSON([]byte(line)); err == nil {
			t.Errorf("%s reads as %+v", line, a)
		}
	}
	for _, line := range []string{
		startBoard + " w", startBoard + " w - - bm h2e2;", startBoard + " w - - ce x; pv h2e2;", startBoard + " w - - pv2 h2e2;",
	} {
		if a, _, err := DecodeEPD(line); err == nil {
			t.Errorf("%s reads as %+v", line, a)
		}
	}
	for _, header := range []string{"fen", "fen,move,cp", strings.Join(csvColumns, ",")} {
		if c, err := NewCSVColumns(strings.Split(header, ",")); err == nil {
			t.Errorf("%s reads as %+v", header, c)
		}
	}
	columns, err := NewCSVColumns((&csvSink{hints: 1}).header())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]string{nil, make([]string, 3), {20: "", 1: "x"}} {
		if a, err := columns.Decode(row); err == nil {
			t.Errorf("%q reads as %+v", row, a)
		}
	}
}
