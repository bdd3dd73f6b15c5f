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
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/puzzle"
)

var puzzlesCommand = command{
	name:     "puzzles",
	operands: "[FILE... | -]",
	summary:  "find positions of games in which one move wins, and exercises of mistakes and openings",
	complete: filesThat(arePositions, isRecord),
	setup:    defined[puzzlesAction],
}

// scanLevel is the level at which puzzles are looked for, unless another one is given.
const scanLevel = 4

// maxPuzzles bounds -limit, and maxSolution -min and -max.
const (
	maxPuzzles  = 1 << 30
	maxSolution = 30
)

type puzzlesAction struct {
	inputFlags
	exerciseFlags
	prove           int
	min, max, limit int
	thresholds      puzzle.Thresholds
	captures        bool
	resume          bool
}

func (c *puzzlesAction) define(fs *flag.FlagSet, all games.Table) {
	c.prove, c.min, c.thresholds = puzzle.DefaultProve, 1, puzzle.DefaultThresholds()
	fs.Var(count(&c.prove, 1<<30), "prove", "prove puzzles at level `N`")
	fs.Var(count(&c.min, maxSolution), "min", "only puzzles whose solution has at least `N` moves of the solver")
	fs.Var(optionalCount(&c.max, maxSolution), "max", "only puzzles whose solution has at most `N` moves of the solver")
	fs.BoolVar(&c.captures, "captures", false, "also puzzles whose whole solution is one move that takes a piece")
	fs.Var(optionalCount(&c.limit, maxPuzzles), "limit", "stop after `N` puzzles")
	fs.Var(parsed(&c.thresholds, puzzle.ParseThresholds).by(c.thresholds.String()), "thresholds", "the chances of winning in `PERCENT` that the solution has at least, and every other move at most")
	defineScale(fs, &c.scale)
	defineJobs(fs, &c.jobs, manyEngines)
	fs.BoolVar(&c.resume, "resume", false, "resume the unfinished run in the file of -o, if any")
	defineRestart(fs, &c.restart)
	c.defineProgress(fs)
	defineOutput(fs, &c.outputFlags, append(puzzle.Formats(), format.Format[batch.Writer]{Name: "html", Extensions: []string{".html", ".htm"}})) // of exercises
	c.inputFlags.define(fs)
	c.recordFlags.define(fs)
	c.endings.define(fs, endingsUsage)
	c.engineFlags.define(fs)
	fs.Lookup("level").Usage = fmt.Sprintf("look for puzzles at level `N` (default %d)", scanLevel)
	c.defineProfile(fs)
	c.exerciseFlags.define(fs, all)
}

func (c *puzzlesAction) run(ctx context.Context, h host, operands []string) (err error) {
	switch mode, err := c.exerciseFlags.mode(c.set); {
	case err != nil:
		return err
	case mode == "mistakes":
		return c.findMistakes(ctx, h, operands)
	case mode == "repertoire":
		return c.drill(ctx, h, operands)
	}
	chosen, err := choose(c.outputFlags, puzzle.Formats())
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
	p := newOutputProgress("puzzles", h, c.outputFlags)
	run, e, game, err := c.beginOne(ctx, h, p.progress, nil, nil)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	word, err := h.Games.ForcedWin(game)
	if err != nil {
		return usageError{err}
	}
	known, tables, err := c.endings.known(h.Games, game, "")
	if err != nil {
		return err
	}
	c.onDropped, c.onRead = func(err error) { p.say(printable.Error(err)) }, sayRemark(p.say)
	c.game, c.records, c.games = h.Games.AnyNotation(game), c.library(h, game, "puzzles"), true
	in, err := c.findInputs(ctx, h, "puzzles", operands)
	if err != nil {
		return err
	}
	defer in.close()
	if err := run.openFiles(ctx, in.uses(), keptFile{c.used(h), hints.Siblings(c.path, false)}); err != nil {
		return err
	}
	out := &puzzle.Output{ForcedWin: word, Limit: c.limit, OnFailed: func(a batch.Answer) { p.say(failureOf(a)) }}
	r, err := hints.Open(ctx, hints.Options{
		Output: c.options(h), Format: out.Format(chosen), Resume: c.resume, Inputs: in.files, Warn: p.say,
		Task:   c.task(tables),
		Source: func() batch.Source { return in.source(ctx) },
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, r.Close)
	pool, err := batch.NewPool(ctx, batch.PoolOptions{
		Open: run.open(e), Jobs: c.jobs, Limits: engine.Limits{Level: c.prove, Time: c.timeout, Lines: 1}, Restart: c.restart, Warn: p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	composer, err := c.composer(pool, h.Games.Row(game), known)
	if err != nil {
		return err
	}
	who, err := engineTerms(e, pool, 1, c.restart, r.HasLog())
	if err != nil {
		return err
	}
	terms, err := r.NewManifest(ctx, c.game.Name(), c.inputFlags.terms(), false, who)
	if err != nil {
		return err
	}
	finished, err := r.Begin(ctx, terms)
	if err != nil {
		return err
	}
	if finished != nil {
		p.say(fmt.Sprintf("%s is finished: %s", c.path, positionsAndFailures(finished.Summary)))
		return outcomeOf(finished.Summary)
	}
	if p.isShown() {
		p.total = in.count(ctx)
	}
	p.begin()
	tally, err := r.Do(ctx, composer, batch.Options{
		OnResumed: func(t batch.Tally, _ bool) { p.resume(t) }, OnProgress: p.update, OnRecovered: p.retried,
	})
	p.restarts = pool.Restarts()
	p.end()
	summary := p.summaryOf(terms, c.jobs, tally)
	summary.IsComplete = true
	if err == nil {
		err = r.Finish(summary)
	}
	if err != nil {
		r.SuggestResume(tally.Done, p.total)
		return err
	}
	if c.path != "" || out.Written == 0 {
		text := printable.Plural(out.Written, "puzzle")
		if out.Repeated > 0 {
			text += fmt.Sprintf(", %d left out as repeated", out.Repeated)
		}
		p.say(text)
	}
	return outcomeOf(summary)
}

// task returns everything but the engine and the inputs that the puzzles depend on.
func (c *puzzlesAction) task(tables string) string {
	text := fmt.Sprintf("puzzles level=%d prove=%d thresholds=%v scale=%d min=%d max=%d limit=%d", *c.level, c.prove, c.thresholds, c.scale, c.min, c.max, c.limit)
	if c.captures {
		text += " captures"
	}
	if tables != "" {
		text += " endings=" + tables
	}
	if c.lenient {
		text += " " + lenientName
	}
	if c.encoding != nil {
		text += " encoding=" + c.encoding.String()
	}
	return text
}

// composer returns what finds puzzles of a game with the engines of a pool.
func (c *puzzlesAction) composer(pool *batch.Pool, game *games.Row, known engine.Known) (*puzzle.Composer, error) {
	for _, level := range []int{*c.level, c.prove} {
		if err := pool.Info().CheckLevel(level); err != nil {
			return nil, usageError{err}
		}
	}
	if c.prove < *c.level {
		return nil, usagef("-prove %d is below -level %d", c.prove, *c.level)
	}
	o := puzzle.Options{
		Levels: pool.Info().Levels, Scan: *c.level, Prove: c.prove, Time: c.timeout,
		Thresholds: c.thresholds, Scale: float64(c.scale), Min: c.min, Max: c.max, Known: known,
	}
	if !c.captures {
		o.Captures = game.Captures
	}
	return &puzzle.Composer{Engine: pool, Options: o}, nil
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
