package pluginclient

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
)

var errLeft = errors.New("left")

// TestTakeAfterTheEnd tests calls whose ctx has ended before their turn.
func TestTakeAfterTheEnd(t *testing.T) {
	errFails := errors.New("fails")
	for _, c := range []struct {
		name       string
		always     bool
		why, fails error
		done       bool
		value      int
		err        error
	}{
		{"left", false, errLeft, nil, false, 0, errLeft},
		{"move now", false, engine.ErrMoveNow, nil, true, 1, nil},
		{"always", true, errLeft, nil, true, 1, errLeft},
		{"always, and fails", true, errLeft, errFails, true, 0, errLeft},
		{"always, move now", true, engine.ErrMoveNow, nil, true, 1, nil},
		{"always, move now, and fails", true, engine.ErrMoveNow, errFails, true, 1, errFails},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				link := newTestLink()
				defer link.Conversation().Close()
				go func() { // another call, which has the turn
					_ = link.Do(context.Background(), func() error {
						time.Sleep(time.Second)
						return nil
					})
				}()
				synctest.Wait()
				ctx, leave := context.WithCancelCause(t.Context())
				leave(c.why)
				done := false
				value, err := runCall(ctx, link, c.always, func(ctx context.Context) (int, error) {
					time.Sleep(time.Second)
					done = errors.Is(context.Cause(ctx), c.why)
					return 1, c.fails
				})
				if done != c.done || value != c.value || !errors.Is(err, c.err) {
					t.Errorf("done %v, %d, %v", done, value, err)
				}
			})
		})
	}
}
