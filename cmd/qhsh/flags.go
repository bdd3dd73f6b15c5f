package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/suggest"
)

// parseFlags parses flags, which may come before, between and after operands, up to -- or, with endsFlags,
// up to the first operand, and returns the operands.
func parseFlags(fs *flag.FlagSet, endsFlags bool, args []string) (operands []string, err error) {
	fs.SetOutput(io.Discard)
	l := splitLine(fs, endsFlags, args)
	switch l.unknown {
	case "":
	case "-h", "-help":
		return nil, flag.ErrHelp
	default:
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		guess := suggest.Closest(l.unknown[1:], names)
		if guess != "" {
			guess = ": did you mean -" + guess + "?"
		}
		return nil, usagef("unknown flag %s%s", l.unknown, guess)
	}
	if err := fs.Parse(l.flags); err != nil {
		return nil, usageError{err}
	}
	return l.operands, nil
}

// A splitFlags is a command line, of which the last word may not be complete yet.
type splitFlags struct {
	flags, operands []string   // flags with their values
	unknown         string     // the first flag that the command does not have, after a dash
	open            *flag.Flag // the last word, whose value is missing; nil if none is
	ended           bool       // only operands follow
}

// splitLine separates flags and their values from operands. A single dash and a negative number are
// operands.
func splitLine(fs *flag.FlagSet, endsFlags bool, args []string) (l splitFlags) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case l.ended:
			l.operands = append(l.operands, arg)
			continue
		case arg == "--":
			l.ended = true
			continue
		case arg == "-" || !strings.HasPrefix(arg, "-") || isNumber(arg):
			l.operands, l.ended = append(l.operands, arg), endsFlags
			continue
		}
		l.flags = append(l.flags, arg)
		name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := fs.Lookup(name)
		switch {
		case f == nil:
			l.unknown = cmp.Or(l.unknown, "-"+name)
		case hasValue || isBool(f):
		case i+1 == len(args):
			l.open = f
		default:
			i++
			l.flags = append(l.flags, args[i])
		}
	}
	return l
}

// unlisted is the usage of a flag that help and completion pass over.
const unlisted = ""

// visitListed calls do with each flag that help lists.
func visitListed(fs *flag.FlagSet, do func(*flag.Flag)) {
	fs.VisitAll(func(f *flag.Flag) {
		if f.Usage != unlisted {
			do(f)
		}
	})
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// A value is a flag whose value a function parses.
type value struct {
	set   func(text string) error
	usual string   // its default, as the help shows it
	words []string // that it may be, for completion; nil if there are too many
}

func (v value) String() string { return v.usual }

func (v value) Set(text string) error { return v.set(text) }

// Words returns the words.
func (v value) Words() []string { return v.words }

// by returns the value with another default.
func (v value) by(usual string) value {
	v.usual = usual
	return v
}

// parsed is a value that parse puts into target. The help does not show its default.
func parsed[T any](target *T, parse func(text string) (T, error)) value {
	return value{set: func(text string) (err error) {
		*target, err = parse(text)
		return err
	}}
}

// choice is one of some words. Whether it is one of them, the command checks.
func choice(text *string, words []string) value {
	return value{func(given string) error { *text = given; return nil }, *text, words}
}

// oneOf is one of some words.
func oneOf(words []string, set func(text string)) value {
	return value{words: words, set: func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("want %s", printable.OneOf(words))
		}
		set(text)
		return nil
	}}
}

// count is a number from 1 to most.
func count(n *int, most int) value { return optionalCount(n, most).by(strconv.Itoa(*n)) }

// optionalCount is a count whose default has no number.
func optionalCount(n *int, most int) value { return parsed(n, numberBetween(1, most)) }

func numberBetween(least, most int) func(text string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("want a number from %d to %d", least, most)
		}
		return n, nil
	}
}

// optionalNumber is any number; nil if it is not given.
func optionalNumber(n **int) value {
	return parsed(n, func(text string) (*int, error) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, errors.New("want a number")
		}
		return &n, nil
	})
}

// list is a value that may be repeated.
func list(all *[]string) value {
	return value{set: func(text string) error { *all = append(*all, text); return nil }}
}

// duration is a positive duration; zero means unset.
func duration(d *time.Duration) value {
	return parsed(d, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond {
			return 0, errors.New("want a time of at least 1ms, such as 500ms, 3s or 2m")
		}
		return d, nil
	}).by(shortDuration(*d))
}

// shortDuration formats a duration without trailing zero units: 5m instead of 5m0s, and nothing for 0.
func shortDuration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
