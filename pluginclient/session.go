// Package pluginclient contains what the clients of all engine protocols share: the [Session]
// interface used by all other packages, the engine's process and streams, deadlines, the trace of
// the conversation, and errors that name the engine and the failed command.
//
// The layers, from the operating system up:
//
//   - A [Starter] starts an engine and returns its [Streams]: those of a [Command]'s process, or
//     of a function on an in-memory pipe ([Pipe]). It is called again to restart a crashed engine.
//   - A [Conn] turns Streams into lines. It reads the output continuously, limits its buffers, has
//     a deadline for every wait, and writes every line to the [Trace].
//   - A protocol package (qhplugin, ...) implements a Session on a Conn. The server side of a
//     protocol is built on package serving.
//
// Engines are not trusted. If an engine hangs, floods its output, prints an incomplete line, dies
// or ignores the quit command, the caller gets an [Error]. It never causes a hang, a panic, or a
// leaked process or goroutine. No engine or child of an engine outlives this process, even if it is
// killed: see supervisor_linux.go, watchdog_group.go and the Job objects of process_windows.go.
//
// This package imports none of its children.
package pluginclient

import (
	"context"

	"qhsh/engine"
)

// A Session is a conversation with an engine: a Searcher that also keeps the state of the
// conversation. Search may be called from several goroutines; one search runs at a time.
type Session interface {
	engine.Searcher
	// Info returns what the engine says about itself.
	Info() Info
	// Level returns the ID of the current level, if known. It applies to a search without
	// limits; [BoundsOf] describes how it combines with other limits.
	Level() (id int, known bool)
	// SetLevel sets the current level.
	SetLevel(ctx context.Context, id int) error
	// Position returns the conversation's current position.
	Position() engine.Position
	// Raw sends a line unchanged and returns the engine's reply. The text may contain several
	// lines separated by line feeds. Position and Level are updated accordingly. A search
	// command is sent even if ctx has already ended; the engine is then told to stop, and a
	// reply that still arrives is returned with the cause. Raw does not start an engine that is
	// not running; it returns ErrNotRunning.
	Raw(ctx context.Context, line string) ([]string, error)
	// Trace returns the trace of the conversation.
	Trace() *Trace
	// Restart ends the engine, starts it again and restores the position.
	Restart(ctx context.Context) error
	// State returns the engine's state, as far as is known, without waiting.
	State() State
	// Idle waits until the engine is idle: an abandoned call may still be stopping its search.
	// It returns an error if the engine was lost meanwhile, or the cause of ctx.
	Idle(ctx context.Context) error
	// Kill kills the engine. A call in progress fails, and the next search or Restart starts
	// the engine again.
	Kill()
	// Close tells the engine to quit and kills it if it does not. It may be called twice.
	Close() error
}

// Info is what an engine says about itself.
type Info struct {
	Protocol string         // with its version, such as "QHPLUGIN V1.3"
	Name     string         // short display name
	Levels   []engine.Level // weakest first; may be empty
	Text     []string       // free text lines
}

// CheckLevel returns an error if the engine has announced levels and id is not one of them. There
// are engines that accept any level, and then search forever.
func (i Info) CheckLevel(id int) error {
	if len(i.Levels) == 0 {
		return nil
	}
	return engine.CheckLevel(i.Levels, id)
}

// A Status says whether the engine of a Session is running.
type Status byte

// The statuses. A typed call starts an engine that is ended or lost, unless the Session is closed.
const (
	StatusRunning Status = iota // running or being started
	StatusEnded                 // closed, told to quit, or terminated
	StatusLost                  // crashed, or ended because it did not respond
)

// A State is a Status and its reason.
type State struct {
	Status   Status
	Err      error // why the engine is lost; nil otherwise
	Reported bool  // a call has already failed with Err; false: the engine ended between calls
}

// As is [engine.As] for a Session. It returns the outermost of s and the Sessions that s wraps
// that implements T.
func As[T any](s Session) (able T, ok bool) { return engine.As[T](s) }
