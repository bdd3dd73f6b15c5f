package script

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine/printable"
)

// The Python builtins sum, round and format, which Starlark lacks. Its % and str.format do not
// support widths and digits.

var sumFunction = function("sum(items: Iterable, start: int | float = 0) -> int | float", `The sum of numbers.
>>> sum([h for h in range(4)]), sum([0.5, 1])
(6, 1.5)`, sum)

func sum(items starlark.Iterable, start starlark.Value) (starlark.Value, error) {
	total := starlark.Value(starlark.MakeInt(0))
	add := func(v starlark.Value) (err error) {
		switch v.(type) {
		case starlark.Int, starlark.Float:
			total, err = starlark.Binary(syntax.PLUS, total, v)
			return err
		case score:
			return fmt.Errorf("got a score, want numbers: add up the .value() of scores")
		}
		return fmt.Errorf("got a %s, want numbers", v.Type())
	}
	if err := add(start); err != nil {
		return nil, err
	}
	for v := range starlark.Elements(items) {
		if err := add(v); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// maxDigits is the maximum number of decimals; no float has more than 1,074.
const maxDigits = 1100

var roundFunction = function("round(number: int | float, digits: int | None = None) -> int | float", `The nearest integer, halves rounded to even; with digits the nearest number with that many decimals.
>>> round(2.5), round(3.5), round(0.12345, 2)
(2, 4, 0.12)`, round)

func round(number, digits starlark.Value) (starlark.Value, error) {
	if n, ok := number.(starlark.Int); ok {
		return n, nil
	}
	x, ok := number.(starlark.Float)
	if !ok {
		return nil, fmt.Errorf("got a %s, want a number", number.Type())
	}
	if digits == starlark.None {
		return starlark.NumberToInt(starlark.Float(math.RoundToEven(float64(x))))
	}
	n, err := starlark.AsInt32(digits)
	if err != nil || n < 0 || n > maxDigits {
		return nil, fmt.Errorf("digits %s: want 0 to %d", digits, maxDigits)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'f', n, 64), 64)
	return starlark.Float(rounded), err
}

var formatFunction = function(`format(x: object, spec: str = "") -> str`, `Formats a value like Python's format. spec is an optional fill character and alignment <, > or ^, + for a sign of positive numbers too, 0 for zero padding, a width, a comma as thousands separator, a point and the number of decimals, and one of the letters d, f, e, g, x, %. Numbers and scores are right-aligned, other values left-aligned.
>>> format(2.0 / 3, ".2f"), format(7, "03"), format(1234567, ","), format(0.5, ".0%")
("0.67", "007", "1,234,567", "50%")
>>> [format("ab", ">4"), format(score(cp=35), "8"), format("x", "-^5")]
["  ab", "   +0.35", "--x--"]`, format)

func format(x starlark.Value, text string) (string, error) {
	spec, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	return spec.format(x)
}

// A formatSpec is a parsed format spec.
type formatSpec struct {
	fill   rune
	align  byte // < > ^; 0: by the type of value
	plus   bool
	zeros  bool
	width  int
	commas bool
	digits int  // decimals; -1: not given
	letter byte // 0: none
}

const maxWidth = 10_000 // columns

// parseSpec parses [[FILL]ALIGN][+][0][WIDTH][,][.DIGITS][LETTER].
func parseSpec(text string) (formatSpec, error) {
	spec := formatSpec{fill: ' ', digits: -1}
	rest := text
	if r := []rune(rest); len(r) > 1 && strings.ContainsRune("<>^", r[1]) {
		spec.fill, rest = r[0], string(r[1:])
	}
	take := func(set string) byte {
		if rest == "" || !strings.Contains(set, rest[:1]) {
			return 0
		}
		letter := rest[0]
		rest = rest[1:]
		return letter
	}
	number := func() int {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = rest[len(digits):]
		n, err := strconv.Atoi(digits)
		if err != nil {
			return -1
		}
		return n
	}
	spec.align = take("<>^")
	spec.plus = take("+") != 0
	spec.zeros = take("0") != 0
	spec.width = max(number(), 0)
	spec.commas = take(",") != 0
	if take(".") != 0 {
		if spec.digits = number(); spec.digits < 0 {
			return spec, fmt.Errorf("spec %s: want a number after the point", shorten(text))
		}
	}
	spec.letter = take("sdfegx%")
	if rest != "" || spec.width > maxWidth || spec.digits > maxDigits {
		return spec, fmt.Errorf("spec %s: want such as \">8\", \"+d\", \"05.2f\", \",\" or \".1%%\"", shorten(text))
	}
	return spec, nil
}

func (f formatSpec) format(x starlark.Value) (_ string, err error) {
	body, right := display(x), false
	switch x.(type) {
	case starlark.Int, starlark.Float:
		if body, err = f.number(x); err != nil {
			return "", err
		}
		right = true
	default:
		_, right = x.(score)
		if f.plus || f.zeros || f.commas || f.letter != 0 && f.letter != 's' {
			return "", fmt.Errorf("a %s has no sign and no decimals: want only a width such as \">8\"", x.Type())
		}
		if r := []rune(body); f.digits >= 0 && len(r) > f.digits {
			body = string(r[:f.digits])
		}
	}
	return f.pad(body, right), nil
}

func (f formatSpec) number(x starlark.Value) (string, error) {
	n, whole := x.(starlark.Int)
	var text string
	switch {
	case f.letter == 's':
		return "", fmt.Errorf("letter s does not apply to numbers: use str(x)")
	case whole && f.digits < 0 && (f.letter == 0 || f.letter == 'd'):
		text = n.String()
	case whole && f.letter == 'x':
		text = n.BigInt().Text(16)
	case f.letter == 'd' || f.letter == 'x':
		return "", fmt.Errorf("%v is not an integer, as letter %c requires", x, f.letter)
	default:
		v, _ := starlark.AsFloat(x)
		text = f.float(v)
	}
	return f.signed(text), nil
}

func (f formatSpec) float(v float64) string {
	digits := f.digits
	if digits < 0 && f.letter != 0 {
		digits = 6
	}
	switch {
	case f.letter == '%':
		return strconv.FormatFloat(v*100, 'f', digits, 64) + "%"
	case digits < 0:
		return starlark.Float(v).String()
	case f.letter == 0, f.letter == 'g':
		return strconv.FormatFloat(v, 'g', max(digits, 1), 64)
	}
	return strconv.FormatFloat(v, f.letter, digits, 64)
}

func (f formatSpec) signed(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign, text = text[:1], text[1:]
	} else if f.plus {
		sign = "+"
	}
	if f.commas {
		whole, rest := text, ""
		if i := strings.IndexAny(text, ".e%"); i >= 0 {
			whole, rest = text[:i], text[i:]
		}
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		text = whole + rest
	}
	if f.zeros && f.align == 0 {
		text = strings.Repeat("0", max(f.width-len(sign)-len(text), 0)) + text
	}
	return sign + text
}

func (f formatSpec) pad(body string, right bool) string {
	blanks := max(f.width-printable.Width.StringWidth(body), 0)
	left := 0
	switch {
	case f.align == '^':
		left = blanks / 2
	case f.align == '>' || f.align == 0 && right:
		left = blanks
	}
	fill := string(f.fill)
	return strings.Repeat(fill, left) + body + strings.Repeat(fill, blanks-left)
}
