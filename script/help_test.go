package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
)

// TestHelp compares whole texts.
func TestHelp(t *testing.T) {
	b := newBench(t.Context())
	b.names["shell"] = shellFunction.builtin
	b.names["math"], b.names["len"] = math.Module, starlark.Universe["len"]
	b.names["e"] = object{testTree(sampleTree(t))}
	globals := b.run(t, `
def documented(a, b=2, *args, c, d="x", **kwargs):
    """Does something.

    In two paragraphs,
      one indented.
    """
def bare(*, key): pass
def none(): "One line."
`)
	for name, fn := range globals {
		b.names[name] = fn
	}
	for _, test := range []struct{ x, want string }{
		{`board().push`, `
Board.push(move: str) -> None
    Plays a move. An illegal one is an error that says why.`},
		{`board().perft`, `
Board.perft(depth: int) -> int
    The number of leaf nodes of the given depth.
    >>> board().perft(2)
    1920`},
		{`"board.turn"`, `
Board.turn: str
    The side to move, such as "red" or "black".`},
		{`"args"`, `
args: list[str]
    The script's command line arguments, without the flags that flag() has
    returned.`},
		{`documented`, `
documented(a, b=2, *args, c, d="x", **kwargs)
    Does something.

    In two paragraphs,
      one indented.`},
		{`none`, `
none()
    One line.`},
		{`bare`, `
bare(*, key)
    No docstring. Defined at test:8:1.`},
		{`lambda x, y=[]: x`, `
lambda(x, y=[])
    No docstring. Defined at test:1:6.`},
		{`len`, `len: a Starlark function`},
		{`shell`, `
shell(line: str) -> str
    Runs a line of the shell as if typed and returns its output. It exists only
    in the shell.`},
		{`[].append`, `append: a method of Starlark's type list`},
		{`math.log`, `log: a Starlark function`},
		{`1`, `int: a Starlark value`},
		{`[]`, `
list: a Starlark value, with append, clear, extend, index, insert, pop, remove`},
		{`board("R3k4/R8/9/9/9/9/9/9/9/3K5 b").outcome`, `
Outcome
    How a game ended. In JSON it is {"winner":"red","reason":"checkmate"}, with
    winner null for a draw.

  winner: str | None
      "red" or "black".
  reason: str
      A word or two, such as "checkmate" or "stalemate".

For details use help("Outcome.reason").`},
	} {
		b.printed.Reset()
		if got := b.eval("help(" + test.x + ")"); got != "None" {
			t.Errorf("help(%s) answers %s", test.x, got)
		}
		got := strings.TrimSuffix(b.printed.String(), "\n")
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), got); diff != "" {
			t.Errorf("help(%s) (-want +got):\n%s", test.x, diff)
		}
	}
}

// TestHelpNames checks that help finds everything by its name, and lists all names without one.
func TestHelpNames(t *testing.T) {
	all := testGames.helpOn(starlark.None)
	eachMember(func(name string, m *member) {
		text := testGames.helpOn(starlark.String(name))
		if !strings.Contains(text, m.String()) || strings.HasPrefix(text, "There is no help") {
			t.Errorf("help(%q) does not show %s:\n%s", name, m, text)
		}
		if !strings.Contains(name, ".") && !strings.Contains(all, m.String()) {
			t.Errorf("help() does not show %s", m)
		}
	})
	for _, c := range classes() {
		for _, name := range []string{c.name, strings.ToLower(c.name)} {
			if text := testGames.helpOn(starlark.String(name)); !strings.Contains(text, c.members[0].String()) {
				t.Errorf("help(%q) does not show the class:\n%s", name, text)
			}
		}
		if !strings.Contains(all, "  "+c.name+"\n") {
			t.Errorf("help() does not show %s", c.name)
		}
	}
	for _, m := range functions(testGames) {
		if text := testGames.helpOn(m.builtin); !strings.HasPrefix(text, m.String()) {
			t.Errorf("help(%s) does not show it:\n%s", m.name, text)
		}
	}
	if got := testGames.helpOn(starlark.String("nothing")); !strings.HasPrefix(got, `No help on "nothing". help() lists all names.`) {
		t.Errorf("help on an unknown name:\n%s", got)
	}
	for line := range strings.Lines(all) {
		if prose := strings.HasPrefix(line, "      "); prose && len(line) > 81 {
			t.Errorf("a long line: %s", line)
		}
	}
}
