package attach

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient/task/check"
)

// Examine are the checks for the engine of a SPEC, which has not been started, in what binds
// engines of its protocol. The errors are those of Open.
func Examine(text string, o Options) (*check.Suite, error) {
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
	return row.(Examiner).Examine(s, o)
}

// Checks is Examine for somebody who wants to know what is examined: the SPEC needs no command
// line, as in "ucci:".
func Checks(text string, o Options) (*check.Suite, error) {
	if name, found := strings.CutSuffix(strings.TrimSpace(text), ":"); found && o.kinds().row(name) != nil {
		text = name + ":engine" // it is not started
	}
	return Examine(text, o)
}

// CheckablePrefixes returns how the SPECs of programs begin that have to name their protocol: those whose
// engines can be checked, and the others.
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

// unexamined says of a kind that there are no checks for its protocol; nil: there are.
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
	return fmt.Errorf("%w: engines of %s: cannot be checked, as there are no checks for that protocol: those that can have a SPEC that begins with %s, or none of these names",
		ErrSpec, row.Kind().Name, strings.Join(others, ", "))
}
