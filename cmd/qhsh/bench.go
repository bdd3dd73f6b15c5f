package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/bench"
)

const (
	benchNodes = 500_000 // the default limit of a search
	maxRepeat  = 1000    // a larger number is a typing error
	maxSample  = 100_000
)

var benchCommand = command{
	name:     "bench",
	operands: "[ENGINE...]",
	summary:  "measure engines side by side: nodes a second, endings",
	complete: players,
	setup:    defined[benchAction],
}

type benchAction struct {
	engineFlags
	outputFlags
	lines, repeat, perft int
	positions            string
	position             []string // of an operand, instead
	endings              endingsFlag
	material             string
	sample               int
}

func (c *benchAction) define(fs *flag.FlagSet, _ games.Table) {
	c.repeat = 1
	c.defineLimits(fs)
	c.defineCounts(fs, "depth")
	fs.Var(count(&c.lines, maxHints), "hints", "search for the `N` best lines")
	fs.Var(count(&c.repeat, maxRepeat), "repeat", "measure everything `N` times")
	fs.Var(count(&c.perft, maxPerft), "perft", unlisted) // what 'qhsh perft -engine' is for
	readsFile(fs, &c.positions, "positions", "measure at the positions of `FILE`, one per line")
	fs.StringVar(&c.material, "material", "", "count the moves that keep wins and draws of endings of these `MATERIALS`, such as KRKN,KPPKA")
	c.sample = 100
	fs.Var(count(&c.sample, maxSample), "sample", "with -material, ask about `N` wins and N draws of each")
	c.endings.define(fs, endingsUsage)
	defineOutput(fs, &c.outputFlags, bench.Formats())
	c.defineEngines(fs)
	c.defineProfile(fs)
}

func (c *benchAction) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, bench.Formats())
	if err != nil {
		return err
	}
	switch {
	case c.perft > 0 && (!c.unlimited() || c.lines > 0):
		return usagef("-perft: limits of a search do not apply")
	case c.material != "" && (c.perft > 0 || c.positions != ""):
		return usagef("-material: -perft and -positions do not apply")
	case c.material == "" && (c.given("sample") || c.given("endings")):
		return usagef("-sample and -endings require -material")
	case c.level != nil && *c.level == 0:
		return usagef("-level 0: want a level, such as %d", engine.DefaultLevel)
	}
	terms := bench.Config{Perft: c.perft, Repeat: c.repeat}
	terms.Limits = c.searchLimits(c.lines)
	if len(operands) == 0 {
		operands = []string{"builtin"}
	}
	bar := &statusLine{command: "bench", w: h.Stderr, on: h.StderrTTY}
	run, err := c.begin(h, bar.say)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	players, err := run.openPlayers(ctx, operands)
	if err != nil {
		return err
	}
	game, err := commonGame(ctx, h.Games, "engines", players)
	if err != nil {
		return err
	}
	if c.material != "" {
		terms.Positions, terms.Known, err = c.sampleEndings(h.Games, game)
	} else {
		terms.Positions, terms.Counts, err = c.readPositions(ctx, h.Games, game)
	}
	if err != nil {
		return err
	}
	if c.unlimited() && c.perft == 0 {
		terms.Limits.Nodes = defaultNodes(players, bar.say)
	}
	engines, closing, err := openAll(ctx, players)
	defer closing()
	if err != nil {
		return err
	}
	out, err := c.open(ctx, h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	report, err := bench.Run(ctx, terms, engines, func(done, total int) {
		if bar.due() {
			bar.draw(fmt.Sprintf("%d/%d", done, total))
		}
	})
	bar.clear()
	if err != nil {
		return err
	}
	if err := format.Write(out, report); err != nil {
		return err
	}
	if len(report.Disagreements()) > 0 {
		return errSomeFailed
	}
	return nil
}

// unlimited reports whether no flag limits a search.
func (c *benchAction) unlimited() bool {
	return c.searchLimits(c.lines).Kinds() == 0 && c.level == nil
}

// defaultNodes returns the default limit of a search. It is 0 if an engine does not support it: then
// all search at their own levels.
func defaultNodes(players []parsedPlayer, say func(string)) int64 {
	for _, p := range players {
		if p.engine.UnsupportedLimits&engine.LimitNodes != 0 {
			say(fmt.Sprintf("%s does not support the default limit of %d nodes: every engine searches at its own level; -level N or -timeout DURATION sets a common limit", p.name, benchNodes))
			return 0
		}
	}
	return benchNodes
}

// sampleEndings returns positions of the endings of -material, and what they are worth.
func (c *benchAction) sampleEndings(all games.Table, game engine.Game) (list []engine.Position, known engine.Known, err error) {
	if known, _, err = c.endings.known(all, game, ""); err != nil || known == nil {
		return nil, nil, cmp.Or(err, usagef("-material is for %s, not for %s", all.TitlesWith(games.HasEndings), engine.Title(game)))
	}
	tables := all.Row(game).Endings(c.endings.folder)
	defer tables.Close() // it is only read
	for material := range strings.SplitSeq(c.material, ",") {
		found, err := tables.Sample(material, c.sample)
		if err != nil {
			return nil, nil, usagef("-material %s: %w", material, err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return nil, nil, usagef("-material %s: no move can spoil a win or a draw", c.material)
	}
	return list, known, nil
}

// readPositions returns the positions of -positions, with their perft counts, or samples of the game.
func (c *benchAction) readPositions(ctx context.Context, all games.Table, game engine.Game) (list []engine.Position, counts []int64, err error) {
	switch {
	case len(c.position) > 0:
		pos, err := findPosition(all, game, c.position)
		return []engine.Position{pos}, []int64{0}, err
	case c.positions == "":
		return all.Samples(game), nil, nil
	}
	file, err := interruptible.Open(ctx, c.positions)
	if err != nil {
		return nil, nil, usagef("-positions: %w", err)
	}
	defer file.Close()
	items, err := input.Positions(game, c.positions, file)
	if err != nil {
		return nil, nil, usagef("-positions: %w", err)
	}
	for _, item := range items {
		if item.Pos.Result().Over() {
			return nil, nil, usagef("-positions: %s:%d: the game is already over", c.positions, item.Line)
		}
		known := int64(0)
		for _, op := range item.Ops {
			if n, err := strconv.ParseInt(op.Args, 10, 64); err == nil && op.Code == fmt.Sprintf("D%d", c.perft) {
				known = n
			}
		}
		list, counts = append(list, item.Pos), append(counts, known)
	}
	if len(list) == 0 {
		return nil, nil, usagef("-positions: %s contains no positions", c.positions)
	}
	return list, counts, nil
}

// openAll starts the engines at their own levels. The caller must call closing, even after an error.
func openAll(ctx context.Context, players []parsedPlayer) (engines []bench.Engine, closing func(), err error) {
	closing = func() {
		for _, e := range engines {
			_ = e.Session.Close()
		}
	}
	for _, p := range players {
		own, err := p.engine.Limited(nil, p.engine.Options.Limits)
		if err != nil {
			return engines, closing, err
		}
		session, err := own.Open(ctx)
		if err != nil {
			return engines, closing, err
		}
		threads, direct := attach.DirectThreads(session)
		engines = append(engines, bench.Engine{Name: p.name, Session: session, Remote: !direct, Repeatable: threads == 1})
	}
	return engines, closing, nil
}
