package check

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"qhsh/pluginclient/form"
)

// A Style is how a report looks.
type Style struct {
	Colour  bool // a terminal's
	Verbose bool // the conversations of all checks, not only of those that failed
}

// A WriteFunc writes a report in some form.
type WriteFunc func(w io.Writer, r *Report, s Style) error

// Forms are the forms of a report.
func Forms() form.Table[WriteFunc] {
	return form.Table[WriteFunc]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		{Name: "json", Extensions: []string{".json"}, Write: writeJSON},
		{Name: "junit", Extensions: []string{".xml"}, Write: writeJUnit},
	}
}

// mostSaid is how many lines of a conversation a person is shown.
const mostSaid = 24

// text writes a report for people.
type text struct {
	*bufio.Writer
	Style
}

// The colours, as a terminal's Select Graphic Rendition has them.
var colours = map[Verdict]string{Passed: "32", Failed: "31;1", Advised: "33", Skipped: "36", Unreached: "36", Absent: "2"}

func (t text) coloured(v Verdict, words string) string {
	if !t.Colour {
		return words
	}
	return "\x1b[" + colours[v] + "m" + words + "\x1b[0m"
}

func writeText(w io.Writer, r *Report, s Style) error {
	t := text{bufio.NewWriter(w), s}
	name := r.Spec
	if r.Engine != "" {
		name = r.Engine + " (" + r.Spec + ")"
	}
	fmt.Fprintf(t, "%s: %s\n", r.Protocol, name)
	before := ""
	for _, res := range r.Results {
		if c := res.Chapter(); c != before {
			fmt.Fprintf(t, "\n%s\n", c)
			before = c
		}
		t.result(res)
	}
	t.summary(r)
	return t.Flush()
}

// mark is a verdict in a column.
func mark(v Verdict) string {
	return fmt.Sprintf("  %-7s", map[Verdict]string{
		Passed: "ok", Failed: "FAILED", Advised: "advice", Skipped: "skipped", Absent: "-", Unreached: "no time",
	}[v])
}

func (t text) result(r Result) {
	rule := r.Rule
	if r.Reason != "" {
		rule = r.Reason
	}
	fmt.Fprintf(t, "%s  %-18s %s\n", t.coloured(r.Verdict, mark(r.Verdict)), r.Name, printable(rule))
	failed := r.Verdict == Failed || r.Verdict == Advised
	if failed {
		fmt.Fprintf(t, "             section  %s\n             expected %s\n             got      %s\n",
			r.Section, printable(r.Expected), printable(r.Got))
	}
	if (failed || t.Verbose) && len(r.Talk) > 0 {
		for _, line := range Said(r.Talk, mostSaid) {
			fmt.Fprintf(t, "             | %s\n", line)
		}
	}
}

func (t text) summary(r *Report) {
	fmt.Fprintf(t, "\n%s", t.tally(r, false, "binding"))
	if advice := t.tally(r, true, "of advice"); advice != "" {
		fmt.Fprintf(t, "\n%s", advice)
	}
	fmt.Fprintf(t, "\n%v\n", r.Took.Round(10*time.Millisecond))
	if words := r.unfinished(); words != "" {
		fmt.Fprintf(t, "\n%s\n", t.coloured(Failed, words))
	}
	if r.Profile != "" {
		fmt.Fprintf(t, "\nA SPEC that works around what was found:\n  %s\n", r.Profile)
	}
}

// tally is a line of the summary.
func (t text) tally(r *Report, advice bool, kind string) string {
	total := 0
	var parts []string
	for _, v := range []Verdict{Passed, Failed, Advised, Skipped, Unreached, Absent} {
		n := r.Count(v, advice)
		if n == 0 {
			continue
		}
		total += n
		word := map[Verdict]string{Advised: "not followed", Absent: "do not apply", Unreached: "not reached in time"}[v]
		if word == "" {
			word = string(v)
		}
		parts = append(parts, t.coloured(v, fmt.Sprintf("%d %s", n, word)))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d checks %s: %s", total, kind, strings.Join(parts, ", "))
}

// List writes the checks of a suite, a line each.
func List(w io.Writer, checks []Check) error {
	out := bufio.NewWriter(w)
	for _, c := range checks {
		kind := "binding"
		if c.Advice {
			kind = "advice"
		}
		fmt.Fprintf(out, "%-18s  %-7s  %-24s  %s\n", c.Name, kind, c.Section, c.Rule)
	}
	return out.Flush()
}
