package pluginclient

import (
	"context"
	"testing"
)

// undoable is a Session with an ability.
type undoable struct {
	Session
	undone int
}

func (u *undoable) Undo(context.Context) error { u.undone++; return nil }

// plain wraps a Session and has no ability of its own; counting sees what goes through it.
type (
	plain    struct{ Session }
	counting struct {
		Session
		calls int
	}
)

func (p plain) Unwrap() Session     { return p.Session }
func (c *counting) Unwrap() Session { return c.Session }

func (c *counting) Undo(ctx context.Context) error {
	c.calls++
	inner, _ := As[undoer](c.Session)
	return inner.Undo(ctx)
}

type undoer interface{ Undo(context.Context) error }

// TestAs: an ability is found behind wrappers that have not got it, and never past one that has.
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
		t.Error("an ability is found that nobody has")
	}
	if _, ok := As[undoer](nil); ok {
		t.Error("nothing has an ability")
	}
}
