package main

import (
	"strings"

	"qhsh/pluginclient"
)

// protocolHelp explains the command of a protocol that operands name.
func (h host) protocolHelp(operands []string) (string, error) {
	if len(operands) > 1 {
		return "", usagef("unexpected argument %q: want one command of a protocol", operands[1])
	}
	texts := pluginclient.References(h.kinds().Languages(), operands[0])
	if texts == nil {
		return "", usagef("no protocol has the command %q: 'qhsh help protocol' lists them", operands[0])
	}
	return strings.Join(texts, "\n"), nil
}
