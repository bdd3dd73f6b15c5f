package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
)

// LinkOptions are what a client gives its Link.
type LinkOptions struct {
	Name      func() string // the engine's; it may tell another one later
	Start     Starter
	Position  engine.Position      // that the conversation begins with
	Deadlines Deadlines            // zeros: the defaults
	Log       *TraceLog            // every line goes there too; may be nil
	Warn      func(warning string) // told what a person should know; may be nil
	Quit      string               // the command that ends the engine; empty: it is killed

	// Handshake brings an engine that has been started to where it takes commands. ctx ends with
	// Deadlines.Start.
	Handshake func(ctx context.Context) error
	// OnExit forgets what the engine had been told, since it has ended; may be nil.
	OnExit func()
	// Settle brings the engine to rest when a caller has its answer; may be nil.
	Settle func() error
}

// A Link is a client's own end of its Conversation: the engine, whose turn it is to talk to
// it, and how long that may take. Beside the methods of its Turn, everything in it is for
// whoever has the turn.
type Link struct {
	*Turn
	Trace     *Trace
	Deadlines Deadlines
	Conn      *Conn     // nil: the engine does not run
	Command   string    // the latest command, for errors
	SentAt    time.Time // when it was sent

	opts   LinkOptions
	latest atomic.Pointer[Conn] // the Conn that was started last, for Kill and State

	mu       sync.Mutex
	state    State // as whoever has the turn knows it
	position engine.Position
}

// NewLink is one whose engine does not run yet.
func NewLink(o LinkOptions) *Link {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.OnExit == nil {
		o.OnExit = func() {}
	}
	return &Link{
		Turn: NewTurn(o.Name), Trace: NewTrace(o.Name(), o.Log), Deadlines: o.Deadlines.orDefault(),
		opts: o, state: State{Status: StatusEnded}, position: o.Position,
	}
}

// Conversation is the users' end.
func (l *Link) Conversation() Conversation { return Conversation{l} }

// Call does something in this caller's turn. Bringing the engine to rest keeps the turn, but
// not the caller. An error of the engine is an [Error].
func Call[T any](ctx context.Context, l *Link, do func(ctx context.Context) (T, error)) (T, error) {
	return runCall(ctx, l.Turn, call[T]{do: do, wrapError: l.wrapError, settle: l.settle()})
}

// CallAlways is Call for what is done even if ctx has ended before; see verb.
func CallAlways[T any](ctx context.Context, l *Link, do func(ctx context.Context) (T, error)) (T, error) {
	return runCall(ctx, l.Turn, call[T]{do: do, wrapError: l.wrapError, settle: l.settle(), always: true})
}

// Do is Call for what has no result.
func (l *Link) Do(ctx context.Context, do func() error) error {
	_, err := Call(ctx, l, func(context.Context) (struct{}, error) { return struct{}{}, do() })
	return err
}

func (l *Link) settle() func() error {
	if l.opts.Settle == nil {
		return nil
	}
	return func() error { return l.NoteError(l.opts.Settle()) }
}

// NoteError is an error of bringing the engine to rest, of which no caller is told: it is noted in
// the trace. An engine that is of no use any more is ended, and starts again when it is asked next.
func (l *Link) NoteError(err error) error {
	err = l.wrapError(err)
	if err != nil {
		l.Trace.Notef("%v", err)
	}
	return err
}

// Start starts the engine and greets it, unless it runs.
func (l *Link) Start() error {
	if l.Conn != nil && l.Conn.Alive() {
		return nil
	}
	l.end("")
	l.latest.Store(nil)
	l.setStatus(StatusRunning)
	l.Command, l.SentAt = "start", time.Now()
	ctx, cancel := l.WithDeadline(l.Deadlines.Start)
	defer cancel()
	conn, err := Connect(ctx, l.opts.Start, l.Trace)
	if err != nil {
		return err
	}
	l.Conn = conn
	l.latest.Store(conn)
	return l.opts.Handshake(ctx)
}

// CheckRunning returns the error of an engine that does not run, for calls that do not start it.
func (l *Link) CheckRunning() error {
	if l.Conn == nil {
		return l.PrefixName(ErrNotRunning)
	}
	return nil
}

// SetPosition makes pos the conversation's position.
func (l *Link) SetPosition(pos engine.Position) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.position = pos
}

// Send sends lines.
func (l *Link) Send(dir Direction, lines ...string) error {
	return l.Conn.Send(dir, l.Deadlines.Reply, lines...)
}

// SendPinged sends lines and a ping behind them; see Conn.SendPinged.
func (l *Link) SendPinged(ping string, lines ...string) error {
	return l.Conn.SendPinged(l.Deadlines.Reply, ping, lines...)
}

// ReadUntilExit is what an engine that has been told to quit still says until it has ended.
func (l *Link) ReadUntilExit() []string {
	l.setStatus(StatusEnded)
	ctx, cancel := l.WithDeadline(l.Deadlines.Quit)
	defer cancel()
	defer l.Terminate()
	return l.Conn.readToEnd(ctx)
}

// Quit ends the engine, politely first.
func (l *Link) Quit() {
	l.setStatus(StatusEnded)
	l.end(l.opts.Quit)
}

// Terminate ends the engine without ceremony.
func (l *Link) Terminate() {
	l.setStatus(StatusEnded)
	l.end("")
}

func (l *Link) end(parting string) {
	if l.Conn != nil {
		l.Conn.Close(parting, l.Deadlines.Quit)
		l.Conn = nil
	}
	l.opts.OnExit()
}

func (l *Link) setStatus(status Status) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = State{Status: status}
}

// setLost remembers why the engine is lost. What follows from that is no other reason.
func (l *Link) setLost(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Status == StatusRunning {
		l.state = State{StatusLost, why, true}
	}
}

// currentState is the state.
func (l *Link) currentState() State {
	if l.Lifetime.Err() != nil {
		return State{Status: StatusEnded}
	}
	l.mu.Lock()
	state := l.state
	l.mu.Unlock()
	if conn := l.latest.Load(); state.Status == StatusRunning && conn != nil && !conn.Alive() {
		return State{Status: StatusLost, Err: &Error{Engine: l.opts.Name(), Err: conn.lines.failure()}}
	}
	return state
}

// wrapError dresses an error of the conversation in what is known of it, and ends an engine that
// is of no use any more. Any other error stays as it is.
func (l *Link) wrapError(err error) error {
	var told *Error
	if err == nil || errors.As(err, &told) || !isEngineError(err) {
		return err
	}
	told = &Error{
		Engine: l.opts.Name(), Command: l.Command, After: time.Since(l.SentAt), Err: err,
		Last: l.Trace.Last(4, func(e Entry) bool { return e.Dir != Stderr && e.Dir != Noted }),
	}
	lost := Lost(err) && !errors.Is(err, ErrClosed)
	if lost {
		l.end("") // and with it comes what it has still said on stderr
	}
	for _, e := range l.Trace.Last(3, func(e Entry) bool { return e.Dir == Stderr }) {
		told.Stderr = append(told.Stderr, e.Text)
	}
	if lost {
		l.setLost(told)
	}
	return told
}

// isEngineError reports whether an error is the engine's fault.
func isEngineError(err error) bool {
	for _, kind := range []error{ErrIllegal, ErrRefused, ErrInvalidReply, ErrTimedOut} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return Lost(err)
}

// PrefixName puts the engine's name before an error that does not tell it.
func (l *Link) PrefixName(err error) error {
	var told *Error
	if err == nil || errors.As(err, &told) {
		return err
	}
	return fmt.Errorf("%s: %w", l.opts.Name(), err)
}

// Warn tells a person something, and notes it in the trace.
func (l *Link) Warn(text string) {
	l.Trace.Notef("%s", text)
	l.opts.Warn(text)
}

// WithDeadline is the context of a wait that ends with the conversation.
func (l *Link) WithDeadline(d time.Duration) (context.Context, context.CancelFunc) {
	return WithDeadline(l.Lifetime, d)
}

// ErrTimeUp is the cause of the end of a wait for an engine whose own time is over.
var ErrTimeUp = errors.New("time is up")

// ThinkContext is the context of a wait for an engine that thinks, which may have a time limit. It
// ends with the conversation too.
func (l *Link) ThinkContext(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, unbind := l.Bind(ctx)
	cause := ErrTimeUp
	if limit <= 0 {
		limit, cause = l.Deadlines.Think, ErrDeadline
	}
	timed, stop := context.WithTimeoutCause(ctx, limit, cause)
	return timed, func() {
		stop()
		unbind()
	}
}
