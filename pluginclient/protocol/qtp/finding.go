package qtp

import (
	"fmt"
	"slices"
)

// A deviation is a way in which an engine does not keep to the protocol.
type deviation string

// The deviations that can be played with.
const (
	noEmptyLine   deviation = "a response does not end with an empty line (1.6)"
	noBlank       deviation = "no blank behind the sign of a response (1.6)"
	nextLine      deviation = "the result begins on the line after the sign (1.6)"
	outside       deviation = "text outside a response (1.6)"
	controls      deviation = "control characters (1.2)"
	tabs          deviation = "a tab, where only a blank should be (1.3)"
	notEmpty      deviation = "text in the response to a command without output (section 4)"
	knownFails    deviation = "known_command fails, which it never does (4.1)"
	nameFails     deviation = "name fails, or answers nothing (4.1)"
	winnerFails   deviation = "winner fails, or answers neither false nor true and a colour (4.4)"
	wrongWinner   deviation = "winner answers what is not so (4.4)"
	takesIllegal  deviation = "it plays what is illegal (4.3)"
	refusesLegal  deviation = "it refuses what is legal (4.3)"
	genMoveFails  deviation = "genmove fails, which it never does (4.3)"
	genMoveNotOne deviation = "genmove answers no vertex (4.3)"
)

// A finding is a deviation of an engine.
type finding struct {
	deviation deviation
	command   string // during which it was found first
	raw       string // what came then
	times     int
}

func (f finding) String() string {
	return fmt.Sprintf("%s: after %q it sent %q", f.deviation, f.command, f.raw)
}

// findings are those of a conversation, each deviation once, in the order in which they came.
type findings []finding

// add counts a deviation, and tells whether it is a new one.
func (fs *findings) add(f finding) bool {
	for i := range *fs {
		if (*fs)[i].deviation == f.deviation {
			(*fs)[i].times++
			return false
		}
	}
	*fs = append(*fs, f)
	return true
}

// deviations are the deviations so far, as far as they show. What does not have to be looked
// for, such as the lack of an empty line, is found with Options.Strict alone.
func (c *Client) deviations() []finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.findings)
}

// find takes in a deviation. A strict client tells of each once.
func (c *Client) find(d deviation, raw string) {
	f := finding{deviation: d, command: c.link.Command, raw: raw, times: 1}
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
func (c *Client) found(d deviation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.findings, func(f finding) bool { return f.deviation == d })
}
