package attach

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// Options configure an engine in addition to its SPEC.
type Options struct {
	pluginclient.ClientOptions
	Elsewhere bool              // engines run on other machines, and perhaps cannot be started here
	Raw       bool              // start a program without a handshake, for lines that somebody types
	Games     games.Table       // whose engines are embedded; the zero table: there are none
	Kinds     Kinds             // zero: DefaultKinds of Games
	Level     *int              // nil: the engine's own
	Limits    engine.Limits     // of searches to come: an engine that cannot be given them is refused
	Names     map[string]string // of engines.json
	// File returns the path of a file that an option of an embedded engine names, or the reason why it
	// must not be read; nil: the path as given. It is called before any file is touched.
	File   func(path string) (string, error)
	Memory uint64 // of the machine in bytes, which bounds hash=; 0: what the system says
}

// A StartError means that an engine did not start. It names the protocol of the SPEC.
type StartError struct {
	Protocol string // as people call it, such as QTP; empty if it is QHPLUGIN, which a SPEC need not name
	Speaks   string // a SPEC of the protocol that the engine does speak; empty: not known
	Err      error  // wraps pluginclient.ErrStart, or is the engine's refusal of what it has to play by
}

func (e *StartError) Error() string {
	if e.Speaks != "" {
		return fmt.Sprintf("%v; it answers as %s", e.Err, e.Speaks)
	}
	return e.Err.Error()
}

// Unwrap returns the reason.
func (e *StartError) Unwrap() error { return e.Err }

// A LevelError means that an engine does not have the Level of Options. It wraps ErrSpec, although a
// level is not part of a SPEC.
type LevelError struct{ Err error }

func (e *LevelError) Error() string { return e.Err.Error() }

// Unwrap returns ErrSpec and the reason.
func (e *LevelError) Unwrap() []error { return []error{ErrSpec, e.Err} }

func (o Options) kinds() Kinds { return o.Kinds.OrDefault(o.Games) }

// UseHighestLevel sets the highest level of an engine whose level applies to every search, so that
// only the time limit bounds its searches. For other engines it is a no-op.
func UseHighestLevel(ctx context.Context, s pluginclient.Session) error {
	levels := s.Info().Levels
	if !pluginclient.BoundsOf(s).Always || len(levels) == 0 {
		return nil
	}
	return s.SetLevel(ctx, levels[len(levels)-1].ID)
}
