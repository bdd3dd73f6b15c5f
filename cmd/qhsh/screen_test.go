package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A screen is what a terminal displays after the bytes that it gets: the part of VT100 that the
// shell uses. A character of two cells is followed by an empty string.
type screen struct {
	width     int
	rows      [][]string
	x, y      int
	unwrapped bool // the last column is overwritten at the end of a row
	colored   bool // an escape sequence has set a colour
	unknown   []string
	leftover  string  // the start of an incomplete sequence
	saved     [2]int  // x and y
	below     *screen // what is shown again after the whole screen was used; nil if it is not used
}

func newScreen(width int) *screen { return &screen{width: width, rows: [][]string{nil}} }

func (s *screen) Write(p []byte) (int, error) {
	text := s.leftover + string(p)
	s.leftover = ""
	for text != "" {
		if strings.HasPrefix(text, "\x1b7") || strings.HasPrefix(text, "\x1b8") {
			s.escape("", text[1])
			text = text[2:]
			continue
		}
		if text[0] == '\x1b' {
			end := strings.IndexFunc(text[1:], func(r rune) bool { return r >= '@' && r != '[' })
			if end < 0 {
				s.leftover = text
				break
			}
			s.escape(text[1:end+1], text[end+1])
			text = text[end+2:]
			continue
		}
		if !utf8.FullRuneInString(text) {
			s.leftover = text
			break
		}
		r, n := utf8.DecodeRuneInString(text)
		s.put(r)
		text = text[n:]
	}
	return len(p), nil
}

func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.x = 0
	case '\n':
		s.down()
	case '\b':
		s.x = max(0, min(s.x, s.width)-1)
	case '\a':
	default:
		w := (&runewidth.Condition{}).RuneWidth(r)
		switch {
		case s.x+w <= s.width:
		case s.unwrapped:
			s.x = s.width - w
		default:
			s.x = 0
			s.down()
		}
		row := s.rows[s.y]
		for len(row) < s.x+w {
			row = append(row, " ")
		}
		row[s.x] = string(r)
		if w == 2 {
			row[s.x+1] = ""
		}
		s.rows[s.y] = row
		s.x += w
	}
}

func (s *screen) down() {
	if s.y++; s.y == len(s.rows) {
		s.rows = append(s.rows, nil)
	}
}

func (s *screen) escape(args string, final byte) {
	args = strings.TrimPrefix(args, "[")
	n, err := strconv.Atoi(args)
	if err != nil {
		n = 1
	}
	row := s.rows[s.y]
	switch final {
	case 'h', 'l':
		s.setMode(args, final == 'h')
	case 'H':
		s.x, s.y = 0, 0
	case 'A':
		s.y = max(0, s.y-n)
	case '7':
		s.saved = [2]int{s.x, s.y}
	case '8':
		s.x, s.y = s.saved[0], s.saved[1]
	case '@':
		at := min(s.x, len(row))
		row = slices.Insert(row, at, slices.Repeat([]string{" "}, n)...)
		s.rows[s.y] = row[:min(len(row), s.width)]
	case 'C':
		s.x = min(s.width-1, s.x+n)
	case 'K':
		if args == "2" {
			s.rows[s.y] = nil
			return
		}
		s.rows[s.y] = row[:min(len(row), s.x)]
	case 'J':
		s.rows = s.rows[:s.y+1]
		s.rows[s.y] = row[:min(len(row), s.x)]
	case 'm':
		s.colored = s.colored || args != "0"
	default:
		s.unknown = append(s.unknown, args+string(final))
	}
}

// setMode turns a mode of the terminal on or off: only the whole screen, or that of before, shows.
func (s *screen) setMode(mode string, on bool) {
	switch mode {
	case "?7":
		s.unwrapped = !on
		return
	case "?1049":
	default:
		return
	}
	if on {
		before := *s
		s.below, s.rows, s.x, s.y = &before, [][]string{nil}, 0, 0
		return
	}
	if s.below == nil {
		return
	}
	width, unknown := s.width, s.unknown
	*s = *s.below
	s.width, s.unknown = width, unknown
}

// String returns the rows without trailing blanks, with the cursor as a bar.
func (s *screen) String() string {
	var b strings.Builder
	for y, row := range s.rows {
		line := ""
		for x, cell := range row {
			if y == s.y && x == s.x {
				line += "|"
			}
			line += cell
		}
		if y == s.y && s.x >= len(row) {
			line += strings.Repeat(" ", s.x-len(row)) + "|"
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
