package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/analyze"
)

const (
	maxBacklog      = 256              // answers that wait for a page; one that reads slower is dropped
	maxTraceBacklog = 1 << 14          // lines of a trace that wait
	maxWrite        = 20 * time.Second // for one answer
)

// converse has a conversation over a websocket: each message is a line of requests as for 'qhsh analyze', or of
// its answers. It is about the game of the file that the address names, and ends with the page.
func (s *Server) converse(w http.ResponseWriter, r *http.Request) error {
	f, g, err := s.find(r.URL.Query())
	if err != nil {
		return err
	}
	socket, err := websocket.Accept(w, r, nil) // which checks the Origin once more
	if err != nil {
		return nil // it has answered
	}
	defer socket.CloseNow()
	socket.SetReadLimit(maxEdit)
	b, leave, err := s.sit(g.Start.Game())
	if err != nil {
		_ = socket.Close(websocket.StatusInternalError, cut(printable.Error(err), 120))
		return nil
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	out := &backlog{make(chan []byte, maxBacklog), cancel}
	var sending, telling sync.WaitGroup
	sending.Go(func() { cancel(out.send(ctx, socket)) })
	defer sending.Wait()
	in, feed := io.Pipe()
	defer in.Close()
	go func() {
		cancel(receive(ctx, socket, feed))
		feed.Close()
	}()
	telling.Go(func() { s.tellChanges(ctx, f, b, out) })
	_, _ = b.server.Serve(ctx, in, out) // its errors have been answered
	cancel(nil)
	telling.Wait()
	close(out.lines)
	return nil
}

// tellChanges writes the version of a file whenever something changes, and that of its engines when these do, until
// ctx ends.
func (s *Server) tellChanges(ctx context.Context, f *file, b *bench, out io.Writer) {
	for told := -1; ; {
		s.mu.Lock()
		version, engines, changed := f.version, b.version, s.changed
		s.mu.Unlock()
		fmt.Fprintf(out, "{\"event\":\"changed\",\"version\":%d}\n", version) // the page has gone
		if engines != told {
			fmt.Fprintf(out, "{\"event\":\"engines\",\"version\":%d}\n", engines)
		}
		told = engines
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// trace writes what is said to an engine and by it to a websocket, each line as a message as in a file of -trace, until
// the engine ends.
func (s *Server) trace(w http.ResponseWriter, r *http.Request) error {
	_, g, err := s.find(r.URL.Query())
	if err != nil {
		return err
	}
	s.mu.Lock()
	var engine *analyze.Engine
	var ended context.Context
	if b, err := s.bench(g.Start.Game()); err == nil {
		for _, st := range b.seats {
			if st.Name == r.URL.Query().Get("engine") && st.pending == 0 {
				engine, ended = st.running, st.ctx
			}
		}
	}
	s.mu.Unlock()
	if engine == nil {
		return refuse(http.StatusNotFound, "this engine does not run")
	}
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return nil
	}
	defer socket.CloseNow()
	ctx, cancel := context.WithCancelCause(socket.CloseRead(ended))
	defer cancel(nil)
	out := &backlog{make(chan []byte, maxTraceBacklog), cancel}
	var sending sync.WaitGroup
	sending.Go(func() { cancel(out.send(ctx, socket)) })
	stop := engine.Pool.Follow(pluginclient.NewTraceLog(out))
	<-ctx.Done()
	stop()
	close(out.lines)
	sending.Wait()
	return nil
}

// cut returns the beginning of a text, of at most n bytes.
func cut(text string, n int) string { return strings.ToValidUTF8(text[:min(len(text), n)], "") }

// receive writes the messages of a websocket as lines until it ends, and returns why.
func receive(ctx context.Context, socket *websocket.Conn, to io.Writer) error {
	for {
		_, message, err := socket.Read(ctx)
		if err == nil {
			_, err = to.Write(append(message, '\n'))
		}
		if err != nil {
			return err
		}
	}
}

// A backlog has the lines that wait for a reader. Writing to it does not wait.
type backlog struct {
	lines chan []byte
	slow  func(error) // is called with errSlow
}

// errSlow is the error of a reader that lets too many lines wait.
var errSlow = errors.New("too many answers wait for the page")

func (b *backlog) Write(line []byte) (int, error) {
	select {
	case b.lines <- append([]byte(nil), line...):
		return len(line), nil
	default:
		b.slow(errSlow)
		return 0, errSlow
	}
}

// send sends the lines until there will be no more.
func (b *backlog) send(ctx context.Context, socket *websocket.Conn) error {
	for line := range b.lines {
		ctx, cancel := context.WithTimeout(ctx, maxWrite)
		err := socket.Write(ctx, websocket.MessageText, line)
		cancel()
		if err != nil {
			socket.CloseNow()
			for range b.lines { // so that nobody waits
			}
			return err
		}
	}
	return socket.Close(websocket.StatusNormalClosure, "")
}
