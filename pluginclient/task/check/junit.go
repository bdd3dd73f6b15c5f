package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
)

// The parts of a JUnit report, which CI servers read, with one suite per chapter. Advice that is
// not followed is not a failure, so it is written to system-out. A binding check that was not
// reached is an error, since its result is unknown.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
		Skipped *junitMessage `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(w io.Writer, r *Report, s Style) error {
	out := junitSuites{Name: r.Protocol + ": " + printable.Line(r.Spec), Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
	for _, res := range r.Results {
		if n := len(out.Suites); n == 0 || out.Suites[n-1].Name != res.chapter() {
			out.Suites = append(out.Suites, junitSuite{Name: res.chapter()})
		}
		suite := &out.Suites[len(out.Suites)-1]
		c := junitCase{Class: res.chapter(), Name: res.Name, Time: fmt.Sprintf("%.3f", res.Took.Seconds())}
		conversation := strings.Join(FormatConversation(res.Conversation, maxLinesShown), "\n")
		details := fmt.Sprintf("%s (%s)\nexpected %s\ngot %s\n%s", res.Rule, res.Section, excerpt(res.Expected), excerpt(res.Got), conversation)
		switch {
		case res.Verdict == Failed:
			c.Failure = &junitMessage{excerpt("expected " + res.Expected + ", got " + res.Got), details}
			suite.Failures++
			out.Failures++
		case res.Verdict == Unreached && !res.Advice:
			c.Error = &junitMessage{Message: "not reached: " + excerpt(res.Reason)}
			suite.Errors++
			out.Errors++
		case res.Verdict == Advised:
			c.Output = "advice: " + details
		case res.Verdict == Passed:
			if s.Verbose {
				c.Output = conversation
			}
		default:
			c.Skipped = &junitMessage{Message: excerpt(res.Reason)}
			suite.Skipped++
			out.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
		suite.Tests++
		out.Tests++
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
