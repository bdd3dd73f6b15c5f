package attach

import (
	"context"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/protocol/xboard"
)

// A ModeProvider is a Row for whose protocol qhsh has a server.
type ModeProvider interface{ Modes() []Mode }

// A Mode is a command-line mode in which qhsh is an engine for another program.
type Mode struct {
	Flag    string // such as "-uci"
	Summary string // one line, lower case, such as "be a UCI engine"
	Line    Usage  // in the overview; zero: it stands in the line of another Mode

	Game    engine.Game // that it is for
	Signals bool        // hosts end it by SIGINT, at which it ends in order and without a word
	Unused  []Option    // flags with a number that hosts give and that have no effect

	Serve func(context.Context, ServeConfig) error
}

// Usage is a line of the help about flags.
type Usage struct{ Flags, Text string }

// ServeConfig configures a Mode.
type ServeConfig struct {
	Spec    string // of the engine that it stands in front of
	Options Options
	Time    time.Duration // for each move; 0: none was given
	In      io.Reader
	Out     io.Writer
	Trace   *pluginclient.Trace // of the conversation with the host; may be nil
}

// Modes returns the modes of all kinds, in the order of the table.
func (k Kinds) Modes() (all []Mode) {
	for _, r := range k.rows {
		if s, ok := r.(ModeProvider); ok {
			all = append(all, s.Modes()...)
		}
	}
	return all
}

// Modes returns the two modes of section 2 of the specification: -info prints the info block and
// reads nothing, -plugin executes commands until QUIT or the end of the input.
func (plugins) Modes() []Mode {
	return []Mode{
		{
			Flag: "-info", Summary: "be a QHPLUGIN plugin", Line: Usage{"-info | -plugin [debug]", "be a QHPLUGIN plugin"}, Game: xiangqi.Rules,
			Serve: inFront(func(_ context.Context, server *qhplugin.Server, _ io.Reader, out io.Writer) error {
				_, err := server.Info().WriteTo(out)
				return err
			}),
		},
		{
			Flag: "-plugin", Summary: "be a QHPLUGIN plugin", Game: xiangqi.Rules,
			Serve: inFront(func(ctx context.Context, server *qhplugin.Server, in io.Reader, out io.Writer) error {
				return server.Serve(ctx, in, out)
			}),
		},
	}
}

// inFront returns a Serve function for QHPLUGIN.
func inFront(serve func(context.Context, *qhplugin.Server, io.Reader, io.Writer) error) func(context.Context, ServeConfig) error {
	return func(ctx context.Context, s ServeConfig) error {
		server, closing, err := NewServer(ctx, s.Spec, s.Options)
		if err != nil {
			return err
		}
		server.Trace = s.Trace
		return ended(serve(ctx, server, s.In, s.Out), closing)
	}
}

func (xboardPrograms) Modes() []Mode {
	const text = "be an engine for XBoard and WinBoard"
	return []Mode{{Flag: "-xboard", Summary: text, Line: Usage{"-xboard [debug]", text}, Game: xiangqi.Rules, Serve: byFamily("XBoard's protocol", xboard.Serve)}}
}

// byFamily returns a Serve function for UCI, UCCI or XBoard's protocol.
func byFamily(protocol string, serve func(context.Context, io.Reader, io.Writer, ucifamily.ServerConfig) error) func(context.Context, ServeConfig) error {
	return func(ctx context.Context, s ServeConfig) error {
		served, closing, err := newServerConfig(ctx, protocol, s.Spec, s.Options)
		if err != nil {
			return err
		}
		served.Trace = s.Trace
		return ended(serve(ctx, s.In, s.Out, served), closing)
	}
}

// ended calls closing, and returns err or else the error of closing.
func ended(err error, closing func() error) error {
	if closeErr := closing(); err == nil {
		return closeErr
	}
	return err
}

// NewServer starts the engine of a SPEC and returns a QHPLUGIN server for it. The caller must call
// closing when the server has ended, see behind.
func NewServer(ctx context.Context, text string, o Options) (server *qhplugin.Server, closing func() error, err error) {
	s, row, err := o.parseFor(ctx, text, qhplugin.Protocol, xiangqi.Rules)
	if err != nil {
		return nil, nil, err
	}
	if own, ok := row.(builtinRow); ok {
		server, e, err := own.plugin(ctx, s, o)
		return server, e.close, err
	}
	session, err := Open(ctx, text, o)
	if err != nil {
		return nil, nil, err
	}
	info := session.Info()
	searcher, closing := behind(session)
	server = &qhplugin.Server{Searcher: searcher, Name: info.Name, Text: []string{"qhsh in front of " + info.Protocol}}
	server.Level, _ = session.Level()
	return server, closing, nil
}
