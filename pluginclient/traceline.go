package pluginclient

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"qhsh/engine/interruptible"
)

// A TraceLine is an entry of a trace as a TraceLog writes it: the seconds since the log
// began, the seconds since the engine's previous line, the engine's name, the direction
// and the text. A name or a text with control characters is quoted as Go would.
//
//	1.024   +0.004 folium < OK - Set AI level to 6
type TraceLine struct {
	At     time.Duration // since the log began, in whole milliseconds when it is read back
	Since  time.Duration // since the engine's previous line, likewise
	Engine string        // one word when it is read back
	Dir    Direction
	Text   string
}

func (l TraceLine) String() string {
	return fmt.Sprintf("%9.3f %+8.3f %s %c %s",
		l.At.Seconds(), l.Since.Seconds(), quoteIfNeeded(oneWord(l.Engine)), l.Dir, quoteIfNeeded(l.Text))
}

func oneWord(name string) string {
	if name == "" {
		return "?"
	}
	return strings.Join(strings.Fields(name), "_")
}

func quoteIfNeeded(text string) string {
	if strings.HasPrefix(text, `"`) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

func unquoteIfQuoted(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	unquoted, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("not a trace line: invalid quoting in %q", truncate(text))
	}
	return unquoted, nil
}

// ParseTraceLine parses a line written by [TraceLine.String].
func ParseTraceLine(text string) (TraceLine, error) {
	var l TraceLine
	at, rest := nextField(text)
	since, rest := nextField(rest)
	name, rest := nextField(rest)
	dir, said, ok := strings.Cut(rest, " ")
	if !ok || len(dir) != 1 || !strings.Contains("><~!#", dir) {
		return l, fmt.Errorf("not a trace line: %q", truncate(text))
	}
	var errName, errText error
	l.Engine, errName = unquoteIfQuoted(name)
	l.Text, errText = unquoteIfQuoted(said)
	if err := cmp.Or(errName, errText); err != nil {
		return l, err
	}
	if l.Engine != oneWord(l.Engine) {
		return l, fmt.Errorf("not a trace line: %q", truncate(text))
	}
	l.Dir = Direction(dir[0])
	for _, f := range []struct {
		text  string
		value *time.Duration
	}{{at, &l.At}, {since, &l.Since}} {
		seconds, err := strconv.ParseFloat(f.text, 64)
		if err != nil || !(-maxSeconds <= seconds && seconds <= maxSeconds) {
			return l, fmt.Errorf("not a trace line: %q is not a number of seconds", truncate(f.text))
		}
		*f.value = time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
	}
	return l, nil
}

// maxSeconds is about a century, which a time.Duration can hold.
const maxSeconds = 3e9

// nextField returns the first word of text and what follows the space after it.
func nextField(text string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimLeft(text, " "), " ")
	return word, rest
}

// IsTrace reports whether the first line of a file is a trace line.
func IsTrace(path string) (bool, error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const longest = 2 << 20 // bytes
	line, err := bufio.NewReader(io.LimitReader(file, longest)).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	_, err = ParseTraceLine(strings.TrimSuffix(line, "\n"))
	return err == nil, nil
}
