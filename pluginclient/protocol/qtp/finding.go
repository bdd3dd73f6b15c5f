package qtp

import (
	"fmt"
	"slices"
)

// A Deviation is a way in which an engine does not keep to the protocol.
type Deviation string

// The deviations that can be played with.
const (
	NoEmptyLine   Deviation = "a response does not end with an empty line (1.6)"
	NoBlank       Deviation = "no blank behind the sign of a response (1.6)"
	NextLine      Deviation = "the result begins on the line after the sign (1.6)"
	Outside       Deviation = "text outside a response (1.6)"
	Controls      Deviation = "control characters (1.2)"
	Tabs          Deviation = "a tab, where only a blank should be (1.3)"
	NotEmpty      Deviation = "text in the response to a command without output (section 4)"
	KnownFails    Deviation = "known_command fails, which it never does (4.1)"
	NameFails     Deviation = "name fails, or answers nothing (4.1)"
	WinnerFails   Deviation = "winner fails, or answers neither false nor true and a colour (4.4)"
	WrongWinner   Deviation = "winner answers what is not so (4.4)"
	TakesIllegal  Deviation = "it plays what is illegal (4.3)"
	RefusesLegal  Deviation = "it refuses what is legal (4.3)"
	GenMoveFails  Deviation = "genmove fails, which it never does (4.3)"
	GenMoveNotOne Deviation = "genmove answers no vertex (4.3)"
)

// A Finding is a deviation of an engine.
type Finding struct {
	Deviation Deviation
	Command   string // during which it was found first
	Raw       string // what came then
	Times     int
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: after %q it sent %q", f.Deviation, f.Command, f.Raw)
}

// findings are those of a conversation, each deviation once, in the order in which they came.
type findings []Finding

// add counts a deviation, and tells whether it is a new one.
func (fs *findings) add(f Finding) bool {
	for i := range *fs {
		if (*fs)[i].Deviation == f.Deviation {
			(*fs)[i].Times++
			return false
		}
	}
	*fs = append(*fs, f)
	return true
}

// Findings are the deviations so far, as far as they show. What does not have to be looked
// for, such as the lack of an empty line, is found with Options.Strict alone.
func (c *Client) Findings() []Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.findings)
}

// find takes in a deviation. A strict client tells of each once.
func (c *Client) find(d Deviation, raw string) {
	f := Finding{Deviation: d, Command: c.link.Command, Raw: raw, Times: 1}
	c.mu.Lock()
	isNew := c.findings.add(f)
	c.mu.Unlock()
	switch {
	case isNew && c.strict:
		c.link.Warn(c.Name() + ": " + f.String())
	case isNew || c.strict:
		c.link.Trace.Notef("%v", f)
	}
}

// found tells whether a deviation has been found.
func (c *Client) found(d Deviation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.findings, func(f Finding) bool { return f.Deviation == d })
}
