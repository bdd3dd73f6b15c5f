package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/exercise"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/puzzle"
	"qhsh/pluginclient/task/records"
)

// exerciseFlags are the flags of puzzles that are mistakes of a player, or a repertoire.
type exerciseFlags struct {
	annotateAction // that finds the mistakes
	mistakes       bool
	repertoire     string // the reader's side
	conditions     records.Conditions
	check          []string // files of games
	db             string
	common         exercise.Common
}

func (f *exerciseFlags) define(fs *flag.FlagSet, all games.Table) {
	f.deeper, f.common, f.notation.all = annotate.DefaultDeeper, exercise.DefaultCommon(), all
	fs.BoolVar(&f.mistakes, "mistakes", false, "exercises of the mistakes in games, those of -player if given")
	fs.StringVar(&f.repertoire, "repertoire", "", "exercises of the openings of games and their variations, for this `SIDE`, such as red")
	f.conditions.Define(fs, all)
	defineLanguage(fs, &f.language)
	fs.Var(f.notation.value(), "notation", "write moves of exercises in this `NOTATION`: "+printable.OneOf(all.Notations())+"; without it that of the language")
	defineDeeper(fs, &f.deeper)
	f.cache.define(fs)
	fs.Var(list(&f.check), "check", "list where the games of `FILE` leave the repertoire; may be repeated")
	fs.StringVar(&f.db, "db", "", "list the common moves of the database `FILE` that the repertoire does not answer")
	fs.Var(parsed(&f.common, exercise.ParseCommon).by(f.common.String()), "common", "moves of the database are common from so many games and this part of them: `GAMES,PERCENT`")
}

// exerciseModes are the flags that do not apply to all of the modes "", mistakes and repertoire, with those to which they do.
var exerciseModes = []struct{ flags, modes []string }{
	{[]string{"min", "max", "captures", "thresholds", "resume", "input", "column"}, []string{""}},
	{[]string{"prove", "level", "limit", "scale", "jobs", "restart", "timeout", "trace", "progress", profileFlag}, []string{"", "mistakes"}},
	{[]string{"deeper", "cache"}, []string{"mistakes"}},
	{[]string{"check", "db", "common"}, []string{"repertoire"}},
	{[]string{"player", "event", "result", "lang", "notation"}, []string{"mistakes", "repertoire"}},
}

// mode returns what is made: puzzles, "", or exercises of mistakes or a repertoire. The error is a flag that does not apply.
func (f *exerciseFlags) mode(set *flag.FlagSet) (mode string, err error) {
	switch {
	case f.mistakes && f.repertoire != "":
		return "", usagef("-mistakes and -repertoire make different exercises: give one of them")
	case f.mistakes:
		mode = "mistakes"
	case f.repertoire != "":
		mode = "repertoire"
	case len(f.conditions.Sides()) > 0:
		return "", usagef("the player of a side requires -mistakes or -repertoire")
	}
	set.Visit(func(given *flag.Flag) {
		for _, m := range exerciseModes {
			switch {
			case err != nil || !slices.Contains(m.flags, given.Name) || slices.Contains(m.modes, mode):
			case mode != "":
				err = usagef("-%s does not apply to -%s", given.Name, mode)
			default:
				err = usagef("-%s requires -%s", given.Name, strings.Join(m.modes, " or -"))
			}
		}
	})
	return mode, err
}

// selection returns the games that the flags select.
func (f *exerciseFlags) selection(h host, game engine.Game) (s records.Selection, err error) {
	s = records.Selection{Player: f.conditions.Player, Event: f.conditions.Event, Tags: f.conditions.Sides()}
	if s.Result, err = f.conditions.Result.Outcome(h.Games, game); err != nil {
		err = usageError{err}
	}
	return s, err
}

func (c *puzzlesAction) findMistakes(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, exercise.Formats())
	if err != nil {
		return err
	}
	var selected records.Selection
	losses := annotate.DefaultThresholds()
	c.annotateAction.thresholds = losses
	return c.annotate(ctx, h, operands, annotation{
		command: "puzzles",
		wanted:  func(lib *record.Library, g *record.Game) bool { return selected.Matches(g, lib) },
		only: func(pool asker, limits batch.Limits) (batch.Asker, error) {
			engines := pool.(*batch.Pool)
			prove := max(c.prove, limits.Level)
			if err := engines.Info().CheckLevel(prove); err != nil {
				return nil, usageError{err}
			}
			again := prove + 1
			if engines.Info().CheckLevel(again) != nil {
				again = prove
			}
			return puzzle.Only{
				Engine: engines, Options: puzzle.Options{Prove: prove, Time: c.timeout, Scale: float64(c.scale), Known: c.known},
				Again: again, Apart: [2]float64{losses.Mistake, losses.Inaccuracy},
			}, nil
		},
		sink: func(r *annotating, o annotate.WriteOptions) (sink annotate.Sink, err error) {
			game := o.Records.Game
			if _, err := h.Games.ForcedWin(game); err != nil {
				return sink, usageError{err}
			}
			if selected, err = c.selection(h, game); err != nil {
				return sink, err
			}
			found := &exercise.Collector{
				Options: o, Of: func(g *record.Game, side engine.Turn) bool { return selected.IsOf(g, o.Records, side) },
				OnFailed: func(id string, err error) {
					r.failed = true
					r.progress.say(fmt.Sprintf("%s: %v", printable.Line(id), err))
				},
			}
			return annotate.Sink{Write: found.Add, Close: func() error {
				if !r.matched && r.found {
					return errNoMatch
				}
				judged := r.looks.done()
				r.progress.total = judged.Done + found.Len()
				all, err := found.Prove(ctx, r.askers[2], c.limit, func(t batch.Tally) { r.progress.update(judged.Plus(t)) })
				if err != nil {
					return err
				}
				if c.path != "" || len(all.Exercises) == 0 {
					text := fmt.Sprintf("%s of %s", printable.Plural(len(all.Exercises), "exercise"), printable.Plural(found.Len(), "mistake"))
					if n := len(all.Exercises); n < found.Len() && (n == 0 || n != c.limit) {
						text += ": at the others the right move is not certain, or not the only one"
					}
					r.progress.say(text)
				}
				return chosen.Write(r.out, all)
			}}, nil
		},
	})
}

// drill writes a repertoire as exercises, or with -check and -db what it lacks.
func (c *puzzlesAction) drill(ctx context.Context, h host, operands []string) (err error) {
	run, _, game, err := c.beginOne(ctx, h, newProgress("puzzles", h, false), nil, nil)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	side, err := parseSide(game, c.repertoire)
	if err != nil {
		return err
	}
	o, err := c.notation.style(h, game, c.language)
	if err != nil {
		return err
	}
	in, err := c.findRecords(h, game, "puzzles", operands)
	if err != nil {
		return err
	}
	in.choice = "engine"
	all := &exercise.Repertoire{Games: h.Games, Side: side}
	write, closing, err := c.drillWriter(ctx, h, all, o)
	if err != nil {
		return err
	}
	defer closeInto(&err, closing)
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		damaged := in.each(ctx, func(_ string, _ int, g *record.Game) error { all.Add(g); return nil })
		if !isComplete(damaged) {
			return damaged
		}
		return cmp.Or(write(w), damaged)
	})
}

// drillWriter returns what writes a repertoire when it is complete: its exercises, or what it lacks.
func (c *puzzlesAction) drillWriter(ctx context.Context, h host, all *exercise.Repertoire, o annotate.WriteOptions) (write func(io.Writer) error, closing func() error, err error) {
	closing = func() error { return nil }
	if len(c.check) == 0 && c.db == "" {
		chosen, err := choose(c.outputFlags, exercise.Formats())
		return func(w io.Writer) error {
			set, err := all.Exercises(o)
			switch {
			case err != nil:
				return err
			case len(set.Exercises) == 0:
				return usagef("-repertoire %s: no game has a move of that side", c.repertoire)
			}
			if c.path != "" {
				h.sayf("puzzles", "%s", printable.Plural(len(set.Exercises), "exercise"))
			}
			return chosen.Write(w, set)
		}, closing, err
	}
	chosen, err := choose(c.outputFlags, exercise.CheckFormats())
	if err != nil {
		return nil, nil, err
	}
	game := o.Records.Game
	selected, err := c.selection(h, game)
	if err != nil {
		return nil, nil, err
	}
	checked := &gameFiles{}
	if len(c.check) > 0 {
		if checked, err = c.findRecords(h, game, "puzzles", c.check); err != nil {
			return nil, nil, err
		}
		checked.choice = "engine"
	}
	if err := refuseShared(append(append(output.Inputs(checked.infos...), output.InputsAt(c.db)...), c.used(h))); err != nil {
		return nil, nil, err
	}
	var db *explore.DB
	if c.db != "" {
		if db, err = explore.Open(ctx, c.db, h.Games, game); err != nil {
			return nil, nil, usageError{err}
		}
		closing = db.Close
	}
	return func(w io.Writer) error {
		var found []exercise.Finding
		damaged := checked.each(ctx, func(file string, number int, g *record.Game) error {
			if selected.Matches(g, o.Records) && selected.IsOf(g, o.Records, all.Side) {
				found = append(found, all.Leave(explore.GameID{Source: checked.label(file), Number: number}, g, o))
			}
			return nil
		})
		switch {
		case !isComplete(damaged):
			return damaged
		case len(c.check) > 0 && len(found) == 0:
			return errNoMatch
		case db != nil:
			gaps, err := all.Gaps(ctx, db, c.common, o)
			if err != nil {
				return err
			}
			found = append(found, gaps...)
		}
		return cmp.Or(chosen.Write(w, found, o.Records), damaged)
	}, closing, nil
}

// errNoMatch is the error of a player who has played none of the games.
var errNoMatch = usagef("no game matches -player and the like: 'qhsh games' lists the games")

// parseSide returns the side of a game that has a name.
func parseSide(game engine.Game, name string) (engine.Turn, error) {
	names := []string{engine.SideName(game, engine.First), engine.SideName(game, engine.Second)}
	i := slices.IndexFunc(names, func(side string) bool { return strings.EqualFold(side, name) })
	if i < 0 {
		return 0, usagef("-repertoire %s: want %s", name, printable.OneOf(names))
	}
	return engine.Turn(i), nil
}

func defineLanguage(fs *flag.FlagSet, language *annotate.Language) {
	lang := parsed(language, annotate.ParseLanguage).by(language.String())
	lang.words = []string{annotate.English.String(), annotate.Chinese.String()}
	fs.Var(lang, "lang", "write in this `LANGUAGE`: en or zh")
}

func defineScale(fs *flag.FlagSet, scale *int) {
	*scale = engine.DefaultScale
	fs.Var(count(scale, annotate.MaxScale), "scale", "`N` centipawns are a chance of winning of 73 %")
}

func defineDeeper(fs *flag.FlagSet, levels *int) {
	*levels = annotate.DefaultDeeper
	fs.Var(parsed(levels, numberBetween(0, annotate.MaxDeeper)).by(strconv.Itoa(*levels)), "deeper", "search suspicious moves again, `N` levels deeper; 0: do not")
}
