package mcpserver

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves a client until the end of the input, when all requests have their answers.
func Serve(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	return s.Run(ctx, transport{mcp.IOTransport{Reader: io.NopCloser(in), Writer: notClosed{out}}})
}

// notClosed is a writer that its user does not close.
type notClosed struct{ io.Writer }

func (notClosed) Close() error { return nil }

// A transport reads the end of the input when all requests have been answered: the server drops those that it works on.
type transport struct{ mcp.IOTransport }

func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.IOTransport.Connect(ctx)
	c := &connection{Connection: inner}
	c.changed.L = &c.mu
	return c, err
}

type connection struct {
	mcp.Connection
	mu      sync.Mutex
	changed sync.Cond
	open    int // requests without an answer
	closed  bool
}

func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.open++
	}
	for errors.Is(err, io.EOF) && c.open > 0 && !c.closed {
		c.changed.Wait()
	}
	return m, err
}

func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open--
		c.changed.Broadcast()
	}
	return err
}

func (c *connection) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.changed.Broadcast()
	return c.Connection.Close()
}
