package plugintest

import (
	"errors"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// A FaultTest is a search by an engine whose first process misbehaves, and its expected result.
type FaultTest struct {
	Faulty  *FaultyEngine
	Name    string // of the engine, as in errors
	Dial    func() (pluginclient.Session, error)
	Pos     engine.Position
	Limits  engine.Limits
	WantErr error         // of Dial or of the search; nil: both succeed
	MaxTime time.Duration // of Dial and the search together
}

// Run runs the test. An error must name the engine and contain its last lines, and the next search,
// once the engine behaves, must find it working or restarted.
func (c FaultTest) Run(t *testing.T) {
	t.Helper()
	c.Faulty.FaultyStarts = 1
	begun := time.Now()
	client, err := c.Dial()
	dialled := err == nil
	if dialled {
		defer client.Close()
		_, err = engine.Best(t.Context(), client, c.Pos, c.Limits)
	}
	if took := time.Since(begun); !errors.Is(err, c.WantErr) || took > c.MaxTime {
		t.Fatalf("error %v after %v, want %v in %v", err, took, c.WantErr, c.MaxTime)
	}
	if c.WantErr == nil {
		return
	}
	t.Log(err)
	var failure *pluginclient.Error
	if !errors.As(err, &failure) || failure.Engine != c.Name || len(failure.Last) == 0 {
		t.Fatalf("the error does not name the engine and its last lines: %v", err)
	}
	c.Faulty.StopFaults()
	if !dialled {
		return
	}
	if _, err := engine.Best(t.Context(), client, c.Pos, c.Limits); err != nil {
		t.Errorf("the search after that: %v", err)
	}
}
