package pluginclient

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// A Direction is the source of an Entry of a trace.
type Direction byte

// The directions, as they are written.
const (
	Sent     Direction = '>' // to the engine
	Pinged   Direction = '~' // to the engine, added by qhsh itself
	Received Direction = '<' // from the engine
	Stderr   Direction = '!' // from the engine's stderr
	Noted    Direction = '#' // remark by qhsh
)

func (d Direction) String() string { return string(rune(d)) }

// An Entry is one line of a conversation.
type Entry struct {
	Time time.Time
	Dir  Direction
	Text string
}

// SearchRemark begins the remark on a search of an embedded engine, which is called directly and
// not by protocol lines. Further remarks hold its results.
const SearchRemark = "search "

// traceKept is how many entries a Trace keeps: enough to see the cause of a failure.
const traceKept = 200

// A Trace records the conversation with one engine. It keeps the last lines and writes all lines
// to its logs. It is safe for concurrent use.
type Trace struct {
	mu     sync.Mutex
	engine string
	kept   [traceKept]keptEntry
	n      int // entries so far
	last   time.Time
	logs   []*TraceLog
}

// A keptEntry is an Entry whose text may be formatted later.
type keptEntry struct {
	Entry
	write func() string // returns the text; nil if Text is set
}

// text sets Text if it is not set yet.
func (e *keptEntry) text() {
	if e.write != nil {
		e.Text, e.write = e.write(), nil
	}
}

// NewTrace returns an empty trace for the named engine. The log may be nil, and may be shared by
// several traces.
func NewTrace(engine string, log *TraceLog) *Trace {
	t := &Trace{engine: engine}
	if log != nil {
		t.logs = append(t.logs, log)
	}
	return t
}

// AddLog starts writing new entries to log as well.
func (t *Trace) AddLog(log *TraceLog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.logs = append(t.logs, log)
}

// Follow is AddLog after the entries that are kept.
func (t *Trace) Follow(log *TraceLog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var last time.Time
	for i := max(0, t.n-traceKept); i < t.n; i++ {
		e := &t.kept[i%traceKept]
		e.text()
		if last.IsZero() {
			last = e.Time
		}
		log.write(t.engine, e.Time.Sub(last), e.Entry)
		last = e.Time
	}
	t.logs = append(t.logs, log)
}

// RemoveLog stops writing to log.
func (t *Trace) RemoveLog(log *TraceLog) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.logs = slices.DeleteFunc(t.logs, func(l *TraceLog) bool { return l == log })
}

// Rename sets the engine's name in later entries.
func (t *Trace) Rename(engine string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.engine = engine
}

// name returns the engine's name.
func (t *Trace) name() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.engine
}

// Add adds a line to the conversation.
func (t *Trace) Add(dir Direction, text string) { t.add(keptEntry{Entry: Entry{Dir: dir, Text: text}}) }

// NoteLater adds a remark whose text is formatted only when it is read. write is called at most
// once, on any goroutine, and must not use the trace.
func (t *Trace) NoteLater(write func() string) {
	t.add(keptEntry{Entry: Entry{Dir: Noted}, write: write})
}

func (t *Trace) add(e keptEntry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time = time.Now()
	if t.n == 0 {
		t.last = e.Time
	}
	for _, log := range t.logs {
		e.text()
		log.write(t.engine, e.Time.Sub(t.last), e.Entry)
	}
	t.kept[t.n%traceKept] = e
	t.n++
	t.last = e.Time
}

// Notef adds a remark.
func (t *Trace) Notef(format string, args ...any) { t.Add(Noted, fmt.Sprintf(format, args...)) }

// Last returns the last entries for which keep returns true, at most n, oldest first.
func (t *Trace) Last(n int, keep func(Entry) bool) []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	var last []Entry
	for i := t.n - 1; i >= 0 && i >= t.n-traceKept && len(last) < n; i-- {
		e := &t.kept[i%traceKept]
		if e.text(); keep(e.Entry) {
			last = append(last, e.Entry)
		}
	}
	slices.Reverse(last)
	return last
}

// A TraceLog writes conversations to a file as text, one [TraceLine] per entry. It is safe for
// concurrent use. After the first write error it writes nothing more.
type TraceLog struct {
	mu    sync.Mutex
	w     io.Writer
	begun time.Time
	err   error
	ended bool
}

// NewTraceLog writes to w.
func NewTraceLog(w io.Writer) *TraceLog { return &TraceLog{w: w, begun: time.Now()} }

func (l *TraceLog) write(engine string, since time.Duration, e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || l.ended {
		return
	}
	line := TraceLine{At: e.Time.Sub(l.begun), Since: since, Engine: engine, Dir: e.Dir, Text: e.Text}
	_, l.err = io.WriteString(l.w, line.String()+"\n")
}

// Note writes a remark about the conversation with an engine.
func (l *TraceLog) Note(engine, text string) {
	l.write(engine, 0, Entry{time.Now(), Noted, text})
}

// Err returns the first write error, if any.
func (l *TraceLog) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// End makes the log drop what comes later, so that its writer may be closed while engines are still
// ending. It returns the first write error, if any.
func (l *TraceLog) End() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	return l.err
}
