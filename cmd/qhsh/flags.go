package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"qhsh/pluginclient/suggest"
)

// parseFlags parses flags, which may come before, between and after operands, up to --, and
// returns the operands. A single dash and a negative number are operands.
func parseFlags(fs *flag.FlagSet, args []string) (operands []string, err error) {
	fs.SetOutput(io.Discard)
	flags, operands, err := splitFlags(fs, args)
	if err != nil {
		return nil, err
	}
	if err := fs.Parse(flags); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, usageError{err}
	}
	return operands, nil
}

// splitFlags separates flags and their values from operands.
func splitFlags(fs *flag.FlagSet, args []string) (flags, operands []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return flags, append(operands, args...), nil
		case arg == "-" || !strings.HasPrefix(arg, "-") || isNumber(arg):
			operands = append(operands, arg)
			continue
		}
		flags = append(flags, arg)
		name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := fs.Lookup(name)
		if f == nil && (name == "h" || name == "help") {
			return nil, nil, flag.ErrHelp
		}
		if f == nil {
			return nil, nil, usagef("unknown flag -%s%s", name, suggestFlag(fs, name))
		}
		if !hasValue && !isBool(f) && len(args) > 0 {
			flags, args = append(flags, args[0]), args[1:]
		}
	}
	return flags, operands, nil
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func suggestFlag(fs *flag.FlagSet, name string) string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if guess := suggest.Closest(name, names); guess != "" {
		return ": did you mean -" + guess + "?"
	}
	return ""
}

// textValue is a flag whose value is any text.
type textValue struct{ text *string }

func (v textValue) String() string { return *v.text }

func (v textValue) Set(text string) error {
	*v.text = text
	return nil
}

// choiceValue is a flag whose value is one of some words, which completion offers. Whether it is
// one of them, the value or the command checks.
type choiceValue struct {
	flag.Value
	words []string
}

// Words returns the words.
func (v choiceValue) Words() []string { return v.words }

// countValue is a flag whose value is a number from 1 to most.
type countValue struct {
	n    *int
	most int
}

func (v countValue) String() string {
	if v.n == nil {
		return ""
	}
	return strconv.Itoa(*v.n)
}

func (v countValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > v.most {
		return fmt.Errorf("want a number from 1 to %d", v.most)
	}
	*v.n = n
	return nil
}

// numberValue is an optional number.
type numberValue struct{ n **int }

func (v numberValue) String() string { return "" }

func (v numberValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("want a number")
	}
	*v.n = &n
	return nil
}

// parsedValue is a flag whose value a function parses.
type parsedValue[T fmt.Stringer] struct {
	value *T
	parse func(text string) (T, error)
}

func (v parsedValue[T]) String() string {
	if v.value == nil {
		return ""
	}
	return (*v.value).String()
}

func (v parsedValue[T]) Set(text string) (err error) {
	*v.value, err = v.parse(text)
	return err
}

// durationValue is a flag whose value is a positive duration; zero means unset.
type durationValue struct{ d *time.Duration }

func (v durationValue) String() string {
	if v.d == nil || *v.d == 0 {
		return ""
	}
	return shortDuration(*v.d)
}

func (v durationValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return errors.New("want a time of at least 1ms, such as 500ms, 3s or 2m")
	}
	*v.d = d
	return nil
}

// shortDuration formats a duration without trailing zero units: 5m instead of 5m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// limitValue is a flag whose value is a number of at least 0.
type limitValue struct{ n *int }

func (v limitValue) String() string {
	if v.n == nil {
		return ""
	}
	return strconv.Itoa(*v.n)
}

func (v limitValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want 0 or more")
	}
	*v.n = n
	return nil
}
