package batch

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
)

// values are JSON values of every kind.
var values = []string{
	`17`, `-0`, `0.10`, `1e400`, `123456789012345678901234567890`, `true`, `false`, `null`,
	`""`, `"17"`, `"true"`, `"null"`, `" a "`, `"{}"`, `"a \"b\"; c"`, `"a\nb\tc"`, `"\u00e9\u0000"`, `"é三 <&>"`, `"\ud800"`, "\"\u2028\"",
	`[]`, `{}`, `[1,[2,{"a":null}]]`, `{"b":{"a":[1.0]},"a":1,"a":2}`,
}

func genFields() *rapid.Generator[Fields] {
	text := rapid.Map(rapid.String(), func(s string) string { return string(quoteJSON(s)) })
	return rapid.Map(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Field {
		name := rapid.OneOf(rapid.SampledFrom([]string{
			"", "year", "Year", "id", "engine", "Move", "move7", "fields", "fields.x", " a", "a key;", "a\nb", "ce", "bm", "三", `"`,
		}), rapid.StringMatching(`[a-z]{1,9}`)).Draw(t, "name")
		value := rapid.OneOf(rapid.SampledFrom(values), rapid.SampledFrom([]string{`"a"`, `"b"`, `""`}), text).Draw(t, "value")
		return Field{name, json.RawMessage(value)}
	}), 0, 4), func(f []Field) Fields {
		if len(f) == 0 {
			return nil
		}
		return f
	})
}

// TestCSVTableReadsBack: the first answer defines the columns, and the fields of all answers read
// back.
func TestCSVTableReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers := rapid.SliceOfN(genAnswer(), 1, 5).Draw(t, "answers")
		for i := range answers[1:] {
			if rapid.Bool().Draw(t, "alike") {
				answers[i+1].Fields = answers[0].Fields
			}
		}
		text := write(t, newCSV3, answers...)
		if n := strings.Count(text, "\n"); n != len(answers)+1 {
			t.Fatalf("%d answers stand on %d lines", len(answers), n)
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		columns, err := NewCSVColumns(rows[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range answers {
			got, err := columns.Decode(rows[1+i])
			diff := cmp.Diff(escaped(a.Fields), escaped(got.Fields))
			if err != nil || diff != "" || a.ID != got.ID || a.IDNumber != got.IDNumber {
				t.Fatalf("%v\n%s\n%q, %v and %q, %v", err, diff, a.ID, a.IDNumber, got.ID, got.IDNumber)
			}
		}
	})
}

// escaped returns fields as a table has them: control characters of terminals are escaped.
func escaped(fields Fields) (all Fields) {
	for _, f := range fields {
		all = append(all, Field{f.Name, json.RawMessage(escapeJSON(string(f.Value)))})
	}
	return all
}

// TestFieldsInFormats: the output of each format for strings, other values and a bad line.
func TestFieldsInFormats(t *testing.T) {
	const fen = "3k5/9/9/9/9/9/9/9/9/4K4 w"
	table := Record{Text: fen, ID: "a", Fields: Fields{TextField("year", "2020"), TextField("Engine", "x, y")}}.Item(xiangqi.Rules)
	typed := Record{
		Text: fen, ID: "17", IDNumber: true,
		Fields: Fields{{"year", json.RawMessage("2020")}, {"ok", json.RawMessage("null")}, {"a key", json.RawMessage("[1]")}, {"acd", json.RawMessage("1")}},
	}.Item(xiangqi.Rules)
	bad := Record{Text: "9/9", ID: "b", Fields: table.Fields}.Item(xiangqi.Rules)
	bad.Err = errors.New("wrong")
	none := Record{Text: fen}.Item(xiangqi.Rules)
	for format, want := range map[string]string{
		"json": `{"line":0,"id":"a","fen":"FEN","fields":{"year":"2020","Engine":"x, y"},"hints":[]}
{"line":1,"id":17,"fen":"FEN","fields":{"year":2020,"ok":null,"a key":[1],"acd":1},"hints":[]}
{"line":2,"id":"b","input":"9/9","fields":{"year":"2020","Engine":"x, y"},"error":"wrong"}
{"line":3,"fen":"FEN","hints":[]}
`,
		"csv": `file,line,id,fen,moves,bm,am,engine,level,solved,over,error,move,cp,mate,depth,nodes,pv,text,seldepth,hashfull,tbhits,wdl,unscored,ops,spec,limit_nodes,limit_depth,limit_time,found_nodes,found_depth,found_time,fields,year,fields.Engine
,0,a,FEN,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,2020,"x, y"
,1,17,FEN,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"{""id"":17,""year"":2020,""ok"":null,""a key"":[1],""acd"":1}",,
,2,b,9/9,,,,,,,,wrong,,,,,,,,,,,,,,,,,,,,,,2020,"x, y"
,3,,FEN,,,,,,,,,,,,,,,,,,,,,,,,,,,,,{},,
`,
		"epd": `FEN - - id "a"; year "2020"; Engine "x, y";
FEN - - id 17; year 2020; ok null; a_key "[1]";
# error: line 2: wrong: 9/9 ;id "b"; year "2020"; Engine "x, y";
FEN - - 
`,
	} {
		var out strings.Builder
		f, _ := Formats(1).ByName(format)
		sink := f.Write(&out)
		for i, item := range []Item{table, typed, bad, none} {
			item.Line = i
			if err := sink.Write(Answer{Item: item, Err: item.Err}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(strings.ReplaceAll(want, "FEN", fen), out.String()); diff != "" {
			t.Errorf("%s\n%s", format, diff)
		}
		lack := ""
		if format == "epd" {
			lack = (&epdSink{lostFields: 2, lostIn: 1}).lossMessage()
		}
		if got := LossMessage(sink); got != lack {
			t.Errorf("%s says %q, want %q", format, got, lack)
		}
	}
}

// TestEPDOmitsFieldsOfAnswers: a field that is named like an operation of the answer is not written as one.
func TestEPDOmitsFieldsOfAnswers(t *testing.T) {
	for _, code := range append(slices.Clone(answerCodes), opID, opTime, opDepth) {
		item := Record{Text: startBoard + " w", Fields: Fields{TextField(code, "x")}}.Item(xiangqi.Rules)
		line, lost := toEPD(Answer{Item: item, Over: "x"})
		if _, _, err := DecodeEPD(line); err != nil || lost != 1 {
			t.Errorf("%s: %d lost in %s: %v", code, lost, line, err)
		}
	}
}

// TestEPDCarriesFields: a field that is not counted as lost reads back as an operation with the
// same value.
func TestEPDCarriesFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := genFields().Draw(t, "fields")
		item := Record{Text: startBoard + " w", Fields: fields}.Item(xiangqi.Rules)
		line, lost := toEPD(Answer{Item: item, Over: "x"})
		a, ok, err := DecodeEPD(line)
		if err != nil || !ok {
			t.Fatalf("%q: %v", line, err)
		}
		same := 0
		for _, f := range fields {
			var text string
			want := Op{f.Name, string(f.Value)}
			if f.Value[0] == '"' && json.Unmarshal(f.Value, &text) == nil {
				want.Args = `"` + text + `"`
			}
			if slices.Contains(a.Ops, want) {
				same++
			}
		}
		if same+lost < len(fields) {
			t.Fatalf("%q: %d fields, %d lost, %d read back", line, len(fields), lost, same)
		}
	})
}

// TestSumSeesAll: the checksum of a resumed run changes with everything that is written.
func TestSumSeesAll(t *testing.T) {
	item := func() Item {
		return Item{
			File: "a", Line: 1, Input: "b", Text: "c", Moves: []string{"d"}, Err: io.EOF, ID: "5",
			Fields: Fields{TextField("e", "f")}, Ops: []Op{{"g", "h"}}, BM: []string{"i"}, AM: []string{"j"}, Unscored: io.EOF,
		}
	}
	sums := map[uint32]string{extendChecksum(0, item()): "nothing"}
	for n, change := range []func(*Item){
		func(i *Item) { i.File = "x" }, func(i *Item) { i.Line = 2 }, func(i *Item) { i.Input = "x" }, func(i *Item) { i.Text = "x" },
		func(i *Item) { i.Moves = nil }, func(i *Item) { i.Err = io.ErrUnexpectedEOF }, func(i *Item) { i.ID = "6" }, func(i *Item) { i.IDNumber = true },
		func(i *Item) { i.Fields[0].Name = "x" }, func(i *Item) { i.Fields[0].Value = json.RawMessage("1") }, func(i *Item) { i.Fields = nil },
		func(i *Item) { i.Ops[0].Code = "x" }, func(i *Item) { i.Ops[0].Args = "x" }, func(i *Item) { i.BM[0] = "x" }, func(i *Item) { i.AM[0] = "x" },
		func(i *Item) { i.BM, i.AM = i.AM, i.BM }, func(i *Item) { i.Unscored = nil },
	} {
		i := item()
		change(&i)
		sum := extendChecksum(0, i)
		if as, ok := sums[sum]; ok {
			t.Errorf("change %d has the sum of %s", n, as)
		}
		sums[sum] = fmt.Sprint("change ", n)
	}
}
