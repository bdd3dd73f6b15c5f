package repl

import (
	"fmt"
	"io"
	"strings"
)

// A lineEditor reads the lines of a shell.
type lineEditor interface {
	// ReadLine prompts for a line and returns it without its line ending. At the end of the
	// input the error is io.EOF; after Ctrl-C, which drops what was typed, it is ErrInterrupted.
	ReadLine(prompt string) (string, error)
	// Ready reports whether ReadLine would return at once.
	Ready() bool
	// Ahead returns a channel of the lines that are typed while an engine thinks. A line that
	// is received from it counts as read.
	Ahead() <-chan typedLine
	// Unread puts a line from Ahead back for ReadLine, after those put back before.
	Unread(typedLine)
	// Keys returns a channel of the keys that are pressed from now on, until end is called. The
	// names of some are keyLeft and so on; Ctrl-C is a key, too. It is nil if lines are not edited.
	Keys() (keys <-chan string, end func())
	// Remember adds a line, or several lines as one item, to the history.
	Remember(text string)
	// Above returns a writer whose output does not disturb the line being edited.
	Above(io.Writer) io.Writer
	// Close restores the terminal.
	Close()
}

// A typedLine is a line, or the error that ends the input.
type typedLine struct {
	text string
	err  error
}

// openEditor opens the editor: for the text of -c, for the terminal, or for plain lines.
func (s *Shell) openEditor() error {
	h := s.host
	switch {
	case s.options.Commands != nil:
		s.host.Interactive = false
		s.editor = newPlain(strings.NewReader(commandLines(*s.options.Commands)), nil, h.Interrupt)
	case h.Interactive && h.Keys != nil:
		editor, err := newReadline(s)
		if err != nil {
			return fmt.Errorf("line editing: %w; -noedit turns it off", err)
		}
		s.editor = editor
	case h.Interactive:
		s.editor = newPlain(h.Stdin, h.Stderr, h.Interrupt)
	default:
		s.editor = newPlain(h.Stdin, nil, h.Interrupt)
	}
	s.console.err = s.editor.Above(s.console.err)
	return nil
}

// commandLines splits the text of -c into lines. A semicolon ends a command too, except within
// quotes. Blanks around a command are removed.
func commandLines(commands string) string {
	var lines []string
	var quote rune
	from := 0
	for i, r := range commands + "\n" {
		switch {
		case r == '\n' || quote == 0 && r == ';':
			lines = append(lines, strings.TrimSpace(commands[from:i]))
			from, quote = i+1, 0
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
	}
	return strings.Join(lines, "\n")
}
