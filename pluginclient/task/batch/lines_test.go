package batch

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

// shown returns an Item in a form that can be compared.
func shown(item Item) string {
	text := fmt.Sprintf("%d %q", item.Line, item.Text)
	if item.File != "" {
		text = item.File + ":" + text
	}
	if len(item.Moves) > 0 {
		text += fmt.Sprintf(" after %v", item.Moves)
	}
	if item.Err != nil {
		return fmt.Sprintf("%s: bad %q: %v", text, item.Input, item.Err)
	}
	return text + " is " + item.Pos.String()
}

func readAll(t testing.TB, src Source) []string {
	t.Helper()
	var all []string
	for {
		item, err := src.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, shown(item))
	}
}

const (
	startBoard = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
	afterE2    = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	for _, c := range []struct {
		name, input string
		want        []string
	}{
		{"nothing", "", nil},
		{"blank lines and comments", "\n  \n# " + startBoard + "\n\t# x\n \t\n", nil},
		{
			"a board alone", startBoard + "\n",
			[]string{fmt.Sprintf("1 %q is %s w - - 0 1", startBoard, startBoard)},
		},
		{
			"byte order mark, CRLF, blanks around, no line feed at the end",
			"\ufeff" + startBoard + " w\r\n\r\n \t" + startBoard + " w  ",
			[]string{
				fmt.Sprintf("1 %q is %s w - - 0 1", startBoard+" w", startBoard),
				fmt.Sprintf("3 %q is %s w - - 0 1", startBoard+" w", startBoard),
			},
		},
		{
			"moves in every notation", startBoard + " w - - 0 1  moves h2e2 H9-G7 H0G2",
			[]string{`1 "` + startBoard + ` w - - 0 1" after [H2-E2 H9-G7 H0-G2] is ` +
				"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2"},
		},
		{
			"moves with commas, the words in any case", "STARTPOS Moves h2e2, h9g7,",
			[]string{`1 "": bad "STARTPOS Moves h2e2, h9g7,": move 3: move "": want two points such as H2-E2`},
		},
		{
			"a CR alone, and in UTF-16", "\xff\xfex\x00\r\x00\r\x00\n\x00y\x00\r\x00",
			[]string{`1 "": bad "x": ` + parseError(t, "x"), `3 "": bad "y": ` + parseError(t, "y")},
		},
		{"startpos", "startpos\n", []string{fmt.Sprintf("1 %q is %[1]s", startBoard+" w - - 0 1")}},
		{
			"startpos and moves", "startpos moves h2e2",
			[]string{fmt.Sprintf("1 %q after [H2-E2] is %s", startBoard+" w - - 0 1", afterE2)},
		},
		{
			"UCI's position command", "position startpos moves h2e2\nPOSITION fen " + startBoard + " w\nfen " + startBoard + "\nposition\n",
			[]string{
				fmt.Sprintf("1 %q after [H2-E2] is %s", startBoard+" w - - 0 1", afterE2),
				fmt.Sprintf("2 %q is %s w - - 0 1", startBoard+" w", startBoard),
				fmt.Sprintf("3 %q is %s w - - 0 1", startBoard, startBoard),
				`4 "": bad "position": the position is missing`,
			},
		},
		{"moves without moves", "startpos moves", []string{fmt.Sprintf("1 %q is %[1]s", startBoard+" w - - 0 1")}},
		{
			"the word in a comment of EPD", startBoard + ` w - - c0 "red moves now";` + "\n",
			[]string{fmt.Sprintf("1 %q is %s w - - 0 1", startBoard+` w - -`, startBoard)},
		},
		{
			"no position", "moves h2e2\n",
			[]string{`1 "": bad "moves h2e2": the position is missing`},
		},
		{
			"an illegal move", "\n\nstartpos moves h2e2 h9h7\n",
			[]string{`3 "": bad "startpos moves h2e2 h9h7": move 2: H9-H7: illegal horse move`},
		},
		{
			"a line too long", long + "\n" + long + "x\nstartpos\n# " + long + "\n",
			[]string{
				`1 "": bad "` + long[:MaxExcerpt] + `": ` + parseError(t, long),
				`2 "": bad "` + long[:MaxExcerpt] + `": the line is longer than 1048576 bytes`,
				fmt.Sprintf("3 %q is %[1]s", startBoard+" w - - 0 1"),
			},
		},
		{
			"a line too long by its CRLF", long + "\r\n#\n",
			[]string{`1 "": bad "` + long[:MaxExcerpt] + `": ` + parseError(t, long)},
		},
		{
			"cut between characters", strings.Repeat("車", 67) + "\n",
			[]string{`1 "": bad "` + strings.Repeat("車", 66) + `": ` + parseError(t, strings.Repeat("車", 67))},
		},
		{
			"bytes that are no text", "\xffabc\n",
			[]string{`1 "": bad "` + "\ufffd" + `abc": ` + parseError(t, "\xffabc")},
		},
		{
			"UTF-16", "\xff\xfes\x00\n\x00s\x00\n\x00",
			[]string{`1 "": bad "s": ` + parseError(t, "s"), `2 "": bad "s": ` + parseError(t, "s")},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readAll(t, NewLines(xiangqi.Rules, "", strings.NewReader(c.input)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			again := NewLines(xiangqi.Rules, "", strings.NewReader(c.input))
			if n := skipAll(t, again); n != len(got) {
				t.Errorf("Skip skipped %d, want %d", n, len(got))
			}
		})
	}
}

// skipAll returns how many positions Skip finds.
func skipAll(t *testing.T, lines *Lines) (n int) {
	t.Helper()
	for {
		switch err := lines.Skip(); {
		case err == io.EOF:
			return n
		case err != nil:
			t.Fatal(err)
		}
		n++
	}
}

// parseError returns the game's error for a text.
func parseError(t *testing.T, text string) string {
	t.Helper()
	_, err := xiangqi.Rules.Position(text)
	if err == nil {
		t.Fatalf("%.40q was accepted as a position", text)
	}
	return err.Error()
}

func TestConcat(t *testing.T) {
	closed := 0
	file := func(name, text string) func() (Source, error) {
		return func() (Source, error) {
			return closing{NewLines(enginetest.Stones, name, strings.NewReader(text)), &closed}, nil
		}
	}
	src := Concat(file("a", "5 first 2\n\nx\n"), file("b", ""), file("c", "# c\n4 second 1\n"))
	want := []string{
		`a:1 "5 first 2" is 5 first 2`,
		`a:3 "": bad "x": stones "x": want a number, a side and a roll of 1 or 2`,
		`c:2 "4 second 1" is 4 second 1`,
	}
	if diff := cmp.Diff(want, readAll(t, src)); diff != "" {
		t.Error(diff)
	}
	if closed != 3 {
		t.Errorf("%d of 3 files were closed", closed)
	}
}

type closing struct {
	*Lines
	closed *int
}

func (c closing) Close() error {
	*c.closed++
	return nil
}

// FuzzLines reads arbitrary bytes: no line is lost, quoted lines are short, and a parsed position
// reads back the same.
func FuzzLines(f *testing.F) {
	f.Add("\ufeff" + startBoard + " moves h2e2, h9g7\r\n# x\n\nstartpos moves\n")
	f.Add("\xff\xfe\x00\n")
	f.Add(`2bak4/9/9/9/9/9/9/9/9/3K5 w - - c0 "moves`)
	f.Fuzz(func(t *testing.T, input string) {
		src := NewLines(xiangqi.Rules, "", strings.NewReader(input))
		items, last := 0, 0
		for {
			item, err := src.Next()
			if err == io.EOF {
				break
			}
			if err != nil || item.Line <= last {
				t.Fatalf("line %d after %d, error %v", item.Line, last, err)
			}
			items, last = items+1, item.Line
			checkItem(t, item)
		}
		again := NewLines(xiangqi.Rules, "", strings.NewReader(input))
		if n := skipAll(t, again); n != items {
			t.Errorf("Skip skipped %d, want %d", n, items)
		}
	})
}

func checkItem(t *testing.T, item Item) {
	if (item.Err == nil) != (item.Pos != nil) || len(item.Input) > 3*MaxExcerpt {
		t.Fatalf("%+v", item)
	}
	if item.Err != nil {
		return
	}
	line := item.Text
	if len(item.Moves) > 0 {
		line += " moves " + strings.Join(item.Moves, " ")
	}
	again := Parse(xiangqi.Rules, line)
	if again.Err != nil || again.Pos.String() != item.Pos.String() || again.Text != item.Text {
		t.Fatalf("%s reads back as %s", shown(item), shown(again))
	}
}
