package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestTable(t *testing.T) {
	b := newBench(t.Context())
	for _, test := range []struct{ call, want string }{
		{`table([])`, ``},
		{`table([], header=["a"])`, "a\n-"},
		{`table([[]])`, ``},
		{`table([["a", 1], ["bcd", 20]])`, "a     1\nbcd  20"},
		{`table([("H2-E2", score(35)), ("平炮", score(mate=-2)), ("馬", None)], header=["move", "worth"])`, `
move     worth
-----  -------
H2-E2    +0.35
平炮   mate -2
馬`},
		{`table([["a", "b"], ["ccc", "ddd"]], align="rc")`, "  a   b\nccc  ddd"},
		{`table([["a", "b"], ["bcd", "ef"]], align="c")`, " a   b\nbcd  ef"},
		{`table([["a"], ["b", "c", 1.5]])`, "a\nb  c  1.5"},
		{`table([{"move": "H2-E2", "cp": 35}, {"cp": -4}])`, "move   cp\n-----  --\nH2-E2  35\n       -4"},
		{`table([{"move": "H2-E2", "cp": 35}], header=["cp", "nodes"])`, "cp  nodes\n--  -----\n35"},
		{`table([{1: 2, (1, 2): 3}])`, "1  (1, 2)\n-  ------\n2       3"},
		{`table([["a\nb\tc\x1b", True]])`, `a\nb\tc\x1b  True`},
		{`table([range(3)], header=range(3))`, `error: table: for parameter "header": element 0 is a int, want a string`},
		{`table([1])`, `error: table: row 1: got int, want a list, a tuple or a dict`},
		{`table(1)`, `error: table: for parameter rows: got int, want iterable`},
		{`table([], align="x")`, `error: table: align "x": want letters l, r and c`},
		{`table([{"a": 1}, {"b": 2}])`, `error: table: row 2: keys not in the first row, a: set header`},
		{`table([[board()]])`, strings.Trim(startQuoted, `"`)},
	} {
		got := b.eval(test.call)
		if !strings.HasPrefix(got, "error") {
			text, err := starlark.EvalOptions(&syntax.FileOptions{}, b.thread, "test", test.call, b.names)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text.(starlark.String))
		}
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.call, diff)
		}
	}
}
