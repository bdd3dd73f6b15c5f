package check

import (
	"errors"
	"fmt"
	"path"
	"slices"
)

// ErrUnknownCheck is wrapped by the error of a pattern that matches no check.
var ErrUnknownCheck = errors.New("no such check")

// A selected check is run.
type selected struct {
	Check
	wanted bool // by a pattern, not only because another check needs it
}

// selectChecks returns the checks whose names match a pattern, and those that they need, in order;
// all if there are no patterns. A chapter's name matches all of it.
func selectChecks(checks []Check, patterns []string) ([]selected, error) {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.Name
	}
	asked, err := matching(names, patterns)
	if err != nil {
		return nil, err
	}
	needed := slices.Clone(asked)
	for i := len(checks) - 1; i >= 0; i-- { // needed checks come earlier
		if slices.Contains(needed, checks[i].Name) {
			needed = append(needed, checks[i].Needs...)
		}
	}
	var all []selected
	for _, c := range checks {
		if slices.Contains(needed, c.Name) {
			all = append(all, selected{c, slices.Contains(asked, c.Name)})
		}
	}
	return all, nil
}

func matching(names, patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		return names, nil
	}
	var all []string
	for _, pattern := range patterns {
		found := false
		for _, name := range names {
			ok, err := path.Match(pattern, name)
			if err != nil {
				return nil, fmt.Errorf("%w: %q: %w", ErrUnknownCheck, pattern, err)
			}
			if ok || pattern == chapter(name) {
				all, found = append(all, name), true
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: %q matches none: -list names them", ErrUnknownCheck, pattern)
		}
	}
	return all, nil
}
