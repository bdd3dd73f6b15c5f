package attach

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
)

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
	Engine *Engine       // that it stands in front of
	Time   time.Duration // for each move; 0: none was given
	In     io.Reader
	Out    io.Writer
	Trace  *pluginclient.Trace // of the conversation with the host; may be nil
}

// pluginModes returns the two modes of section 2 of the specification: -info prints the info block and
// reads nothing, -plugin executes commands until QUIT or the end of the input.
func pluginModes() []Mode {
	return []Mode{
		{
			Flag: "-info", Summary: "be a QHPLUGIN plugin", Line: Usage{"-info | -plugin [debug]", "be a QHPLUGIN plugin"}, Game: xiangqi.Rules,
			Serve: inFront(func(_ context.Context, server *qhplugin.Server, _ io.Reader, out io.Writer) error {
				_, err := io.WriteString(out, server.Info().String())
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
	return func(ctx context.Context, c ServeConfig) error {
		server, closing, err := NewServer(ctx, c.Engine)
		if err != nil {
			return err
		}
		server.Trace = c.Trace
		return cmp.Or(serve(ctx, server, c.In, c.Out), closing())
	}
}

// byFamily returns a Serve function for UCI, UCCI or XBoard's protocol.
func byFamily(protocol string, serve func(context.Context, io.Reader, io.Writer, uci.ServerConfig) error) func(context.Context, ServeConfig) error {
	return func(ctx context.Context, c ServeConfig) error {
		served, closing, err := newServerConfig(ctx, protocol, c.Engine)
		if err != nil {
			return err
		}
		served.Trace = c.Trace
		return cmp.Or(serve(ctx, c.In, c.Out, served), closing())
	}
}

// NewServer starts an engine and returns a QHPLUGIN server for it. The caller must call closing when
// the server has ended, see behind.
func NewServer(ctx context.Context, e *Engine) (server *qhplugin.Server, closing func() error, err error) {
	if e, err = e.forGame(ctx, qhplugin.Protocol, xiangqi.Rules); err != nil {
		return nil, nil, err
	}
	if e.create != nil {
		own, err := e.createAtLevel(ctx)
		if err != nil {
			return nil, nil, err
		}
		return embeddedServer(own, e.hints, e.Options), func() error { own.release(); return nil }, nil
	}
	session, err := e.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	info := session.Info()
	searcher, closing := behind(session)
	server = &qhplugin.Server{Searcher: searcher, Name: info.Name, Text: []string{"qhsh in front of " + info.Protocol}}
	server.Level, _ = session.Level()
	return server, closing, nil
}

// createAtLevel creates an embedded engine, which must have the level of the options. The caller must
// release it.
func (e *Engine) createAtLevel(ctx context.Context) (engineInstance, error) {
	own, err := e.create(ctx, e.Options)
	if err == nil && e.Options.Level != nil {
		if err = engine.CheckLevel(own.searcher.Levels(), *e.Options.Level); err != nil {
			own.release()
			err = &LevelError{fmt.Errorf("%s: %w", e.Kind.Name, err)}
		}
	}
	return own, err
}
