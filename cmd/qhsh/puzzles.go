package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/puzzle"
)

var puzzlesCommand = command{
	name:     "puzzles",
	operands: "[FILE... | -]",
	summary:  "find positions of games in which one move wins, with solutions and grades",
	complete: gamesOrPositions,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c puzzlesAction
		c.define(fs)
		return c.run
	},
}

// scanLevel is the level at which puzzles are looked for, unless another one is given.
const scanLevel = 4

// maxPuzzles bounds -limit, and maxSolution -min and -max.
const (
	maxPuzzles  = 1 << 30
	maxSolution = 30
)

// puzzlesAction is the command with its flags.
type puzzlesAction struct {
	engineFlags
	inputFlags
	recordFlags
	outputFlags
	prove, scale    int
	min, max, limit int
	thresholds      puzzle.Thresholds
	jobs            int
	resume, restart bool
	progressTo      progressFlag
}

func (c *puzzlesAction) define(fs *flag.FlagSet) {
	c.jobs, c.prove, c.min, c.scale, c.thresholds = 1, puzzle.DefaultProve, 1, engine.DefaultScale, puzzle.DefaultThresholds()
	fs.Var(countValue{&c.prove, 1 << 30}, "prove", "prove puzzles at level `N`")
	fs.Var(countValue{&c.min, maxSolution}, "min", "only puzzles whose solution has at least `N` moves of the solver")
	fs.Var(optionalCount{countValue{&c.max, maxSolution}}, "max", "only puzzles whose solution has at most `N` moves of the solver")
	fs.Var(optionalCount{countValue{&c.limit, maxPuzzles}}, "limit", "stop after `N` puzzles")
	fs.Var(parsedValue[puzzle.Thresholds]{&c.thresholds, puzzle.ParseThresholds}, "thresholds", "the chances of winning in `PERCENT` that the solution has at least, and every other move at most")
	fs.Var(countValue{&c.scale, annotate.MaxScale}, "scale", "`N` centipawns are a chance of winning of 73 %")
	fs.Var(countValue{&c.jobs, maxJobs}, "jobs", "run `N` engines at the same time")
	fs.BoolVar(&c.resume, "resume", false, "resume the unfinished run in the file of -o, if any")
	defineRestart(fs, &c.restart)
	c.progressTo.define(fs)
	defineOutput(fs, &c.outputFlags, puzzle.Formats())
	c.inputFlags.define(fs)
	c.recordFlags.define(fs)
	c.engineFlags.define(fs)
	fs.Lookup("level").Usage = fmt.Sprintf("look for puzzles at level `N` (default %d)", scanLevel)
	c.defineProfile(fs)
}

func (c *puzzlesAction) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, puzzle.Formats())
	if err != nil {
		return err
	}
	if c.max > 0 && c.min > c.max {
		return usagef("-min %d is more than -max %d", c.min, c.max)
	}
	if c.level == nil {
		level := scanLevel
		c.level = &level
	}
	p := newProgress("puzzles", h.Stderr, h.StderrTTY && (!h.StdoutTTY || c.path != ""))
	c.onDropped, c.onRead = func(err error) { p.say(printable.Error(err)) }, sayRemark(p.say)
	in, word, err := c.inputs(ctx, h, operands)
	if err != nil {
		return err
	}
	out := &puzzle.Output{ForcedWin: word, Limit: c.limit, OnFailed: func(a batch.Answer) { p.say(failureOf(a)) }}
	engines, err := c.opener(ctx, h, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, engines.Close)
	if p.file, err = c.progressTo.open(ctx, h, c.path == ""); err != nil {
		return err
	}
	defer func() { closeInto(&err, func() error { return p.close(ctx, err) }) }()
	r, err := hints.Open(ctx, hints.Options{
		Output: c.options(h), Format: out.Format(format), Resume: c.resume, Inputs: in.files, Warn: p.say,
		Task:   c.task(),
		Source: func() batch.Source { return in.source(ctx, c.game) },
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, r.Close)
	pool, err := batch.NewPool(ctx, batch.PoolOptions{
		Open: engines.Open, Jobs: c.jobs, Limits: engine.Limits{Level: c.prove, Time: c.timeout, Lines: 1}, Restart: c.restart, Warn: p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	composer, err := c.composer(pool)
	if err != nil {
		return err
	}
	work := &puzzling{puzzlesAction: c, run: r, out: out, progress: p, asker: composer, restarts: pool.Restarts}
	if work.manifest, err = c.manifest(r, engines, pool); err != nil {
		return err
	}
	return work.do(ctx, in)
}

// inputs returns the inputs, and what their game calls a forced win.
func (c *puzzlesAction) inputs(ctx context.Context, h host, operands []string) (in *inputs, word string, err error) {
	game, err := c.gameOf(ctx, h)
	if err != nil {
		return nil, "", err
	}
	if word, err = h.Games.ForcedWin(game); err != nil {
		return nil, "", usageError{err}
	}
	c.game, c.records, c.games = h.Games.AnyNotation(game), c.library(h, game, "puzzles"), true
	if in, err = c.findInputs(ctx, h, "puzzles", operands); err != nil {
		return nil, "", err
	}
	reads, err := engineFiles(h, c.spec)
	if err != nil {
		return nil, "", err
	}
	out := c.used(h)
	all := append(c.withOutputs(out, c.progressTo.used()), append(in.uses(), reads...)...)
	if err := output.CheckSiblings(out, hints.Siblings(c.path, false), all[1:]...); err != nil {
		return nil, "", usageError{err}
	}
	return in, word, refuseShared(all...)
}

// task returns everything but the engine and the inputs that the puzzles depend on.
func (c *puzzlesAction) task() string {
	text := fmt.Sprintf("puzzles level=%d prove=%d thresholds=%v scale=%d min=%d max=%d limit=%d", *c.level, c.prove, c.thresholds, c.scale, c.min, c.max, c.limit)
	if c.lenient {
		text += " " + lenientName
	}
	if c.encoding != nil {
		text += " encoding=" + c.encoding.String()
	}
	return text
}

// composer returns what finds puzzles with the engines of a pool.
func (c *puzzlesAction) composer(pool *batch.Pool) (*puzzle.Composer, error) {
	for _, level := range []int{*c.level, c.prove} {
		if err := pool.Info().CheckLevel(level); err != nil {
			return nil, usageError{err}
		}
	}
	if c.prove < *c.level {
		return nil, usagef("-prove %d is below -level %d", c.prove, *c.level)
	}
	return &puzzle.Composer{Engine: pool, Options: puzzle.Options{
		Levels: pool.Info().Levels, Scan: *c.level, Prove: c.prove, Time: c.timeout,
		Thresholds: c.thresholds, Scale: float64(c.scale), Min: c.min, Max: c.max,
	}}, nil
}

// manifest returns everything that the puzzles depend on.
func (c *puzzlesAction) manifest(r *hints.Run, engines *opener, pool *batch.Pool) (*hints.Manifest, error) {
	d, err := attach.Describe(engines.spec, engines.options)
	if err != nil {
		return nil, err
	}
	e, err := engineTerms(d, pool, 1, c.restart, r.HasLog())
	if err != nil {
		return nil, err
	}
	return r.NewManifest(c.game.Name(), c.inputFlags.terms(), false, e)
}

// failureOf returns why there is no answer for a position, or what is wrong with a game.
func failureOf(a batch.Answer) string {
	switch {
	case errors.As(a.Err, new(*record.Error)):
		return printable.Error(a.Err)
	case a.ID == "":
		return fmt.Sprintf("%s: %v", batch.Location(a.Item), a.Err)
	}
	return fmt.Sprintf("%s: %v", printable.Line(a.ID), a.Err)
}

// puzzling is a run of the command.
type puzzling struct {
	*puzzlesAction
	run      *hints.Run
	manifest *hints.Manifest
	out      *puzzle.Output
	progress *progress
	asker    batch.Asker
	restarts func() int
}

// do finds the puzzles of the inputs, or reports that this was done before.
func (w *puzzling) do(ctx context.Context, in *inputs) error {
	p := w.progress
	finished, err := w.run.Begin(ctx, w.manifest)
	if err != nil {
		return err
	}
	if finished != nil {
		summary, err := finished.ParseSummary()
		if err != nil {
			return err
		}
		p.say(fmt.Sprintf("%s is finished: %s", w.path, positionsAndFailures(summary)))
		return outcomeOf(summary)
	}
	if p.bar.on || p.file != nil {
		p.total = in.count(ctx)
	}
	p.begin()
	tally, err := w.run.Do(ctx, w.asker, batch.Options{
		OnResumed: func(t batch.Tally, _ bool) { p.resume(t) }, OnProgress: p.update, OnRecovered: p.retried,
	})
	p.restarts = w.restarts()
	p.end()
	summary := w.manifest.NewSummary(w.jobs)
	summary.SetCounts(tally, p.before, p.took)
	summary.Total, summary.Restarts, summary.IsComplete = p.total, p.restarts, true
	if err == nil {
		err = w.run.Finish(ctx, summary)
	}
	if err != nil {
		w.run.SuggestResume(tally.Done, p.total)
		return err
	}
	w.report()
	return outcomeOf(summary)
}

// report says how many puzzles have been written to the file of -o, or that there are none.
func (w *puzzling) report() {
	if w.path == "" && w.out.Written > 0 {
		return
	}
	text := plural(w.out.Written, "puzzle")
	if w.out.Repeated > 0 {
		text += fmt.Sprintf(", %d left out as repeated", w.out.Repeated)
	}
	w.progress.say(text)
}
