package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qhsh/engine/filelock"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
)

// Upper bounds of a match: larger numbers are typing errors.
const (
	maxMatchGames = 1_000_000
	sprtRounds    = 50_000 // of two games each, for a match that an SPRT ends
)

// defaultMargin allows for communication with the engine and for a busy machine.
const defaultMargin = 500 * time.Millisecond

var matchCommand = command{
	name:     "match",
	operands: "PLAYER PLAYER [PLAYER...] | rate FILE...",
	summary:  "play engines against each other: openings, clocks, Elo, SPRT, PGN",
	complete: matchOperands,
	setup:    defined[matchAction],
}

type matchAction struct {
	gameTerms
	overrides        []override
	tournament       string
	sprt             match.SPRT
	resume           bool
	out, pgn, traces string
	event, format    string
	anchor           string // of rate
	failOn           []string
}

func (c *matchAction) define(fs *flag.FlagSet, all games.Table) {
	c.defineTerms(fs, all)
	c.terms.Games, c.terms.Rounds = 2, 1
	fs.Var(count(&c.terms.Games, maxMatchGames), "games", "play `N` games for each pairing in each round")
	fs.Var(count(&c.terms.Rounds, maxMatchGames), "rounds", "play `N` rounds")
	fs.BoolVar(&c.terms.Repeat, "repeat", true, "play every opening twice with colours exchanged")
	c.tournament, c.format = string(match.RoundRobin), "text"
	fs.Var(choice(&c.tournament, []string{string(match.RoundRobin), string(match.Gauntlet)}), "tournament", "let all `MEET` all, or the first all others: round-robin or gauntlet")
	fs.Var(parsed(&c.sprt, match.ParseSPRT), "sprt",
		"end the match when it is decided: `KEYS` elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic")
	fs.Var(oneOf(sprtEnds, func(text string) { c.failOn = append(c.failOn, text) }), "fail-on", "exit with status 1 if the `END` of the SPRT is H0, H1 or undecided; may be repeated")
	fs.Func("player", "limits of one player: `NAME,KEY=VALUE...`; may be repeated", c.override)
	writesFile(fs, &c.out, "o", "store the games in `FILE`, as lines of JSON")
	fs.BoolVar(&c.resume, "resume", false, "resume the match in the file of -o, if any")
	writesFile(fs, &c.pgn, "pgnout", "write the games to `FILE` as PGN")
	fs.StringVar(&c.event, "event", "qhsh match", "the `NAME` of the event in PGN")
	fs.StringVar(&c.traces, "keep-traces", "", "write the last lines of engines that lose by a fault to files in `FOLDER`")
	formats := slices.Concat(match.Formats().NameList(), match.RatingFormats().NameList())
	slices.Sort(formats)
	fs.Var(choice(&c.format, slices.Compact(formats)), "format", "write the standings in this `FORMAT`: "+match.Formats().Names()+"; ratings as "+match.RatingFormats().Names())
	fs.StringVar(&c.anchor, "anchor", "", "of 'match rate': give a player a rating, `NAME=ELO`; without it the mean is 0")
}

func (c *matchAction) run(ctx context.Context, h host, operands []string) (err error) {
	if len(operands) > 0 && operands[0] == rateVerb {
		return c.rate(ctx, h, operands[1:])
	}
	if c.anchor != "" {
		return usagef("-anchor is for 'qhsh match rate'")
	}
	format, err := choose(outputFlags{format: c.format}, match.Formats())
	if err != nil {
		return err
	}
	if len(c.failOn) > 0 && c.sprt == (match.SPRT{}) {
		return usagef("-fail-on requires -sprt")
	}
	if c.resume && c.out == "" {
		return usagef("-resume requires -o")
	}
	if ext := filepath.Ext(c.out); ext != "" && !slices.Contains(record.JSON.Extensions, strings.ToLower(ext)) {
		return usagef("-o %s: unknown extension: games are stored as lines of JSON: use %s, or -pgnout FILE for PGN",
			c.out, strings.Join(record.JSON.Extensions, " "))
	}
	if err := refusePage("-pgnout", c.pgn, record.PGN.Name, record.PGN.Extensions); err != nil {
		return err
	}
	p := &matchProgress{progress: newProgress("match", h, h.StderrTTY)}
	p.writesStdout = true
	run, err := c.beginGames(ctx, h, p.progress, operands)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	players, err := run.openPlayers(ctx, operands, keptFile{output.WrittenFile("-o", c.out), c.siblings()})
	if err != nil {
		return err
	}
	if err := c.completeTerms(ctx, run, players, p.say); err != nil {
		return err
	}
	if c.terms.Games*c.terms.Rounds > 2 {
		c.warnIdentical(p.say)
	}
	files, err := c.openFiles(ctx)
	if err != nil {
		return err
	}
	table, err := c.play(ctx, run, files, p)
	var test *match.Test
	last := 0 // the game after which an SPRT was decided
	if table != nil {
		if test = table.Test(); test != nil && test.Decision != "" {
			last = table.Games
		}
	}
	err = cmp.Or(err, files.close(last))
	if table != nil && (err == nil || table.Games > 0) {
		err = errors.Join(err, format.Write(h.Stdout, table))
	}
	switch {
	case err != nil && table != nil && 0 < table.Games && table.Games < table.Total:
		p.say(resumeHint(table.Games, table.Total, "finished", "match", c.out))
	case err == nil && (table.Faults > 0 || test != nil && slices.Contains(c.failOn, cmp.Or(test.Decision, undecided))):
		err = errSomeFailed
	}
	return adviceOnPondering(err)
}

// sprtEnds are the ends of an SPRT that -fail-on names.
var sprtEnds = []string{"H0", "H1", undecided}

const undecided = "undecided"

func (c *matchAction) play(ctx context.Context, run *engineRun, files *matchFiles, p *matchProgress) (*match.Table, error) {
	o := match.Options{Jobs: c.jobs, Journal: files.state, Progress: p.update}
	elsewhere, err := c.cluster.newTable(ctx, run, &c.terms)
	if err != nil {
		return nil, err
	}
	if elsewhere != nil {
		defer elsewhere.Close()
		o.Jobs, o.Play, p.workers = job.GamesAhead, elsewhere.Play, countWorkers(elsewhere.Run)
	}
	if files.state != nil {
		if n := files.state.Len(); n > 0 {
			p.say(fmt.Sprintf("%s holds %s already", c.out, printable.Plural(n, "game")))
		}
	}
	if files.pgn != nil {
		o.Outputs = append(o.Outputs, match.NewPGN(files.pgn, c.games.PGN(c.terms.Game), c.event))
	}
	if c.traces != "" {
		o.Trace = match.SaveTraces(c.traces, p.say)
	}
	p.begin(progressCounts{Total: c.terms.Len()})
	defer p.endBar()
	return match.Run(ctx, &c.terms, o)
}

// resumeHint returns how to resume an unfinished match, or another run, which stores its games in a file.
func resumeHint(done, total int, what, run, file string) string {
	text := fmt.Sprintf("%d of %s %s", done, printable.Plural(total, "game"), what)
	if file == "" {
		return fmt.Sprintf("%s: with -o FILE the %s could be resumed", text, run)
	}
	return text + ": resume with the same command and -resume"
}

// adviceOnPondering adds to an error how to play without pondering, if that is wrong.
func adviceOnPondering(err error) error {
	if ponder := (*match.PonderError)(nil); errors.As(err, &ponder) {
		return fmt.Errorf("%w: leave out -ponder, or add -player %s,ponder=false", err, ponder.Player)
	}
	return err
}

type matchFiles struct {
	state *match.State // nil without -o
	pgn   *output.File // nil without -pgnout
}

func (c *matchAction) openFiles(ctx context.Context) (f *matchFiles, err error) {
	f = &matchFiles{}
	if err := c.terms.Check(); err != nil {
		return nil, usageError{err}
	}
	finished := 0
	if c.out != "" {
		if f.state, err = match.OpenState(c.out, &c.terms, c.resume); err != nil {
			return nil, usagef("-o: %w", err)
		}
		finished = f.state.Len()
	}
	if c.pgn == "" {
		return f, nil
	}
	if info, err := os.Stat(c.pgn); err == nil && output.IsRegular(info) && info.Size() > 0 && finished == 0 {
		_ = f.close(0)
		return nil, usagef("-pgnout: %s already exists: remove it or name another file", c.pgn)
	}
	if f.pgn, err = openFlag(ctx, "-pgnout", c.pgn); err != nil {
		_ = f.close(0)
		return nil, err
	}
	return f, nil
}

func (f *matchFiles) close(last int) (err error) {
	if f.state != nil {
		if err = f.state.Close(last); err != nil {
			err = fmt.Errorf("-o: %w", err)
		}
	}
	if f.pgn != nil {
		err = errors.Join(err, f.pgn.Close())
	}
	return err
}

// siblings returns the files that a match keeps beside -o.
func (c *matchAction) siblings() []output.Sibling {
	if c.out == "" {
		return nil
	}
	own := func(path string) (bool, error) { return output.HasPrefix(path, match.ManifestPrefix) }
	path := c.out
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	return []output.Sibling{{Path: filelock.TempPath(path), Own: own}}
}
