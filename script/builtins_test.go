package script

import "testing"

// TestFormat compares with the output of CPython 3.11, except for what only scripts have.
func TestFormat(t *testing.T) {
	newBench(t.Context()).expect(t, [][2]string{
		{`format(3.14159, ".2f"), format(-0.5, "+.1f"), format(0.5, "+.1f"), format(2.0, "8.3f")`, `("3.14", "-0.5", "+0.5", "   2.000")`},
		{`format(5, "05d"), format(-5, "05"), format(255, "x"), format(-255, "6x"), format(3, ".1f")`, `("00005", "-0005", "ff", "   -ff", "3.0")`},
		{`format(1234567, ","), format(-1234567.891, ",.1f"), format(123, ","), format(1000, ">8,")`, `("1,234,567", "-1,234,567.9", "123", "   1,000")`},
		{`format(0.5, ".0%"), format(0.123, "%"), format(1, ".1%")`, `("50%", "12.300000%", "100.0%")`},
		{`format(1234.5, ".2e"), format(0.00001, "g"), format(1234567.0, ".3g"), format(2.5)`, `("1.23e+03", "1e-05", "1.23e+06", "2.5")`},
		{`format("ab", "5") + "|", format("ab", ">5"), format("ab", "^5"), format("ab", "*^6"), format("abc", ".2")`, `("ab   |", "   ab", " ab  ", "**ab**", "ab")`},
		{`format("炮", ">4"), format(None, "6"), format(score(mate=3), ">8"), format(score(cp=-5), "6"), format([1], "4")`, `("  炮", "None  ", "  mate 3", " -0.05", "[1] ")`},
		{`format("x", "d")`, `error: format: a string has no sign and no decimals: want only a width such as ">8"`},
		{`format(1.5, "d")`, `error: format: 1.5 is not an integer, as letter d requires`},
		{`format(1, "s")`, `error: format: letter s does not apply to numbers: use str(x)`},
		{`format(1, "q")`, `error: format: spec "q": want such as ">8", "+d", "05.2f", "," or ".1%"`},
		{`format(1, "1000000000")`, `error: format: spec "1000000000": want such as ">8", "+d", "05.2f", "," or ".1%"`},
		{`format(1, ".99999f")`, `error: format: spec ".99999f": want such as ">8", "+d", "05.2f", "," or ".1%"`},
		{`format(1, ".f")`, `error: format: spec ".f": want a number after the point`},
	})
}

func TestSumAndRound(t *testing.T) {
	newBench(t.Context()).expect(t, [][2]string{
		{`sum([]), sum([1, 2, 3]), sum([1, 0.5]), sum([1], 10), sum([1], start=0.5)`, `(0, 6, 1.5, 11, 1.5)`},
		{`sum(["a"])`, `error: sum: got a string, want numbers`},
		{`sum([score(cp=1)])`, `error: sum: got a score, want numbers: add up the .value() of scores`},
		{`sum([[1]], [])`, `error: sum: got a list, want numbers`},
		{`round(0.5), round(1.5), round(2.5), round(-2.5), round(-0.4), round(7)`, `(0, 2, 2, -2, 0, 7)`},
		{`round(2.675, 2), round(1.005, 2), round(1234.5678, 0), round(1, 2), round(1e300) > 0`, `(2.67, 1.0, 1235.0, 1, True)`},
		{`round("x")`, `error: round: got a string, want a number`},
		{`round(1.5, -1)`, `error: round: digits -1: want 0 to 1100`},
	})
}
