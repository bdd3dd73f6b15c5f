package main

import (
	"fmt"
	"strings"

	"qhsh/pluginclient"
)

// writeProtocolHelp lists the commands of all protocols, or explains the one that operands name.
func writeProtocolHelp(h host, operands []string) error {
	languages := h.kinds().Languages()
	switch len(operands) {
	case 0:
		for i, l := range languages {
			if i > 0 {
				fmt.Fprintln(h.Stdout)
			}
			fmt.Fprintf(h.Stdout, "%s\n", l.Name)
			for _, c := range l.Commands {
				fmt.Fprintf(h.Stdout, "  %-13s %s\n", c.Word, c.Summary)
			}
		}
		return nil
	case 1:
		texts := pluginclient.References(languages, operands[0])
		if texts == nil {
			return usagef("no protocol has the command %q: 'qhsh help protocol' lists them", operands[0])
		}
		_, err := fmt.Fprint(h.Stdout, strings.Join(texts, "\n"))
		return err
	}
	return usagef("unexpected argument %q: want one command of a protocol", operands[1])
}
