package uci

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient/suggest"
)

// ErrOption is wrapped by errors of a setting that an engine does not accept: the command line is
// wrong, not the engine.
var ErrOption = errors.New("engine option")

// OptionList are the options that an engine offers, in its order.
type OptionList []Option

// Variant is the option that selects the game of an engine for several games.
const Variant = "UCI_Variant"

// Find returns the option with the given name. It ignores case, spaces, "_" and "-", so that
// "move_overhead" finds "Move Overhead".
func (o OptionList) Find(name string) (Option, bool) {
	for _, same := range []func(a, b string) bool{strings.EqualFold, func(a, b string) bool { return fold(a) == fold(b) }} {
		if i := slices.IndexFunc(o, func(opt Option) bool { return same(opt.Name, name) }); i >= 0 {
			return o[i], true
		}
	}
	return Option{}, false
}

func fold(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(name))
}

// A Setting is an option's name and its new value.
type Setting struct{ Name, Value string }

// ReadSetting converts KEY=VALUE of a SPEC to a Setting. Both may contain bytes as "%" and two
// hexadecimal digits, which a SPEC needs for a comma (%2C), a colon before the command line (%3A)
// and, in names, "=" (%3D). Spaces in a name may be omitted or written as "_".
func ReadSetting(key, value string) Setting {
	return Setting{unescape(key), unescape(value)}
}

func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if c, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// managedOptions are the options that the client sets by itself, and what to use instead.
var managedOptions = map[string]string{
	"multipv":     "it follows from the number of lines requested",
	"ponder":      "it is set automatically for pondering",
	"usemillisec": "it is always set if the engine offers it",
	"batch":       "the engine could not be stopped",
}

// Resolve returns the setting with the option's exact name and a valid value. An error wraps
// ErrOption and lists what the engine offers.
func (o OptionList) Resolve(s Setting) (Setting, error) {
	opt, ok := o.Find(s.Name)
	if !ok {
		return s, fmt.Errorf("%w %q: %s", ErrOption, s.Name, o.suggest(s.Name))
	}
	if why := managedOptions[fold(opt.Name)]; why != "" {
		return s, fmt.Errorf("%w %q cannot be set here: %s", ErrOption, opt.Name, why)
	}
	value, err := opt.Value(s.Value)
	if err != nil {
		return s, fmt.Errorf("%w %s=%s: %w", ErrOption, opt.Name, s.Value, err)
	}
	return Setting{opt.Name, value}, nil
}

// suggest returns a hint for a name that the engine does not offer.
func (o OptionList) suggest(name string) string {
	var names, folded []string
	for _, opt := range o {
		if managedOptions[fold(opt.Name)] == "" {
			names, folded = append(names, opt.Name), append(folded, fold(opt.Name))
		}
	}
	if len(names) == 0 {
		return "the engine offers none"
	}
	text := "the engine offers " + someOf(names, 40)
	if nearest := suggest.Closest(fold(name), folded); nearest != "" {
		text = fmt.Sprintf("perhaps %q is meant; %s", names[slices.Index(folded, nearest)], text)
	}
	return text
}
