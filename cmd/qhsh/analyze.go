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
	name:       "analyze",
	noOperands: requestsFromStdin,
	summary:    "answer requests for analysis as they come: JSON lines in, JSON lines out",
	setup:      defined[analyzeAction],
}

// requestsFromStdin is the noOperands of commands that read requests.
const requestsFromStdin = ": requests are read from standard input"

type analyzeAction struct {
	engineFlags
	engines     []string
	endings     endingsFlag
	lines, jobs int
	restart     bool
	schema      bool
}

func (c *analyzeAction) define(fs *flag.FlagSet, _ games.Table) {
	c.lines = 1
	fs.Var(list(&c.engines), "engine", "answer requests for NAME with the engine of this `NAME=SPEC`, see 'qhsh help engines'; may be repeated; by default builtin")
	fs.Var(count(&c.lines, maxHints), "hints", "give `N` lines in answers to requests without lines")
	defineJobs(fs, &c.jobs, "run each engine `N` times at the same time")
	fs.BoolVar(&c.schema, "schema", false, "print the JSON schema of requests and answers, and exit")
	defineRestart(fs, &c.restart)
	c.defineLimits(fs)
	c.defineCounts(fs, "depth")
	c.defineEngines(fs)
	c.endings.define(fs, writtenEndingsUsage)
	c.defineProfile(fs)
}

func (c *analyzeAction) run(ctx context.Context, h host, _ []string) (err error) {
	if c.schema {
		_, err := io.WriteString(h.Stdout, analyze.Schema)
		return err
	}
	if len(c.engines) == 0 {
		c.engines = []string{"builtin"}
	}
	p := newBatchProgress("analyze", h, false)
	known, _, err := c.endings.known(h.Games, h.Games.DefaultGame(), "")
	if err != nil {
		return err
	}
	run, err := c.begin(h, p.say)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	run.options.Level = nil // the level is a limit of requests that have none
	players, err := run.openPlayers(ctx, c.engines)
	if err == nil {
		err = refuseNamesakes(players)
	}
	if err != nil {
		return err
	}
	engines, closing, err := startAll(ctx, run, players, c.jobs, c.searchLimits(c.lines), 0, c.restart)
	if err != nil {
		return err
	}
	defer closing()
	if !slices.ContainsFunc(players, func(p parsedPlayer) bool { return p.engine.Embedded }) {
		h.limitProcessors(c.jobs * len(engines))
	}
	if h.StdinTTY {
		p.say("type requests, an object of JSON on each line, such as {\"id\":1}; 'qhsh help analyze' describes them")
	}
	tally, err := analyze.Run(ctx, h.Stdin, h.Stdout, analyze.Options{
		Engines: engines, Lines: c.lines, Version: pluginclient.Version, Board: func(p engine.Position) string { return h.Games.Draw(p, games.TextOptions{}) }, OnRead: sayRemark(p.say), Known: known,
		OnRecovered: func(line int, failure error) { p.retried(batch.Item{Line: line}, failure) },
	})
	p.update(batch.Tally{Done: tally.Answered, Failed: tally.Failed})
	p.end()
	if err == nil && tally.Failed > 0 {
		return errDone
	}
	return err
}

// refuseNamesakes makes sure that a name tells engines apart.
func refuseNamesakes(players []parsedPlayer) error {
	for i, p := range players {
		if slices.ContainsFunc(players[:i], func(other parsedPlayer) bool { return other.given == p.given }) {
			return usagef("-engine: the name %s is given twice: name engines by NAME=SPEC", p.given)
		}
	}
	return nil
}

// startAll starts engines of analyses, each of which may have so many processes; others than the first start when
// they are needed. deeper is that of their pools. The caller must call closing if err is nil.
func startAll(ctx context.Context, run *engineRun, players []parsedPlayer, jobs int, lim engine.Limits, deeper int, restart bool) (engines []analyze.Engine, closing func(), err error) {
	closing = func() {
		for _, e := range engines {
			_ = e.Pool.Close()
		}
	}
	for _, p := range players {
		game, err := p.engine.FindGame(ctx)
		if err != nil {
			closing()
			return nil, nil, err
		}
		pool, err := batch.NewPool(ctx, batch.PoolOptions{
			Open: run.openNamed(p.engine, p.given), Spec: p.engine.Spec, Jobs: jobs, Limits: lim, Deeper: deeper, Restart: restart, Warn: run.options.Warn,
		})
		if level := run.flags.level; err == nil && level != nil {
			if wrong := analyze.CheckLevel(pool.Info(), *level); wrong != nil {
				err = errors.Join(usagef("-level: %s: %w", p.given, wrong), pool.Close())
			}
		}
		if err != nil {
			closing()
			return nil, nil, err
		}
		engines = append(engines, analyze.Engine{
			Name: p.given, Spec: p.engine.Spec, Protocol: p.engine.Title, Game: run.h.Games.AnyNotation(game), UnsupportedLimits: p.engine.UnsupportedLimits, Pool: pool,
		})
	}
	return engines, closing, nil
}
