// Package tune finds good values for numeric options of an engine by games that the engine plays
// against itself (SPSA, simultaneous perturbation stochastic approximation, as Fishtest and OpenBench
// use it).
//
// A step changes all parameters at once (spsa.go): each gets a random sign, the player "plus" has the
// values moved by it, the player "minus" those moved against it. They play some pairs of games with
// package match, each opening twice with colours exchanged, and all values move a little towards the
// player who has won more. The moves and the distance of the two players shrink as the run goes on.
//
// A run depends on its [Config] and the results of games alone: with engines that play the same games
// for the same seed, it finds the same values, whatever the number of jobs and however often it was
// interrupted. Each finished step is a line of a [Log], from which a run is resumed.
package tune

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"qhsh/pluginclient/task/match"
)

// ErrConfig is wrapped by errors of an invalid configuration, or of one that differs from that of the
// run to resume.
var ErrConfig = errors.New("tune configuration")

func configf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrConfig, fmt.Errorf(format, args...))
}

// A Setting is an option of an engine and its value.
type Setting struct{ Name, Value string }

// A Config is everything that the course of a run depends on.
type Config struct {
	// Match has the terms of all games. Its players, games and rounds are those of the steps.
	Match match.Config
	// Spec identifies the engine.
	Spec string
	// Player returns a player of this name whose engine has these values of all parameters.
	Player func(name string, values []Setting) (match.Player, error)
	Params []Param
	Pairs  int     // of games in all
	Step   int     // pairs of games in a step; the last one may have fewer
	Rate   float64 // of learning at the end of the run, see spsa
}

// Check returns why the configuration is invalid. The error wraps ErrConfig.
func (c *Config) Check() error {
	switch {
	case len(c.Params) == 0:
		return configf("no parameters")
	case c.Pairs < 1 || c.Step < 1:
		return configf("want at least one pair of games")
	case !(c.Rate > 0 && c.Rate <= 1):
		return configf("rate %g: want a number above 0, at most 1", c.Rate)
	}
	for i, p := range c.Params {
		if slices.ContainsFunc(c.Params[:i], func(q Param) bool { return q.Name == p.Name }) {
			return configf("the parameter %s is given twice", p.Name)
		}
	}
	return nil
}

// Steps returns the number of steps.
func (c *Config) Steps() int { return (c.Pairs + c.Step - 1) / c.Step }

// pairsOf returns the number of pairs of a step, from 0.
func (c *Config) pairsOf(step int) int { return min(c.Step, c.Pairs-step*c.Step) }

// A Record is a finished step.
type Record struct {
	Step   int                    `json:"step"` // from 1
	Plus   map[string]json.Number `json:"plus"`
	Minus  map[string]json.Number `json:"minus"`
	Wins   int                    `json:"wins"` // of plus
	Draws  int                    `json:"draws"`
	Losses int                    `json:"losses"`
	Faults int                    `json:"faults,omitempty"` // games that a player lost by an error of its engine
	Values map[string]float64     `json:"values"`           // after the step
}

// Options control how a run is carried out.
type Options struct {
	Jobs int // games played at the same time; 0: one
	Log  *Log
	// Progress, if not nil, is called after every step of this process.
	Progress func(*Result)
	// Fault, if not nil, is called with every game that an engine has lost its player by an error.
	Fault func(Fault)
	// Try starts the engine of a player with these values once, and returns the names of the options as
	// the engine writes them. The error is the engine's if it does not accept the values.
	Try func(ctx context.Context, p match.Player, values []Setting) (names []string, err error)
	// Play, if not nil, plays the games elsewhere, see match.Options.
	Play func(ctx context.Context, f match.Fixture) (match.Record, error)
}

// A Fault is a game that a player has lost by an error of its engine.
type Fault struct {
	match.Fault
	Step, Game, Opening int                  // from 1; no opening: 0
	Values              map[string][]Setting // of both players, by their names
}

// Run carries out the steps that the log does not have. The result is that of the finished steps, also
// if there is an error.
func Run(ctx context.Context, c *Config, o Options) (*Result, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := newResult(c)
	for _, record := range o.Log.records {
		r.add(record)
	}
	if len(o.Log.records) < c.Steps() && o.Try != nil {
		if err := c.tryEnds(ctx, o); err != nil {
			return r, err
		}
	}
	for step := len(o.Log.records); step < c.Steps(); step++ {
		record, err := c.step(ctx, step, r.Values, o)
		if err == nil {
			err = o.Log.append(record)
		}
		if err != nil {
			return r, err
		}
		r.add(record)
		if o.Progress != nil {
			o.Progress(r)
		}
	}
	return r, nil
}

// step plays the games of a step, numbered from 0.
func (c *Config) step(ctx context.Context, step int, values []float64, o Options) (Record, error) {
	t := c.trial(step, values)
	table, err := c.play(ctx, step, t, o)
	if err == nil && table.Faults == table.Games {
		err = fmt.Errorf("all its %d games were lost by faults: no values can be found so", table.Games)
	}
	if err != nil {
		return Record{}, fmt.Errorf("step %d: %w", step+1, err)
	}
	score := table.Meetings[0].Score
	next := c.update(step, values, t, score.Wins-score.Losses)
	r := Record{
		Step: step + 1, Plus: map[string]json.Number{}, Minus: map[string]json.Number{}, Values: map[string]float64{},
		Wins: score.Wins, Draws: score.Draws, Losses: score.Losses, Faults: table.Faults,
	}
	for i, p := range c.Params {
		r.Plus[p.Name], r.Minus[p.Name], r.Values[p.Name] = t.plus[i], t.minus[i], next[i]
	}
	return r, nil
}

// play plays the match of a step, whose pairs follow those of the step before.
func (c *Config) play(ctx context.Context, step int, t trial, o Options) (*match.Table, error) {
	m := c.Match
	m.Players = nil
	values := map[string][]Setting{}
	for _, side := range []struct {
		name   string
		values []json.Number
	}{{plusName, t.plus}, {minusName, t.minus}} {
		for i, p := range c.Params {
			values[side.name] = append(values[side.name], Setting{p.Name, side.values[i].String()})
		}
		p, err := c.Player(side.name, values[side.name])
		if err != nil {
			return nil, err
		}
		m.Players = append(m.Players, p)
	}
	m.Tournament, m.Repeat, m.Rounds, m.Games = match.RoundRobin, true, 1, 2*c.pairsOf(step)
	m.Skip = step * c.Step
	return match.Run(ctx, &m, match.Options{Jobs: o.Jobs, Play: o.Play, Progress: func(r match.Record, _ bool, _ *match.Table) {
		if r.Fault != nil && o.Fault != nil {
			o.Fault(Fault{*r.Fault, step + 1, r.Game, r.Opening, values})
		}
	}})
}

// The names of the players of a step.
const (
	plusName  = "plus"
	minusName = "minus"
)

// A Result is the state of a run.
type Result struct {
	Config              *Config
	Records             []Record
	Values              []float64 // of the parameters, unrounded
	Wins, Draws, Losses int       // of plus
	Faults              int
}

func newResult(c *Config) *Result {
	r := &Result{Config: c}
	for _, p := range c.Params {
		r.Values = append(r.Values, p.Start)
	}
	return r
}

func (r *Result) add(record Record) {
	r.Records = append(r.Records, record)
	r.Wins, r.Draws, r.Losses = r.Wins+record.Wins, r.Draws+record.Draws, r.Losses+record.Losses
	r.Faults += record.Faults
	r.Values = nil
	for _, p := range r.Config.Params {
		r.Values = append(r.Values, record.Values[p.Name])
	}
}

// Games returns the number of games played.
func (r *Result) Games() int { return r.Wins + r.Draws + r.Losses }

// Settings returns the values found so far, rounded.
func (r *Result) Settings() (all []Setting) {
	for i, p := range r.Config.Params {
		all = append(all, Setting{p.Name, p.round(r.Values[i], 0.5).String()})
	}
	return all
}

// track returns the values of a parameter: the start, then that after each step.
func (r *Result) track(param int) []float64 {
	p := r.Config.Params[param]
	values := []float64{p.Start}
	for _, record := range r.Records {
		values = append(values, record.Values[p.Name])
	}
	return values
}

// check returns an error if the record cannot follow those of a run.
func (r Record) check(c *Config, step int) error {
	if r.Step != step+1 {
		return fmt.Errorf("step %d stands where step %d should", r.Step, step+1)
	}
	if games := 2 * c.pairsOf(step); r.Wins+r.Draws+r.Losses != games {
		return fmt.Errorf("step %d: %d games, want %d", r.Step, r.Wins+r.Draws+r.Losses, games)
	}
	for _, p := range c.Params {
		if v, ok := r.Values[p.Name]; !ok || cmp.Less(v, p.Min) || cmp.Less(p.Max, v) {
			return fmt.Errorf("step %d: no value of %s in its range", r.Step, p.Name)
		}
	}
	return nil
}
