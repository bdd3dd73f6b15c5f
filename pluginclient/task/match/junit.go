package match

import (
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

// writeJUnit writes a suite: whether all games were played, whether the first player is stronger, by the
// SPRT, and for each player whether it lost games by faults.
func writeJUnit(w io.Writer, t *Table) error {
	names := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		names[i] = printable.Line(row.Name)
	}
	var out format.JUnit
	out.Name = strings.Join(names, " - ")
	var standings strings.Builder
	_ = writeText(&standings, t) // a Builder takes everything
	games, test := format.JUnitCase{Suite: out.Name, Name: "games", Output: standings.String()}, t.Test()
	if t.Games < t.Total && (test == nil || test.Decision == "") {
		games.Error = &format.JUnitMessage{Message: fmt.Sprintf("%d of %d games played", t.Games, t.Total)}
	}
	out.Add(games)
	if test != nil {
		c := format.JUnitCase{Suite: out.Name, Name: "SPRT " + test.SPRT.String()}
		switch why := (&format.JUnitMessage{Message: test.String()}); test.Decision {
		case "H0":
			c.Failure = why
		case "H1":
			c.Output = why.Message
		default:
			c.Skipped = why
		}
		out.Add(c)
	}
	for i, row := range t.Rows {
		c := format.JUnitCase{Suite: out.Name, Name: "faults of " + names[i]}
		if len(row.Faults) > 0 {
			c.Failure = &format.JUnitMessage{Message: counts(row.Faults), Text: strings.Join(row.faults, "\n")}
		}
		out.Add(c)
	}
	return out.Write(w)
}
