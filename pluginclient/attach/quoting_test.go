package attach

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
)

func TestSplitWords(t *testing.T) {
	for _, c := range []struct {
		text    string
		windows bool
		want    []string
		err     string
	}{
		{text: ""},
		{text: "  a\tb\nc  ", want: []string{"a", "b", "c"}},
		{text: `a'b c'd`, want: []string{"ab cd"}},
		{text: `''`, want: []string{""}},
		{text: `"" x`, want: []string{"", "x"}},
		{text: `"a\"b\\c\$d\e"`, want: []string{`a"b\c$d\e`}},
		{text: `'a\b'`, want: []string{`a\b`}},
		{text: `a\ b\\c`, want: []string{`a b\c`}},
		{text: `$HOME *.txt ~`, want: []string{"$HOME", "*.txt", "~"}},
		{text: `a;b|c>d`, want: []string{"a;b|c>d"}},
		{text: `x \`, err: "trailing backslash"},
		{text: `x 'y`, err: "unclosed quote"},
		{text: `C:\engines\qh.exe -plugin`, windows: true, want: []string{`C:\engines\qh.exe`, "-plugin"}},
		{text: `"C:\my engines\qh.exe" D:\`, windows: true, want: []string{`C:\my engines\qh.exe`, `D:\`}},
	} {
		got, err := splitWords(c.text, c.windows)
		if (c.err == "") != (err == nil) || err != nil && err.Error() != c.err {
			t.Errorf("%q: error %v, want %q", c.text, err, c.err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" && err == nil {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestSplitHead(t *testing.T) {
	for _, c := range []struct {
		text    string
		windows bool
		want    string // fields in quotes, then the command line, if there is one
	}{
		{"builtin", false, `["builtin"]`},
		{"uci,:x:y", false, `["uci" ""] x:y`},
		{`uci,a="1,2:3",b='4,5':./x "y"`, false, `["uci" "a=1,2:3" "b=4,5"] ./x "y"`},
		{`uci,a=1\,2\:3:x`, false, `["uci" "a=1,2:3"] x`},
		{`uci,dir=D\:x`, true, `["uci" "dir=D\\"] x`},
		{`uci,dir="D:\x":y`, true, `["uci" "dir=D:\\x"] y`},
	} {
		fields, command, hasCommand, err := splitHead(c.text, c.windows)
		got := fmt.Sprintf("%q", fields)
		if hasCommand {
			got += " " + command
		}
		if err != nil || got != c.want {
			t.Errorf("%q: %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

// FuzzParse: parsing a SPEC never panics, and a SPEC without quotes is split at its commas, its
// first colon and its blanks, and nowhere else.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"builtin,nodes=20000,hash=64", "qh:./UCCI2QH -plugin", "./x", `uci,dir="a,b",env.X='c:d':./x \y`, "quoridor,size=7", "qtp,strict=true:./naive", "uci,a=1,a=2:x", `uci,"`, ":", ",",
	} {
		f.Add(seed)
	}
	o := Options{Games: games.Default}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := Parse(text, o); e == nil || err != nil && !errors.Is(err, ErrSpec) {
			t.Errorf("%q: %v, %v", text, e, err)
		}
		for _, windows := range []bool{false, true} {
			plain := !strings.ContainsAny(text, `'"`) && (windows || !strings.Contains(text, `\`))
			head, rest, found := strings.Cut(text, ":")
			fields, command, hasCommand, err := splitHead(text, windows)
			if plain && (err != nil || !slices.Equal(fields, strings.Split(head, ",")) || command != rest || hasCommand != found) {
				t.Errorf("%q: %q, %q, %v", text, fields, command, err)
			}
			words, err := splitWords(text, windows)
			blank := func(r rune) bool { return strings.ContainsRune(" \t\n", r) }
			if plain && (err != nil || !slices.Equal(words, strings.FieldsFunc(text, blank))) {
				t.Errorf("%q: %q, %v", text, words, err)
			}
		}
	})
}
