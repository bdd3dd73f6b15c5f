package printable

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// TestError: only lines of errors that were joined are lines.
func TestError(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "a\nb\x1b", Err: fs.ErrNotExist}
	both := errors.Join(missing, errors.New("c\nd"))
	const joined = `open a\nb\x1b: file does not exist` + "\n" + `c\nd`
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "plain"},
		{errors.New("a\nb\t"), `a\nb\t`},
		{missing, `open a\nb\x1b: file does not exist`},
		{both, joined},
		{fmt.Errorf("x\ny: %w, %s", both, "z\n"), `x\ny: ` + joined + `, z\n`},
		{fmt.Errorf("%w: %w: name\n", missing, errors.New("q")), `open a\nb\x1b: file does not exist: q: name\n`},
		{errors.Join(both, errors.New("e")), joined + "\ne"},
		{hidden{both}, `a remark\n`},
	} {
		if got := Error(c.err); got != c.want {
			t.Errorf("Error(%q) = %q, want %q", c.err, got, c.want)
		}
	}
}

// hidden is an error that does not quote the one within it.
type hidden struct{ error }

func (h hidden) Error() string { return "a remark\n" }
func (h hidden) Unwrap() error { return h.error }
