package batch

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
)

// answers has every kind of answer.
func answers() []Answer {
	asked := func(item Item, hints ...Hint) Answer {
		return Answer{Item: item, Engine: "qhsh <0.1> & co", Spec: "builtin", Limits: Limits{Level: 5, HasLevel: true, Nodes: 25_600, Depth: 12, Time: 1500 * time.Millisecond}, Hints: hints}
	}
	start := Parse(xiangqi.Rules, startBoard+" w")
	start.Line = 1
	played := Parse(xiangqi.Rules, "startpos moves h2e2")
	played.Line = 3
	over := asked(Item{Line: 4, Text: "the text", Pos: start.Pos})
	over.Over = "checkmate"
	bad := Item{File: "b.fen", Line: 9, Input: "9/9 <\x1b[2J>", Err: errors.New("2 ranks instead of 10")}
	failed := asked(played)
	failed.Err = errors.New("folium: HINTS: died")
	nobody := Answer{Item: start, Engine: "folium", Hints: []Hint{{Move: "H2-E2", PV: []string{"H2-E2"}}}}
	return []Answer{
		asked(start,
			Hint{
				Move: "H2-E2", Score: engine.Centipawns(35), Depth: 12, Nodes: 81234,
				PV: []string{"H2-E2", "H9-G7"}, Text: "a \"good\" move\x1b",
			},
			Hint{Move: "B2-E2", Score: engine.Centipawns(0), Depth: 8, PV: []string{"B2-E2"}},
			Hint{Move: "A0-A1", Score: engine.MateIn(-12), Depth: 8, PV: []string{"A0-A1", "I9-I8"}}),
		asked(played, Hint{Move: "H9-G7", Score: engine.MateIn(3), Depth: 5, Nodes: 7, PV: []string{"H9-G7"}}),
		over,
		{Item: bad, Err: bad.Err},
		failed,
		nobody,
	}
}

func TestJSON(t *testing.T) {
	want := `{"line":1,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w","engine":"qhsh <0.1> & co","spec":"builtin","level":5,"limits":{"level":5,"nodes":25600,"depth":12,"time":1500},"hints":[{"move":"H2-E2","cp":35,"depth":12,"nodes":81234,"pv":["H2-E2","H9-G7"],"text":"a \"good\" move\u001b"},{"move":"B2-E2","cp":0,"depth":8,"pv":["B2-E2"]},{"move":"A0-A1","mate":-12,"depth":8,"pv":["A0-A1","I9-I8"]}]}
{"line":3,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","moves":["H2-E2"],"engine":"qhsh <0.1> & co","spec":"builtin","level":5,"limits":{"level":5,"nodes":25600,"depth":12,"time":1500},"hints":[{"move":"H9-G7","mate":3,"depth":5,"nodes":7,"pv":["H9-G7"]}]}
{"line":4,"fen":"the text","engine":"qhsh <0.1> & co","spec":"builtin","level":5,"limits":{"level":5,"nodes":25600,"depth":12,"time":1500},"hints":[],"over":"checkmate"}
{"file":"b.fen","line":9,"input":"9/9 <\u001b[2J>","error":"2 ranks instead of 10"}
{"line":3,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","moves":["H2-E2"],"engine":"qhsh <0.1> & co","spec":"builtin","level":5,"limits":{"level":5,"nodes":25600,"depth":12,"time":1500},"error":"folium: HINTS: died"}
{"line":1,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w","engine":"folium","hints":[{"move":"H2-E2","pv":["H2-E2"]}]}
`
	compareOutput(t, "json", want)
}

// TestInNotation: all moves of an answer are renamed, and its place, its errors and whether it is
// solved stay.
func TestInNotation(t *testing.T) {
	names := func(pos engine.Position, moves []engine.Move) []string {
		return games.Default.MoveNames(pos, moves, "chinese")
	}
	item := Record{Text: "startpos", Moves: []string{"h2e2"}, BM: []string{"h9g7"}, AM: []string{"b9c7"}}.Item(xiangqi.Rules)
	item.Line = 2
	answer := Answer{Item: item, Engine: "x", Hints: []Hint{
		{Move: "H9-G7", PV: []string{"H9-G7", "H0-G2"}, Score: engine.Centipawns(-3)}, {Move: "C6-C5", PV: []string{"C6-C5"}},
	}}
	bad := Answer{Item: Item{Line: 9, Input: "9/9", Err: errors.New("2 ranks")}, Err: errors.New("2 ranks")}
	for format, want := range map[string]string{
		"text": `engine x

line 2  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
        after 炮二平五
        bm 马８进７
        am 马２进３
        solved
  1. 马８进７  -0.03  马８进７ 马二进三
  2. 卒３进１         卒３进１

line 9  9/9
        error: 2 ranks

`,
		"json": `{"line":2,"fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","moves":["炮二平五"],"bm":["马８进７"],"am":["马２进３"],"engine":"x","hints":[{"move":"马８进７","cp":-3,"pv":["马８进７","马二进三"]},{"move":"卒３进１","pv":["卒３进１"]}],"solved":true}
{"line":9,"input":"9/9","error":"2 ranks"}
`,
	} {
		f, _ := Formats(2).ByName(format)
		var b bytes.Buffer
		sink := InNotation(f, names).Write(&b)
		for _, a := range []Answer{answer, bad} {
			if err := sink.Write(a); err != nil {
				t.Fatal(err)
			}
		}
		if err := FinishSink(sink); err != nil || LossMessage(sink) != "" {
			t.Errorf("%s: %v, %q", format, err, LossMessage(sink))
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
	if answer.Hints[0].Move != "H9-G7" {
		t.Error("the answer itself was changed")
	}
}

func TestText(t *testing.T) {
	want := `engine qhsh <0.1> & co, level 5, nodes 25600, depth 12, time 1.5s, spec builtin

line 1  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
  1. H2-E2     +0.35  depth 12  H2-E2 H9-G7  a "good" move\x1b
  2. B2-E2     +0.00  depth 8   B2-E2
  3. A0-A1  mate -12  depth 8   A0-A1 I9-I8

line 3  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
        after H2-E2
  1. H9-G7  mate 3  depth 5  H9-G7

line 4  the text
        over: checkmate

b.fen:9  9/9 <\x1b[2J>
         error: 2 ranks instead of 10

line 3  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
        after H2-E2
        error: folium: HINTS: died

engine folium

line 1  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
  1. H2-E2  H2-E2

`
	compareOutput(t, "text", want)
}

// TestFinishSink: a table has one header, also without answers. The other formats write nothing at
// the end, except for Parquet, which writes its footer.
func TestFinishSink(t *testing.T) {
	for _, f := range Formats(1) {
		if f.Write == nil {
			continue
		}
		for n := range 2 {
			var out bytes.Buffer
			sink := f.Write(&out)
			for _, a := range answers()[:n] {
				if err := sink.Write(a); err != nil {
					t.Fatal(err)
				}
			}
			before := out.Len()
			if err := FinishSink(sink); err != nil {
				t.Fatal(err)
			}
			if want := f.Name == "csv" && n == 0 || f.Name == "parquet"; (out.Len() > before) != want {
				t.Errorf("%s ends with %q after %d answers", f.Name, out.String()[before:], n)
			}
		}
	}
}

func compareOutput(t *testing.T, format, want string) {
	t.Helper()
	f, ok := Formats(3).ByName(format)
	if !ok {
		t.Fatalf("no format %q", format)
	}
	var out bytes.Buffer
	sink := f.Write(&out)
	for _, a := range answers() {
		if err := sink.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
