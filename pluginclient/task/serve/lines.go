package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/analyze"
)

const (
	maxBacklog = 256              // answers that wait for a page; one that reads slower is dropped
	maxWrite   = 20 * time.Second // for one answer
)

// A bench has the engines for a game. The conversations that use it share them.
type bench struct {
	server  *analyze.Server
	engines []analyze.Engine
	close   func()
	ready   chan struct{} // is closed when they have started, or failed to
	err     error         // why they have not started

	users int         // conversations; the server's mutex guards it
	idle  *time.Timer // runs while there are none
}

// end ends the engines. No conversation uses them.
func (b *bench) end() {
	<-b.ready
	if b.idle != nil {
		b.idle.Stop()
	}
	if b.err == nil {
		b.server.Close()
		b.close()
	}
}

// gameKey is a text that tells games with their options apart.
func (s *Server) gameKey(g engine.Game) string { return s.Games.Describe(g) }

// sit returns the bench for a game, whose engines it starts if they do not run. The caller must call the function
// when it needs them no longer.
func (s *Server) sit(g engine.Game) (*bench, func(), error) {
	key := s.gameKey(g)
	s.mu.Lock()
	b := s.benches[key]
	if b == nil && s.benches != nil {
		b = &bench{ready: make(chan struct{})}
		s.benches[key] = b
		s.work.Go(func() {
			defer close(b.ready)
			if b.engines, b.close, b.err = s.Engines(s.ctx, g); b.err == nil {
				o := s.Analyze
				o.Engines = b.engines
				b.server = analyze.NewServer(o)
			}
		})
	}
	if b == nil {
		s.mu.Unlock()
		return nil, nil, context.Canceled
	}
	b.users++
	if b.idle != nil {
		b.idle.Stop()
	}
	s.mu.Unlock()
	<-b.ready
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if b.users--; b.users > 0 || s.benches[key] != b {
			return
		}
		wait := s.Idle
		if b.err != nil {
			wait = 0 // the next page tries again
		}
		b.idle = time.AfterFunc(wait, func() {
			s.mu.Lock()
			unused := b.users == 0 && s.benches[key] == b
			if unused {
				delete(s.benches, key)
			}
			s.mu.Unlock()
			if unused {
				b.end()
			}
		})
	}
	if b.err != nil {
		leave()
		return nil, nil, b.err
	}
	return b, leave, nil
}

// StartEngines starts the engines for a game before a page needs them. The error is why they do not start.
func (s *Server) StartEngines(g engine.Game) error {
	_, leave, err := s.sit(g)
	if err == nil {
		leave()
	}
	return err
}

// converse has a conversation over a websocket: each message is a line of requests as for 'qhsh analyze', or of
// its answers. It is about the game of the file that the address names, and ends with the page.
func (s *Server) converse(w http.ResponseWriter, r *http.Request) {
	f, g, err := s.find(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	socket, err := websocket.Accept(w, r, nil) // which checks the Origin once more
	if err != nil {
		return // it has answered
	}
	defer socket.CloseNow()
	socket.SetReadLimit(maxEdit)
	b, leave, err := s.sit(g.Start.Game())
	if err != nil {
		s.Warn(fmt.Sprintf("engines: %s", printable.Error(err)))
		_ = socket.Close(websocket.StatusInternalError, cut(printable.Error(err), 120))
		return
	}
	defer leave()
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	out := &backlog{lines: make(chan []byte, maxBacklog)}
	var sending, telling sync.WaitGroup
	sending.Go(func() { cancel(out.send(ctx, socket)) })
	defer sending.Wait()
	in, feed := io.Pipe()
	defer in.Close()
	go func() {
		cancel(receive(ctx, socket, feed))
		feed.Close()
	}()
	telling.Go(func() { s.tellChanges(ctx, f, out) })
	_, _ = b.server.Serve(ctx, in, out) // its errors have been answered
	cancel(nil)
	telling.Wait()
	close(out.lines)
}

// tellChanges writes the version of a file whenever something changes, until ctx ends.
func (s *Server) tellChanges(ctx context.Context, f *file, out io.Writer) {
	for {
		s.mu.Lock()
		version, changed := f.version, s.changed
		s.mu.Unlock()
		fmt.Fprintf(out, "{\"event\":\"changed\",\"version\":%d}\n", version) // the page has gone
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
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
type backlog struct{ lines chan []byte }

// errSlow is the error of a reader that lets too many lines wait.
var errSlow = fmt.Errorf("%d answers wait for the page", maxBacklog)

func (b *backlog) Write(line []byte) (int, error) {
	select {
	case b.lines <- append([]byte(nil), line...):
		return len(line), nil
	default:
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
