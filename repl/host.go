package repl

import (
	"context"
	"io"
	"os"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// A Host is the process as the shell sees it.
type Host struct {
	Stdin io.Reader
	// Where Stdout is a terminal it escapes what is written to it, and has a method Raw for what
	// the shell itself draws; see package printable. What goes to Stderr is escaped here.
	Stdout, Stderr io.Writer

	// Interactive tells that a person types the lines: they are prompted for, and a
	// mistake ends nothing.
	Interactive bool

	// Status tells that Stderr is a terminal, where a live line may be drawn.
	Status bool
	// Color tells that Stdout is a terminal that may be given colours.
	Color bool
	// Width is the terminal's width in columns; 0, or a nil function: not known.
	Width func() int
	// Keys, if not nil, is the terminal that Stdin is, for line editing.
	Keys *Keys
	// Interrupt delivers Ctrl-C wherever no line is being edited. It may be nil.
	Interrupt <-chan os.Signal

	// ConfigDir holds the start file; empty: there is none.
	ConfigDir string
	// StateDir holds the history; empty: it is not kept.
	StateDir string
	// Games are those that are known.
	Games games.Table
	// Open starts the engine of a SPEC.
	Open func(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error)
	// NameOf is a short name for the engine of a SPEC; empty: there is none.
	NameOf func(spec string) string
	// Names are the names of engines that stand for a SPEC, for completion.
	Names []string
	// Language is that of the prompt while there is no engine, and of engines that have none of
	// their own.
	Language pluginclient.Language
	// Prompts are lines of the help about engines that are spoken to in another Language.
	Prompts string
}

// OpenOptions are what the shell wants of an engine besides its SPEC.
type OpenOptions struct {
	Level  *int              // nil: the engine's own
	Limits engine.Limits     // of its searches; an engine that cannot be given them is not started
	Warn   func(text string) // told what a person should know
}

// Keys is a terminal that lines are edited on.
type Keys struct {
	FD      uintptr          // the file descriptor whose mode is changed
	Screen  io.Writer        // the same terminal's output, which escapes nothing
	Resized <-chan os.Signal // delivers that the width has changed; may be nil
	Suspend func()           // stops the process until it is continued; nil: it cannot be
}

// width is the terminal's width, or a usual one.
func (h Host) width() int {
	const usual = 80
	if h.Width != nil {
		if w := h.Width(); w > 0 {
			return w
		}
	}
	return usual
}
