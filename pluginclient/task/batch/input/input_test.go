package input

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

const board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

// shown returns an Item in a form that can be compared.
func shown(item batch.Item) string {
	text := fmt.Sprintf("%s:%d", item.File, item.Line)
	if item.ID != "" {
		text += " id " + item.ID
	}
	if fields := batch.FormatFields(item); fields != "" {
		text += " fields " + fields
	}
	if item.Err != nil {
		return fmt.Sprintf("%s bad %q: %v", text, item.Input, item.Err)
	}
	text += fmt.Sprintf(" %q", strings.Replace(item.Text, board, "BOARD", 1))
	if len(item.Moves) > 0 {
		text += " after " + strings.Join(item.Moves, " ")
	}
	if len(item.BM) > 0 {
		text += " bm " + strings.Join(item.BM, " ")
	}
	if len(item.Ops) > 0 {
		text += " ops " + batch.FormatOps(item.Ops)
	}
	return text
}

// read returns the Items of a stream, followed by its error.
func read(r io.Reader, o Options) []string {
	var all []string
	src, err := Open(xiangqi.Rules, r, o)
	for err == nil {
		var item batch.Item
		if item, err = src.Next(); err == nil {
			all = append(all, shown(item))
		}
	}
	if err != io.EOF {
		all = append(all, "error: "+err.Error())
	}
	return all
}

// utf16Text returns a text as Windows stores it.
func utf16Text(text string) string {
	var raw []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		raw = binary.LittleEndian.AppendUint16(raw, unit)
	}
	return string(raw)
}

func TestForms(t *testing.T) {
	const moves = board + ` w moves h2e2`
	for _, c := range []struct {
		name, file, text string
		options          Options
		want             []string
	}{
		{"empty", "x", "", Options{}, nil},
		{"blank", "x", "\ufeff \r\n\n# x\n", Options{}, nil},
		{"lines", "x.txt", "# x\n\n" + moves + "\nstartpos bm h2e2; id \"a\";", Options{}, []string{
			`x.txt:3 "BOARD w" after H2-E2`, `x.txt:4 id a "BOARD w - - 0 1" bm H2-E2 ops bm h2e2; id "a";`,
		}},
		{"json by its first byte", "x", "\n{\"fen\":\"startpos\",\"moves\":[\"h2e2\"],\"id\":7}\r\n", Options{}, []string{
			`x:2 id 7 fields {"id":7} "BOARD w - - 0 1" after H2-E2`,
		}},
		{"json, what is missing", "x.jsonl", `{}
{"fen":3}
[]
{"fen":"startpos"} x
{"FEN":"startpos","moves":"h2e2 h9g7","bm":"h0g2","extra":[{}],"id":null}
{"line":9,"input":"9/9 w","error":"2 ranks instead of 10"}
{"fen":"startpos","moves":3}
{"fen":"startpos","moves":["h2e2","h2e2"],"id":"x"}
{"fen":"startpos","id":true}
`, Options{}, []string{
			`x.jsonl:1 bad "{}": missing key fen`,
			`x.jsonl:2 bad "{\"fen\":3}": the key fen is a JSON number: want a text`,
			`x.jsonl:3 bad "[]": want an object on each line, such as {"fen": "..."}: convert a list with jq -c '.[]' FILE`,
			`x.jsonl:4 bad "{\"fen\":\"startpos\"} x": invalid character 'x' after top-level value`,
			`x.jsonl:5 fields {"extra":[{}]} "BOARD w - - 0 1" after H2-E2 H9-G7 bm H0-G2`,
			`x.jsonl:6 bad "9/9 w": 2 ranks instead of 10`,
			`x.jsonl:7 bad "{\"fen\":\"startpos\",\"moves\":3}": the key moves is a JSON number: want a list`,
			`x.jsonl:8 id x bad "startpos moves h2e2 h2e2": move 2: H2-E2: no piece on H2`,
			`x.jsonl:9 bad "{\"fen\":\"startpos\",\"id\":true}": the key id is a JSON bool: want a text`,
		}},
		{"csv by its header", "x", "id,Fen,note\na," + board + " w,\"x, \"\"y\"\"\nz\"\n\nb,\"startpos moves h2e2\"\n", Options{}, []string{
			`x:2 id a fields {"note":"x, \"y\"\nz"} "BOARD w"`, `x:5 id b fields {"note":""} "BOARD w - - 0 1" after H2-E2`,
		}},
		{"semicolons, another column", "x", "eval;pos ;fen\n1;startpos;x\n", Options{Column: "pos"}, []string{`x:2 fields {"eval":"1","fen":"x"} "BOARD w - - 0 1"`}},
		{"tabs", "x.tsv", "\ufefffen\tmoves\nstartpos\th2e2\nstartpos\n", Options{}, []string{
			`x.tsv:2 "BOARD w - - 0 1" after H2-E2`, `x.tsv:3 "BOARD w - - 0 1"`,
		}},
		{"csv, rows that are wrong", "x.csv", "n,fen\n1\n2,\n3,\"startpos\"x\n4,\"startpos\n5,startpos\n6,star\"tpos\n", Options{}, []string{
			`x.csv:2 fields {"n":"1"} bad "1": missing column 2, the position: the row has 1`,
			`x.csv:3 fields {"n":"2"} bad "": the position is missing`,
			`x.csv:4 bad "3,\"startpos\"x": cell 2 continues after its closing quote`,
			`x.csv:5 bad "4,\"startpos": a quote is not closed within 100 lines or 65536 bytes`,
			`x.csv:6 fields {"n":"5"} "BOARD w - - 0 1"`,
			`x.csv:7 fields {"n":"6"} bad "star\"tpos": 1 rank instead of 10`,
		}},
		{"other keys", "x.jsonl", `{"fen":"startpos","Elo":2700,"who":"Hu \"R\"; x","a key;":{"b": [1, null]},"ok":true,"no":null,"":1,"line":3,"level":2,"ID":1e400,"id":"x","a":1,"a":2}
{"line":1,"fen":"startpos","fields":{"b":0.10},"engine":"qhsh","level":5,"hints":[],"over":"x","mine":-1.5e3}
{"fen":"startpos","error":0.5,"hints":["none"],"fields":{"a":1},"line":7}
{"fen":"9/9","id":17,"error":"e","line":7,"n":1}
{"fen":3,"id":17.0,"n":"\u00e9\ud800"}
`, Options{}, []string{
			`x.jsonl:1 id x fields {"Elo":2700,"who":"Hu \"R\"; x","a key;":{"b":[1,null]},"ok":true,"no":null,"":1,"line":3,"level":2,"ID":1e400,"a":1,"a":2} "BOARD w - - 0 1"`,
			`x.jsonl:2 fields {"b":0.10,"mine":-1.5e3} "BOARD w - - 0 1"`,
			`x.jsonl:3 fields {"error":0.5,"hints":["none"],"fields":{"a":1},"line":7} "BOARD w - - 0 1"`,
			`x.jsonl:4 id 17 fields {"id":17,"error":"e","line":7,"n":1} bad "9/9": 2 ranks instead of 10`,
			`x.jsonl:5 id 17.0 fields {"id":17.0,"n":"\u00e9\ud800"} bad "{\"fen\":3,\"id\":17.0,\"n\":\"\\u00e9\\ud800\"}": the key fen is a JSON number: want a text`,
		}},
		{"the id of a bad line", "x", "9/9 w - - c0 \"y\"; id \"a\";\n9/9 w - - id 12;", Options{}, []string{
			`x:1 id a bad "9/9 w - - c0 \"y\"; id \"a\";": 2 ranks instead of 10`,
			`x:2 id 12 fields {"id":12} bad "9/9 w - - id 12;": 2 ranks instead of 10`,
		}},
		{"cells beyond the header", "x.csv", "fen,note,,\nstartpos,a,b\nstartpos,a,\" \",\n", Options{}, []string{
			`x.csv:2 bad "startpos,a,b": 3 cells, but the header has 2: quote a cell that holds the separator ','`,
			`x.csv:3 fields {"note":"a"} "BOARD w - - 0 1"`,
		}},
		{"two columns of one name", "x.csv", "fen,x,x\nstartpos,1,2\n", Options{}, []string{`error: x.csv: line 1, which is the header of a table, has two columns "x" (2 and 3): rename one`}},
		{"no column", "x.csv", "a,b\n1,2\n", Options{}, []string{`error: x.csv: line 1, which is the header of a table, has no column "fen", but a, b: name the column of positions`}},
		{"empty csv", "x.csv", "\n \n", Options{}, []string{"error: x.csv: empty file: want a header with column names"}},
		{"the form is told", "x.csv", "startpos\n", Options{Format: FEN}, []string{`x.csv:1 "BOARD w - - 0 1"`}},
		{"the form is told, json", "x", "startpos\n", Options{Format: JSON}, []string{`x:1 bad "startpos": want an object on each line, such as {"fen": "..."}`}},
		{"NUL", "x", "startpos\x00\n\x00\nstartpos\n", Options{}, []string{
			`x:1 bad "startpos\x00": 1 rank instead of 10`, `x:2 bad "\x00": 1 rank instead of 10`, `x:3 "BOARD w - - 0 1"`,
		}},
		{"UTF-16", "x", utf16Text("\ufefffen;名\r\nstartpos;中\r\n"), Options{}, []string{`x:2 fields {"名":"中"} "BOARD w - - 0 1"`}},
		{"UTF-16 without a mark", "x", utf16Text("startpos\n"), Options{}, []string{`x:1 "BOARD w - - 0 1"`}},
		{"database", "x", "SQLite format 3\x00...", Options{}, []string{"error: x: cannot read positions from an SQLite database: 'qhsh stats' reads what 'qhsh hints' has written"}},
		{"bzip2", "x", "BZh9...", Options{}, []string{"error: x: unsupported compression bzip2 (gzip and zstd are supported): use 'bzip2 -dc FILE | qhsh hints'"}},
		{"nearly bzip2", "x", "BZ", Options{}, []string{`x:1 bad "BZ": 1 rank instead of 10`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Name, c.options.Label = c.file, c.file
			for name, text := range map[string]string{"plain": c.text, "gzip": gzipped(t, c.text), "zstd": zstandard(t, c.text)} {
				for how, r := range map[string]io.Reader{
					"at once": strings.NewReader(text), "by bytes": iotest.OneByteReader(strings.NewReader(text)),
				} {
					want := c.want
					if name != "plain" && (strings.HasPrefix(c.name, "bzip2") || c.name == "database") {
						continue // a compressed stream within it is text
					}
					if diff := cmp.Diff(want, read(r, c.options)); diff != "" {
						t.Errorf("%s, %s:\n%s", name, how, diff)
					}
				}
			}
		})
	}
}

func gzipped(t testing.TB, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t testing.TB, text string) string {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGames: a file of games is an error, unless its format is given or its first line is a
// position.
func TestGames(t *testing.T) {
	const pgn = "[Red \"A\"]\n\n1. C2=5 *\n"
	records := games.Default.Records(xiangqi.Rules)
	for _, c := range []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"PGN", pgn, Options{Records: records}, []string{"error: x: a file of games (pgn), not of positions"}},
		{"compressed", gzipped(t, pgn), Options{Records: records}, []string{"error: x: a file of games (pgn), not of positions"}},
		{"XQF", "XQ\x12\x00", Options{Records: records}, []string{"error: x: a file of games (xqf), not of positions"}},
		{"DhtmlXQ", "<html>\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n", Options{Records: records}, []string{"error: x: a file of games (dhtmlxq), not of positions"}},
		{"format", "[a \"b\"]\n", Options{Records: records, Format: FEN}, []string{`:1 bad "[a \"b\"]": 1 rank instead of 10`}},
		{"a tag later", "startpos\n[a \"b\"]\n", Options{Records: records}, []string{`:1 "BOARD w - - 0 1"`, `:2 bad "[a \"b\"]": 1 rank instead of 10`}},
	} {
		c.o.Name = "x"
		if diff := cmp.Diff(c.want, read(strings.NewReader(c.text), c.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestBrokenStreams: the positions before the damage are read, and then the error names the file
// and the place.
func TestBrokenStreams(t *testing.T) {
	text := strings.Repeat("startpos\n", 10)
	several := gzipped(t, text) + gzipped(t, text)
	if got := read(strings.NewReader(several), Options{Name: "x"}); len(got) != 20 {
		t.Errorf("two parts of gzip have %d positions: %v", len(got), got[len(got)-1])
	}
	for name, c := range map[string]struct{ text, want string }{
		"gzip": {gzipped(t, text)[:20], "compressed file is truncated: fetch or create it again: unexpected EOF"},
		"zstd": {zstandard(t, text)[:16], "compressed file is truncated: fetch or create it again: unexpected EOF"},
	} {
		got := read(strings.NewReader(c.text), Options{Name: "x"})
		last := got[len(got)-1]
		if !strings.HasPrefix(last, "error: x: ") || !strings.HasSuffix(last, c.want) {
			t.Errorf("%s: %s", name, last)
		}
	}
	short, err := Open(xiangqi.Rules, strings.NewReader(gzipped(t, text)[:20]), Options{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := short.Close(); err != nil { // as a caller does that only checks whether it can be opened
		t.Error(err)
	}
	broken := errors.New("broken")
	for _, text := range []string{"startpos\n", "fen\nstartpos\n", "{\"fen\":\"startpos\"}\n"} {
		got := read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), Options{Name: "x"})
		want := fmt.Sprintf("error: x: line %d: broken", strings.Count(text, "\n")+1)
		if len(got) != 2 || got[1] != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestReadsNoFartherThanItMust: a client that writes a position and waits for the answer gets it.
func TestReadsNoFartherThanItMust(t *testing.T) {
	for _, text := range []string{"startpos\n", "{\"fen\":\"startpos\"}\n", "fen\nstartpos\n", "# x\n\nfen,id\nstartpos,\n"[5:]} {
		r, w := io.Pipe()
		got := make(chan string)
		go func() {
			src, err := Open(xiangqi.Rules, r, Options{Name: "x"})
			if err != nil {
				got <- err.Error()
				return
			}
			item, err := src.Next()
			got <- fmt.Sprint(shown(item), err)
		}()
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if answer := <-got; !strings.HasSuffix(answer, `"BOARD w - - 0 1"<nil>`) {
			t.Errorf("%q: %s", text, answer)
		}
		_ = w.Close()
	}
}

// TestPass: Skip counts the same lines as Next.
func TestPass(t *testing.T) {
	for _, text := range []string{
		"# x\nstartpos\n\nnonsense\nstartpos moves h2e2\n" + board + "\n",
		"{\"fen\":\"startpos\"}\n# x\n{}\n\n{\"fen\":\"x\"}\n{\n",
		"fen,x\nstartpos,\"a\nb\"\n\nx\n\"startpos\nx,\"\nstartpos\n",
	} {
		all := read(strings.NewReader(text), Options{Name: "x"})
		for n := range len(all) + 2 {
			src, err := Open(xiangqi.Rules, strings.NewReader(text), Options{Name: "x"})
			if err != nil {
				t.Fatal(err)
			}
			for range min(n, len(all)) {
				if err := src.Skip(); err != nil {
					t.Errorf("%q: %v", text, err)
				}
			}
			switch {
			case n >= len(all) && src.Skip() != io.EOF:
				t.Errorf("%q: more than %d", text, len(all))
			case n < len(all):
				item, err := src.Next()
				if err != nil || shown(item) != all[n] {
					t.Errorf("%q: after %d: got %s, %v, want %s", text, n, shown(item), err, all[n])
				}
			}
		}
	}
}
