package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
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
	complete: filesThat(arePositions, areAnswers), // which -merge reads
	setup:    defined[hintsAction],
}

type hintsAction struct {
	engineFlags
	inputFlags
	outputFlags
	notation       notationFlag
	lines, jobs    int
	resume, strict bool
	unordered      bool
	noDedup        bool
	history        bool
	restart        bool
	cache          cacheFlag
	endings        endingsFlag
	summary        string
	cluster        clusterFlag
	shard          batch.Shard
	merge          bool
	require        requireFlag
}

func (c *hintsAction) define(fs *flag.FlagSet, all games.Table) {
	c.lines = 1
	fs.Var(count(&c.lines, maxHints), "hints", "give `N` hints for each position, if there are as many moves")
	defineJobs(fs, &c.jobs, manyEngines)
	fs.BoolVar(&c.resume, "resume", false, "resume the unfinished run in the file of -o, if any")
	fs.BoolVar(&c.strict, "strict", false, "stop at the first position that fails")
	fs.BoolVar(&c.unordered, "unordered", false, "write answers as soon as they are known")
	fs.BoolVar(&c.noDedup, "no-dedup", false, "search equal positions again")
	fs.BoolVar(&c.history, "history", false, "write when the best move was found: at which depth, after how many nodes and how much time")
	defineRestart(fs, &c.restart)
	c.cache.define(fs)
	c.endings.define(fs, writtenEndingsUsage)
	c.require.define(fs, solvedNumber)
	writesFile(fs, &c.summary, "summary", "write figures of the run to `FILE` as JSON")
	c.defineProgress(fs)
	c.cluster.define(fs)
	fs.Var(parsed(&c.shard, batch.ParseShard).by(c.shard.String()), "shard", "ask about part `K/N` of the positions: K, K+N, K+2N ...")
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
	p := newOutputProgress("hints", h, c.outputFlags)
	run, e, game, err := c.beginOne(ctx, h, p.progress, &c.cluster, operands)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	if format, err = c.inNotation(h.Games, game, format); err != nil {
		return err
	}
	known, _, err := c.endings.known(h.Games, game, "")
	if err != nil {
		return err
	}
	c.game, c.records, c.onRead = h.Games.AnyNotation(game), h.Games.Records(game), sayRemark(p.say)
	in, err := c.findInputs(ctx, h, "hints", operands)
	if err != nil {
		return err
	}
	defer in.close()
	if err := run.openFiles(ctx, in.uses(), c.kept(h, isDatabase), c.cache.kept()); err != nil {
		return err
	}
	if c.path != "" {
		p.next = fmt.Sprintf("the answers are in %s: 'qhsh stats %s' summarises them, -format text shows hints as text", c.path, c.path)
	}
	r, err := hints.Open(ctx, hints.Options{
		Output: c.options(h), Format: format, Resume: c.resume, Inputs: in.files, Shard: c.shard, Warn: p.say,
		Source: func() batch.Source { return in.source(ctx) },
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
	pool, err := c.cluster.newAsker(ctx, e, batch.PoolOptions{
		Open: run.open(e), Jobs: c.jobs,
		Limits: c.searchLimits(c.lines), Spec: e.Spec, Restart: c.restart, History: c.history,
		Warn: p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	p.workers = workersOf(pool)
	if !e.Embedded && p.workers == nil {
		h.limitProcessors(c.jobs)
	}
	who, err := engineTerms(e, pool, c.lines, c.restart, r.HasLog() || c.cache.path != "")
	if err != nil {
		return err
	}
	who.History = c.history
	terms, err := r.NewManifest(ctx, c.game.Name(), c.inputFlags.terms()+c.notation.terms(), c.unordered, who)
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
	if p.isShown() {
		p.total = c.shard.Count(in.count(ctx))
	}
	askers, closeCache, err := c.cache.wrap(ctx, p.say, cacheable{pool, terms.Identity(terms.Game)})
	if err != nil {
		return err
	}
	defer closeInto(&err, closeCache)
	p.begin()
	tally, err := r.Do(ctx, askers[0], batch.Options{
		Unordered: c.unordered, Strict: c.strict, NoDedup: c.noDedup, Known: known,
		OnResumed: func(t batch.Tally, _ bool) { p.resume(t) }, OnProgress: p.update, OnRecovered: p.retried, OnFailed: p.failed,
	})
	p.restarts = pool.Restarts()
	p.end()
	var strict *batch.StrictError
	if errors.As(err, &strict) {
		err = errors.New(strict.Error()) // not an error of starting an engine, which has its own exit status
	}
	figures := p.summaryOf(terms, c.jobs, tally)
	if err == nil {
		figures.IsComplete = true
		err = r.Finish(figures)
	}
	figures.IsComplete = err == nil
	err = cmp.Or(err, c.writeSummary(summary, figures)) // also of a run that has failed
	if err == nil {
		return c.outcomeOf(figures)
	}
	var refused *hints.RefusedError // would be refused again
	if !errors.As(err, &refused) {
		r.SuggestResume(tally.Done, p.total)
	}
	return err
}

func (p *batchProgress) summaryOf(terms *hints.Manifest, jobs int, tally batch.Tally) hints.Summary {
	figures := terms.NewSummary(jobs, tally, p.before, p.took)
	figures.Total, figures.Restarts = p.total, p.restarts
	return figures
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
		return f, usagef("-notation %s: does not apply to -format %s, but to %s", notation, f.Name, printable.OneOf(notationFormats))
	}
	return batch.InNotation(f, func(pos engine.Position, moves []engine.Move) []string {
		return all.MoveNames(pos, moves, notation)
	}), nil
}

// reportFinished reports the result of a run that was finished before.
func (c *hintsAction) reportFinished(r *hints.Run, p *batchProgress, finished *hints.Finished, summary *output.File) error {
	figures := finished.Summary
	p.progress.resume(progressCounts{Done: figures.Positions, Total: figures.Total, Failed: figures.Errors, Resumed: figures.Positions})
	r.Warn(fmt.Sprintf("%s is finished: %s", c.path, positionsAndFailures(figures)))
	if err := c.writeSummary(summary, figures); err != nil {
		r.SuggestResume(figures.Positions, figures.Total)
		return err
	}
	return c.outcomeOf(figures)
}

// positionsAndFailures formats the numbers of positions and failures for the user.
func positionsAndFailures(figures hints.Summary) string {
	text := printable.Plural(figures.Positions, "position")
	if figures.Errors > 0 {
		text += fmt.Sprintf(", %d failed", figures.Errors)
	}
	return text
}

// outcomeOf returns the error of a complete run.
func (c *hintsAction) outcomeOf(figures hints.Summary) error {
	if wrong := c.require.check(solvedNumber, figures.Solved, figures.Scored); wrong != nil {
		return errors.New(strings.Join(wrong, "; "))
	}
	return outcomeOf(figures)
}

func outcomeOf(figures hints.Summary) error {
	if figures.Errors > 0 {
		return errDone
	}
	return nil
}

func (c *hintsAction) writeSummary(out *output.File, figures hints.Summary) error {
	if err := format.JSONLine(out, figures); err != nil {
		return fmt.Errorf("-summary: %w", err)
	}
	return nil
}

// kept returns the output with the files that a run keeps beside it.
func (c *hintsAction) kept(h host, isDatabase bool) keptFile {
	return keptFile{c.used(h), hints.Siblings(c.path, isDatabase)}
}

// mergeFlags are the flags that may be combined with -merge.
var mergeFlags = []string{"merge", "o", "format", "summary", "require"}

func (c *hintsAction) mergeParts(ctx context.Context, h host, operands []string, format batch.Format, isDatabase bool) (err error) {
	if wrong := otherFlag(c.set, mergeFlags); wrong != "" {
		return usagef("-merge: -%s does not apply: parts are only merged", wrong)
	}
	parts, err := c.findParts(h, operands, isDatabase)
	if err != nil {
		return err
	}
	summary, err := openFlag(ctx, "-summary", c.summary)
	if err != nil {
		return err
	}
	defer closeInto(&err, summary.Close)
	say := func(text string) { h.sayf("hints", "%s", text) }
	game := func(spec string) (game engine.Game, err error) {
		run, err := c.begin(h, say)
		if err != nil {
			return nil, err
		}
		defer run.end(ctx, &err)
		e, err := run.parse(spec)
		if err == nil {
			game, err = e.FindGame(ctx)
		}
		if err != nil {
			return nil, err
		}
		return h.Games.AnyNotation(game), nil
	}
	figures, err := hints.Merge(ctx, hints.Options{Output: c.options(h), Format: format, Warn: say, Game: game}, parts)
	if err != nil {
		return err
	}
	say(positionsAndFailures(figures))
	if err := c.writeSummary(summary, figures); err != nil {
		return err
	}
	return c.outcomeOf(figures)
}

// findParts returns the files of the parts, and an error if the output is one of them.
func (c *hintsAction) findParts(h host, operands []string, isDatabase bool) (parts []string, err error) {
	var reads []output.FileUse
	for _, operand := range operands {
		names, err := expand(operand, func(string) bool { return false })
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			parts = append(parts, name)
			reads = append(reads, output.InputsAt(name, runlog.Path(name))...)
		}
	}
	if len(parts) == 0 {
		return nil, usagef("-merge: name the outputs of all parts")
	}
	return parts, refuseShared(append(h.usedFiles(c.set), reads...), c.kept(h, isDatabase))
}
