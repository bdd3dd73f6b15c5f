// Package bench compares the speed of engines: nodes per second of a search, or of perft.
//
// The speed of a machine varies, so engines are measured in turns: every position is given to one
// engine after the other, all of it is repeated, and two engines are compared by the median of the
// ratios of each repetition. One engine runs at a time, within the limits, and forgets earlier
// searches before each position.
//
// Time is measured here, from the request to the result, so all engines share the same clock. Nodes
// are reported by the engine. What counts as a node differs between engines: nodes per second
// compare versions of one engine; they do not tell which engine is stronger.
//
// The results of a deterministic engine have a signature in the report: builds with the same
// signature search the same tree.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// An Engine is an engine to measure.
type Engine struct {
	Name    string
	Session pluginclient.Session
	// Remote marks an engine that receives commands as messages. It gets time to carry out Forget
	// before the clock starts.
	Remote bool
	// Repeatable marks an engine that returns the same result for the same search.
	Repeatable bool
}

// A Counter is a Session that supports perft. depth is at least 1.
type Counter interface {
	Perft(ctx context.Context, pos engine.Position, depth int) (int64, error)
}

// A Visitor is a Session that returns the number of nodes of its latest search, including those
// after its last result; 0 if unknown.
type Visitor interface{ Visited() int64 }

// A Config says what is measured.
type Config struct {
	Positions []engine.Position
	Limits    engine.Limits // of each search
	Perft     int           // perft depth; 0: search
	Counts    []int64       // the known perft counts of the positions, 0: unknown; nil: none
	Repeat    int           // number of repetitions; 0: 1
	// Known is what the positions are worth, if it is asked which moves keep that.
	Known engine.Known
}

// A Sample is the measurement of an engine at one position.
type Sample struct {
	Nodes  int64 // searched, or perft count; 0: not reported
	Time   time.Duration
	Depth  int // in plies; 0: not reported
	Answer []engine.Line
}

// ErrConfig is wrapped by errors of an invalid configuration, or of one that an engine does not
// support.
var ErrConfig = errors.New("bench configuration")

// configError wraps ErrConfig without adding its text.
type configError struct{ error }

func (e configError) Unwrap() []error { return []error{ErrConfig, e.error} }

// Run measures the engines. The error is the first one of an engine, wraps ErrConfig, or is the
// cause of ctx. progress is called after each sample; it may be nil.
func Run(ctx context.Context, t Config, engines []Engine, progress func(done, total int)) (*Report, error) {
	t.Repeat = max(t.Repeat, 1)
	switch {
	case len(engines) == 0:
		return nil, configError{errors.New("no engines to measure")}
	case len(t.Positions) == 0:
		return nil, configError{errors.New("no positions to measure")}
	}
	r := &Report{Config: t, Results: make([]Result, len(engines))}
	for i, e := range engines {
		r.Results[i] = Result{Engine: e, Samples: make([][]Sample, t.Repeat)}
		for round := range t.Repeat {
			r.Results[i].Samples[round] = make([]Sample, len(t.Positions))
		}
	}
	total, done := t.Repeat*len(t.Positions)*len(engines), 0
	for round := range t.Repeat {
		for i, pos := range t.Positions {
			for j := range engines {
				at := (j + i + round) % len(engines) // a different engine is first each time
				measure := t.search
				if t.Perft > 0 {
					measure = t.count
				}
				s, err := measure(ctx, engines[at], pos)
				if err != nil {
					return nil, wrapError(ctx, fmt.Errorf("position %d: %s: %w", i+1, engines[at].Name, err))
				}
				r.Results[at].Samples[round][i] = s
				if done++; progress != nil {
					progress(done, total)
				}
			}
		}
	}
	return r, nil
}

// wrapError returns errors of ctx and of a failed engine as they are, and others as a configError.
func wrapError(ctx context.Context, err error) error {
	var engineErr *pluginclient.Error
	if ctx.Err() != nil || errors.As(err, &engineErr) {
		return err
	}
	return configError{err}
}

// errNoPerft is the error of an engine without perft.
var errNoPerft = errors.New("perft is not supported")

func (t *Config) count(ctx context.Context, e Engine, pos engine.Position) (Sample, error) {
	counter, ok := pluginclient.As[Counter](e.Session)
	if !ok {
		return Sample{}, errNoPerft
	}
	start := time.Now()
	nodes, err := counter.Perft(ctx, pos, t.Perft)
	return Sample{Nodes: nodes, Time: time.Since(start), Depth: t.Perft}, err
}

func (t *Config) search(ctx context.Context, e Engine, pos engine.Position) (Sample, error) {
	engine.Forget(e.Session)
	if lim, ok := warmUp(t.Limits); ok && e.Remote {
		// The measured search would include the time for Forget.
		if _, err := engine.Best(ctx, e.Session, pos, lim); err != nil {
			return Sample{}, err
		}
	}
	start := time.Now()
	lines, err := engine.Best(ctx, e.Session, pos, t.Limits)
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Time: time.Since(start), Answer: lines}
	for _, line := range lines { // an engine may report its lines separately
		s.Nodes, s.Depth = max(s.Nodes, line.Nodes), max(s.Depth, line.Depth)
	}
	if v, ok := pluginclient.As[Visitor](e.Session); ok {
		s.Nodes = max(s.Nodes, v.Visited())
	}
	return s, nil
}

// warmUp returns the smallest limits of the same kind as lim. There are none for a level.
func warmUp(lim engine.Limits) (least engine.Limits, ok bool) {
	switch {
	case lim.Depth > 0:
		return engine.Limits{Depth: 1}, true
	case lim.Nodes > 0:
		return engine.Limits{Nodes: 1}, true
	}
	return engine.Limits{Level: lim.Level, Time: time.Millisecond}, lim.Time > 0
}
