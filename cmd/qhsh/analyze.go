package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/batch"
)

var analyzeCommand = command{
	name:    "analyze",
	summary: "answer requests for analysis as they come: JSON lines in, JSON lines out",
	setup:   defined[analyzeAction],
}

// analyzeAction is the command with its flags.
type analyzeAction struct {
	engineFlags
	engines     []string
	lines, jobs int
	restart     bool
	schema      bool
}

func (c *analyzeAction) define(fs *flag.FlagSet, _ games.Table) {
	c.lines, c.jobs = 1, 1
	fs.Var(list(&c.engines), "engine", "answer requests for NAME with the engine of this `NAME=SPEC`, see 'qhsh help engines'; may be repeated; by default builtin")
	fs.Var(count(&c.lines, maxHints), "hints", "give `N` lines in answers to requests without lines")
	fs.Var(count(&c.jobs, maxJobs), "jobs", "run each engine `N` times at the same time")
	fs.BoolFunc("schema", "print the JSON schema of requests and answers, and exit", func(string) error {
		c.schema = true
		return nil
	})
	defineRestart(fs, &c.restart)
	c.defineLimits(fs)
	c.defineCounts(fs, "depth")
	c.defineEngines(fs)
	c.defineProfile(fs)
}

func (c *analyzeAction) run(ctx context.Context, h host, operands []string) (err error) {
	switch {
	case len(operands) > 0:
		return usagef("unexpected argument %q: requests are read from standard input", operands[0])
	case c.schema:
		_, err := io.WriteString(h.Stdout, analyze.Schema)
		return err
	case len(c.engines) == 0:
		c.engines = []string{"builtin"}
	}
	p := newBatchProgress("analyze", h, false)
	run, err := c.begin(h, p.say)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	run.options.Level = nil // the level is a limit of requests that have none
	players, err := run.openPlayers(ctx, c.engines)
	if err != nil {
		return err
	}
	engines, closing, err := c.openAll(ctx, run, players)
	defer closing()
	if err != nil {
		return err
	}
	if h.StdinTTY {
		p.say("type requests, an object of JSON on each line, such as {\"id\":1}; 'qhsh help analyze' describes them")
	}
	tally, err := analyze.Run(ctx, h.Stdin, h.Stdout, analyze.Options{
		Engines: engines, Lines: c.lines, Version: pluginclient.Version, Board: func(p engine.Position) string { return h.Games.Draw(p, games.TextOptions{}) }, OnRead: sayRemark(p.say),
		OnRecovered: func(line int, failure error) { p.retried(batch.Item{Line: line}, failure) },
	})
	p.update(batch.Tally{Done: tally.Answered, Failed: tally.Failed})
	p.end()
	if err == nil && tally.Failed > 0 {
		return errDone
	}
	return err
}

// openAll starts the engines. Others of their pools start when they are needed. The caller must call
// closing, even after an error.
func (c *analyzeAction) openAll(ctx context.Context, run *engineRun, players []parsedPlayer) (engines []analyze.Engine, closing func(), err error) {
	closing = func() {
		for _, e := range engines {
			_ = e.Pool.Close()
		}
	}
	onlyPrograms := true
	for _, p := range players {
		if slices.ContainsFunc(engines, func(e analyze.Engine) bool { return e.Name == p.given }) {
			return engines, closing, usagef("-engine: the name %s is given twice: name engines by NAME=SPEC", p.given)
		}
		game, err := p.engine.FindGame(ctx)
		if err != nil {
			return engines, closing, err
		}
		pool, err := batch.NewPool(ctx, batch.PoolOptions{
			Open: run.openNamed(p.engine, p.given), Spec: p.engine.Spec, Jobs: c.jobs,
			Limits: c.searchLimits(c.lines), Restart: c.restart, Warn: run.options.Warn,
		})
		if err == nil && c.level != nil {
			if wrong := analyze.CheckLevel(pool.Info(), *c.level); wrong != nil {
				err = errors.Join(usagef("-level: %s: %w", p.given, wrong), pool.Close())
			}
		}
		if err != nil {
			return engines, closing, err
		}
		engines = append(engines, analyze.Engine{
			Name: p.given, Spec: p.engine.Spec, Protocol: p.engine.Title, Game: run.h.Games.AnyNotation(game), UnsupportedLimits: p.engine.UnsupportedLimits, Pool: pool,
		})
		onlyPrograms = onlyPrograms && !p.engine.Embedded
	}
	if onlyPrograms {
		run.h.limitProcessors(c.jobs * len(engines))
	}
	return engines, closing, nil
}
