package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/tune"
)

// tuneStep is the usual number of pairs of games in a step.
const tuneStep = 8

var tuneCommand = command{
	name:     "tune",
	operands: "SPEC",
	summary:  "tune numeric options of an engine by games against itself (SPSA)",
	setup:    defined[tuneAction],
}

type tuneAction struct {
	gameTerms
	params      []tune.Param
	total, step int // games, and pairs in a step
	rate        float64
	out         string
	result      outputFlags // only -format
	resume      bool
	elsewhere   *job.Table // where the games are played; nil: in this process
}

func (c *tuneAction) define(fs *flag.FlagSet, all games.Table) {
	c.defineTerms(fs, all)
	c.step = tuneStep
	fs.Func("param", "tune an option: `NAME=START,MIN,MAX,STEP`; may be repeated", func(text string) error {
		p, err := tune.ParseParam(text)
		c.params = append(c.params, p)
		return err
	})
	fs.Var(optionalCount(&c.total, maxMatchGames), "games", "play `N` games")
	fs.Var(count(&c.step, maxMatchGames), "pairs", "play `N` pairs of games in a step")
	fs.Float64Var(&c.rate, "rate", 0, "at the end a game won moves a value by `R` times its STEP; without it 0.5 by the square root of -games")
	writesFile(fs, &c.out, "o", "store the steps in `FILE`, as lines of JSON")
	fs.BoolVar(&c.resume, "resume", false, "resume the run in the file of -o, if any")
	defineFormat(fs, &c.result, "the result ", tune.Formats())
}

func (c *tuneAction) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.result, tune.Formats())
	if err != nil {
		return err
	}
	if err := refusePage("-o", c.out, record.JSON.Name, record.JSON.Extensions); err != nil {
		return err
	}
	switch {
	case len(operands) != 1:
		return usagef("want one engine, as in 'qhsh tune -param NAME=START,MIN,MAX,STEP -games 4000 SPEC'")
	case len(c.params) == 0:
		return usagef("missing -param NAME=START,MIN,MAX,STEP: the option to tune")
	case c.total == 0:
		return usagef("missing -games: a run needs thousands, such as -games 4000")
	case c.resume && c.out == "":
		return usagef("-resume requires -o")
	}
	p := &tuneProgress{newProgress("tune", h, h.StderrTTY)}
	p.writesStdout = true
	run, err := c.beginGames(ctx, h, p.progress, operands)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	players, err := run.openPlayers(ctx, operands)
	if err != nil {
		return err
	}
	config, err := c.configure(ctx, run, players[0], p.say)
	if err != nil {
		return adviceOnPondering(err)
	}
	if c.elsewhere, err = c.cluster.newTable(ctx, run, &config.Match); err != nil {
		return err
	}
	if c.elsewhere != nil {
		defer c.elsewhere.Close()
		p.workers = countWorkers(c.elsewhere.Run)
	}
	log := &tune.Log{}
	if c.out != "" {
		if log, err = tune.OpenLog(c.out, config, c.resume); err != nil {
			return usagef("-o: %w", err)
		}
	}
	defer closeInto(&err, log.Close)
	result, err := c.play(ctx, config, players[0].engine.Kind, log, p)
	if result != nil && (err == nil || result.Games() > 0) {
		err = errors.Join(err, format.Write(h.Stdout, result))
	}
	switch {
	case err != nil && result != nil && result.Games() > 0:
		p.say(resumeHint(result.Games(), 2*config.Pairs, "played", "run", c.out))
	case err == nil && result.Faults > 0:
		err = errSomeFailed
	}
	return adviceOnPondering(err)
}

func (c *tuneAction) configure(ctx context.Context, run *engineRun, usual parsedPlayer, say func(string)) (*tune.Config, error) {
	if err := c.complete(ctx, []parsedPlayer{usual}, say); err != nil {
		return nil, err
	}
	config := &tune.Config{Spec: usual.engine.Given, Params: c.params, Pairs: (c.total + 1) / 2, Step: c.step, Rate: cmp.Or(c.rate, tune.UsualRate(c.total+c.total%2))}
	config.Player = func(name string, values []tune.Setting) (match.Player, error) {
		var settings []games.Setting
		for _, v := range values {
			settings = append(settings, games.Setting{Key: v.Name, Value: v.Value})
		}
		e, err := usual.engine.WithOptions(settings)
		if err != nil {
			return match.Player{}, err
		}
		if c.elsewhere != nil {
			c.elsewhere.Derive(e.Spec, usual.engine.Given, settings)
		}
		// the option may be the game's
		if _, err := commonGame(ctx, c.games, "players", []parsedPlayer{usual, {operand: e.Spec, engine: e}}); err != nil {
			return match.Player{}, err
		}
		return c.newPlayer(run, name, e, c.limits)
	}
	c.warnIdentical(say)
	p, err := c.newPlayer(run, "engine", usual.engine, c.limits)
	if err == nil {
		err = c.identify(run, &p, usual.engine, true)
	}
	if err != nil {
		return nil, err
	}
	c.terms.Players = []match.Player{p}
	config.Match = c.terms
	if err := config.Check(); err != nil {
		return nil, err
	}
	return config, nil
}

func (c *tuneAction) play(ctx context.Context, config *tune.Config, kind attach.Kind, log *tune.Log, p *tuneProgress) (*tune.Result, error) {
	if n := log.Len(); n > 0 {
		p.say(fmt.Sprintf("%s holds %s already", c.out, printable.Plural(n, "step")))
	}
	p.begin(progressCounts{Done: log.Games(), Total: 2 * config.Pairs, Resumed: log.Games()})
	defer p.endBar()
	o := tune.Options{Jobs: c.jobs, Log: log, Progress: p.update, Fault: func(f tune.Fault) { p.say(faultLine(f)) }}
	o.Try = func(ctx context.Context, p match.Player, values []tune.Setting) ([]string, error) {
		if c.elsewhere != nil {
			return c.elsewhere.Try(ctx, p, kind)
		}
		s, err := p.Open(ctx)
		if err != nil {
			return nil, err
		}
		var keys []string
		for _, v := range values {
			keys = append(keys, v.Name)
		}
		names, err := attach.NumericOptions(s, kind, keys)
		return names, errors.Join(err, s.Close())
	}
	if c.elsewhere != nil {
		o.Jobs, o.Play = job.GamesAhead, c.elsewhere.Play
	}
	return tune.Run(ctx, config, o)
}

// faultLine formats a fault with all that is needed to play the game again.
func faultLine(f tune.Fault) string {
	where := fmt.Sprintf("step %d, game %d", f.Step, f.Game)
	if f.Opening > 0 {
		where += fmt.Sprintf(", opening %d", f.Opening)
	}
	var players []string
	for _, name := range slices.Sorted(maps.Keys(f.Values)) {
		players = append(players, fmt.Sprintf("%s has %s", name, tune.SpecOptions(f.Values[name])))
	}
	return fmt.Sprintf("%s: %s lost by a fault: %s; %s", where, f.Player, f.Error, strings.Join(players, ", "))
}

// tuneProgress shows the values so far, or without a terminal a line for every step.
type tuneProgress struct{ *progress }

func (p *tuneProgress) update(r *tune.Result) {
	now := progressCounts{Done: r.Games(), Total: 2 * r.Config.Pairs, Failed: r.Faults, Resumed: p.counts.Resumed, Values: map[string]json.Number{}}
	values := make([]string, 0, len(r.Settings()))
	for _, s := range r.Settings() {
		now.Values[s.Name] = json.Number(s.Value)
		values = append(values, s.Name+" "+s.Value)
	}
	p.progress.update(now)
	if !p.bar.on {
		last := r.Records[len(r.Records)-1]
		p.say(fmt.Sprintf("step %d of %d: plus won %d, drew %d, lost %d: %s", last.Step, r.Config.Steps(), last.Wins, last.Draws, last.Losses, tune.SpecOptions(r.Settings())))
	}
	p.draw(func(now progressCounts, elapsed time.Duration) string {
		parts := []string{fmt.Sprintf("%d/%d", now.Done, now.Total), clock(now.timeLeft(elapsed)) + " left"}
		return strings.Join(slices.Concat(parts, values, p.byWorkers(now, elapsed)), "  ")
	})
}
