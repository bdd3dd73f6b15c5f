package match

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"qhsh/pluginclient"
)

// maxTrace is as much as a Trace holds.
const maxTrace = 1 << 20

// SaveTraces returns an Options.Trace that writes what a Trace holds to a file of its own in a
// folder, which it creates with the first: game-17-NAME.trace. The lines are those of a
// [pluginclient.TraceLog]. warn is called when it cannot.
func SaveTraces(dir string, warn func(string)) func(game int, player string, t *pluginclient.Trace) string {
	return func(game int, player string, t *pluginclient.Trace) string {
		if t == nil {
			return ""
		}
		path := filepath.Join(dir, fmt.Sprintf("game-%d-%s.trace", game, fileName(player)))
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(traceText(player, t)), 0o666)
		}
		if err != nil {
			warn(fmt.Sprintf("the trace of game %d is lost: %v", game, err))
			return ""
		}
		return path
	}
}

func traceText(player string, t *pluginclient.Trace) string {
	var b strings.Builder
	var first, last time.Time
	for i, e := range t.Last(maxTrace, func(pluginclient.Entry) bool { return true }) {
		if i == 0 {
			first, last = e.Time, e.Time
		}
		l := pluginclient.TraceLine{
			At: e.Time.Sub(first), Since: e.Time.Sub(last), Engine: player, Dir: e.Dir, Text: e.Text,
		}
		b.WriteString(l.String() + "\n")
		last = e.Time
	}
	return b.String()
}

// fileName returns a name without what a file's cannot have.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.,=", r) {
			return r
		}
		return '_'
	}, name)
}
