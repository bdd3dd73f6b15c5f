package printable

import "strings"

// Error returns the text of an error escaped to stay on one line, whatever names it quotes; or on
// as many lines as there are errors that [errors.Join] has joined, also where another error wraps
// them.
func Error(err error) string {
	var within []error
	switch err := err.(type) { //nolint:errorlint // each layer is asked itself
	case interface{ Unwrap() []error }:
		within = err.Unwrap()
	case interface{ Unwrap() error }:
		within = []error{err.Unwrap()}
	}
	var b strings.Builder
	rest := err.Error()
	for i, inner := range within {
		if inner == nil {
			continue
		}
		before, after, ok := strings.Cut(rest, inner.Error())
		if !ok {
			continue
		}
		if i > 0 && before == "\n" {
			b.WriteString(before)
		} else {
			b.WriteString(Line(before))
		}
		b.WriteString(Error(inner))
		rest = after
	}
	return b.String() + Line(rest)
}
