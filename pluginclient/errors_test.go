package pluginclient

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestBrief: Brief removes the last lines, wherever the failure is in the error; other errors are
// unchanged.
func TestBrief(t *testing.T) {
	failure := &Error{
		Engine: "Paul", Command: "AI", Err: ErrDied,
		Last: []Entry{{Dir: Sent, Text: "AI"}}, Stderr: []string{"out of luck"},
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{failure, "Paul: AI: died"},
		{fmt.Errorf("the search failed: %w (twice)", failure), "the search failed: Paul: AI: died (twice)"},
		{errors.New("the search failed"), "the search failed"},
	} {
		if got := Brief(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
	if len(failure.Last) == 0 || len(failure.Stderr) == 0 {
		t.Error("the failure itself has lost something")
	}
}

// TestUntimed: two failures that differ only in their time have the same text.
func TestUntimed(t *testing.T) {
	failure := &Error{Engine: "Paul", Command: "AI", Err: ErrDied, After: 31 * time.Millisecond}
	got := WithoutDuration(failure)
	if want := "Paul: AI: died"; got.Error() != want || !errors.Is(got, ErrDied) {
		t.Errorf("%v, want %s", got, want)
	}
	if want := "Paul: AI: died after 31ms"; failure.Error() != want {
		t.Errorf("the failure itself is now %v", failure)
	}
	for _, same := range []error{nil, errors.New("the search failed")} {
		if got := WithoutDuration(same); got != same {
			t.Errorf("%v has become %v", same, got)
		}
	}
}
