package check

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// A Style controls how a report is shown.
type Style struct {
	Colour  bool // use terminal colours
	Verbose bool // show the conversations of all checks, not only failed ones
}

// A Writer writes a report in some format.
type Writer func(w io.Writer, r *Report, s Style) error

// Formats returns the output formats. The first is the default.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: writeText},
		{Name: "json", Extensions: []string{".json"}, Write: writeJSON},
		{Name: "junit", Extensions: []string{".xml"}, Write: writeJUnit},
	}
}

// maxLinesShown is the maximum number of lines of a conversation in text.
const maxLinesShown = 24

// text writes a report for people, with escaped texts.
type text struct {
	*printable.Writer
	Style
}

// A verdictStyle is how a verdict is shown: the word in the column of a result, the word after a
// number in the summary, and the colour (SGR parameters).
type verdictStyle struct {
	verdict            Verdict
	mark, word, colour string
}

// verdictStyles are in the order of the summary.
var verdictStyles = []verdictStyle{
	{Passed, "ok", "passed", "32"},
	{Failed, "FAILED", "failed", "31;1"},
	{Advised, "advice", "not followed", "33"},
	{Skipped, "skipped", "skipped", "36"},
	{Unreached, "no time", "not reached in time", "36"},
	{Absent, "-", "do not apply", "2"},
}

func styleOf(v Verdict) verdictStyle {
	return verdictStyles[slices.IndexFunc(verdictStyles, func(l verdictStyle) bool { return l.verdict == v })]
}

// paint writes text in the colour of a verdict.
func (t text) paint(v Verdict, words string) {
	if t.Colour {
		words = "\x1b[" + styleOf(v).colour + "m" + words + "\x1b[0m"
	}
	_, _ = io.WriteString(t.Raw(), words) // a bufio.Writer keeps its error
}

func writeText(w io.Writer, r *Report, s Style) error {
	out := bufio.NewWriter(printable.Raw(w))
	t := text{printable.NewWriter(out), s}
	name := r.Spec
	if r.Engine != "" {
		name = excerpt(r.Engine) + " (" + r.Spec + ")"
	}
	fmt.Fprintf(t, "%s: %s\n", r.Protocol, name)
	before := ""
	for _, res := range r.Results {
		if c := chapter(res.Name); c != before {
			fmt.Fprintf(t, "\n%s\n", c)
			before = c
		}
		t.result(res)
	}
	t.summary(r)
	return out.Flush()
}

func (t text) result(r Result) {
	rule := r.Rule
	if r.Reason != "" {
		rule = r.Reason
	}
	t.paint(r.Verdict, fmt.Sprintf("  %-7s", styleOf(r.Verdict).mark))
	fmt.Fprintf(t, "  %-18s %s%s\n", r.Name, excerpt(rule), r.duration())
	failed := r.Verdict == Failed || r.Verdict == Advised
	if failed {
		fmt.Fprintf(t, "             section  %s\n             expected %s\n             got      %s\n",
			r.Section, excerpt(r.Expected), excerpt(r.Got))
	}
	if (failed || t.Verbose) && len(r.Conversation) > 0 {
		for _, line := range FormatConversation(r.Conversation, maxLinesShown) {
			fmt.Fprintf(t, "             | %s\n", line)
		}
	}
}

// shortTime is the longest time of a check that is not worth telling.
const shortTime = 100 * time.Millisecond

// duration returns the time that a check took, in parentheses; empty if it was short.
func (r Result) duration() string {
	if r.Took < shortTime {
		return ""
	}
	return fmt.Sprintf("  (%.1fs)", r.Took.Seconds())
}

func (t text) summary(r *Report) {
	fmt.Fprintln(t)
	t.tally(r, false, "%d checks binding")
	t.tally(r, true, "\n%d checks of advice")
	counts := map[string]int{}
	for _, res := range r.Results {
		if res.Verdict == Absent && !res.Advice {
			counts[res.Reason]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[reason]; n > fewAbsent {
			fmt.Fprintf(t, "\n%d do not apply: %s", n, excerpt(reason))
		}
	}
	fmt.Fprintf(t, "\n%v\n", r.Took.Round(10*time.Millisecond))
	if words := r.unfinishedMessage(); words != "" {
		fmt.Fprintln(t)
		t.paint(Failed, words)
		fmt.Fprintln(t)
	}
	if r.Profile != "" {
		fmt.Fprintf(t, "\nA SPEC that works around what was found:\n  %s\n", r.Profile)
	}
}

// fewAbsent is how many checks may not apply for one reason without a line in the summary.
const fewAbsent = 2

// tally writes a line of the summary, unless there is nothing to count.
func (t text) tally(r *Report, advice bool, begin string) {
	total := 0
	for _, l := range verdictStyles {
		total += r.Count(l.verdict, advice)
	}
	if total == 0 {
		return
	}
	fmt.Fprintf(t, begin, total)
	between := ": "
	for _, l := range verdictStyles {
		if n := r.Count(l.verdict, advice); n > 0 {
			fmt.Fprint(t, between)
			t.paint(l.verdict, fmt.Sprintf("%d %s", n, l.word))
			between = ", "
		}
	}
}

// List writes the checks of a suite, one per line, in the order of the report.
func List(w io.Writer, checks []Check) error {
	out := bufio.NewWriter(w)
	checks = slices.Clone(checks)
	sortByChapter(checks, func(c Check) string { return c.Name })
	for _, c := range checks {
		kind := "binding"
		if c.Advice {
			kind = "advice"
		}
		fmt.Fprintf(out, "%-18s  %-7s  %-24s  %s\n", c.Name, kind, c.Section, c.Rule)
	}
	return out.Flush()
}
