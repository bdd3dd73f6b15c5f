package qtp

import (
	"fmt"
	"slices"
)

// A deviation is a violation of the protocol that the client tolerates.
type deviation string

// The deviations that the client tolerates.
const (
	noEmptyLine   deviation = "a response does not end with an empty line (1.6)"
	noBlank       deviation = "no blank behind the sign of a response (1.6)"
	nextLine      deviation = "the result begins on the line after the sign (1.6)"
	strayText     deviation = "text outside a response (1.6)"
	controlChars  deviation = "control characters (1.2)"
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

// record records a deviation. A strict client reports each one once.
func (c *Client) record(d deviation, raw string) {
	isNew := !c.recorded(d)
	if isNew {
		c.deviations = append(c.deviations, d)
	}
	text := fmt.Sprintf("%s: after %q it sent %q", d, c.link.Command, raw)
	switch {
	case isNew && c.strict:
		c.link.Warn(c.Name() + ": " + text)
	case isNew || c.strict:
		c.link.Trace.Notef("%s", text)
	}
}

func (c *Client) recorded(d deviation) bool { return slices.Contains(c.deviations, d) }
