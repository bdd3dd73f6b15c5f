package uci

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient/suggest"
)

// Kind is the type of an option.
type Kind string

// The kinds of both protocols.
const (
	Check  Kind = "check"  // true or false
	Spin   Kind = "spin"   // a number from Min to Max
	Combo  Kind = "combo"  // one of Vars
	Button Kind = "button" // no value
	String Kind = "string" // any text
	Label  Kind = "label"  // UCCI: read-only
)

var kinds = []Kind{Check, Spin, Combo, Button, String, Label, "filename"}

// emptyString stands for an empty string on the wire.
const emptyString = "<empty>"

// An Option is an option that an engine offers.
type Option struct {
	Name     string
	Kind     Kind
	Default  string
	Min, Max int64 // of a Spin; both 0: unknown
	Vars     []string
}

// ParseOption parses an option line of either protocol, such as "option name Move Overhead type
// spin default 10 min 0 max 5000" or "option hashsize type spin min 16 max 1024 default 16". ok is
// false for any other line.
func ParseOption(line string) (o Option, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 || !strings.EqualFold(words[0], "option") {
		return Option{}, false
	}
	// The name ends at "type" with a kind behind it. It may itself contain "type spin" or "name".
	first := 2
	if words[1] == "name" {
		first = 3
	}
	at := 0
	for _, from := range []int{first, 2} {
		for i := from; i+1 < len(words) && at == 0; i++ {
			if words[i] == "type" && slices.Contains(kinds, Kind(words[i+1])) {
				at = i
			}
		}
	}
	if at == 0 {
		return Option{}, false
	}
	name := words[1:at]
	if len(name) > 1 && name[0] == "name" {
		name = name[1:]
	}
	o = Option{Name: strings.Join(name, " "), Kind: Kind(words[at+1])}
	isString := o.Kind == String || o.Kind == Label || o.Kind == "filename" // whose default may have any words
	for words = words[at+2:]; len(words) > 0; {
		key, n := words[0], 1
		for n < len(words) && (isString || !slices.Contains([]string{"default", "min", "max", "var"}, words[n])) {
			n++
		}
		value := strings.Join(words[1:n], " ")
		words = words[n:]
		switch key {
		case "default":
			o.Default = value
		case "min":
			o.Min, _ = strconv.ParseInt(value, 10, 64)
		case "max":
			o.Max, _ = strconv.ParseInt(value, 10, 64)
		case "var":
			o.Vars = append(o.Vars, value)
		}
	}
	return o, o.Name != ""
}

// formatOption returns the line that offers an option, with its default first: UCI2WB takes all behind the
// first "var" for variants. UCCI requires a name of one word in lower case.
func (d *Dialect) formatOption(o Option) string {
	name := "name " + o.Name
	if d.oneWordNames {
		name = strings.ToLower(strings.Join(strings.Fields(o.Name), ""))
	}
	var b strings.Builder
	b.WriteString("option " + name + " type " + string(o.Kind))
	if o.Kind != Button && o.Kind != Label {
		b.WriteString(" default " + cmp.Or(o.Default, emptyString))
	}
	if o.Kind == Spin {
		fmt.Fprintf(&b, " min %d max %d", o.Min, o.Max)
	}
	for _, v := range o.Vars {
		b.WriteString(" var " + v)
	}
	return b.String()
}

var checkWords = map[string]string{
	"true": "true", "on": "true", "yes": "true", "1": "true",
	"false": "false", "off": "false", "no": "false", "0": "false",
}

// Value converts text to a value that the option accepts: "on" becomes true, and a Combo's choice is
// spelled as the engine spells it. An error says which values are valid.
func (o Option) Value(text string) (string, error) {
	switch o.Kind {
	case Check:
		if v, ok := checkWords[strings.ToLower(text)]; ok {
			return v, nil
		}
		return "", errors.New("want true or false")
	case Spin:
		n, err := strconv.ParseInt(text, 10, 64)
		number := "number"
		if _, isDecimal := strconv.ParseFloat(text, 64); err != nil && isDecimal == nil {
			number = "whole number"
		}
		bounded := o.Min != 0 || o.Max != 0
		switch {
		case err != nil && !bounded:
			return "", errors.New("want a " + number)
		case err != nil, bounded && (n < o.Min || n > o.Max):
			return "", fmt.Errorf("want a %s from %d to %d", number, o.Min, o.Max)
		}
		return strconv.FormatInt(n, 10), nil
	case Combo:
		for _, v := range o.Vars {
			if strings.EqualFold(v, text) {
				return v, nil
			}
		}
		if len(o.Vars) > 0 {
			return "", fmt.Errorf("want one of %s", someOf(o.Vars, 20))
		}
	case Button:
		if text != "" && checkWords[strings.ToLower(text)] != "true" {
			return "", errors.New("it is a button: want true or no value")
		}
		return "", nil
	case Label:
		return "", errors.New("a label cannot be set")
	}
	if strings.ContainsAny(text, "\r\n") {
		return "", errors.New("want a single line")
	}
	return text, nil
}

// someOf joins the first words of a list for a message.
func someOf(words []string, most int) string {
	if len(words) > most {
		return strings.Join(words[:most], ", ") + ", ..."
	}
	return strings.Join(words, ", ")
}

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

// EscapeSetting returns a setting as KEY and VALUE of a SPEC, from which ReadSetting reads it.
func EscapeSetting(s Setting) (key, value string) {
	var b strings.Builder
	for _, c := range []byte(strings.ReplaceAll(s.Name, " ", "_")) {
		if strings.IndexByte("%,:=\"'\\", c) >= 0 || c < ' ' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), strings.ReplaceAll(s.Value, "%", "%25")
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

// IsManaged reports whether the client sets the option by itself.
func (o Option) IsManaged() bool { return managedOptions[fold(o.Name)] != "" }

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
