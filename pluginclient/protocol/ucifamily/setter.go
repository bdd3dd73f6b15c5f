package ucifamily

import (
	"fmt"
	"strconv"

	"qhsh/engine/xiangqi"
)

// A Setter is an option and how it is set. Set is called with a value that the option takes
// (Option.Value), while no search is under way; nil: nothing need be done.
type Setter struct {
	Option
	Set func(value string) error
}

// SetOption sets one of several options, its value read as Option.Value does. It answers whether
// there is one of that name, case and blanks aside.
func SetOption(options []Setter, name, value string) (known bool, err error) {
	for _, o := range options {
		if fold(o.Name) != fold(name) {
			continue
		}
		value, err := o.Value(value)
		if err == nil && o.Set != nil {
			err = o.Set(value)
		}
		if err != nil {
			return true, fmt.Errorf("option %s: %w", o.Name, err)
		}
		return true, nil
	}
	return false, nil
}

// MultiPVSetter is the option of how many lines are told.
func MultiPVSetter(name string, chosen func(lines int)) Setter {
	option := Option{Name: name, Kind: Spin, Default: "1", Min: 1, Max: xiangqi.MaxMoves}
	return Setter{option, func(value string) error {
		n, err := strconv.Atoi(value)
		chosen(n)
		return err
	}}
}
