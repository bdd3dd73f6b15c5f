package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/match"
)

// playerLimits are limits of a player that were given, by their keys.
type playerLimits map[string]func(*match.Player)

func (l playerLimits) set(key, value string) error {
	read, known := limitKeys[key]
	if !known {
		return errors.New("unknown limit: use level, st, tc, nodes, depth, ask, ponder or ban")
	}
	limit, err := read(value)
	if errors.As(err, new(*strconv.NumError)) {
		err = fmt.Errorf("invalid value %q", value)
	}
	l[key] = limit
	return err
}

// limitKeys are the keys of limits, with what reads the value of each.
var limitKeys = map[string]func(text string) (func(*match.Player), error){
	"level":  limit(strconv.Atoi, func(p *match.Player, n int) { p.Level = &n }),
	"depth":  limit(positive, func(p *match.Player, n int) { p.Depth = n }),
	"nodes":  limit(positive, func(p *match.Player, n int) { p.Nodes = int64(n) }),
	"st":     limit(thinkingTime, func(p *match.Player, d time.Duration) { p.Time = d }),
	"tc":     limit(match.ParseClock, func(p *match.Player, c match.Clock) { p.Clock = c }),
	"ban":    limit(strconv.ParseBool, func(p *match.Player, ban bool) { p.Ban = ban }),
	"ponder": limit(strconv.ParseBool, func(p *match.Player, ponder bool) { p.Ponder = ponder }),
	"ask":    limit(parseAsk, func(p *match.Player, what string) { p.Hints = what == askHints }),
}

func limit[T any](read func(text string) (T, error), set func(*match.Player, T)) func(text string) (func(*match.Player), error) {
	return func(text string) (func(*match.Player), error) {
		value, err := read(text)
		return func(p *match.Player) { set(p, value) }, err
	}
}

// overriddenBy returns l with the limits that m has replaced. A time per move and a clock exclude
// each other.
func (l playerLimits) overriddenBy(m playerLimits) playerLimits {
	all := maps.Clone(l)
	if m["st"] != nil || m["tc"] != nil {
		delete(all, "st")
		delete(all, "tc")
	}
	maps.Copy(all, m)
	return all
}

// What a player may be asked for.
const (
	askMove  = "move"
	askHints = "hints"
)

func parseAsk(text string) (string, error) {
	if text != askMove && text != askHints {
		return "", fmt.Errorf("want %s or %s", askMove, askHints)
	}
	return text, nil
}

// positive parses a number of at least 1.
func positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<40 {
		return 0, errors.New("want a number of at least 1")
	}
	return n, nil
}

func thinkingTime(text string) (time.Duration, error) {
	d, err := match.ParseTime(text)
	if err == nil && d < time.Millisecond {
		err = errors.New("want a time of at least 1ms")
	}
	return d, err
}

// An override is a value of -player.
type override struct {
	name   string
	limits playerLimits
}

// override parses a value of -player, such as "new,level=3,st=0.5".
func (c *matchAction) override(text string) error {
	name, keys, ok := strings.Cut(text, ",")
	if !ok {
		return errors.New("want NAME,KEY=VALUE..., such as new,level=3")
	}
	o := override{name, playerLimits{}}
	c.overrides = append(c.overrides, o)
	return match.ParseKeys(keys, func(key, value string) error {
		if err := o.limits.set(key, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
}

// completeTerms sets the terms of the match from the flags and operands.
func (c *matchAction) completeTerms(ctx context.Context, run *engineRun, players []parsedPlayer, say func(string)) error {
	t := &c.terms
	t.Tournament = match.Tournament(c.tournament)
	if c.given("sprt") {
		t.SPRT = &c.sprt
		if !c.given("games") && !c.given("rounds") {
			t.Rounds = sprtRounds
		}
	}
	if t.Games > maxMatchGames/t.Rounds {
		return usagef("%d games in %d rounds are too many: the maximum is %d", t.Games, t.Rounds, maxMatchGames)
	}
	if err := c.complete(ctx, players, say); err != nil {
		return err
	}
	if len(players) < 2 {
		return usagef("missing player: a match needs at least two, as in 'qhsh match PLAYER PLAYER'")
	}
	var names []string
	for _, parsed := range players {
		names = append(names, parsed.name)
		limits := c.limits
		for _, o := range c.overrides {
			if o.name == parsed.name {
				limits = limits.overriddenBy(o.limits)
			}
		}
		p, err := c.newPlayer(run, parsed.name, parsed.engine, limits)
		if err == nil {
			err = c.identify(run, &p, parsed.engine, c.out != "")
		}
		if err != nil {
			return err
		}
		t.Players = append(t.Players, p)
	}
	for _, o := range c.overrides {
		if !slices.Contains(names, o.name) {
			return usagef("-player: unknown player %q: use %s", o.name, strings.Join(names, ", "))
		}
	}
	return nil
}

// A parsedPlayer is NAME=SPEC or SPEC on a command line.
type parsedPlayer struct {
	operand string
	given   string // NAME, or without it the name of the program
	name    string // given, with a number if another player has that name
	engine  *attach.Engine
}

// openPlayers is parsePlayers and then openFiles.
func (r *engineRun) openPlayers(ctx context.Context, operands []string, kept ...keptFile) ([]parsedPlayer, error) {
	all, err := r.parsePlayers(operands)
	if err != nil {
		return nil, err
	}
	return all, r.openFiles(ctx, nil, kept...)
}

func (r *engineRun) parsePlayers(operands []string) (all []parsedPlayer, err error) {
	for _, operand := range operands {
		name, spec, err := cutPlayer(operand)
		if err != nil {
			return nil, err
		}
		e, err := r.parse(spec)
		if err != nil {
			return nil, err
		}
		p := parsedPlayer{operand, cmp.Or(name, e.Name), "", e}
		p.name = p.given
		for n := 2; slices.ContainsFunc(all, func(other parsedPlayer) bool { return other.name == p.name }); n++ {
			p.name = fmt.Sprintf("%s-%d", p.given, n)
		}
		all = append(all, p)
	}
	return all, nil
}

// commonGame returns the game that all players play, or nil if there are none. they is what errors call
// the players.
func commonGame(ctx context.Context, all games.Table, they string, players []parsedPlayer) (common engine.Game, err error) {
	for _, p := range players {
		game, err := p.engine.FindGame(ctx)
		if err != nil {
			return nil, err
		}
		if common != nil && game != common {
			return nil, usagef("the %s do not play the same game: %s is for %v, and %s is for %v", they, players[0].operand, all.Describe(common), p.operand, all.Describe(game))
		}
		common = game
	}
	return common, nil
}

// termWords are keys of -draw, -resign and -sprt that users of other programs write as separate
// words.
var termWords = []string{"movenumber", "movecount", "score", "twosided", "elo0", "elo1", "alpha", "beta", "model"}

// cutPlayer splits NAME=SPEC. The name is "" if there is none.
func cutPlayer(operand string) (name, spec string, err error) {
	name, spec, ok := strings.Cut(operand, "=")
	switch {
	case !ok, strings.ContainsAny(name, ",:/\\ "), name == "":
		name, spec = "", operand
	case slices.Contains(termWords, name):
		return "", "", usagef("%s is not a player: join it to its flag with commas, as in -draw movenumber=40,movecount=8", operand)
	}
	if strings.TrimSpace(spec) == "" {
		return "", "", usagef("player %q: the SPEC is missing", operand)
	}
	return name, spec, nil
}
