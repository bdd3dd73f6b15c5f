package ucifamily

import (
	"fmt"
	"strconv"

	"qhsh/engine/xiangqi"
)

// A Setter is an option with a function that sets it. Set is called with a valid value (see
// Option.Value), never during a search. It may be nil.
type Setter struct {
	Option
	Set func(value string) error
}

// SetOption sets the option with the given name, ignoring case and spaces. The value is converted by
// Option.Value. SetOption reports whether there is such an option.
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

// MultiPVSetter returns the option for the number of lines.
func MultiPVSetter(name string, chosen func(lines int)) Setter {
	option := Option{Name: name, Kind: Spin, Default: "1", Min: 1, Max: xiangqi.MaxMoves}
	return Setter{option, func(value string) error {
		n, err := strconv.Atoi(value)
		chosen(n)
		return err
	}}
}
