package explore

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Aliases are spellings of the names of players. A nil *Aliases has none.
type Aliases struct{ names map[string]string } // the main spelling by any in lower case

// ReadAliases reads lines of the form
//
//	NAME = OTHER, OTHER
//
// where the OTHERs are spellings of NAME. Empty lines and lines that begin with # are ignored.
// file is used in errors.
func ReadAliases(r io.Reader, file string) (*Aliases, error) {
	a := &Aliases{map[string]string{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, others, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%s:%d: want NAME = OTHER, OTHER", file, n)
		}
		for other := range strings.SplitSeq(others, ",") {
			if other = strings.ToLower(strings.TrimSpace(other)); other != "" {
				a.names[other] = name
			}
		}
	}
	return a, lines.Err()
}

// of returns the main spelling of a name.
func (a *Aliases) of(name string) string {
	if a == nil {
		return name
	}
	if main, ok := a.names[strings.ToLower(name)]; ok {
		return main
	}
	return name
}
