package uci

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
)

// optionLines returns the "option" lines of the engine.
func (e *exam) optionLines() (lines []string) {
	for _, line := range e.lines {
		if word, _, _ := strings.Cut(line, " "); word == "option" {
			lines = append(lines, line)
		}
	}
	return lines
}

func optionFormat(e *exam) error {
	for _, line := range e.optionLines() {
		o, ok := uci.ParseOption(line)
		if !ok {
			return check.Faultf("a name, the word type and a type", "%q", line)
		}
		if err := wellFormed(o); err != nil {
			return check.Faultf(err.Error(), "%q", line)
		}
	}
	return nil
}

// wellFormed returns what is expected of a malformed option.
func wellFormed(o uci.Option) error {
	switch o.Kind {
	case uci.Spin:
		var def int64
		if _, err := fmt.Sscan(o.Default, &def); err != nil || o.Min > o.Max || def < o.Min || def > o.Max {
			return fmt.Errorf("a spin with min, max and a default between them")
		}
	case uci.Check:
		if o.Default != "true" && o.Default != "false" {
			return fmt.Errorf("a check with the default true or false")
		}
	case uci.Combo:
		if !slices.Contains(o.Vars, o.Default) {
			return fmt.Errorf("a combo with a default that is one of its values")
		}
	}
	return nil
}

func optionDistinct(e *exam) error {
	var names []string
	for _, o := range e.options {
		name := strings.ToLower(o.Name)
		if slices.Contains(names, name) {
			return check.Faultf("different names", "%q twice", o.Name)
		}
		names = append(names, name)
	}
	return nil
}

// optionSet sets every spin and check option to its default.
func optionSet(e *exam) error {
	if err := newProcess(e); err != nil {
		return err
	}
	for _, o := range e.options {
		if o.Kind != uci.Spin && o.Kind != uci.Check || o.Default == "" {
			continue
		}
		if err := e.Send(e.setOption(o.Name, o.Default)); err != nil {
			return e.MissingReply("an engine that takes "+o.Name, err)
		}
	}
	return e.checkAlive("setoption with every default")
}

func optionUnknown(e *exam) error {
	if err := e.Send(e.setOption("nosuchoption", "1")); err != nil {
		return err
	}
	return e.checkAlive("an option that it does not offer")
}
