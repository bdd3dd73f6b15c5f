package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient/task/check"
)

// Examine returns the protocol checks for the engine of a SPEC, without starting a program. The
// errors are those of Open.
func Examine(ctx context.Context, text string, o Options) (*check.Suite, error) {
	text, err := resolve(strings.TrimSpace(text), o.Names)
	if err != nil {
		return nil, err
	}
	if row, _, _, _, _ := o.kinds().split(text); row != nil {
		if err := o.kinds().unexamined(row); err != nil {
			return nil, err
		}
	}
	s, row, err := o.parse(text)
	if err != nil {
		return nil, err
	}
	return row.(Examiner).Examine(ctx, s, o)
}

// Checks is like Examine, for listing the checks: the SPEC needs no command line, as in "ucci:".
func Checks(ctx context.Context, text string, o Options) (*check.Suite, error) {
	if name, found := strings.CutSuffix(strings.TrimSpace(text), ":"); found && o.kinds().row(name) != nil {
		text = name + ":engine" // it is not started
	}
	return Examine(ctx, text, o)
}

// CheckablePrefixes returns the protocol prefixes of SPECs, such as "uci:", divided into those with
// and without checks.
func (k Kinds) CheckablePrefixes() (with, without []string) {
	for _, r := range k.rows {
		kind := r.Kind()
		_, ok := r.(Examiner)
		switch {
		case kind.Embedded || kind.Default:
		case ok:
			with = append(with, kind.Name+":")
		default:
			without = append(without, kind.Name+":")
		}
	}
	return with, without
}

// unexamined returns an error if there are no checks for the Row's protocol.
func (k Kinds) unexamined(row Row) error {
	if _, ok := row.(Examiner); ok {
		return nil
	}
	var others []string
	for _, other := range k.rows {
		if _, ok := other.(Examiner); ok {
			others = append(others, other.Kind().Name)
		}
	}
	slices.Sort(others)
	return fmt.Errorf("%w: no checks for protocol %s; supported: %s", ErrSpec, row.Kind().Name, strings.Join(slices.Compact(others), ", "))
}
