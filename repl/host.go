package repl

import (
	"cmp"
	"context"
	"io"
	"os"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/script"
)

// A Host is the process as the shell sees it.
type Host struct {
	Stdin io.Reader
	// If Stdout is a terminal, it must escape what is written to it and have a method Raw for the
	// shell's own drawings; see package printable. The shell escapes what it writes to Stderr.
	Stdout, Stderr io.Writer

	// Interactive reports whether a user types the lines. If so, the shell prompts for them, and
	// an error does not end it.
	Interactive bool

	// Status reports whether Stderr is a terminal on which a status line may be drawn.
	Status bool
	// Color reports whether Stdout is a terminal that shows colours.
	Color bool
	// Size returns the terminal's size in columns and rows, or zeros if it is not known. It may be nil.
	Size func() (width, height int)
	// Keys is the terminal of Stdin, for line editing; nil if lines are not edited.
	Keys *Keys
	// Edit runs the user's text editor on a file; nil if there is no terminal for it.
	Edit func(ctx context.Context, path string) error
	// Interrupt receives Ctrl-C while no line is being edited. It may be nil.
	Interrupt <-chan os.Signal

	// ConfigDir holds the start file. It may be empty.
	ConfigDir string
	// StateDir holds the history. If it is empty, no history is saved.
	StateDir string
	// Games are the known games.
	Games games.Table
	// Open starts the engine of a SPEC.
	Open func(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error)
	// NameOf returns a short name for the engine of a SPEC, or "".
	NameOf func(spec string) string
	// CompleteSpec returns the completions of a SPEC that is being typed.
	CompleteSpec func(typed string) []pluginclient.Completion
	// Language is the language of the prompt without an engine, and of engines that do not have
	// one of their own.
	Language pluginclient.Language
	// Protocols are explained by .help, besides the language of the current engine.
	Protocols []pluginclient.Language
	// Prompts is help text about engines whose Language differs.
	Prompts string
}

// OpenOptions are what the shell requires of an engine besides its SPEC.
type OpenOptions struct {
	script.EngineOptions
	Raw  bool              // attach a program without a handshake, for the lines that the user types
	Warn func(text string) // called with warnings for the user

	// Deadlines limit every wait for the engine. The zero value means the host's own.
	Deadlines pluginclient.Deadlines
	// Judged is called with every rule that the engine is seen to break, on any goroutine.
	Judged func(j pluginclient.Judgement)
}

// Keys is a terminal on which lines are edited.
type Keys struct {
	FD      uintptr          // the file descriptor whose mode is changed
	Screen  io.Writer        // the terminal's output, not escaped
	Resized <-chan os.Signal // receives changes of the width; may be nil
	Suspend func()           // stops the process until it is continued; nil if not supported
}

// size returns the size of the terminal, or a default.
func (h Host) size() (width, height int) {
	if h.Size != nil {
		width, height = h.Size()
	}
	return cmp.Or(width, 80), cmp.Or(height, 24)
}

// width returns the width of the terminal, or a default.
func (h Host) width() int {
	width, _ := h.size()
	return width
}
