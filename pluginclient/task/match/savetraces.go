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

// maxTrace is more than the number of entries in a Trace.
const maxTrace = 1 << 20

// SaveTraces returns an Options.Trace that writes each trace to a file game-17-NAME.trace in dir,
// in the format of a [pluginclient.TraceLog]. It creates dir with the first file. warn receives
// failures.
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
			warn(fmt.Sprintf("cannot save the trace of game %d: %v", game, err))
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

// fileName replaces the characters that are unsafe in file names.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.,=", r) {
			return r
		}
		return '_'
	}, name)
}
