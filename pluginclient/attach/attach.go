package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/qhplugin"
	"qhsh/pluginclient/qtp"
)

// Options are what holds for an engine beyond its SPEC.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there; nil: nowhere
	Warn      func(string)           // told what a person should know; may be nil
	Level     *int                   // nil: the engine's own
	Names     map[string]string      // of engines.json
	Version   string                 // of qhsh, for the info block of the embedded engine
	Direct    bool                   // ask the embedded engine directly even with a Log: QHPLUGIN carries no nodes and depth
	Memory    uint64                 // of the machine in bytes, which bounds hash=; 0: what the system says
}

// A StartError is that of an engine which has not started, with the protocol that its SPEC
// has it speak.
type StartError struct {
	Protocol string // as people call it, such as QTP; empty if it is QHPLUGIN, which a SPEC need not name
	Err      error  // wraps pluginclient.ErrStart
}

func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap is what happened.
func (e *StartError) Unwrap() error { return e.Err }

// protocolNames are what people call the protocols that a SPEC has to name.
var protocolNames = map[string]string{
	uciName: "UCI", ucciName: "UCCI", xboardName: "XBoard's protocol", qtpName: qtp.Protocol,
}

// Open starts the engine of a SPEC. The errors of a SPEC, an option or a level that
// makes no sense wrap ErrSpec; that of an engine that does not start is a *StartError.
func Open(ctx context.Context, text string, o Options) (pluginclient.Session, error) {
	s, err := parseSpec(text, o.Names)
	if err != nil {
		return nil, err
	}
	session, err := s.open(ctx, o)
	if errors.Is(err, pluginclient.ErrStart) {
		err = &StartError{protocolNames[s.name], err}
	}
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

// setLevel sets a level of a command line. One that the engine has not announced is not
// even tried: a real engine accepts it, and then thinks for ever.
func setLevel(ctx context.Context, s pluginclient.Session, id int) error {
	info := s.Info()
	if len(info.Levels) > 0 {
		if err := announced(id, info.Levels); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSpec, info.Name, err)
		}
	}
	err := s.SetLevel(ctx, id)
	if errors.Is(err, pluginclient.ErrRefused) {
		return fmt.Errorf("%w: level %d: %w", ErrSpec, id, err)
	}
	return err
}

func announced(id int, levels []engine.Level) error {
	if slices.ContainsFunc(levels, func(l engine.Level) bool { return l.ID == id }) {
		return nil
	}
	return fmt.Errorf("no level %d: levels go from %d to %d", id, levels[0].ID, levels[len(levels)-1].ID)
}

func (s spec) open(ctx context.Context, o Options) (pluginclient.Session, error) {
	dialing := qhplugin.Options{Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn}
	switch s.name {
	case qhName:
		return s.openPlugin(ctx, dialing)
	case uciName, ucciName, xboardName:
		return s.openBridge(ctx, o, dialing)
	case qtpName:
		return s.openQTP(ctx, o)
	case quoridorName:
		return s.openQuoridor(ctx, o)
	}
	e, err := s.embedded(o)
	if err != nil {
		return nil, err
	}
	d, err := newDirect(ctx, e.server, dialing)
	if err != nil {
		e.giveBack()
		return nil, err
	}
	d.traced = d.traced && !o.Direct
	return &builtin{d, e}, nil
}

// openPlugin starts a program that speaks QHPLUGIN.
func (s spec) openPlugin(ctx context.Context, dialing qhplugin.Options) (pluginclient.Session, error) {
	cmd, quirks, err := s.plugin()
	if err != nil {
		return nil, err
	}
	dialing.Quirks = quirks
	return dial(ctx, qhplugin.Program(cmd), dialing)
}

// plugin is the program of a QHPLUGIN plugin, and its quirks.
func (s spec) plugin() (cmd pluginclient.Command, quirks qhplugin.Quirks, err error) {
	cmd, options := s.program()
	for _, o := range options {
		if err := quirks.Set(o.key, o.value); err != nil {
			return cmd, quirks, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
		}
	}
	return cmd, quirks, nil
}

func dial(ctx context.Context, p qhplugin.Plugin, o qhplugin.Options) (*qhplugin.Client, error) {
	client, err := qhplugin.Dial(ctx, p, o)
	if err != nil {
		return nil, fmt.Errorf("attach %s: %w", p.Name, err)
	}
	return client, nil
}

// Server is the plugin that stands in front of a SPEC's engine, for qhsh -info and
// -plugin. Closing is that of [ending].
func Server(ctx context.Context, text string, o Options) (server *qhplugin.Server, closing func() error, err error) {
	s, err := parseSpec(text, o.Names)
	if err != nil {
		return nil, nil, err
	}
	if s.name == builtinName {
		e, err := s.embedded(o)
		if err != nil {
			return nil, nil, err
		}
		return e.server, e.close, nil
	}
	session, err := Open(ctx, text, o)
	if err != nil {
		return nil, nil, err
	}
	info := session.Info()
	server = &qhplugin.Server{Searcher: session, Name: info.Name, Text: []string{"qhsh in front of " + info.Protocol}}
	server.Level, _ = session.Level()
	return server, ending(session), nil
}

// ending ends an engine that has stood behind a server. Its error is that of an engine which was
// lost and not started again: the server has gone on without it, and somebody has to be told.
func ending(session pluginclient.Session) func() error {
	return func() error {
		err := session.Close()
		if s, ok := session.(interface{ Idle(context.Context) error }); ok && err == nil {
			err = s.Idle(context.Background())
		}
		if errors.Is(err, pluginclient.ErrClosed) { // in the middle of something
			return nil
		}
		return err
	}
}
