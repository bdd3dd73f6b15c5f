package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
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
	server, options, err := s.embedded(o)
	if err != nil {
		return nil, err
	}
	d, err := newDirect(ctx, server, dialing)
	if err != nil {
		return nil, err
	}
	return &builtin{d, options}, nil
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
		server, err := s.builtin(o)
		return server, func() error { return nil }, err
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

// builtin is the embedded engine as a plugin.
func (s spec) builtin(o Options) (*qhplugin.Server, error) {
	server, _, err := s.embedded(o)
	return server, err
}

// embedded is the embedded engine as a plugin, and the options that it was made with.
func (s spec) embedded(o Options) (*qhplugin.Server, search.Options, error) {
	options := search.DefaultOptions()
	server := &qhplugin.Server{Name: "qhsh", Text: []string{"The embedded engine of qhsh " + o.Version}}
	for _, opt := range s.options {
		if err := set(&options, server, opt); err != nil {
			return nil, options, err
		}
	}
	if err := checkHash(options.Hash, o.memory()); err != nil {
		return nil, options, fmt.Errorf("%w: builtin: %w", ErrSpec, err)
	}
	searcher, err := search.New(options)
	if err != nil {
		return nil, options, fmt.Errorf("%w: builtin: %w", ErrSpec, err)
	}
	server.Searcher = searcher
	server.Text = append(server.Text, "Repetitions are judged by the rules "+options.Rules.String())
	if o.Level != nil {
		server.Level = *o.Level
		err = announced(*o.Level, searcher.Levels())
	}
	if err != nil {
		return nil, options, fmt.Errorf("%w: builtin: %w", ErrSpec, err)
	}
	return server, options, nil
}

// set sets an option of the embedded engine.
func set(options *search.Options, server *qhplugin.Server, opt option) error {
	if opt.key == "rules" {
		rules, err := xiangqi.ParseRuleSet(opt.value)
		if err != nil {
			return fmt.Errorf("%w: builtin: %w", ErrSpec, err)
		}
		options.Rules = rules
		return nil
	}
	if opt.key == "off" || opt.key == "on" {
		return switchRules(options, opt)
	}
	n, err := strconv.Atoi(opt.value)
	if err != nil || n < 1 {
		return fmt.Errorf("%w: builtin: %s=%s: want a number of at least 1", ErrSpec, opt.key, opt.value)
	}
	switch opt.key {
	case "nodes":
		options.Nodes = int64(n)
	case "hash":
		options.Hash = n
	case "threads":
		options.Threads = n
	case "hints":
		server.Hints = n
	default:
		return fmt.Errorf("%w: builtin has no option %q, only nodes, hash, threads, hints, rules, on and off", ErrSpec, opt.key)
	}
	return nil
}

// switchRules leaves rules of the embedded engine's search out, or puts them in, for who
// tests them by a match.
func switchRules(options *search.Options, opt option) (err error) {
	names := strings.Split(opt.value, "+")
	if opt.key == "on" {
		*options, err = options.With(names...)
	} else {
		*options, err = options.Without(names...)
	}
	if err != nil {
		return fmt.Errorf("%w: builtin: %s: %w", ErrSpec, opt.key, err)
	}
	return nil
}
