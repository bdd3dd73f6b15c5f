package script

import (
	"fmt"
	"regexp"

	"qhsh/engine/lazyregexp"
)

// pythonHints suggest alternatives to people who write Python: a pattern of the interpreter's
// message and the hint.
var pythonHints = []struct {
	message func() *regexp.Regexp
	advice  string
}{
	{lazyregexp.New(`^invalid call of non-function \((bool|string|int|list|hint|NoneType|score)\)`), "this is an attribute, not a method; omit the (): b.fen, b.is_check, b.legal_moves"},
	{lazyregexp.New(`^unhandled index operation builtin_function_or_method\[`), `this is a method; call it: b.pieces()[point]`},
	{lazyregexp.New(`^undefined: (best|hints)\b`), "engines give hints: e = engine(), then e.best(b) or e.hints(b)"},
	{lazyregexp.New(`^int: invalid literal with base \d+: -[A-Za-z]`), `take flags out of args first: n = flag("n", 1)`},
	{lazyregexp.New(`^got (import|from)\b`), `use load("lib.star", "name")`},
	{lazyregexp.New(`^got (try|except|raise|finally)\b`), "Starlark has no exceptions: check first, for example with is_legal, or stop with fail(\"why\")"},
	{lazyregexp.New(`^got with\b`), "Starlark has no with: engines are closed automatically at the end"},
	{lazyregexp.New(`^got class\b`), "Starlark has no classes: use struct(a=1) or a dict"},
	{lazyregexp.New(`^got (yield|async|await)\b`), "Starlark has no generators: build a list"},
	{lazyregexp.New(`^got (global|nonlocal)\b`), "a function cannot assign to outer variables: keep the value in a dict"},
	{lazyregexp.New(`^got (is|del)\b`), "use == to compare and pop to delete"},
	{lazyregexp.New(`^got (identifier|\w+ literal), want newline`), "Starlark lacks assert and other Python statements: fail(\"why\") stops a script"},
	{lazyregexp.New(`^got string literal, want`), `Starlark has no f"...": use "%s" % x, or format(x, ".2f")`},
	{lazyregexp.New(`^(unknown conversion %|format spec features not supported)`), `for widths and digits use format(x, "8.2f") or table(rows)`},
	{lazyregexp.New(`^got '\*\*', want`), "use math.pow(x, y), or 1 << n for powers of two"},
	{lazyregexp.New(`^got ':', want (newline|'\)')`), "Starlark has no type annotations and no :="},
	{lazyregexp.New(`^got ',', want ':'`), "write a set as set([1, 2])"},
	{lazyregexp.New(`^string value is not iterable`), `use text.elems() to iterate over characters`},
	{lazyregexp.New(`^undefined: open\b`), "positions(path) reads, and write(name, text) writes below -out"},
	{lazyregexp.New(`^undefined: isinstance\b`), `write type(x) == "int"`},
	{lazyregexp.New(`^undefined: (map|filter)\b`), "write [f(x) for x in items if ...]"},
	{lazyregexp.New(`^list has no \.sort\b`), "use sorted(items)"},
	{lazyregexp.New(`^string has no \.(ljust|rjust|center|zfill)\b`), `for widths use format(x, "<8")`},
	{lazyregexp.New(`^NoneType has no \.(move|score)\b`), "there is no hint if the game is over: check b.is_game_over first"},
}

// withPythonHint adds a hint for Python programmers to an error of the interpreter, if there is
// one. It wraps err.
func withPythonHint(err error) error {
	if err == nil {
		return nil
	}
	for _, a := range pythonHints {
		if a.message().MatchString(err.Error()) {
			return fmt.Errorf("%w (%s)", err, a.advice)
		}
	}
	return err
}
