package script

import "regexp"

// pythonHints say what to do instead to those who write Python: what the interpreter's message
// matches, and what is added to it.
var pythonHints = []struct {
	message *regexp.Regexp
	advice  string
}{
	{regexp.MustCompile(`^invalid call of non-function \((bool|string|int|list|hint|NoneType|score)\)`), "what is no function is written without (): b.fen, b.is_check, b.legal_moves"},
	{regexp.MustCompile(`^got (import|from)\b`), `a module is loaded: load("lib.star", "name")`},
	{regexp.MustCompile(`^got (try|except|raise|finally)\b`), "the language has no exceptions: ask before, as with is_legal, or end with fail(\"why\")"},
	{regexp.MustCompile(`^got with\b`), "the language has no with: engines are closed at the end by themselves"},
	{regexp.MustCompile(`^got class\b`), "the language has no classes: take struct(a=1), or a dict"},
	{regexp.MustCompile(`^got (yield|async|await)\b`), "the language has no generators: build a list"},
	{regexp.MustCompile(`^got (global|nonlocal)\b`), "a function cannot assign to names outside of it: keep the value in a dict"},
	{regexp.MustCompile(`^got (is|del)\b`), "compare with ==, and take away with pop"},
	{regexp.MustCompile(`^got (identifier|\w+ literal), want newline`), "if it is assert or another statement of Python, the language may lack it: fail(\"why\") ends a script"},
	{regexp.MustCompile(`^got string literal, want`), `the language has no f"...": write "%s" % x, or format(x, ".2f")`},
	{regexp.MustCompile(`^(unknown conversion %|format spec features not supported)`), `for widths and digits there is format(x, "8.2f"), and table(rows)`},
	{regexp.MustCompile(`^got '\*\*', want`), "powers are math.pow(x, y), those of two 1 << n"},
	{regexp.MustCompile(`^got ':', want (newline|'\)')`), "the language has no types in declarations, and no :="},
	{regexp.MustCompile(`^got ',', want ':'`), "a set is set([1, 2])"},
	{regexp.MustCompile(`^string value is not iterable`), `the letters of a text are text.elems()`},
	{regexp.MustCompile(`^undefined: open\b`), "positions(path) reads, and write(name, text) writes below -out"},
	{regexp.MustCompile(`^undefined: isinstance\b`), `write type(x) == "int"`},
	{regexp.MustCompile(`^undefined: (map|filter)\b`), "write [f(x) for x in items if ...]"},
	{regexp.MustCompile(`^list has no \.sort\b`), "sorted(items) is a new list"},
	{regexp.MustCompile(`^string has no \.(ljust|rjust|center|zfill)\b`), `for widths there is format(x, "<8")`},
	{regexp.MustCompile(`^NoneType has no \.(move|score)\b`), "there is no hint where the game is over: look at b.is_game_over first"},
}

// withPythonHint adds to an error of the interpreter what a writer of Python should know. What it
// wraps stays.
func withPythonHint(err error) error {
	if err == nil {
		return nil
	}
	for _, a := range pythonHints {
		if a.message.MatchString(err.Error()) {
			return &hintedError{err, a.advice}
		}
	}
	return err
}

// hintedError is an error with advice.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() + " (" + e.hint + ")" }

func (e *hintedError) Unwrap() error { return e.err }
