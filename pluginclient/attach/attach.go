package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// Options configure an engine in addition to its SPEC.
type Options struct {
	Elsewhere bool                         // engines run on other machines, and perhaps cannot be started here
	Raw       bool                         // start a program without a handshake, for lines that somebody types
	Games     games.Table                  // whose engines are embedded; the zero table: there are none
	Kinds     Kinds                        // zero: DefaultKinds of Games
	Deadlines pluginclient.Deadlines       // zeros: the defaults
	Log       *pluginclient.TraceLog       // every line goes there; nil: nowhere
	Warn      func(string)                 // told what a person should know; may be nil
	Judged    func(pluginclient.Judgement) // told of every rule that an engine is seen to break; may be nil
	Level     *int                         // nil: the engine's own
	Limits    engine.Limits                // of searches to come: an engine that cannot be given them is refused
	Names     map[string]string            // of engines.json
	Version   string                       // of qhsh, for the info block of the embedded engine
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

// kinds returns Kinds, or DefaultKinds if it is unset.
func (o Options) kinds() Kinds {
	if o.Kinds.rows == nil {
		return DefaultKinds(o.Games)
	}
	return o.Kinds
}

// Open starts the engine of a SPEC. The error wraps ErrSpec if the SPEC, an option or the level is
// invalid (a *LevelError), or if the engine does not support the Limits (an *[engine.LimitError]). It
// is a *StartError if the engine does not start.
func Open(ctx context.Context, text string, o Options) (pluginclient.Session, error) {
	s, row, err := o.parse(text)
	if err != nil {
		return nil, err
	}
	session, err := o.start(ctx, text, s, row)
	if err != nil {
		return nil, err
	}
	if o.Level != nil {
		if err := setLevel(ctx, session, *o.Level); err != nil {
			session.Close()
			return nil, err
		}
	}
	return session, nil
}

// Game returns the game that the engine of a SPEC plays. It starts only an engine that alone knows its
// game. The errors are those of Open.
func Game(ctx context.Context, text string, o Options) (engine.Game, error) {
	s, row, err := o.parse(text)
	if err != nil {
		return nil, err
	}
	return o.gameOf(ctx, text, s, row)
}

func (o Options) gameOf(ctx context.Context, text string, s Spec, row Row) (engine.Game, error) {
	game, err := row.Game(s)
	if r, ok := row.(gameReporter); err != nil || !ok || !r.reportsGame(s) {
		return game, err
	}
	o.Raw, o.Log, o.Warn, o.Judged = false, nil, nil, nil
	session, err := o.start(ctx, text, s, row)
	switch {
	case err != nil && o.Elsewhere && ctx.Err() == nil:
		return game, nil
	case err != nil:
		return nil, err
	}
	return session.Position().Game(), session.Close()
}

// start starts the engine of a parsed SPEC at its own level.
func (o Options) start(ctx context.Context, text string, s Spec, row Row) (session pluginclient.Session, err error) {
	if o.Raw {
		session, err = openRaw(ctx, s, row, o)
	} else {
		session, err = row.Open(ctx, s, o)
	}
	var failed *pluginclient.Error
	if errors.Is(err, pluginclient.ErrStart) || errors.As(err, &failed) && !errors.Is(err, ErrSpec) {
		start := &StartError{Err: o.suggest(text, s.explainStart(err)), Speaks: o.identify(ctx, text, s, err)}
		if kind := row.Kind(); !kind.Default {
			start.Protocol = kind.Title
		}
		return nil, start
	}
	return session, err
}

// explainStart adds to the error of an engine that did not start which of its files is in another
// folder than the one in which it runs.
func (s Spec) explainStart(err error) error {
	if len(s.Command) == 0 {
		return err
	}
	cmd, _, specErr := s.Program()
	if advice := cmd.Misplaced(); specErr == nil && advice != "" {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}

// suggest adds to the error of a program that there is not which name or prefix of SPECs was probably
// meant by the beginning of a SPEC.
func (o Options) suggest(text string, err error) error {
	if !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if guess := o.closest(text); guess != "" {
		return fmt.Errorf("%w: did you mean %s?", err, guess)
	}
	return err
}

// setLevel sets the level given on the command line.
func setLevel(ctx context.Context, s pluginclient.Session, id int) error {
	info := s.Info()
	if err := info.CheckLevel(id); err != nil {
		return &LevelError{fmt.Errorf("%s: %w", info.Name, err)}
	}
	err := s.SetLevel(ctx, id)
	if errors.Is(err, pluginclient.ErrRefused) {
		return &LevelError{fmt.Errorf("level %d: %w", id, err)}
	}
	return err
}
