package ucifamily

import (
	"fmt"
	"strconv"
)

// Set sets KEY=VALUE of a SPEC: "ranks" (0 or 1: the number of Red's back rank), "mate" (the score
// of a mate; 0 disables numeric mate scores), "strict" (true or false), or an option of the engine, which is read by
// ReadSetting and checked when the engine's options are known. An error wraps ErrOption.
func (o *Options) Set(key, value string) error {
	n, err := strconv.Atoi(value)
	switch key {
	case "ranks":
		r := Ranks(n)
		if err != nil || r != FromZero && r != FromOne {
			return fmt.Errorf("%w ranks=%s: want 0 or 1, the number of Red's own rank", ErrOption, value)
		}
		o.Ranks = &r
	case "mate":
		if err != nil || n < 0 || n > 1<<30 {
			return fmt.Errorf("%w mate=%s: want the engine's score of a mate, such as %d, or 0 for none", ErrOption, value, DefaultMate)
		}
		if o.Mate = n; n == 0 {
			o.Mate = -1
		}
	case "strict":
		if o.Strict, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("%w strict=%s: want true or false", ErrOption, value)
		}
	default:
		o.Settings = append(o.Settings, ReadSetting(key, value))
	}
	return nil
}
