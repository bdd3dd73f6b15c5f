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
		c := junitOf(res, s)
		suite.Cases = append(suite.Cases, c)
		suite.Tests++
		out.Tests++
		if c.Failure != nil {
			suite.Failures++
			out.Failures++
		}
		if c.Error != nil {
			suite.Errors++
			out.Errors++
		}
		if c.Skipped != nil {
			suite.Skipped++
			out.Skipped++
		}
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

func junitOf(r Result, s Style) junitCase {
	c := junitCase{Class: r.chapter(), Name: r.Name, Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
	conversation := strings.Join(FormatConversation(r.Conversation, maxLinesShown), "\n")
	details := fmt.Sprintf("%s (%s)\nexpected %s\ngot %s\n%s", r.Rule, r.Section, excerpt(r.Expected), excerpt(r.Got), conversation)
	switch {
	case r.Verdict == Failed:
		c.Failure = &junitMessage{excerpt("expected " + r.Expected + ", got " + r.Got), details}
	case r.Verdict == Unreached && !r.Advice:
		c.Error = &junitMessage{Message: "not reached: " + excerpt(r.Reason)}
	case r.Verdict == Advised:
		c.Output = "advice: " + details
	case r.Verdict == Passed:
		if s.Verbose {
			c.Output = conversation
		}
	default:
		c.Skipped = &junitMessage{Message: excerpt(r.Reason)}
	}
	return c
}
