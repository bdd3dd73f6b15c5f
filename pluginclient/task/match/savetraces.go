package match

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"qhsh/pluginclient"
)

// SaveTraces returns an Options.Trace that writes the last lines of a conversation, and of that with
// an engine behind it, to a file game-17-NAME.trace in dir, in the format of a
// [pluginclient.TraceLog]. It creates dir with the first file. warn receives failures.
func SaveTraces(dir string, warn func(string)) func(game int, player string, s pluginclient.Session) string {
	return func(game int, player string, s pluginclient.Session) string {
		pluginclient.Rename(s, player)
		var b strings.Builder
		for _, line := range pluginclient.Recent(s, math.MaxInt) {
			b.WriteString(line.String() + "\n")
		}
		path := filepath.Join(dir, fmt.Sprintf("game-%d-%s.trace", game, fileName(player)))
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(b.String()), 0o666)
		}
		if err != nil {
			warn(fmt.Sprintf("cannot save the trace of game %d: %v", game, err))
			return ""
		}
		return path
	}
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
