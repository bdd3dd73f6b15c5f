package pluginclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
)

// ClientOptions are the options of the clients of all protocols.
type ClientOptions struct {
	Deadlines Deadlines            // zero fields mean the defaults
	Log       *TraceLog            // receives every line; may be nil
	Warn      func(warning string) // called with warnings for the user; may be nil
	Judged    func(j Judgement)    // called with every rule that the engine is seen to break; may be nil
}

// LinkOptions configure a Link.
type LinkOptions struct {
	ClientOptions
	Info     Info // what is known of the engine before SetInfo is called
	Start    Starter
	Position engine.Position // initial position of the conversation
	Strict   bool            // a broken rule is an error of the call, unless it is advice
	Quit     string          // command that ends the engine; empty: kill it

	// Handshake makes a newly started engine ready for commands. ctx ends with Deadlines.Start.
	Handshake func(ctx context.Context) error
	// OnExit resets what is known of the engine's state after it has exited; may be nil.
	OnExit func()
	// Parted is called with what the engine has said and done when Quit told it to end; may be nil.
	Parted func(p Parting)
	// Settle makes the engine idle again after a caller has its answer; may be nil.
	Settle func() error
	// End ends the engine before a restart; nil: by Link.Quit. Restore restores the position of the
	// newly started one; nil: the next search does.
	End     func()
	Restore func() error
}

// A Link is the client's private side of a Conversation: the running engine, the Turn that
// serializes calls to it, and the deadlines. Apart from the Turn's methods, only the holder of
// the turn may use it.
type Link struct {
	*Turn
	Trace     *Trace
	Deadlines Deadlines
	Conn      *Conn     // nil if the engine is not running
	Command   string    // the latest command, for errors
	SentAt    time.Time // when it was sent

	opts   LinkOptions
	latest atomic.Pointer[Conn] // the Conn started last, for Kill and State
	once   []string             // what First has been called with since the engine was started
	breach error                // with Strict: the first broken rule that no call has returned yet

	mu       sync.Mutex
	state    State // as last set by the holder of the turn
	position engine.Position
	info     Info
}

// NewLink returns a Link whose engine is not started yet.
func NewLink(o LinkOptions) *Link {
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.OnExit == nil {
		o.OnExit = func() {}
	}
	l := &Link{Deadlines: o.Deadlines.OrDefault(), opts: o, state: State{Status: StatusEnded}, position: o.Position, info: o.Info}
	if o.End == nil {
		l.opts.End = l.Quit
	}
	l.Turn, l.Trace = NewTurn(l.Name), NewTrace(o.Info.Name, o.Log)
	return l
}

// Info returns what the engine says about itself, as far as is known.
func (l *Link) Info() Info {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.info
}

// Name returns the name that the engine reports, or that of its program.
func (l *Link) Name() string { return l.Info().Name }

// SetInfo sets what the engine says about itself. The trace gets a new name, unless the user has given
// it one and the engine only repeats its own.
func (l *Link) SetInfo(info Info) {
	l.mu.Lock()
	isNew := info.Name != l.info.Name
	l.info = info
	l.mu.Unlock()
	if isNew {
		l.Trace.Rename(info.Name)
	}
}

// Dialed returns a new client after it has started the client's engine and called ready, if that is not nil.
// If one of these fails, the engine is ended.
func Dialed[C any](ctx context.Context, l *Link, client C, ready func() error) (C, error) {
	err := l.Do(ctx, func() error {
		if err := l.Start(); err != nil || ready == nil {
			return err
		}
		return ready()
	})
	if err != nil {
		l.Turn.Close(l.Quit)
		var none C
		return none, err
	}
	return client, nil
}

// Conversation returns the public side of l.
func (l *Link) Conversation() Conversation { return Conversation{l} }

// Call runs do when it is this caller's turn. It returns as soon as do has a result; the turn
// is held until LinkOptions.Settle has finished. An error of the engine is returned as an [Error].
//
// If ctx ends, Call returns its cause at once, while the call makes the engine idle before it releases
// the turn. If the cause is ErrMoveNow, Call waits for the answer.
func Call[T any](ctx context.Context, l *Link, do func(ctx context.Context) (T, error)) (T, error) {
	return runCall(ctx, l, false, do)
}

// CallStarted is like Call, and first starts the engine if it is not running.
func CallStarted[T any](ctx context.Context, l *Link, do func(ctx context.Context) (T, error)) (T, error) {
	return Call(ctx, l, func(ctx context.Context) (value T, err error) {
		if err := l.Start(); err != nil {
			return value, err
		}
		return do(ctx)
	})
}

// CallRaw is like Call for lines of the user, for which an engine that is not running is an error. If they
// start a search, do runs even if ctx has already ended: the engine is then told to stop right after the
// command, so that the order of lines does not depend on timing. CallRaw waits until that is done, and
// returns the cause of ctx together with the value if the call succeeded.
func CallRaw[T any](ctx context.Context, l *Link, searches bool, do func(ctx context.Context) (T, error)) (T, error) {
	return runCall(ctx, l, searches, func(ctx context.Context) (value T, err error) {
		if l.Conn == nil {
			return value, l.PrefixName(ErrNotRunning)
		}
		return do(ctx)
	})
}

// runCall is Call, and CallRaw of a search with always.
func runCall[T any](ctx context.Context, l *Link, always bool, do func(ctx context.Context) (T, error)) (T, error) {
	var none T
	queued := ctx
	if always {
		queued = context.WithoutCancel(ctx)
	}
	if err := l.Acquire(queued); err != nil {
		return none, err
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	run := func() {
		defer l.Release()
		value, err := do(ctx)
		l.lastErr = l.wrapError(cmp.Or(err, l.Breach()))
		done <- outcome{value, l.lastErr}
		if l.opts.Settle != nil {
			l.lastErr = cmp.Or(l.NoteError(l.opts.Settle()), l.lastErr)
		}
	}
	if ctx.Done() == nil { // ctx cannot end
		run()
	} else {
		l.start(run)
	}
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	moveNow := errors.Is(cause, engine.ErrMoveNow)
	if !moveNow && !always {
		return none, cause
	}
	o := <-done
	switch {
	case moveNow:
		return o.value, o.err
	case o.err != nil:
		return none, cause
	}
	return o.value, cause
}

// Do is like Call for a function without a result.
func (l *Link) Do(ctx context.Context, do func() error) error {
	_, err := Call(ctx, l, func(context.Context) (struct{}, error) { return struct{}{}, do() })
	return err
}

// NoteError records in the trace an error that no caller receives, such as one of
// LinkOptions.Settle, and returns it as an [Error]. An unusable engine is ended; the next call
// starts it again.
func (l *Link) NoteError(err error) error {
	err = l.wrapError(err)
	if err != nil {
		l.Trace.Notef("%v", err)
	}
	return err
}

// Start starts the engine and runs the handshake, unless it is already running. A search begins with it, so
// that an engine that has died is restarted by the next one.
func (l *Link) Start() error {
	if l.Conn != nil && l.Conn.Alive() {
		return nil
	}
	l.end("")
	l.latest.Store(nil)
	l.setStatus(StatusRunning)
	l.once = nil
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

// SetPosition sets the conversation's position.
func (l *Link) SetPosition(pos engine.Position) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.position = pos
}

// Send sends lines within Deadlines.Reply.
func (l *Link) Send(dir Direction, lines ...string) error {
	return l.Conn.Send(dir, l.Deadlines.Reply, lines...)
}

// ReadUntilExit returns what an engine that has been told to quit still says, and how it has ended.
func (l *Link) ReadUntilExit() Parting {
	l.setStatus(StatusEnded)
	ctx, cancel := l.WithDeadline(l.Deadlines.Quit)
	defer cancel()
	defer l.Terminate()
	return l.Conn.parting(ctx)
}

// Quit sends the quit command, then ends the engine if it has not exited in time.
func (l *Link) Quit() {
	l.setStatus(StatusEnded)
	if l.Conn == nil || l.opts.Quit == "" || l.opts.Parted == nil || !l.Conn.Alive() {
		l.end(l.opts.Quit)
		return
	}
	before := l.Conn.Drain()
	ctx, cancel := WithDeadline(context.Background(), l.Deadlines.Quit)
	defer cancel()
	var parting Parting
	if err := l.Conn.Send(Sent, l.Deadlines.Quit, l.opts.Quit); err != nil {
		parting.Ended, parting.Err = !l.Conn.Alive(), err
	} else {
		parting = l.Conn.parting(ctx)
	}
	parting.Before, parting.Abandoned = before, errors.Is(l.lastErr, ErrClosed)
	if !l.Conn.killed.Load() { // else it could not answer
		l.opts.Parted(parting)
	}
	l.end("")
}

// Terminate ends the engine without sending the quit command.
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

// wrapError turns an engine error into an [Error] with the last lines exchanged, and ends an
// engine that can no longer be used. Other errors are returned unchanged.
func (l *Link) wrapError(err error) error {
	_, told := errors.AsType[*Error](err)
	isEngineError := Lost(err) || slices.ContainsFunc([]error{ErrIllegal, ErrRefused, ErrInvalidReply, ErrTimedOut}, func(kind error) bool { return errors.Is(err, kind) })
	if told || !isEngineError {
		return err
	}
	e := &Error{
		Engine: l.Name(), Command: l.Command, After: time.Since(l.SentAt), Err: err,
		Last: l.Trace.Last(4, func(e Entry) bool { return e.Dir != Stderr && e.Dir != Noted }),
	}
	lost := Lost(err) && !errors.Is(err, ErrClosed)
	if lost {
		l.end("") // also collects the last lines of stderr
	}
	for _, said := range l.Trace.Last(3, func(e Entry) bool { return e.Dir == Stderr }) {
		e.Stderr = append(e.Stderr, said.Text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if lost && l.state.Status == StatusRunning { // only the first reason counts: later errors follow from it
		l.state = State{StatusLost, e, true}
	}
	return e
}

// PrefixName adds the engine's name to an error that does not contain it.
func (l *Link) PrefixName(err error) error {
	if _, told := errors.AsType[*Error](err); told || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", l.Name(), err)
}

// Warn passes a warning to the user and records it in the trace.
func (l *Link) Warn(text string) {
	l.Trace.Notef("%s", text)
	l.opts.Warn(text)
}

// Judge tells of a rule that the engine has broken, and notes it in the trace. Advice is never a
// fault.
func (l *Link) Judge(j Judgement) {
	j.Engine = l.Name()
	if j.Advice {
		j.Severity = min(j.Severity, Warning)
	}
	if l.opts.Strict && j.Severity == Fault && l.breach == nil {
		l.breach = fmt.Errorf("%w: %s; %s: %s", ErrInvalidReply, j.What, j.Section, j.Sentence)
	}
	l.Trace.Notef("%s%s: %s [%s]", JudgedRemark, j.Severity, j.What, j.Name)
	if l.opts.Judged != nil {
		l.opts.Judged(j)
	}
}

// fairTime is enough on any machine for what an engine must do at once.
const fairTime = 5 * time.Second

// JudgeEnd judges by j, which has the rule, an engine that was told to quit: one that is late is a fault only
// after fairTime, since the machine may be slow.
func (l *Link) JudgeEnd(j Judgement, quit string, p Parting) {
	if p.Ended {
		return
	}
	j.Severity, j.What = Warning, fmt.Sprintf("it still runs %v after %s, and is killed", l.Deadlines.Quit, quit)
	if l.Deadlines.Quit >= fairTime {
		j.Severity = Fault
	}
	if errors.Is(p.Err, ErrFlood) {
		j.What = fmt.Sprintf("it is killed after %s: %v", quit, p.Err)
	}
	l.Judge(j)
}

// Breach returns, once, the first broken rule that no call has returned yet, if l is strict.
func (l *Link) Breach() error {
	breach := l.breach
	l.breach = nil
	return breach
}

// First reports whether it is called with what for the first time since the engine was started, so
// that what an engine does all the time is reported once.
func (l *Link) First(what string) bool {
	if slices.Contains(l.once, what) {
		return false
	}
	l.once = append(l.once, what)
	return true
}

// WithDeadline returns a context that ends after d, or with the conversation.
func (l *Link) WithDeadline(d time.Duration) (context.Context, context.CancelFunc) {
	return WithDeadline(l.Lifetime, d)
}

// ErrTimeUp is the cause of a context that ends because the time limit of a search is reached.
var ErrTimeUp = errors.New("time is up")

// ThinkContext returns a context for waiting until a search has finished. It ends with ErrTimeUp
// after limit, or with ErrDeadline after Deadlines.Think if limit is 0, or with the conversation.
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
