package attach

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"qhsh/engine/games"
)

// TestExamine: every SPEC that the help lists as supported has checks, and every option is read.
func TestExamine(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"builtin", ""},
		{"./x", ""},
		{"qh,dir=/tmp,ban=keeps:./x", ""},
		{"uci,Hash=1:./x", ""},
		{"ucci:./x", ""},
		{"qtp,size=7:./x", ""},
		{"quoridor", ""},
		{"qh,foo=bar:./x", `qh: no option "foo"`},
		{"qh,ban=never:./x", "qh: ban=never: want ban=none or ban=keeps"},
		{"qtp,foo=bar:./x", `"foo"`},
		{"xboard:./x", "no checks for protocol xboard"},
		{"xb", "no checks for protocol"},
	} {
		e, err := Parse(c.spec, Options{Games: games.Default, Names: map[string]string{"xb": "xboard:./x"}})
		if err == nil {
			_, err = e.Suite(t.Context())
		}
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.spec, err, c.want)
		}
	}
}

func TestWithOptions(t *testing.T) {
	names := map[string]string{"mine": "uci,Hash=16,dir=/tmp:./x -a"}
	options := []games.Setting{{Key: "Razor Margin", Value: "7"}, {Key: "Hash", Value: "8"}}
	for _, c := range []struct{ spec, want string }{
		{"mine", "uci,dir=/tmp,Razor Margin=7,Hash=8:./x -a"},
		{"builtin,nodes=5", ""}, // it has no such options
		{"xboard:./x 'a b'", "xboard,Razor Margin=7,Hash=8:./x 'a b'"},
		{`uci,Book="a,b":./x`, `uci,Book="a,b",Razor Margin=7,Hash=8:./x`},
	} {
		if got, err := parsed(t, c.spec, Options{Games: games.Default, Names: names}).WithOptions(options); err == nil && got.Spec != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.spec, got.Spec, err, c.want)
		}
	}
}

// TestWithQuirks: a SPEC keeps its program and its folder, and its quirks are replaced.
func TestWithQuirks(t *testing.T) {
	names := map[string]string{"mine": "qh,letters=nb:./x -plugin"}
	for _, c := range []struct {
		spec   string
		given  []string
		chosen []string
		want   string
	}{
		{"./x -plugin", nil, []string{"ban=keeps", "side=r"}, "qh,ban=keeps,side=r:./x -plugin"},
		{"qh:./x -plugin", nil, nil, ""},
		{"qh,ban=none,dir=/tmp:./x", []string{"ban=none"}, []string{"ban=keeps"}, "qh,dir=/tmp,ban=keeps:./x"},
		{"qh,letters=nb,ban=none:./x", []string{"letters=nb", "ban=none"}, nil, "qh:./x"},
		{"mine", []string{"letters=nb"}, []string{"letters=nb", "scr=none"}, "qh,letters=nb,scr=none:./x -plugin"},
		{"builtin", nil, []string{"ban=keeps"}, ""},
	} {
		var given []string
		got := parsed(t, c.spec, Options{Games: games.Default, Names: names}).WithQuirks(func(g []string) []string { given = g; return c.chosen })
		if got != c.want || !slices.Equal(given, c.given) {
			t.Errorf("%s with %v: %q, given %v; want %q", c.spec, c.chosen, got, given, c.want)
		}
	}
}
