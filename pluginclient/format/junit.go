package format

import (
	"encoding/xml"
	"io"
)

// A JUnit is a report in the XML of JUnit, which CI servers read. Add counts its cases.
type JUnit struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Time   string       `xml:"time,attr,omitempty"` // seconds
	Suites []junitSuite `xml:"testsuite"`

	at map[string]int // the indexes of Suites by name
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Cases []JUnitCase `xml:"testcase"`
}

// A JUnitCase is a test, which has passed if it has no message.
type JUnitCase struct {
	Suite   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"` // seconds
	Failure *JUnitMessage `xml:"failure"`
	Error   *JUnitMessage `xml:"error"` // its result is unknown
	Skipped *JUnitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

// A JUnitMessage says why a case has not passed.
type JUnitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Add adds a case to its suite.
func (r *JUnit) Add(c JUnitCase) {
	at, ok := r.at[c.Suite]
	if !ok {
		if at = len(r.Suites); at == 0 {
			r.at = map[string]int{}
		}
		r.at[c.Suite] = at
		r.Suites = append(r.Suites, junitSuite{Name: c.Suite})
	}
	s := &r.Suites[at]
	s.Cases = append(s.Cases, c)
	for _, n := range []*junitCounts{&r.junitCounts, &s.junitCounts} {
		n.Tests++
		switch {
		case c.Failure != nil:
			n.Failures++
		case c.Error != nil:
			n.Errors++
		case c.Skipped != nil:
			n.Skipped++
		}
	}
}

// Write writes the report.
func (r *JUnit) Write(w io.Writer) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
