package batch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

// scored returns an Item without its position, in a form that can be compared.
func scored(item Item) string {
	text := fmt.Sprintf("%s | id %s | bm %s | am %s | ops %s", item.Text, item.ID,
		strings.Join(item.BM, " "), strings.Join(item.AM, " "), FormatOps(item.Ops))
	if item.Unscored != nil {
		text += " | " + item.Unscored.Error()
	}
	if item.Err != nil {
		text += " | ERROR " + item.Err.Error()
	}
	return text
}

func TestParseEPD(t *testing.T) {
	const board = startBoard
	for _, c := range []struct{ line, want string }{
		{board, board + " | id  | bm  | am  | ops "},
		{board + " w - - 0 1", board + " w - - 0 1 | id  | bm  | am  | ops "},
		{board + " w bm h2e2", board + " w | id  | bm H2-E2 | am  | ops bm h2e2;"},
		{
			board + ` w - - bm h2e2 B2-E2; am a0a1; id "one; two"; c0 "red moves";`,
			board + ` w - - | id one; two | bm H2-E2 B2-E2 | am A0-A1 | ops bm h2e2 B2-E2; am a0a1; id "one; two"; c0 "red moves";`,
		},
		{
			board + " w - - 0 1 ;D1 44 ;D2 1920", // as in files for perft
			board + " w - - 0 1 | id  | bm  | am  | ops D1 44; D2 1920;",
		},
		{
			board + " b - - hmvc 12; fmvn 34; bm h9g7!;",
			board + " b - - 12 34 | id  | bm H9-G7 | am  | ops hmvc 12; fmvn 34; bm h9g7!;",
		},
		{board + " b - - - 1", board + " b - - - 1 | id  | bm  | am  | ops "}, // from a real host
		{board + " w KQkq - 3 1", board + " w KQkq - 3 1 | id  | bm  | am  | ops "},
		{
			board + " w - - bm C2.5; id \"x\";", // an unsupported notation: the position is still valid
			board + ` w - - | id x | bm  | am  | ops bm C2.5; id "x"; | bm: move "C2.5": want two points such as H2-E2`,
		},
		{
			board + " w - - bm h2e2; am h9g7;", // illegal
			board + " w - - | id  | bm  | am  | ops bm h2e2; am h9g7; | am: H9-G7: black's piece",
		},
		{
			board + ` w - - c0 "never closed; bm h2e2;`,
			board + ` w - - | id  | bm  | am  | ops c0 "never closed; bm h2e2"; | missing closing quote (")`,
		},
		{"startpos bm h2e2; id x; bm b2e2;", board + ` w - - 0 1 | id x | bm  | am  | ops bm h2e2; id x; bm b2e2; | bm is there twice: "h2e2" and "b2e2"`},
		{"startpos dm banana; am h2e2;", board + ` w - - 0 1 | id  | bm  | am  | ops dm banana; am h2e2; | dm: want a number of moves, not "banana"`},
		{"startpos bm h2e2,b2e2; noop;", board + " w - - 0 1 | id  | bm H2-E2 B2-E2 | am  | ops bm h2e2,b2e2; noop;"},
		{ // a move appears twice
			"startpos bm h2e2 H2-E2+ b2e2; am a0a1 A0A1;",
			board + " w - - 0 1 | id  | bm H2-E2 B2-E2 | am A0-A1 | ops bm h2e2 H2-E2+ b2e2; am a0a1 A0A1;",
		},
		{ // a suite, from another program
			board + ` w - - bm h2e2; acd 20; ce 23; pv h2e2 h9g7;`,
			board + ` w - - | id  | bm H2-E2 | am  | ops bm h2e2; acd 20; ce 23; pv h2e2 h9g7;`,
		},
		{board + ` w - - bm h2e2; ce 23; solved 1;`, board + ` w - - | id  | bm H2-E2 | am  | ops bm h2e2; ce 23;`},
		{board + ` w - - bm h2e2; ce 23; solved -;`, board + ` w - - | id  | bm  | am  | ops ce 23;`}, // an answer
		{board + " w - - ;;; ; bm h2e2;;", board + " w - - | id  | bm H2-E2 | am  | ops bm h2e2;"},
		{"startpos moves h2e2 h9g7; bm h0g2; id x", board + " w - - 0 1 | id x | bm H0-G2 | am  | ops bm h0g2; id x;"},
		{board + " x - - bm h2e2;", " | id  | bm  | am  | ops  | ERROR side \"x\": want w, r or b"},
	} {
		got := scored(Parse(xiangqi.Rules, c.line))
		if strings.Contains(c.want, "am: ") { // the game's own error
			got = strings.Split(got, "am: ")[0]
			c.want = strings.Split(c.want, "am: ")[0]
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s\n%s", c.line, diff)
		}
	}
}

// TestParseOtherGames: text within a position of another game is not an operation.
func TestParseOtherGames(t *testing.T) {
	got := scored(Parse(enginetest.Stones, "5 first 2 bm take 2; id x"))
	if want := "5 first 2 | id x | bm take 2 | am  | ops bm take 2; id x;"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestManyOpcodes: a line of many words that look like opcodes is not split at each of them, which would
// take time in proportion to the square of its length.
func TestManyOpcodes(t *testing.T) {
	splits := 0
	for range splitCandidates("9/9 w " + strings.Repeat("bm dm; ", 100_000)) {
		if splits++; splits > 100 {
			t.Fatalf("more than %d splits", splits)
		}
	}
}

// TestOpsReadBack: operations are kept unchanged.
func TestOpsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Op {
			return Op{
				Code: rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_]{1,8}`).Draw(t, "code"),
				Args: rapid.OneOf(
					rapid.StringMatching(`([a-z0-9+-]{1,6}( [a-z0-9]{1,6}){0,3})?`),
					rapid.Map(rapid.StringMatching(`[^"\x00-\x1f]{0,12}`), func(s string) string { return `"` + s + `"` }),
				).Draw(t, "args"),
			}
		})).Draw(t, "ops")
		got := ParseOps(FormatOps(ops))
		if len(ops) > 0 && cmp.Diff(ops, got) != "" {
			t.Fatalf("%q reads back as %q", ops, got)
		}
		item := Parse(xiangqi.Rules, startBoard+" w - - "+FormatOps(ops))
		if len(ops) > 0 && strings.Trim(ops[0].Code, "KQkq") == "" {
			return // it reads as the rights to castle of chess
		}
		if item.Err == nil && len(ops) > 0 && cmp.Diff(ops, item.Ops) != "" {
			t.Fatalf("%q are kept as %q", ops, item.Ops)
		}
	})
}

func TestSolved(t *testing.T) {
	for _, c := range []struct {
		ops            string
		solved, scored bool
	}{
		{"", false, false},
		{"bm h2e2;", true, true},
		{"bm b2e2 h2e2;", true, true},
		{"bm b2e2;", false, true},
		{"am h2e2;", false, true},
		{"am b2e2;", true, true},
		{"bm h2e2; am h2e2;", false, true},
		{"bm nonsense;", false, false},
		{"dm 3;", false, true},
		{"dm 3; pv b2e2;", false, false},
		{"bm nonsense; dm 3;", false, false},
		{"bm h2e2; am nonsense;", false, false},
	} {
		a := Answer{Item: Parse(xiangqi.Rules, "startpos "+c.ops), Hints: []Hint{{Move: "H2-E2"}, {Move: "B2-E2"}}}
		if solved, scored := a.Solved(); solved != c.solved || scored != c.scored {
			t.Errorf("%s: solved %v, scored %v", c.ops, solved, scored)
		}
		a.Err = errBroken
		if _, scored := a.Solved(); scored {
			t.Errorf("%s: a failure is scored", c.ops)
		}
	}
}

// TestEPDReplaces: hints replace all operations of the input's own analysis, and no others.
func TestEPDReplaces(t *testing.T) {
	item := Parse(xiangqi.Rules, startBoard+` w - - dm 5; pv2 h2e2; acs 7; error "old"; c0 "x";`)
	for _, c := range []struct {
		name   string
		answer Answer
		want   string
	}{
		{
			"a score",
			Answer{Hints: []Hint{{Move: "H2-E2", Score: engine.Centipawns(3), PV: []string{"H2-E2"}}}},
			`bm H2-E2; ce 3; pv H2-E2; solved -; c0 "x";`,
		},
		{"no more than a move", Answer{Hints: []Hint{{Move: "H2-E2", PV: []string{"H2-E2"}}}}, `bm H2-E2; pv H2-E2; solved -; c0 "x";`},
		{"a failure", Answer{Err: errBroken}, `error "broken"; dm 5; pv2 h2e2; acs 7; c0 "x";`},
		{"the end", Answer{Over: "checkmate"}, `over "checkmate"; dm 5; pv2 h2e2; acs 7; c0 "x";`},
	} {
		c.answer.Item = item
		line, _ := toEPD(c.answer)
		if want := startBoard + " w - - " + c.want; line != want {
			t.Errorf("%s: %s, want %s", c.name, line, want)
		}
		a, _, err := DecodeEPD(line)
		if err != nil || len(a.Hints) != len(c.answer.Hints) || message(a.Err) != message(c.answer.Err) || a.Over != c.answer.Over {
			t.Errorf("%s reads back as %+v, %v", c.name, a, err)
		}
	}
}

// FuzzEPD reads arbitrary text after a position: no operation is lost when it is written and read
// again.
func FuzzEPD(f *testing.F) {
	f.Add(`bm h2e2; id "x"; c0 "a; b";`)
	f.Add(`;D1 44 ;D2 1920`)
	f.Add(`c0 "open; bm`)
	f.Add("pv2 \"; ce 12; solved 1; error \"x\";")
	f.Fuzz(func(t *testing.T, text string) {
		item := Parse(xiangqi.Rules, startBoard+" w - - "+text)
		if strings.Contains(strings.ToLower(text), movesWord) || item.Err != nil {
			return
		}
		again := ParseOps(FormatOps(item.Ops))
		if len(item.Ops) > 0 && cmp.Diff(item.Ops, again) != "" {
			t.Errorf("%q are %q, and then %q", text, item.Ops, again)
		}
		line, _ := toEPD(Answer{Item: item, Hints: []Hint{{Move: "H2-E2", PV: []string{"H2-E2"}}}})
		if strings.ContainsAny(line, "\n\r") {
			t.Errorf("%q is written on two lines: %q", text, line)
		}
	})
}

// FuzzDecode parses arbitrary bytes as answers.
func FuzzDecode(f *testing.F) {
	for _, sink := range []string{"json", "epd", "csv"} {
		form, _ := Formats(2).ByName(sink)
		for line := range strings.Lines(write(f, form.Write, answers()...)) {
			f.Add(line)
		}
	}
	columns, err := NewCSVColumns((&csvSink{hints: 2}).header())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		a, err := DecodeJSON([]byte(line))
		if err == nil && a.Err == nil && a.Text != "" {
			again, err := DecodeJSON([]byte(strings.TrimSpace(write(t, newJSON, withPos(a)))))
			if err != nil || again.Line != a.Line || len(again.Hints) != len(a.Hints) {
				t.Errorf("%q: %+v, then %+v, %v", line, a, again, err)
			}
		}
		_, _, _ = DecodeEPD(line)
		_, _ = columns.Decode(strings.Split(line, ","))
	})
}

// withPos gives an answer that was read a Pos, so that it can be written.
func withPos(a Answer) Answer {
	a.Pos = xiangqi.Start()
	return a
}

// TestParseJoined: moves that contain blanks are read as JoinMoves writes them.
func TestParseJoined(t *testing.T) {
	for _, moves := range [][]string{{"roll 2"}, {"roll 2", "take 2", "take 1"}} {
		item := Parse(enginetest.Stones, "7 first moves "+JoinMoves(moves))
		if diff := cmp.Diff(moves, item.Moves); item.Err != nil || diff != "" {
			t.Errorf("%v, %v: %s", moves, item.Err, diff)
		}
	}
}
