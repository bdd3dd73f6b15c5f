package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/match"
)

// gameTerms are the flags of every command that plays games: how a game is played.
type gameTerms struct {
	engineFlags
	terms           match.Config
	limits          playerLimits
	openings, order string
	endings         endingsFlag
	games           games.Table
	chosen          gameFlags
	rules           *string // of games with several sets of rules
	ban, ponder     bool
	jobs            int
	cluster         clusterFlag
}

func (c *gameTerms) defineTerms(fs *flag.FlagSet, all games.Table) {
	c.terms.Start, c.limits = 1, playerLimits{}
	c.terms.Margin = defaultMargin
	readsFile(fs, &c.openings, "openings", "start games from the positions of `FILE`, or from the beginnings of its games")
	c.order = string(match.Sequential)
	fs.Var(choice(&c.order, []string{string(match.Sequential), string(match.Random)}), "order", "take openings in this `ORDER`: sequential or random")
	fs.Var(count(&c.terms.Start, maxMatchGames), "start", "start with opening `N`")
	fs.Var(parsed(&c.terms.Plies, positive), "plies", "play only the first `N` moves of an opening")
	fs.Uint64Var(&c.terms.Seed, "srand", 0, "seed of all randomness, the number `N`")
	fs.Var(parsed(&c.terms.MaxMoves, positive), "maxmoves", fmt.Sprintf("a game of `N` moves of each side is a draw; without it only games of %s have a limit", all.TitlesWith(func(r *games.Row) bool { return r.MoveLimit > 0 })))
	fs.Var(parsed(&c.terms.Margin, match.ParseTime).by(shortDuration(c.terms.Margin)), "timemargin", "allow times to be exceeded by `TIME`")
	c.chosen.define(fs, all)
	fs.Lookup("game").DefValue = "" // that of the players
	c.games, c.rules = all, defineRules(fs, all, "judge repetitions by these `RULES`")
	fs.Var(parsed(&c.terms.Draw, match.ParseDraw), "draw",
		"end games with scores near zero as draws: `KEYS` movenumber=40,movecount=8,score=10")
	fs.Var(parsed(&c.terms.Resign, match.ParseResign), "resign",
		"end games with hopeless scores as losses: `KEYS` movecount=3,score=700,twosided=false")
	c.endings.define(fs, "end games whose result the tables of 'qhsh endings make' in `FOLDER` know")
	for _, key := range []struct{ name, usage string }{
		{"level", "play at level `N`; without it at each engine's own"},
		{"st", "give every move `TIME`"},
		{"tc", "give every player a `CLOCK`: MOVES/TIME+INCREMENT, TIME+INCREMENT or TIME"},
		{"nodes", "give every move `N` nodes"},
		{"depth", "give every move `N` plies"},
	} {
		fs.Func(key.name, key.usage, func(text string) error { return c.limits.set(key.name, text) })
	}
	fs.Var(value{words: []string{askMove, askHints}, set: func(text string) error { return c.limits.set("ask", text) }}, "ask", "ask players for a `move`, or for hints, which have scores: move or hints")
	fs.BoolVar(&c.ponder, "ponder", false, "let players think on their opponent's time")
	fs.BoolVar(&c.ban, "ban", true, "ban moves that would lose by repetition")
	defineJobs(fs, &c.jobs, "play `N` games at the same time")
	c.defineProgress(fs)
	c.cluster.define(fs)
	c.defineEngines(fs)
	c.defineProfile(fs)
}

// beginGames is beginWith for games: an engine that cannot be stopped is waited for as long as
// -timemargin allows it to be late.
func (c *gameTerms) beginGames(ctx context.Context, h host, p *progress, what []string) (*engineRun, error) {
	c.deadlines.Late = max(c.deadlines.Late, c.terms.Margin)
	return c.beginWith(ctx, h, p, &c.cluster, what)
}

// complete sets the terms of the games from the flags.
func (c *gameTerms) complete(ctx context.Context, players []parsedPlayer, say func(string)) error {
	c.terms.Order = match.Order(c.order)
	if err := c.findGame(ctx, players); err != nil {
		return err
	}
	if c.limits["st"] != nil && c.limits["tc"] != nil {
		return usagef("-st and -tc exclude each other")
	}
	return c.readOpenings(ctx, say)
}

// warnIdentical says that games may be identical if neither openings nor chance moves make them differ.
func (c *gameTerms) warnIdentical(say func(string)) {
	if _, hasChance := c.terms.Game.Start().(engine.Odds); len(c.terms.Openings) == 0 && !hasChance {
		say("without -openings all games start from the same position and may be identical")
	}
}

// findGame sets the game that all players play and its rules.
func (c *gameTerms) findGame(ctx context.Context, players []parsedPlayer) (err error) {
	t := &c.terms
	if t.Game, err = commonGame(ctx, c.games, "players", players); err != nil {
		return err
	}
	chosen, err := c.chosen.game()
	if err != nil {
		return err
	}
	if c.given("game") && t.Game != nil && t.Game != chosen {
		return usagef("-game %s: the players play %s", c.games.Describe(chosen), c.games.Describe(t.Game))
	}
	t.Game = cmp.Or(t.Game, c.games.DefaultGame())
	t.Tags = c.games.PGN(t.Game).Tags
	t.MaxMoves = cmp.Or(t.MaxMoves, c.games.Row(t.Game).MoveLimit)
	rules := *c.rules
	if !games.HasRuleSets(c.games.Row(t.Game)) {
		if c.given("rules") {
			return usagef("-rules is for %s, but the players play %s", c.games.TitlesWith(games.HasRuleSets), t.Game.Name())
		}
		rules = ""
	}
	if t.Judge, t.Rules, err = c.games.Adjudicator(t.Game, rules); err == nil && c.endings.folder != "" {
		t.Known, t.Endings, err = c.endings.known(c.games, t.Game, rules)
	}
	return err
}

func (c *gameTerms) newPlayer(run *engineRun, name string, e *attach.Engine, limits playerLimits) (match.Player, error) {
	p := match.Player{Name: name, Spec: e.Spec, Evaluation: e.Evaluation, Ban: c.ban, Ponder: c.ponder}
	if run.cluster != nil { // which knows engines by their names
		p.Spec = e.Given
	}
	for _, limit := range limits {
		limit(&p)
	}
	e, err := e.Limited(p.Level, p.Limits())
	if err != nil {
		return p, fmt.Errorf("player %s: %w", name, err)
	}
	if err := c.checkScores(p, e); err != nil {
		return p, err
	}
	player, open := p, run.openNamed(e, name)
	p.Open = func(ctx context.Context) (pluginclient.Session, error) { return job.OpenPlayer(ctx, &player, open) }
	return p, nil
}

// identify notes what the contents of the files of a player's engine are, wherever it runs. compared
// reports whether another run may look at them: without it, the program is not read.
func (c *gameTerms) identify(run *engineRun, p *match.Player, e *attach.Engine, compared bool) (err error) {
	if run.cluster != nil {
		found := c.cluster.Engine(p.Spec)
		p.Book, p.Files = found.Book, found.Files
	} else {
		p.Book, err = job.BookFingerprint(e)
	}
	if err == nil && p.Files == nil && compared {
		p.Files, err = hints.Fingerprints(e.Files())
	}
	if err != nil {
		return usagef("player %s: %w", p.Name, err)
	}
	return nil
}

// checkScores returns an error if a rule on scores can never apply to a player.
func (c *gameTerms) checkScores(p match.Player, e *attach.Engine) error {
	for _, rule := range []string{"resign", "draw"} {
		switch {
		case !c.given(rule):
		case e.Scores == attach.NoneScored:
			return usagef("-%s needs scores, and %s has none: leave it out for %s; -maxmoves ends long games", rule, cmp.Or(e.Title, e.Name), p.Name)
		case e.Scores == attach.MovesUnscored && !p.Hints:
			return usagef("-%s needs scores, and %s gives none with its moves: add -ask hints, or -player %s,ask=hints", rule, p.Name, p.Name)
		}
	}
	return nil
}
