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
	{lazyregexp.New(`^got string literal, want`), `Starlark has no f"...": use "%s" % x, or format(x, ".2f")`},
	{lazyregexp.New(`^got (identifier|\w+ literal), want newline`), "Starlark lacks assert and other Python statements: fail(\"why\") stops a script"},
	{lazyregexp.New(`^(unknown conversion %|format spec features not supported)`), `for widths and digits use format(x, "8.2f") or table(rows)`},
	{lazyregexp.New(`^got '\*\*', want primary`), "join dicts by a | b"},
	{lazyregexp.New(`^(got '\*\*', want|undefined: pow\b)`), "use math.pow(x, y), or 1 << n for powers of two"},
	{lazyregexp.New(`^got '\*', want primary`), "* unpacks only arguments of a call: join lists by a + b, and write a, rest = items[0], items[1:]"},
	{lazyregexp.New(`^argument after \* must be iterable, not board`), "unpack its moves, *b.move_stack or *b.legal_moves"},
	{lazyregexp.New(`^got for, want`), "Starlark has no generator expressions: write a list, as in sum([len(x) for x in items])"},
	{lazyregexp.New(`^got (else|elif), want primary`), "a loop has no else: set a variable before break, or return from a function"},
	{lazyregexp.New(`^\S+ does not associate with`), "write a < b and b < c"},
	{lazyregexp.New(`^conditional expression without else`), "write a if x == None else b: there is no is"},
	{lazyregexp.New(`^got (':', want (newline|'\)')|'-', want ':')`), "Starlark has no type annotations and no :="},
	{lazyregexp.New(`^got '=', want newline`), "write one assignment a line; a lambda has none: use def"},
	{lazyregexp.New(`^unexpected input character '@'`), "Starlark has no decorators: write f = decorate(f) after the def"},
	{lazyregexp.New(`^got ',', want ':'`), "write a set as set([1, 2])"},
	{lazyregexp.New(`^string value is not iterable`), `use text.elems() to iterate over characters`},
	{lazyregexp.New(`^undefined: (open|csv)\b`), "positions(path), games(path), read_csv(path) and lines(path) read; write(name, text) and save_csv(name, rows) write below -out"},
	{lazyregexp.New(`^undefined: (next|iter)\b`), "use a for loop with break"},
	{lazyregexp.New(`^undefined: divmod\b`), "write x // y, x % y"},
	{lazyregexp.New(`^undefined: (Counter|defaultdict)\b`), "count in a dict: n[key] = n.get(key, 0) + 1"},
	{lazyregexp.New(`^undefined: input\b`), `the command line is in args and flag("name")`},
	{lazyregexp.New(`^builtin_function_or_method has no \.(seed|random|randint|uniform|choice|shuffle|sample)\b`), "make a generator first: r = random(seed), then r.choice(items)"},
	{lazyregexp.New(`^(max|min): unexpected keyword argument "default"`), "write max(items) if items else 0"},
	{lazyregexp.New(`^print: unexpected keyword argument "file"`), "log(x) writes to standard error, write(name, text) below -out"},
	{lazyregexp.New(`^got string in sequence assignment`), "iterate over the pairs of a dict with .items()"},
	{lazyregexp.New(`^local variable \w+ referenced before assignment`), "a function cannot assign to outer variables: keep the value in a dict"},
	{lazyregexp.New(`^undefined: isinstance\b`), `write type(x) == "int"`},
	{lazyregexp.New(`^undefined: (map|filter)\b`), "write [f(x) for x in items if ...]"},
	{lazyregexp.New(`^list has no \.(sort|reverse|copy)\b`), "use sorted(items), reversed(items) or list(items)"},
	{lazyregexp.New(`^string has no \.(ljust|rjust|center|zfill)\b`), `for widths use format(x, "<8")`},
	{lazyregexp.New(`^NoneType has no \.(move|score)\b`), "there is no hint if the game is over: check b.is_game_over first"},
}

// withPythonHint adds a hint for Python programmers to an error of the interpreter, if there is
// one. It wraps err.
func withPythonHint(err error) error {
	for _, a := range pythonHints {
		if a.message().MatchString(err.Error()) {
			return fmt.Errorf("%w (%s)", err, a.advice)
		}
	}
	return err
}
