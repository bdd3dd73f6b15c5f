package plugintest

import (
	"errors"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// A FaultTest is a search with an engine that misbehaves in its first life, and what it may
// cost.
type FaultTest struct {
	Faulty  *FaultyEngine
	Name    string // of the engine, as errors tell it
	Dial    func() (pluginclient.Session, error)
	Pos     engine.Position
	Limits  engine.Limits
	WantErr error         // of the error, of dialling or of the search; nil: all goes well
	MaxTime time.Duration // of both together
}

// Run fails the test unless the trial costs no more than it may. An error has to tell who
// and what, and the next search to find the engine at work again, or started again, once
// it has learned.
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
	var told *pluginclient.Error
	if !errors.As(err, &told) || told.Engine != c.Name || len(told.Last) == 0 {
		t.Fatalf("the error does not tell who and what: %v", err)
	}
	c.Faulty.StopFaults()
	if !dialled {
		return
	}
	if _, err := engine.Best(t.Context(), client, c.Pos, c.Limits); err != nil {
		t.Errorf("the search after that: %v", err)
	}
}
