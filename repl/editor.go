package repl

import (
	"fmt"
	"io"
	"strings"
)

// An Editor is where a shell's lines come from.
type Editor interface {
	// ReadLine prompts for a line and answers it without its line end. At the end of the
	// input the error is io.EOF; ErrInterrupted drops what was typed.
	ReadLine(prompt string) (string, error)
	// Ready reports whether ReadLine would answer at once.
	Ready() bool
	// Ahead delivers lines that come while nobody asks for them, because an engine
	// thinks. What is received from it counts as read.
	Ahead() <-chan Typed
	// Unread makes a line that Ahead has delivered the one that ReadLine answers next,
	// behind others like it.
	Unread(Typed)
	// Above is a writer whose output does not disturb the line that is being edited.
	Above(io.Writer) io.Writer
	// Close leaves the terminal as it was.
	Close()
}

// Typed is a line, or the end of the input.
type Typed struct {
	Line string
	Err  error
}

// openEditor chooses the editor: the text of -c, the terminal, or plain lines.
func (s *Shell) openEditor() error {
	h := s.host
	switch {
	case s.options.Commands != nil:
		s.host.Interactive = false
		s.editor = newPlain(strings.NewReader(commandLines(*s.options.Commands)), nil, h.Interrupt)
	case h.Interactive && h.Keys != nil:
		editor, err := newReadline(s)
		if err != nil {
			return fmt.Errorf("line editing: %w; -noedit does without", err)
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

// commandLines is the text of -c as lines: a semicolon ends a command too, unless it is
// within quotes. The blanks around a command are not sent.
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
