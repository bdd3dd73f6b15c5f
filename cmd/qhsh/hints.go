package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// maxHints bounds -hints. No position of a known game has as many moves.
const maxHints = 1000

var hintsCommand = command{
	name:     "hints",
	operands: "[FILE... | -]",
	summary:  "ask an engine for hints about every position of a file",
	complete: positionFiles,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c hintsAction
		c.define(fs, all)
		return c.run
	},
}

// hintsAction is the command with its flags.
type hintsAction struct {
	engineFlags
	inputFlags
	outputFlags
	notation       notationFlag
	lines, jobs    int
	resume, strict bool
	unordered      bool
	noDedup        bool
	restart        bool
	cache          cacheFlag
	summary        string
	progressTo     progressFlag
	cluster        clusterFlag
	shard          batch.Shard
	merge          bool
	required       int // positions that must be solved

	flags *flag.FlagSet
}

func (c *hintsAction) define(fs *flag.FlagSet, all games.Table) {
	c.flags = fs
	c.lines, c.jobs = 1, 1
	fs.Var(countValue{&c.lines, maxHints}, "hints", "give `N` hints for each position, if there are as many moves")
	fs.Var(countValue{&c.jobs, maxJobs}, "jobs", "run `N` engines at the same time")
	fs.BoolVar(&c.resume, "resume", false, "resume the unfinished run in the file of -o, if any")
	fs.BoolVar(&c.strict, "strict", false, "stop at the first position that fails")
	fs.BoolVar(&c.unordered, "unordered", false, "write answers as soon as they are known")
	fs.BoolVar(&c.noDedup, "no-dedup", false, "search equal positions again")
	defineRestart(fs, &c.restart)
	c.cache.define(fs)
	fs.Var(keysValue(func(text string) (err error) {
		number, ok := strings.CutPrefix(text, "solved=")
		if c.required, err = strconv.Atoi(number); !ok || err != nil || c.required < 0 {
			return errors.New("want solved=N")
		}
		return nil
	}), "require", "exit with status 1 if fewer positions with bm, am or dm are solved than `solved=N` says")
	fs.StringVar(&c.summary, "summary", "", "write figures of the run to `FILE` as JSON")
	c.progressTo.define(fs)
	c.cluster.define(fs)
	fs.Var(parsedValue[batch.Shard]{&c.shard, batch.ParseShard}, "shard", "ask about part `K/N` of the positions: K, K+N, K+2N ...")
	fs.BoolVar(&c.merge, "merge", false, "write the outputs of all parts, the operands, as one")
	defineOutput(fs, &c.outputFlags, batch.Formats(1))
	c.notation.define(fs, all)
	c.inputFlags.define(fs)
	c.engineFlags.define(fs)
	c.defineProfile(fs)
	c.defineCounts(fs, "depth")
}

func (c *hintsAction) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, batch.Formats(c.lines))
	if err != nil {
		return err
	}
	isDatabase, err := c.database(format)
	if err != nil {
		return err
	}
	if c.merge {
		return c.mergeParts(ctx, h, operands, format, isDatabase)
	}
	p := newProgress("hints", h.Stderr, h.StderrTTY && (!h.StdoutTTY || c.path != ""))
	h, disconnect, err := c.cluster.join(ctx, h, operands, p.say, c.spec)
	if err != nil {
		return err
	}
	defer disconnect()
	game, err := c.gameOf(ctx, h)
	if err != nil {
		return err
	}
	if format, err = c.inNotation(h.Games, game, format); err != nil {
		return err
	}
	c.game, c.records, c.onRead = h.Games.AnyNotation(game), h.Games.Records(game), sayRemark(p.say)
	in, err := c.findInputs(ctx, h, "hints", operands)
	if err != nil {
		return err
	}
	if err := c.refuseFiles(h, in, isDatabase); err != nil {
		return err
	}
	if c.path != "" {
		p.next = fmt.Sprintf("the answers are in %s: 'qhsh stats %s' summarises them, -format text shows hints as text", c.path, c.path)
	}
	engines, err := c.opener(ctx, h, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, engines.Close)
	if p.file, err = c.progressTo.open(ctx, h, c.path == ""); err != nil {
		return err
	}
	defer func() { closeInto(&err, func() error { return p.close(ctx, err) }) }()
	d, err := attach.Describe(engines.spec, engines.options)
	if err != nil {
		return err
	}
	r, err := hints.Open(ctx, hints.Options{
		Output: c.options(h), Format: format, Resume: c.resume, Inputs: in.files, Shard: c.shard, Warn: p.say,
		Database: store.Run{Version: version, Spec: c.spec, Level: c.level, Timeout: c.timeout, Nodes: int64(c.nodes), Depth: c.depth, Hints: c.lines},
		Source:   func() batch.Source { return in.source(ctx, c.game) },
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, r.Close)
	summary, err := openFlag(ctx, "-summary", c.summary)
	if err != nil {
		return err
	}
	defer closeInto(&err, summary.Close)
	pool, err := c.cluster.newAsker(ctx, engines, d, batch.PoolOptions{
		Open: engines.Open, Jobs: c.jobs,
		Limits: c.searchLimits(c.lines), Spec: d.Spec, Restart: c.restart,
		Warn: p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	p.workers = workersOf(pool)
	if !d.Embedded && p.workers == nil {
		h.limitProcessors(c.jobs)
	}
	terms, err := c.terms(r, d, pool)
	if err != nil {
		return err
	}
	finished, err := r.Begin(ctx, terms)
	if err != nil {
		return err
	}
	if finished != nil {
		return c.reportFinished(r, p, finished, summary)
	}
	if p.bar.on || p.file != nil {
		p.total = c.shard.Count(in.count(ctx))
	}
	askers, closeCache, err := c.cache.wrap(ctx, p.say, cacheable{pool, terms.Identity()})
	if err != nil {
		return err
	}
	defer closeInto(&err, closeCache)
	return c.answer(ctx, r, askers[0], p, func(tally batch.Tally) hints.Summary {
		p.restarts = pool.Restarts()
		p.end()
		figures := terms.NewSummary(c.jobs)
		figures.SetCounts(tally, p.before, p.took)
		figures.Total, figures.Restarts = p.total, p.restarts
		return figures
	}, summary)
}

// notationFormats are the formats whose moves may be in any notation: programs read the others.
var notationFormats = []string{"json", "csv", "text"}

// inNotation returns the format with moves in the notation of -notation.
func (c *hintsAction) inNotation(all games.Table, game engine.Game, f batch.Format) (batch.Format, error) {
	notation, err := c.notation.of(game)
	switch {
	case err != nil:
		return f, err
	case !c.notation.isOther():
		return f, nil
	case !slices.Contains(notationFormats, f.Name):
		return f, usagef("-notation %s: does not apply to -format %s, but to %s", notation, f.Name, games.OneOf(notationFormats))
	}
	return batch.InNotation(f, func(pos engine.Position, moves []engine.Move) []string {
		return all.MoveNames(pos, moves, notation)
	}), nil
}

// terms returns the terms of the run, which depend on the started engine.
func (c *hintsAction) terms(r *hints.Run, d attach.Description, pool asker) (*hints.Manifest, error) {
	e, err := engineTerms(d, pool, c.lines, c.restart, r.HasLog() || c.cache.path != "")
	if err != nil {
		return nil, err
	}
	return r.NewManifest(c.game.Name(), c.inputFlags.terms()+c.notation.terms(), c.unordered, e)
}

// reportFinished reports the result of a run that was finished before.
func (c *hintsAction) reportFinished(r *hints.Run, p *progress, finished *hints.Finished, summary *output.File) error {
	figures, err := finished.ParseSummary()
	if err != nil {
		return err
	}
	p.file.resume(progressCounts{Done: figures.Positions, Total: figures.Total, Failed: figures.Errors, Resumed: figures.Positions})
	r.Warn(fmt.Sprintf("%s is finished: %s", c.path, positionsAndFailures(figures)))
	if err := c.writeSummary(summary, figures); err != nil {
		r.SuggestResume(figures.Positions, figures.Total)
		return err
	}
	return c.outcomeOf(figures)
}

// positionsAndFailures formats the numbers of positions and failures for the user.
func positionsAndFailures(figures hints.Summary) string {
	text := positionCount(figures.Positions)
	if figures.Errors > 0 {
		text += fmt.Sprintf(", %d failed", figures.Errors)
	}
	return text
}

// answer performs the run. It writes the summary even if the run fails.
func (c *hintsAction) answer(ctx context.Context, r *hints.Run, asker batch.Asker, p *progress, count func(batch.Tally) hints.Summary, summary *output.File) error {
	p.begin()
	tally, err := r.Do(ctx, asker, batch.Options{
		Unordered: c.unordered, Strict: c.strict, NoDedup: c.noDedup,
		OnResumed: func(t batch.Tally, _ bool) { p.resume(t) }, OnProgress: p.update, OnRecovered: p.retried, OnFailed: p.failed,
	})
	figures := count(tally)
	var strict *batch.StrictError
	if errors.As(err, &strict) {
		err = errors.New(strict.Error()) // not an error of starting an engine, which has its own exit status
	}
	if err == nil {
		figures.IsComplete = true
		err = r.Finish(ctx, figures)
	}
	figures.IsComplete = err == nil
	if writeErr := c.writeSummary(summary, figures); err == nil {
		err = writeErr
	}
	if err == nil {
		return c.outcomeOf(figures)
	}
	var refused *hints.RefusedError // would be refused again
	if !errors.As(err, &refused) {
		r.SuggestResume(tally.Done, p.total)
	}
	return err
}

// outcomeOf returns the error of a complete run.
func (c *hintsAction) outcomeOf(figures hints.Summary) error {
	if figures.Solved < c.required {
		return fmt.Errorf("%d of %d solved; -require wants %d", figures.Solved, figures.Scored, c.required)
	}
	return outcomeOf(figures)
}

// outcomeOf returns the error of a complete run.
func outcomeOf(figures hints.Summary) error {
	if figures.Errors > 0 {
		return errDone
	}
	return nil
}

// writeSummary writes the file of -summary, if given.
func (c *hintsAction) writeSummary(out *output.File, figures hints.Summary) error {
	if c.summary == "" {
		return nil
	}
	line, err := runlog.MarshalLine(figures)
	if err == nil {
		_, err = out.Write(line)
	}
	if err != nil {
		return fmt.Errorf("-summary: %w", err)
	}
	return nil
}

// refuseFiles makes sure that no file is written twice, or both read and written, including the
// files that a run keeps beside its output.
func (c *hintsAction) refuseFiles(h host, in *inputs, isDatabase bool) error {
	out := c.used(h)
	outputs := c.withOutputs(out, c.cache.use(), output.WrittenFile("-summary", c.summary), c.progressTo.used())
	reads, err := engineFiles(h, c.spec)
	if err != nil {
		return err
	}
	reads = append(in.uses(), reads...)
	all := append(outputs, reads...)
	if err := output.CheckSiblings(out, hints.Siblings(c.path, isDatabase), all[1:]...); err != nil {
		return usageError{err}
	}
	if err := c.cache.check(all...); err != nil {
		return err
	}
	return refuseShared(all...)
}

// closeInto closes something at the end of a command. It stores the error of closing in err if
// there was no other error.
func closeInto(err *error, closing func() error) {
	if closeErr := closing(); closeErr != nil && (*err == nil || errors.Is(*err, errSomeFailed)) {
		*err = closeErr
	}
}
