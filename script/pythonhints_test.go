package script

import (
	"strings"
	"testing"
)

// TestAdvice: errors for Python that Starlark lacks end with a hint about what to write instead.
func TestAdvice(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"board().is_check()", `main.star:1:17: invalid call of non-function (bool) (this is an attribute, not a method; omit the (): b.fen, b.is_check, b.legal_moves)`},
		{"board().pieces['E0']", `main.star:1:15: unhandled index operation builtin_function_or_method[string] (this is a method; call it: b.pieces()[point])`},
		{"hints(board(), count=3)", `main.star:1:1: undefined: hints (engines give hints: e = engine(), then e.best(b) or e.hints(b))`},
		{"engine().hints(board(), count=3)", `main.star:1:15: hints: unexpected keyword argument "count": want board, hints or ban`},
		{"board(gam='')", `main.star:1:6: board: unexpected keyword argument "gam" (did you mean game?)`},
		{"int('-n')", `main.star:1:4: int: invalid literal with base 10: -n (take flags out of args first: n = flag("n", 1))`},
		{"import chess", `main.star:1:1: got import, want primary expression (use load("lib.star", "name"))`},
		{"try:\n  pass", `main.star:1:1: got try, want primary expression (Starlark has no exceptions: check first, for example with is_legal, or stop with fail("why"))`},
		{"with engine() as e: pass", `main.star:1:1: got with, want primary expression (Starlark has no with: engines are closed automatically at the end)`},
		{"class A: pass", `main.star:1:1: got class, want primary expression (Starlark has no classes: use struct(a=1) or a dict)`},
		{"def f():\n  yield 1", `main.star:2:3: got yield, want primary expression (Starlark has no generators: build a list)`},
		{"def f():\n  global x", `main.star:2:3: got global, want primary expression (a function cannot assign to outer variables: keep the value in a dict)`},
		{"x = 1 is None", `main.star:1:9: got is, want newline (use == to compare and pop to delete)`},
		{"assert 1 == 1", `main.star:1:9: got int literal, want newline (Starlark lacks assert and other Python statements: fail("why") stops a script)`},
		{"x = f'y'", `main.star:1:9: got string literal, want newline (Starlark has no f"...": use "%s" % x, or format(x, ".2f"))`},
		{"print(f'x')", `main.star:1:11: got string literal, want ',' (Starlark has no f"...": use "%s" % x, or format(x, ".2f"))`},
		{"'%5d' % 3", `main.star:1:7: unknown conversion %5 (for widths and digits use format(x, "8.2f") or table(rows))`},
		{"'{:>5}'.format(3)", `main.star:1:15: format spec features not supported in replacement fields: >5 (for widths and digits use format(x, "8.2f") or table(rows))`},
		{"2 ** 3", `main.star:1:5: got '**', want newline (use math.pow(x, y), or 1 << n for powers of two)`},
		{"print({**{}})", `main.star:1:8: got '**', want primary expression (join dicts by a | b)`},
		{"print([*[1], 2])", `main.star:1:8: got '*', want primary expression (* unpacks only arguments of a call: join lists by a + b, and write a, rest = items[0], items[1:])`},
		{"a, *b = [1, 2, 3]", `main.star:1:4: got '*', want primary expression (* unpacks only arguments of a call: join lists by a + b, and write a, rest = items[0], items[1:])`},
		{"print(*board())", `main.star:1:6: argument after * must be iterable, not board (unpack its moves, *b.move_stack or *b.legal_moves)`},
		{"sum(x for x in [1])", `main.star:1:10: got for, want ',' (Starlark has no generator expressions: write a list, as in sum([len(x) for x in items]))`},
		{"y = (x for x in [1])", `main.star:1:11: got for, want ')' (Starlark has no generator expressions: write a list, as in sum([len(x) for x in items]))`},
		{"for x in [1]:\n  pass\nelse:\n  pass", `main.star:3:1: got else, want primary expression (a loop has no else: set a variable before break, or return from a function)`},
		{"1 < 2 < 3", `main.star:1:8: < does not associate with < (use parens) (write a < b and b < c)`},
		{"1 if x is None else 2", `main.star:1:3: conditional expression without else clause (write a if x == None else b: there is no is)`},
		{"if (n := 3) > 2: pass", `main.star:1:8: got ':', want ')' (Starlark has no type annotations and no :=)`},
		{"def f(x) -> int: return 1", `main.star:1:11: got '-', want ':' (Starlark has no type annotations and no :=)`},
		{"a = b = 3", `main.star:1:8: got '=', want newline (write one assignment a line; a lambda has none: use def)`},
		{"f = lambda x: y = x", `main.star:1:18: got '=', want newline (write one assignment a line; a lambda has none: use def)`},
		{"@f\ndef g(): pass", `main.star:1:1: unexpected input character '@' (Starlark has no decorators: write f = decorate(f) after the def)`},
		{"def f(): n += 1\nn = 0\nf()", `main.star:1:10: local variable n referenced before assignment (a function cannot assign to outer variables: keep the value in a dict)`},
		{"next([1])", `main.star:1:1: undefined: next (use a for loop with break)`},
		{"Counter([1])", `main.star:1:1: undefined: Counter (count in a dict: n[key] = n.get(key, 0) + 1)`},
		{"random.seed(1)", `main.star:1:7: builtin_function_or_method has no .seed field or method (make a generator first: r = random(seed), then r.choice(items))`},
		{"max([], default=0)", `main.star:1:4: max: unexpected keyword argument "default" (write max(items) if items else 0)`},
		{"print(1, file=2)", `main.star:1:6: print: unexpected keyword argument "file" (log(x) writes to standard error, write(name, text) below -out)`},
		{"for a, b in {'x': 1}: pass", `main.star:1:1: got string in sequence assignment (iterate over the pairs of a dict with .items())`},
		{"x: int = 3", `main.star:1:3: got ':', want newline (Starlark has no type annotations and no :=)`},
		{"{1, 2}", `main.star:1:4: got ',', want ':' (write a set as set([1, 2]))`},
		{"for c in 'abc': pass", `main.star:1:1: string value is not iterable (use text.elems() to iterate over characters)`},
		{"open('x')", `main.star:1:1: undefined: open (positions(path), games(path), read_csv(path) and lines(path) read; write(name, text) and save_csv(name, rows) write below -out)`},
		{"isinstance(1, 'int')", `main.star:1:1: undefined: isinstance (write type(x) == "int")`},
		{"map(len, [])", `main.star:1:1: undefined: map (write [f(x) for x in items if ...])`},
		{"[2, 1].sort()", `main.star:1:7: list has no .sort field or method (use sorted(items), reversed(items) or list(items))`},
		{"'x'.ljust(3)", `main.star:1:4: string has no .ljust field or method (for widths use format(x, "<8"))`},
		{"print(engine().best(board('3k5/9/9/9/9/9/9/9/r8/r3K4 w')).move)", `main.star:1:58: NoneType has no .move field or method (there is no hint if the game is over: check b.is_game_over first)`},
		{"pmap(lambda b: b.fen(), [board()])", `main.star:1:21: pmap: item 0 (` + strings.Trim(startQuoted, `"`) + `): invalid call of non-function (string) (this is an attribute, not a method; omit the (): b.fen, b.is_check, b.legal_moves)`},
		{"1 + 'x'", `main.star:1:3: unknown binary op: int + string`},
	} {
		got, _, _ := strings.Cut(newStage().run(t, test.source), "\n")
		if got != "#"+test.want {
			t.Errorf("%s\n got %s\nwant #%s", test.source, got, test.want)
		}
	}
}
