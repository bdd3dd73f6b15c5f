package input

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

// TestRecordsAsCSV: the output of encoding/csv reads back the same.
func TestRecordsAsCSV(t *testing.T) {
	cell := rapid.OneOf(rapid.StringMatching(`[a-z ,;"#é中]{0,8}`), rapid.StringMatching("[a-z\n\"]{0,8}"))
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 4).Draw(t, "columns")
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, columns, columns), 0, 5).Draw(t, "rows")
		header := []string{"fen", "b", "c", "d"}[:columns]
		var text strings.Builder
		w := csv.NewWriter(&text)
		w.UseCRLF = rapid.Bool().Draw(t, "CRLF")
		if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
			t.Fatal(err)
		}
		r, err := NewCSVReader(strings.NewReader(text.String()), "fen")
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for {
			if err := r.Next(); err == io.EOF {
				break
			} else if err != nil || r.RowErr != nil {
				t.Fatalf("%q: %v, %v", text.String(), err, r.RowErr)
			}
			got = append(got, r.Cells)
		}
		var want [][]string
		for _, row := range rows {
			if strings.Join(row, ",") != "" { // blank lines are skipped
				want = append(want, row)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q\n%s", text.String(), diff)
		}
	})
}

// FuzzInput reads arbitrary bytes in every format: no line is lost, and Count counts as Next does.
func FuzzInput(f *testing.F) {
	f.Add("fen,id\n\"startpos\",\"a\"\"b\"\n\"x\n")
	f.Add("{\"fen\":\"startpos\",\"moves\":[\"h2e2\"],\"bm\":\"h9g7\",\"id\":1}\n{")
	f.Add("startpos moves h2e2\n" + board + " w - - bm h2e2;\n")
	f.Add(gzipped(f, "fen\nstartpos\n"))
	f.Add("\x28\xb5\x2f\xfd\x00")
	f.Add("a;fen\n\"\n1;\"\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []string{"", FEN, JSON, CSV} {
			o := Options{Name: "x", Format: form}
			src, err := Open(xiangqi.Rules, strings.NewReader(text), o)
			if err != nil {
				continue
			}
			n, last := 0, 0
			for {
				item, err := src.Next()
				if err != nil {
					break
				}
				if n++; item.Line <= last || (item.Err == nil) != (item.Pos != nil) || len(item.Input) > 3*batch.MaxExcerpt {
					t.Fatalf("%s: %+v after line %d", form, item, last)
				}
				last = item.Line
			}
			again, err := Open(xiangqi.Rules, strings.NewReader(text), o)
			if err != nil {
				t.Fatal(err)
			}
			if counted, _ := again.Count(); counted != n {
				t.Errorf("%s: counted %d, read %d", form, counted, n)
			}
		}
	})
}
