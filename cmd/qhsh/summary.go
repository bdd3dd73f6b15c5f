package main

import (
	"fmt"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// runSummary is what -summary writes, and what the journal of a finished run keeps: figures of
// the whole run, also of one that was gone on with; the time and the rate are those of the
// process that finished it.
type runSummary struct {
	Positions  int     `json:"positions"`
	Total      int     `json:"total,omitempty"` // positions of the input, where it is known
	Errors     int     `json:"errors"`
	Scored     int     `json:"scored"` // positions with moves to find or to avoid
	Solved     int     `json:"solved"` // of these
	Cached     int     `json:"from_cache"`
	Equal      int     `json:"equal"` // answered by an equal position before
	Restarts   int     `json:"engine_restarts"`
	Resumed    int     `json:"resumed"` // positions that had been answered before this process
	Seconds    float64 `json:"seconds"`
	Rate       float64 `json:"rate"` // positions a second
	Engine     string  `json:"engine"`
	Spec       string  `json:"spec"`
	Level      *int    `json:"level,omitempty"`
	Timeout    string  `json:"timeout,omitempty"`
	Hints      int     `json:"hints"`
	Jobs       int     `json:"jobs"`
	IsComplete bool    `json:"complete"`
}

// figures are those of a run that has come so far.
func (r hintsRun) figures(tally batch.Tally, complete bool) runSummary {
	e, p := r.terms.manifest.engineTerms, r.p
	s := runSummary{
		Positions: tally.Done, Total: p.total, Errors: tally.Failed, Scored: tally.Scored, Solved: tally.Solved,
		Cached: tally.Cached, Equal: tally.Equal, Restarts: r.pool.Restarts(), Resumed: p.before, Seconds: p.took.Seconds(),
		Engine: r.terms.name, Spec: e.Spec, Level: e.Level, Timeout: e.Timeout, Hints: r.lines, Jobs: r.jobs,
		IsComplete: complete,
	}
	if s.Seconds > 0 {
		s.Rate = float64(tally.Done-p.before) / s.Seconds
	}
	return s
}

// text is what a person is told of a run that is done.
func (s runSummary) text() string {
	text := positionCount(s.Positions)
	if s.Errors > 0 {
		text += fmt.Sprintf(", %d failed", s.Errors)
	}
	return text
}

// outcome is the error of a run that is done.
func (s runSummary) outcome() error {
	if s.Errors > 0 {
		return errDone
	}
	return nil
}

// writeSummary writes the file of -summary, if there is one.
func (c *hints) writeSummary(out *output.File, figures runSummary) error {
	if c.summary == "" {
		return nil
	}
	line, err := runlog.Line(figures)
	if err == nil {
		_, err = out.Write(line)
	}
	if err != nil {
		return fmt.Errorf("-summary: %w", err)
	}
	return nil
}
