package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/cache"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// maxHints bounds -hints: no position of a known game has as many moves.
const maxHints = 1000

var hintsCommand = command{
	name:     "hints",
	operands: "[FILE... | -]",
	summary:  "positions in, hints out: ask an engine about every position of a file",
	help: formsHelp + `
An engine that fails at a position is started again and asked once more; if that heals it,
the failure is told on standard error, the first ten of them. One that has
not answered within -wait-think, but obeys then and stops, is not: it would be late again.
If there is no answer, the position's has an error, and the run goes on; with -strict it
stops there. An engine that cannot be started again leaves its work to the others of -jobs, if
there are any. A FILE of -o keeps what is in it until the first answer is written.

A run with -o FILE that was interrupted or killed, at any instant, is resumed by the same
command with -resume, and FILE ends as an unbroken run would have left it. FILE.run beside it
holds every answer before FILE does, and the run's terms: input, engine, limits. Resuming
reads the input from its beginning and writes FILE anew from FILE.run. FILE.run takes some 100
bytes a position and hint, in a finished run only the terms and figures. Nobody else can write
FILE meanwhile. -resume of a finished run writes the -summary and exits as that run did.
It refuses other terms, another input, and a FILE with something in it and no FILE.run beside
it. Without -resume a finished FILE is begun anew. A FILE.run that is an input, or that no run
has made, is never touched: the run is refused.

Equal positions, with equal moves before them, are searched once, unless -no-dedup is
given. -cache FILE keeps hints from one run to the next: what the same program has
answered at the same level, with the same limits, is not searched again. Several runs may
use one FILE at the same time. Errors are not kept.

` + engineHelp + `
Examples:
  qhsh hints positions.fen
  qhsh hints -hints 3 -level 7 -jobs 4 -o answers.jsonl positions.fen
  qhsh hints -hints 3 -level 7 -jobs 4 -o answers.jsonl -resume positions.fen
  qhsh hints -engine ./myengine -timeout 2s -format text positions.fen
  qhsh hints -o suite.db 'suites/*.epd.gz'
  echo startpos moves h2e2 | qhsh hints
`,
	setup: func(fs *flag.FlagSet, _ games.Table) action {
		var c hints
		c.define(fs)
		return c.run
	},
}

// hints is the command with its flags.
type hints struct {
	engineFlags
	inputFlags
	outputFlags
	lines, jobs    int
	resume, strict bool
	unordered      bool
	noDedup        bool
	cache, summary string
}

func (c *hints) define(fs *flag.FlagSet) {
	c.lines, c.jobs = 1, 1
	fs.Var(countValue{&c.lines, maxHints}, "hints", "give `N` hints for each position, if there are as many moves")
	fs.Var(countValue{&c.jobs, maxJobs}, "jobs", "run `N` engines at the same time")
	fs.BoolVar(&c.resume, "resume", false, "resume the run in the file of -o, if there is an unfinished one")
	fs.BoolVar(&c.strict, "strict", false, "stop at the first position that fails")
	fs.BoolVar(&c.unordered, "unordered", false, "write answers as they come")
	fs.BoolVar(&c.noDedup, "no-dedup", false, "search equal positions again")
	fs.StringVar(&c.cache, "cache", "", "look answers up in `FILE`, and keep new ones there")
	fs.StringVar(&c.summary, "summary", "", "write figures of the run to `FILE` as JSON")
	defineOutput(fs, &c.outputFlags, batch.Formats(1))
	c.inputFlags.define(fs)
	c.engineFlags.define(fs)
}

func (c *hints) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, batch.Formats(c.lines))
	if err != nil {
		return err
	}
	isDatabase, err := c.database(format)
	if err != nil {
		return err
	}
	game, err := c.gameOf(h)
	if err != nil {
		return err
	}
	c.game = h.Games.Loose(game)
	in, err := c.find(h, operands)
	if err != nil {
		return err
	}
	if err := c.refuseFiles(h, in, isDatabase); err != nil {
		return err
	}
	p := newProgress("hints", h.Stderr, h.StderrTTY && (!h.StdoutTTY || c.path != ""))
	engines, err := c.opener(ctx, h, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, engines.Close)
	to, err := c.openAnswers(ctx, h, format, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, to.close)
	summary, err := openFlag(ctx, "-summary", c.summary)
	if err != nil {
		return err
	}
	defer closeInto(&err, summary.Close)
	pool, err := batch.NewPool(ctx, batch.PoolOptions{
		Open: engines.Open, Jobs: c.jobs,
		Limits: engine.Limits{Time: c.timeout, Lines: c.lines},
		Warn:   p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	terms, err := c.terms(in, engines, pool, format.Name)
	if err != nil {
		return err
	}
	if err := to.begin(ctx, terms, in, c.resume, p.say); err != nil {
		return err
	}
	if to.finished != nil {
		return c.tellFinished(to, summary, p.say)
	}
	if p.bar.on {
		p.total = in.count(ctx)
	}
	crew, closeCache, err := c.withCache(ctx, pool, terms, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, closeCache)
	r := hintsRun{c, to, pool, terms, summary, in.names, p}
	return r.run(ctx, in.source(c.game), crew)
}

// tellFinished says how a finished run has ended, as it did when it was finished.
func (c *hints) tellFinished(to *answers, summary *output.File, say func(string)) error {
	var figures runSummary
	if err := json.Unmarshal(to.finished.Summary, &figures); err != nil {
		return usagef("-resume: %s: %w: leave out -resume to begin anew", runlog.Path(c.path), err)
	}
	say(fmt.Sprintf("%s is finished: %s", c.path, figures.text()))
	if err := c.writeSummary(summary, figures); err != nil {
		to.sayWayOn(say, figures.Positions, figures.Total)
		return err
	}
	return figures.outcome()
}

// withCache puts the file of -cache in front of the engines, if there is one.
func (c *hints) withCache(ctx context.Context, pool *batch.Pool, terms *runTerms, warn func(string)) (crew batch.Crew, closing func() error, err error) {
	if c.cache == "" {
		return pool, func() error { return nil }, nil
	}
	without := func(err error) (batch.Crew, func() error, error) {
		warn(fmt.Sprintf("-cache: %v: the run goes on without it; remove the file, or name another", err))
		return pool, func() error { return nil }, nil
	}
	known, err := cache.Open(ctx, c.cache)
	if errors.Is(err, cache.ErrDamaged) {
		return without(err)
	}
	if err != nil {
		return nil, nil, usagef("-cache: %w: name another file", err)
	}
	front, err := known.InFront(ctx, pool, terms.identity(), warn)
	if errors.Is(err, cache.ErrDamaged) {
		_ = known.Close() // there is nothing new to be written
		return without(fmt.Errorf("%s: %w", c.cache, err))
	}
	if err != nil {
		return nil, nil, errors.Join(usagef("-cache: %s: %w: name another file", c.cache, err), known.Close())
	}
	return front, func() error { return errors.Join(front.Close(), known.Close()) }, nil
}

// refuseFiles makes sure that no file is written in two ways, or read and written, those that a
// run keeps beside its output among them.
func (c *hints) refuseFiles(h host, in *inputs, isDatabase bool) error {
	out, cached := c.used(h), output.Written("-cache", c.cache)
	outputs := []output.Use{out, output.Written("-trace", c.trace), cached, output.Written("-summary", c.summary)}
	reads, err := engineFiles(h, c.spec)
	if err != nil {
		return err
	}
	reads = append(output.Inputs(in.infos...), reads...)
	all := append(outputs, reads...)
	if err := refuseSiblings(out, c.siblings(isDatabase), all[1:]...); err != nil {
		return err
	}
	if err := refuseSiblings(cached, sqliteSiblings(c.cache), all...); err != nil {
		return err
	}
	return refuseShared(all...)
}

// hintsRun is a run with all that it takes.
type hintsRun struct {
	*hints
	to      *answers
	pool    *batch.Pool
	terms   *runTerms
	summary *output.File
	inputs  []string // their names
	p       *progress
}

func (r hintsRun) run(ctx context.Context, src batch.Source, crew batch.Crew) error {
	p, to := r.p, r.to
	p.begin()
	var input uint32
	tally, err := batch.Run(ctx, src, to, crew, batch.Options{
		Unordered: r.unordered, Strict: r.strict, NoDedup: r.noDedup,
		Log: to.runLog(), Resumed: r.resumed, Ended: func(sum uint32) { input = sum },
		Progress: p.update, Healed: p.heal,
	})
	p.restarts = r.pool.Restarts()
	p.end()
	var strict *batch.StrictError
	if errors.As(err, &strict) {
		err = stoppedBy(strict)
	}
	if errors.Is(err, batch.ErrOtherInput) {
		err = errInputChanged(r.inputs)
	}
	figures := r.figures(tally, err == nil)
	if err == nil {
		err = to.end(ctx, input, figures)
	}
	figures.IsComplete = err == nil
	if writeErr := r.writeSummary(r.summary, figures); err == nil {
		err = writeErr
	}
	if err != nil {
		to.sayWayOn(p.say, tally.Done, p.total)
		return err
	}
	return figures.outcome()
}

// resumed is told of the answers that there were before this process.
func (r hintsRun) resumed(t batch.Tally, lost int) {
	if lost > 0 {
		r.p.say(fmt.Sprintf("-resume: %s is damaged: %s behind that are asked about again", runlog.Path(r.path), positionCount(lost)))
	}
	r.p.resume(t)
}

// stoppedBy is the error of a strict run, which is no failure of an engine to start.
func stoppedBy(strict *batch.StrictError) error { return errors.New(strict.Error()) }

// closeInto closes something at the end of a command. The error counts if there is no
// other.
func closeInto(err *error, closing func() error) {
	if closeErr := closing(); closeErr != nil && (*err == nil || errors.Is(*err, errSomeFailed)) {
		*err = closeErr
	}
}
