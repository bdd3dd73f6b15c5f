package search_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// These tests run in synctest bubbles, which fail if a goroutine outlives a search.

// Cancelling the context during a search ends it with the best answer so far or with an error,
// depending on the cause.
func TestCancelledWhileSearching(t *testing.T) {
	gaveUp := errors.New("the user has left")
	for _, cause := range []error{engine.ErrMoveNow, gaveUp} {
		synctest.Test(t, func(t *testing.T) {
			e := newEngine(t, small())
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var list []engine.Line
			var last error
			for lines, err := range e.Search(ctx, xiangqi.Start(), engine.Limits{}) {
				list, last = lines, err
				if err == nil && lines[0].Depth == 4 {
					cancel(cause)
				}
			}
			switch {
			case cause == gaveUp && !errors.Is(last, gaveUp):
				t.Errorf("error %v, want one that wraps %v", last, gaveUp)
			case cause == engine.ErrMoveNow && last != nil:
				t.Errorf("error %v, want the best so far", last)
			case cause == engine.ErrMoveNow && list[0].Depth < 4:
				t.Errorf("depth %d, want at least 4", list[0].Depth)
			}
		})
	}
}

// A context that is cancelled between two polls is noticed at the next poll.
func TestCancelledFromOutside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, small())
		ctx, cancel := context.WithCancelCause(t.Context())
		first, done := make(chan struct{}), make(chan []engine.Line)
		go func() {
			var answer []engine.Line
			for lines, err := range e.Search(ctx, xiangqi.Start(), engine.Limits{}) {
				if err != nil {
					t.Error(err)
				}
				if answer == nil {
					close(first)
				}
				answer = lines
			}
			done <- answer
		}()
		<-first
		cancel(engine.ErrMoveNow)
		if answer := <-done; len(answer) != 1 {
			t.Errorf("answer %v, want one line", answer)
		}
	})
}

// Breaking out of the loop, even by a panic, leaves the engine ready for the next search.
func TestBreakingOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, small())
		for range e.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
			break
		}
		func() {
			defer func() { _ = recover() }()
			for range e.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
				panic("in the middle of a loop")
			}
		}()
		best(t, e, xiangqi.Start(), engine.Limits{Nodes: 1000})
	})
}

// hold starts a search and blocks it in the middle until the returned function is called, which
// waits for the end of the search.
func hold(t *testing.T, e *search.Engine) (release func()) {
	held, let, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for range e.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
			close(held)
			<-let
			break
		}
	}()
	<-held
	return func() { close(let); <-done }
}

// A second search and Forget wait for the end of the first search.
func TestSearchesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, small())
		release := hold(t, e)
		order := make(chan string, 3)
		go func() {
			e.Forget()
			order <- "done"
		}()
		go func() {
			best(t, e, xiangqi.Start(), engine.Limits{Nodes: 100})
			order <- "done"
		}()
		synctest.Wait()
		order <- "released"
		release()
		if got := <-order; got != "released" {
			t.Error("the second did not wait for the first")
		}
		<-order
		<-order
	})
}

// A caller that waits for another search can be told to move now, or to give up.
func TestCancelledWhileWaiting(t *testing.T) {
	gaveUp := errors.New("the user has left")
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, small())
		defer hold(t, e)()
		now, cancelNow := context.WithCancelCause(t.Context())
		cancelNow(engine.ErrMoveNow)
		list, err := engine.Best(now, e, xiangqi.Start(), engine.Limits{Lines: 3})
		if err != nil || len(list) != 3 {
			t.Errorf("told to move now: %v, %v, want three lines", list, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			synctest.Wait()
			cancel(gaveUp)
		}()
		if _, err := engine.Best(ctx, e, xiangqi.Start(), engine.Limits{}); !errors.Is(err, gaveUp) {
			t.Errorf("error %v, want one that wraps %v", err, gaveUp)
		}
	})
}
