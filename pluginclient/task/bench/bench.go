// Package bench measures engines side by side: how many nodes a second they search, or how
// fast they count sequences of moves (perft).
//
// A machine is never as fast twice, so nothing is measured alone. Every position is given to
// one engine after the other, the whole is repeated, and what is told of two engines is the
// median of the ratios that each repetition has shown. The engines think in turns, one at a
// time, each for as long as its limits say, and forget before each position.
//
// Time is measured here, from the question to the answer, so that all engines are measured by
// the same clock. Nodes are what an engine says of itself. What counts as a node differs from
// engine to engine: nodes a second compare versions of one engine, and the speed of its parts;
// they do not say who plays better.
//
// Where an engine answers alike every time, what it has answered is summed up in a
// signature of the report: two builds with the same signature search the same tree.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// An Engine is one that is measured.
type Engine struct {
	Name    string
	Session pluginclient.Session
	// Remote tells that it is told things by messages: it is given a moment to carry them
	// out before the clock starts.
	Remote bool
	// Repeatable tells that the same search gives the same answer every time.
	Repeatable bool
}

// A Counter is a Session that counts the sequences of so many legal moves, at least one,
// that can follow a position.
type Counter interface {
	Perft(ctx context.Context, pos engine.Position, depth int) (int64, error)
}

// A Visitor is a Session that reports how many nodes its latest search has visited, those
// included that brought nothing new and so are not in the answer; 0 if it is not known.
type Visitor interface{ Visited() int64 }

// Config say what is measured.
type Config struct {
	Positions []engine.Position
	Limits    engine.Limits // of each search
	Perft     int           // above 0: sequences of so many moves are counted instead
	Repeat    int           // how often everything is measured; 0: once
}

// A Sample is what an engine has done at one position.
type Sample struct {
	Nodes  int64 // visited, or sequences counted; 0: it does not tell
	Time   time.Duration
	Depth  int // plies searched; 0: it does not tell
	Answer []engine.Line
}

// ErrConfig is wrapped by the error of terms that make no sense, or are none that an engine can
// be asked by.
var ErrConfig = errors.New("terms of the measurement")

// configError wraps ErrTerms without saying so.
type configError struct{ error }

func (e configError) Unwrap() []error { return []error{ErrConfig, e.error} }

// Run measures. The error is the first that an engine gives, or wraps ErrTerms or the cause
// of the context's end. told is told of every sample, in the order in which they come; it may
// be nil.
func Run(ctx context.Context, t Config, engines []Engine, progress func(done, total int)) (*Report, error) {
	t.Repeat = max(t.Repeat, 1)
	switch {
	case len(engines) == 0:
		return nil, configError{errors.New("there is no engine to measure")}
	case len(t.Positions) == 0:
		return nil, configError{errors.New("there is no position to measure at")}
	}
	r := newReport(t, engines)
	total, done := t.Repeat*len(t.Positions)*len(engines), 0
	for round := range t.Repeat {
		for i, pos := range t.Positions {
			for j := range engines {
				at := (j + i + round) % len(engines) // nobody always comes first
				s, err := t.sample(ctx, engines[at], pos)
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

// wrapError tells an engine that has failed from one that cannot be asked so.
func wrapError(ctx context.Context, err error) error {
	var engineErr *pluginclient.Error
	if ctx.Err() != nil || errors.As(err, &engineErr) {
		return err
	}
	return configError{err}
}

func (t *Config) sample(ctx context.Context, e Engine, pos engine.Position) (Sample, error) {
	if t.Perft > 0 {
		return t.count(ctx, e, pos)
	}
	return t.search(ctx, e, pos)
}

// ErrNoPerft is the error of an engine that cannot count.
var ErrNoPerft = errors.New("it does not count sequences of moves (perft)")

func (t *Config) count(ctx context.Context, e Engine, pos engine.Position) (Sample, error) {
	counter, ok := pluginclient.As[Counter](e.Session)
	if !ok {
		return Sample{}, ErrNoPerft
	}
	start := time.Now()
	nodes, err := counter.Perft(ctx, pos, t.Perft)
	return Sample{Nodes: nodes, Time: time.Since(start), Depth: t.Perft}, err
}

func (t *Config) search(ctx context.Context, e Engine, pos engine.Position) (Sample, error) {
	engine.Forget(e.Session)
	if lim, ok := warmUp(t.Limits); ok && e.Remote {
		// The question would otherwise carry the cost of forgetting.
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
	for _, line := range lines { // an engine may tell of its lines one after the other
		s.Nodes, s.Depth = max(s.Nodes, line.Nodes), max(s.Depth, line.Depth)
	}
	if v, ok := pluginclient.As[Visitor](e.Session); ok {
		s.Nodes = max(s.Nodes, v.Visited())
	}
	return s, nil
}

// warmUp are limits of the same kind as those of the search, and next to nothing. Of a
// level there is no less.
func warmUp(lim engine.Limits) (least engine.Limits, ok bool) {
	switch {
	case lim.Depth > 0:
		return engine.Limits{Depth: 1}, true
	case lim.Nodes > 0:
		return engine.Limits{Nodes: 1}, true
	}
	return engine.Limits{Level: lim.Level, Time: time.Millisecond}, lim.Time > 0
}
