package check

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// writeJUnit writes a report with one suite per chapter. Advice that is not followed is not a failure, so
// it is written to system-out. A binding check that was not reached is an error, since its result is unknown.
func writeJUnit(w io.Writer, r *Report, s Style) error {
	out := format.JUnit{Name: r.Protocol + ": " + printable.Line(r.Spec), Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
	for _, res := range r.Results {
		c := format.JUnitCase{Suite: chapter(res.Name), Name: res.Name, Time: fmt.Sprintf("%.3f", res.Took.Seconds())}
		conversation := strings.Join(FormatConversation(res.Conversation, maxLinesShown), "\n")
		details := fmt.Sprintf("%s (%s)\nexpected %s\ngot %s\n%s", res.Rule, res.Section, excerpt(res.Expected), excerpt(res.Got), conversation)
		switch {
		case res.Verdict == Failed:
			c.Failure = &format.JUnitMessage{Message: excerpt("expected " + res.Expected + ", got " + res.Got), Text: details}
		case res.Verdict == Unreached && !res.Advice:
			c.Error = &format.JUnitMessage{Message: "not reached: " + excerpt(res.Reason)}
		case res.Verdict == Advised:
			c.Output = "advice: " + details
		case res.Verdict == Passed:
			if s.Verbose {
				c.Output = conversation
			}
		default:
			c.Skipped = &format.JUnitMessage{Message: excerpt(res.Reason)}
		}
		out.Add(c)
	}
	return out.Write(w)
}
