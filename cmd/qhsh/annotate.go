package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/output"
)

var annotateCommand = command{
	name:     "annotate",
	operands: "[FILE... | -]",
	summary:  "have an engine judge every move of games: PGN, JSON, a table, or a page to step through",
	complete: filesThat(isRecord),
	setup:    defined[annotateAction],
}

type annotateAction struct {
	engineFlags
	recordFlags
	outputFlags
	language   annotate.Language
	notation   notationFlag // empty for that of the language
	thresholds annotate.Thresholds
	scale      int
	jobs       int
	restart    bool
	game       int // 0 for all
	deeper     int // levels
	book       explore.BookFlags
	endings    endingsFlag
	known      engine.Known
	cluster    clusterFlag
	cache      cacheFlag
}

func (c *annotateAction) define(fs *flag.FlagSet, all games.Table) {
	c.thresholds = annotate.DefaultThresholds()
	defineJobs(fs, &c.jobs, manyEngines)
	fs.Var(parsed(&c.game, func(text string) (int, error) {
		n, err := numberBetween(1, 1<<30)(text)
		if err != nil {
			err = fmt.Errorf("%w, the place of a game in its file; -engine chooses the rules", err)
		}
		return n, err
	}), "game", "annotate only game `N` of each file, as 'qhsh games' numbers them")
	defineLanguage(fs, &c.language)
	usual := all.DefaultGame()
	c.notation.all = all
	fs.Var(c.notation.value(), "notation", fmt.Sprintf("write moves in this `NOTATION`: %s; without it %s, or with -lang %v %s",
		printable.OneOf(all.Notations()), all.NotationFor(usual, annotate.English.String()), annotate.Chinese, all.NotationFor(usual, annotate.Chinese.String())))
	fs.Var(parsed(&c.thresholds, annotate.ParseThresholds).by(c.thresholds.String()), "thresholds", "the losses in `PERCENT` from which moves are inaccuracies, mistakes and blunders")
	defineScale(fs, &c.scale)
	defineRestart(fs, &c.restart)
	c.recordFlags.define(fs)
	defineDeeper(fs, &c.deeper)
	c.book.Define(fs)
	c.endings.define(fs, endingsUsage)
	c.defineProgress(fs)
	c.cluster.define(fs)
	c.cache.define(fs)
	defineOutput(fs, &c.outputFlags, annotate.Formats())
	c.engineFlags.define(fs)
	c.defineProfile(fs)
	c.defineCounts(fs, "depth")
}

func (c *annotateAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, annotate.Formats())
	if err != nil {
		return err
	}
	return c.annotate(ctx, h, operands, annotation{
		command: "annotate", keepPartial: chosen.Name != annotate.PageFormat,
		sink: func(r *annotating, o annotate.WriteOptions) (annotate.Sink, error) { return chosen.Write(r.out, o) },
	})
}

// An annotation is what becomes of annotated games.
type annotation struct {
	command     string
	wanted      func(*record.Library, *record.Game) bool // nil: all are annotated; safe for concurrent use
	keepPartial bool
	only        func(pool asker, limits batch.Limits) (batch.Asker, error) // another asker, with the limits of the deeper one; nil: none
	sink        func(*annotating, annotate.WriteOptions) (annotate.Sink, error)
}

func (c *annotateAction) annotate(ctx context.Context, h host, operands []string, of annotation) (err error) {
	p := newOutputProgress(of.command, h, c.outputFlags)
	run, e, game, err := c.beginOne(ctx, h, p.progress, &c.cluster, operands)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	style, err := c.notation.style(h, game, c.language)
	if err != nil {
		return err
	}
	if c.known, _, err = c.endings.known(h.Games, game, ""); err != nil {
		return err
	}
	in, err := c.findRecords(h, game, of.command, operands)
	if err != nil {
		return err
	}
	in.choice, in.Number = "engine", c.game
	if err := run.openFiles(ctx, append(output.Inputs(in.infos...), output.InputsAt(c.book.Path)...), c.cache.kept()); err != nil {
		return err
	}
	book, err := c.book.Open(ctx, h.Games, game)
	if err != nil {
		return usageError{err}
	}
	if book != nil {
		defer closeInto(&err, book.Close)
	}
	to := c.options(h)
	to.KeepPartial = of.keepPartial
	out, err := output.Replace(ctx, to)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	pool, err := c.cluster.newAsker(ctx, e, batch.PoolOptions{
		Open: run.open(e), Jobs: c.jobs, Limits: c.searchLimits(1), Deeper: c.deeper, Restart: c.restart, Warn: p.say,
	})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	p.workers = workersOf(pool)
	terms, err := engineTerms(e, pool, 1, c.restart, c.cache.path != "")
	if err != nil {
		return err
	}
	deeper, first := pool.Deeper(), terms.Identity(game.Name())
	terms.Limits = deeper.Identity().Limits
	cached := []cacheable{{pool, first}, {deeper, terms.Identity(game.Name())}}
	if of.only != nil {
		only, err := of.only(pool, terms.Limits)
		if err != nil {
			return err
		}
		cached = append(cached, cacheable{only, fmt.Sprintf("one move alone, %v: %s", only.Identity().Limits, cached[1].terms)})
	}
	askers, closeCache, err := c.cache.wrap(ctx, p.say, cached...)
	if err != nil {
		return err
	}
	defer closeInto(&err, closeCache)
	r := &annotating{annotateAction: c, annotation: of, table: h.Games, askers: askers, book: book, out: bufio.NewWriter(out), progress: p}
	if r.sink, err = of.sink(r, style); err != nil {
		return err
	}
	p.begin()
	stopCounting := r.countPositions(ctx, in)
	err = finish(out, r.games(ctx, in))
	stopCounting()
	p.restarts = pool.Restarts()
	p.end()
	if c.path != "" && r.written > 0 {
		p.say(printable.Plural(r.written, "game") + " annotated")
	}
	if part := out.PartialPath(); part != "" {
		p.say(fmt.Sprintf("-o %s is unchanged; the output so far is in %s", c.path, part))
	}
	if ctx.Err() != nil && c.cache.path != "" {
		p.say(fmt.Sprintf("the same command continues with the answers in %s", c.cache.path))
	}
	return err
}

type annotating struct {
	*annotateAction
	annotation
	table    games.Table
	askers   []batch.Asker // the pool, that of the second look, and of annotation.only, or their cache
	book     *explore.Book // nil without -book
	out      *bufio.Writer
	sink     annotate.Sink
	progress *batchProgress
	looks    looks

	found   bool // a chosen game was found
	matched bool // it was wanted
	written int  // games
	failed  bool // a position was not judged
}

// games annotates the games as they are read.
func (r *annotating) games(ctx context.Context, in *gameFiles) error {
	err := in.each(ctx, func(file string, number int, g *record.Game) error {
		r.found = true
		if !r.wants(in.Library, g) {
			return nil
		}
		r.matched = true
		return r.one(ctx, annotate.GameID{File: in.label(file), Number: number}, g)
	})
	if r.sink.Close != nil && isComplete(err) {
		if err := cmp.Or(r.sink.Close(), r.out.Flush()); err != nil {
			return err
		}
	}
	switch {
	case !isComplete(err):
		return err
	case err == nil && r.game > 0 && !r.found:
		return usagef("-game %d: no such game: 'qhsh games' lists the games", r.game)
	case r.failed:
		return errSomeFailed
	}
	return err
}

// wants reports whether a game is annotated.
func (r *annotating) wants(lib *record.Library, g *record.Game) bool {
	return r.wanted == nil || r.wanted(lib, g)
}

func (r *annotating) one(ctx context.Context, at annotate.GameID, g *record.Game) error {
	c := &r.looks
	c.before.First, c.before.Second = c.before.First.Plus(c.now.First), c.before.Second.Plus(c.now.Second)
	c.before.Again += c.now.Again
	c.now = annotate.Progress{}
	c.read += g.Plies() + 1
	o := annotate.Options{
		Games: r.table, Thresholds: r.thresholds, Scale: float64(r.scale), Deeper: r.askers[1], Book: r.book, Known: r.known,
		Progress: func(_ *annotate.Annotated, done annotate.Progress) {
			c.now = done
			r.progress.total = max(int(c.all.Load()), c.read) + c.before.Again + done.Again
			r.progress.update(c.done())
		},
	}
	a, err := annotate.Game(ctx, r.askers[0], g, o)
	var other *engine.OtherGameError
	otherGame := errors.As(err, &other)
	switch {
	case r.written > 0 && (otherGame || errors.Is(err, annotate.ErrNoScores)): // the engine may have used an opening book
		r.reportGame(at, err)
		return nil
	case otherGame:
		return usagef("game %d: %w", at.Number, other)
	case err != nil:
		return err
	}
	for i := range a.Plies {
		if err := a.Plies[i].Err; err != nil {
			r.reportGame(at, fmt.Errorf("after %s: %w", printable.Plural(i, "move"), err))
		}
	}
	r.written++
	if err := r.sink.Write(at, a); err != nil {
		return err
	}
	return r.out.Flush()
}

func (r *annotating) reportGame(at annotate.GameID, err error) {
	place := fmt.Sprintf("game %d", at.Number)
	if at.File != "" {
		place = at.File + ": " + place
	}
	r.failed = true
	r.progress.say(fmt.Sprintf("%s, %v", place, err))
}

// looks count the positions of annotate: each is looked at once, and a suspicious one again.
type looks struct {
	all    atomic.Int64      // positions of all games that are wanted; 0: not known
	read   int               // positions of the games read so far
	before annotate.Progress // of the games before
	now    annotate.Progress
}

// done returns how many positions have been searched, as a tally.
func (c *looks) done() batch.Tally {
	return c.before.First.Plus(c.before.Second).Plus(c.now.First).Plus(c.now.Second)
}

// countPositions counts the positions of the games that are wanted while they are annotated, if the time left is shown and
// the files can be read twice. The caller must call stop.
func (r *annotating) countPositions(ctx context.Context, in *gameFiles) (stop func()) {
	if !r.progress.isShown() || slices.ContainsFunc(in.infos, func(info fs.FileInfo) bool { return !output.IsRegular(info) }) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(func() { r.countWanted(ctx, in) })
	return func() { cancel(); counting.Wait() }
}

// countWanted sets the number of positions of the games that are wanted, if all of them can be read.
func (r *annotating) countWanted(ctx context.Context, in *gameFiles) {
	files, n := in.Files, 0
	files.OnDamaged = func(error) {}
	err := files.Each(ctx, func(_ string, _ int, g *record.Game) error {
		if r.wants(in.Library, g) {
			n += g.Plies() + 1
		}
		return nil
	})
	if err == nil {
		r.looks.all.Store(int64(n))
	}
}
