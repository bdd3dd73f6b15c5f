package pluginclient

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"testing"

	"qhsh/engine"
)

// undoable is a Session that implements an optional interface.
type undoable struct {
	Session
	undone int
}

func (u *undoable) Undo(context.Context) error { u.undone++; return nil }

// plain wraps a Session and implements nothing else; counting counts the calls through it.
type (
	plain    struct{ Session }
	counting struct {
		Session
		calls int
	}
)

func (p plain) Unwrap() engine.Searcher     { return p.Session }
func (c *counting) Unwrap() engine.Searcher { return c.Session }

func (c *counting) Undo(ctx context.Context) error {
	c.calls++
	inner, _ := As[undoer](c.Session)
	return inner.Undo(ctx)
}

type undoer interface{ Undo(context.Context) error }

// TestAs: As finds an interface behind wrappers that do not implement it, but not behind one that
// does.
func TestAs(t *testing.T) {
	engine := &undoable{}
	counter := &counting{Session: plain{engine}}
	able, ok := As[undoer](plain{counter})
	if !ok {
		t.Fatal("the ability is not found")
	}
	if err := able.Undo(t.Context()); err != nil || counter.calls != 1 || engine.undone != 1 {
		t.Errorf("%v: the wrapper has seen %d calls, and the engine %d", err, counter.calls, engine.undone)
	}
	if _, ok := As[interface{ Redo() }](plain{counter}); ok {
		t.Error("As found an interface that nothing implements")
	}
	if _, ok := As[undoer](nil); ok {
		t.Error("nothing has an ability")
	}
}

// bridged is a Bridge that stores its calls.
type bridged struct {
	Session
	native *bridged
	trace  *Trace
	forgot int
}

func (b *bridged) Native() Session { return b.native }
func (b *bridged) Trace() *Trace   { return b.trace }
func (b *bridged) Info() Info      { return Info{Protocol: "UCCI 3.0"} }
func (b *bridged) Forget()         { b.forgot++ }

// forgetting stores the Forget calls of a Session.
type forgetting struct {
	plain
	calls int
}

func (f *forgetting) Forget() {
	f.calls++
	engine.Forget(f.Session)
}

// TestWrappedBridge: a method that a wrapper lacks is called once on what it wraps, and a wrapper
// that has it gets the call.
func TestWrappedBridge(t *testing.T) {
	log := new(bytes.Buffer)
	traces := NewTraceLog(log)
	inner := &bridged{trace: NewTrace("front", traces), native: &bridged{trace: NewTrace("back", traces)}}
	counter := &forgetting{plain: plain{inner}}
	s := plain{counter}

	engine.Forget(s)
	if counter.calls != 1 || inner.forgot != 1 {
		t.Errorf("the wrapper has seen %d calls, and the engine %d", counter.calls, inner.forgot)
	}
	Rename(s, "eleeye")
	for _, trace := range Traces(s) {
		trace.Notef("here")
	}
	if got := regexp.MustCompile(`eleeye\S*`).FindAllString(log.String(), -1); !slices.Equal(got, []string{"eleeye", "eleeye/ucci"}) {
		t.Errorf("the traces are those of %q", got)
	}
}
