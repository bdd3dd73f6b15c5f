package attach_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// fails is a Searcher whose error quotes an engine.
type fails struct{}

func (fails) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		yield(nil, errors.New("N\x1b[2J\u009b\u202e\xff: died"))
	}
}

func asPlugin(ctx context.Context, in io.Reader, out io.Writer, s uci.ServerConfig) error {
	return (&qhplugin.Server{Searcher: s.Searcher, Name: "qhsh"}).Serve(ctx, in, out)
}

// TestErrorsArePrintable: the text of an error is the server's own, and a host may show it on a terminal.
func TestErrorsArePrintable(t *testing.T) {
	for _, c := range []struct {
		in, want string
		serve    func(context.Context, io.Reader, io.Writer, uci.ServerConfig) error
	}{
		{"AI", "ERROR ", asPlugin},
		{"position startpos\ngo nodes 1", "info string ", uci.UCI.Serve},
		{"position startpos\ngo nodes 1", "info message ", uci.UCCI.Serve},
		{"xboard\nprotover 2\nvariant xiangqi\nnew\ngo\nping 1", "tellusererror ", xboard.Serve},
	} {
		in, host := io.Pipe()
		fromServer, out := io.Pipe()
		go func() {
			defer out.Close()
			_ = c.serve(t.Context(), in, out, uci.ServerConfig{Searcher: fails{}, Name: "fails"})
		}()
		go func() { _, _ = io.WriteString(host, c.in+"\n") }()
		want := c.want + `the search failed: N\x1b[2J\u009b\u202e\xff: died` + "\n"
		got := ""
		for buf := make([]byte, 1<<10); !strings.Contains(got, "the search failed") || !strings.HasSuffix(got, "\n"); {
			n, err := fromServer.Read(buf)
			if got += string(buf[:n]); err != nil {
				break
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		host.Close()
		_, _ = io.Copy(io.Discard, fromServer)
	}
}
