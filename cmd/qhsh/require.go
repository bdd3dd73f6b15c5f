package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/printable"
)

// The numbers of a suite that -require names.
const (
	solvedNumber = "solved" // positions with bm, am or dm
	pointsNumber = "points" // of moves in c0
)

// requireFlag is -require, what a suite must give lest the exit status be 1; may be repeated.
type requireFlag []requirement

// A requirement is a number of something, or a percentage.
type requirement struct {
	text, what string
	least      float64
	percent    bool
}

// define defines the flag for numbers with these names.
func (f *requireFlag) define(fs *flag.FlagSet, names ...string) {
	fs.Func("require", "exit with status 1 if "+printable.OneOf(names)+" is less than `NAME=N` says, or than NAME=N% of all; may be repeated", func(text string) error {
		what, number, _ := strings.Cut(text, "=")
		number, percent := strings.CutSuffix(number, "%")
		least, err := strconv.ParseFloat(number, 64)
		if !slices.Contains(names, what) || err != nil || !(0 <= least && least <= 1e9) || percent && least > 100 {
			return fmt.Errorf("want %s=N, or a percentage such as %s=90%%", strings.Join(names, "=N or "), names[0])
		}
		*f = append(*f, requirement{text, what, least, percent})
		return nil
	})
}

// check returns what is wrong if n of all is less than required.
func (f requireFlag) check(what string, n, all int) (wrong []string) {
	for _, r := range f {
		have, of := float64(n), ""
		if r.percent {
			have = 100 * float64(n) / float64(max(all, 1))
			of = fmt.Sprintf(" (%.1f%%)", have)
		}
		if r.what == what && have < r.least {
			wrong = append(wrong, fmt.Sprintf("%d of %d %s%s, -require wants %s", n, all, what, of, strings.TrimPrefix(r.text, what+"=")))
		}
	}
	return wrong
}
