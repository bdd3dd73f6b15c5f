package xboard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient/protocol/uci"
)

// A feature is NAME=VALUE of a "feature" command.
type feature struct{ name, value string }

// parseFeatures parses the arguments of "feature". Strings are in double quotes; an unclosed quote
// extends to the end of the line.
func parseFeatures(text string) []feature {
	var features []feature
	for {
		text = strings.TrimLeft(text, " \t")
		name, rest, ok := strings.Cut(text, "=")
		if !ok {
			return features
		}
		// Words without "=" before a name are ignored.
		if words := strings.Fields(name); len(words) > 0 {
			name = words[len(words)-1]
		}
		var value string
		if quoted, isText := strings.CutPrefix(rest, `"`); isText {
			value, text, _ = strings.Cut(quoted, `"`)
		} else {
			value, text, _ = strings.Cut(rest, " ")
		}
		features = append(features, feature{name, value})
	}
}

// knownFeatures are the features that the client accepts.
var knownFeatures = []string{
	"ping", "setboard", "playother", "san", "usermove", "time", "draw", "sigint", "sigterm", "reuse",
	"analyze", "myname", "variants", "colors", "ics", "name", "pause", "nps", "debug", "memory", "smp",
	"egt", "option", "exclude", "setscore", "highlight", "done",
}

// accepts reports whether the client accepts a feature. It rejects SAN moves.
func (f feature) accepts() bool {
	return slices.Contains(knownFeatures, f.name) && (f.name != "san" || !f.on())
}

func (f feature) on() bool { return f.value != "0" && f.value != "" }

// optionKinds maps the kinds of section 9. A slider, a file and a path only look different; save
// and reset are buttons.
var optionKinds = map[string]uci.Kind{
	"check": uci.Check, "spin": uci.Spin, "slider": uci.Spin, "combo": uci.Combo,
	"string": uci.String, "file": uci.String, "path": uci.String,
	"button": uci.Button, "save": uci.Button, "reset": uci.Button,
}

// separator separates the choices of a combo. The current one has an asterisk.
const separator = "///"

// parseOption parses an option feature: NAME -KIND VALUE...
func parseOption(text string) (o uci.Option, ok bool) {
	words := strings.Fields(text)
	at := slices.IndexFunc(words, func(word string) bool {
		return len(word) > 1 && word[0] == '-' && optionKinds[word[1:]] != ""
	})
	if at < 1 {
		return o, false
	}
	o = uci.Option{Name: strings.Join(words[:at], " "), Kind: optionKinds[words[at][1:]]}
	rest := words[at+1:]
	switch o.Kind {
	case uci.Check:
		o.Default = strconv.FormatBool(len(rest) > 0 && rest[0] != "0")
	case uci.Spin:
		ok := readSpin(&o, rest)
		return o, ok
	case uci.Combo:
		readChoices(&o, strings.Join(rest, " "))
	case uci.String:
		o.Default = strings.Join(rest, " ")
	}
	return o, true
}

func readSpin(o *uci.Option, words []string) bool {
	var numbers [3]int64
	for i := range numbers {
		if i >= len(words) {
			return false
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil {
			return false
		}
		numbers[i] = n
	}
	o.Default, o.Min, o.Max = strconv.FormatInt(numbers[0], 10), numbers[1], numbers[2]
	return true
}

func readChoices(o *uci.Option, text string) {
	for choice := range strings.SplitSeq(text, separator) {
		choice = strings.TrimSpace(choice)
		if chosen, ok := strings.CutPrefix(choice, "*"); ok {
			choice = chosen
			o.Default = choice
		}
		o.Vars = append(o.Vars, choice)
	}
	if o.Default == "" && len(o.Vars) > 0 {
		o.Default = o.Vars[0]
	}
}

// formatOption formats an option feature.
func formatOption(o uci.Option) string {
	value := o.Default
	switch o.Kind {
	case uci.Check:
		value = "0"
		if o.Default == "true" {
			value = "1"
		}
	case uci.Spin:
		value = fmt.Sprintf("%s %d %d", o.Default, o.Min, o.Max)
	case uci.Combo:
		var choices []string
		for _, v := range o.Vars {
			if v == o.Default {
				v = "*" + v
			}
			choices = append(choices, v)
		}
		value = strings.Join(choices, " "+separator+" ")
	case uci.Button, uci.Label:
		value = ""
	}
	kind := o.Kind
	if kind == uci.Label {
		kind = uci.Button
	}
	return strings.TrimRight(fmt.Sprintf("%s -%s %s", o.Name, kind, value), " ")
}
