package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves a client until the end of the input, when all requests have their answers, or of ctx.
func Serve(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	return s.Run(ctx, transport{mcp.IOTransport{Reader: io.NopCloser(in), Writer: notClosed{out}}})
}

// notClosed is a writer that its user does not close.
type notClosed struct{ io.Writer }

func (notClosed) Close() error { return nil }

// A transport reads the end of the input when all requests have been answered, and an error at the end of its context:
// then the server drops those that it works on.
type transport struct{ mcp.IOTransport }

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.IOTransport.Connect(ctx)
	c := &connection{Connection: inner, ctx: ctx, open: map[jsonrpc.ID]bool{}}
	c.changed.L = &c.mu
	context.AfterFunc(ctx, c.stop)
	return c, err
}

type connection struct {
	mcp.Connection
	ctx     context.Context // of the server
	mu      sync.Mutex
	changed sync.Cond
	open    map[jsonrpc.ID]bool // requests without an answer; a second one with the ID of one of them gets none
	stopped bool
}

func (c *connection) Read(context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(c.ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.open[r.ID] = true
	}
	for errors.Is(err, io.EOF) && len(c.open) > 0 && !c.stopped {
		c.changed.Wait()
	}
	return m, err
}

func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, r.ID)
		c.changed.Broadcast()
	}
	return err
}

func (c *connection) Close() error {
	c.stop()
	return c.Connection.Close()
}

func (c *connection) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.changed.Broadcast()
}
