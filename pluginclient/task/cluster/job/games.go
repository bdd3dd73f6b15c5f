package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/match"
)

// gameKind is the kind of units that are games to play.
const gameKind = "games"

// GamesAhead is how many games of a match may be asked for at the same time.
const GamesAhead = 4096

// gameTerms are the Data of such a run: what applies to every game.
type gameTerms struct {
	Tags      record.Tags            `json:"tags,omitempty"`
	Margin    time.Duration          `json:"margin"`
	Rules     string                 `json:"rules,omitempty"`
	Draw      match.DrawRule         `json:"draw"`
	Resign    match.ResignRule       `json:"resign"`
	MaxMoves  int                    `json:"maxmoves,omitempty"`
	Deadlines pluginclient.Deadlines `json:"deadlines"`
}

// A gameUnit is a game to play.
type gameUnit struct {
	Number  int           `json:"game"`
	Round   int           `json:"round"`
	Pair    int           `json:"pair"`
	Opening int           `json:"opening"`
	Start   string        `json:"start"` // see batch.AppendPosition
	Seed    [2]uint64     `json:"seed"`
	Players [2]gamePlayer `json:"players"`
}

// A gamePlayer is a player, who is named by its SPEC here and by a Ref elsewhere.
type gamePlayer struct {
	match.Player
	Ref      Ref             `json:"ref"`
	Settings []games.Setting `json:"settings,omitempty"` // see setup
}

// A gameAnswer is a game that was played, or why the match cannot be.
type gameAnswer struct {
	Record match.Record `json:"record"`
	Config string       `json:"config,omitempty"` // the text of an error that wraps match.ErrConfig
}

// A Table has games played by the workers of a cluster.
type Table struct {
	*cluster.Run
	coordinator *Coordinator
	deadlines   pluginclient.Deadlines

	mu      sync.Mutex
	engines map[string]gamePlayer // by their SPECs, with no Player
}

// NewTable starts a run for the games of a match between engines, whose players have their SPECs as
// [attach.Engine.Given]. The caller must close the Table.
func (c *Coordinator) NewTable(ctx context.Context, config *match.Config, all []*attach.Engine, d pluginclient.Deadlines) (*Table, error) {
	t := &Table{coordinator: c, deadlines: d, engines: map[string]gamePlayer{}}
	var engines []cluster.Engine
	for _, one := range all {
		ref, e, err := c.find(one)
		if err != nil {
			return nil, err
		}
		t.engines[one.Given] = gamePlayer{Ref: ref}
		engines = append(engines, e)
	}
	run, err := c.start(ctx, gameKind, config.Game.Name(), gameTerms{
		config.Tags, config.Margin, config.Rules, config.Draw, config.Resign, config.MaxMoves, d,
	}, engines...)
	t.Run = run
	return t, err
}

// Derive notes that a SPEC is that of an engine with settings, as [attach.Engine.WithOptions] returns it.
func (t *Table) Derive(derived, spec string, settings []games.Setting) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.engines[derived] = gamePlayer{Ref: t.engines[spec].Ref, Settings: settings}
}

// Try starts the engine of a player, whose SPEC is of kind k, where games are played, and returns the names of the options that
// Derive has noted for its SPEC, as the engine writes them. The error wraps ErrEngine or attach.ErrSpec
// if the engine does not accept the settings.
func (t *Table) Try(ctx context.Context, p match.Player, k attach.Kind) ([]string, error) {
	g := t.player(&p)
	who, err := t.coordinator.identify(ctx, g.setup(t.deadlines), k, p.Open)
	return who.Options, err
}

// player returns a player as a unit has it.
func (t *Table) player(p *match.Player) gamePlayer {
	t.mu.Lock()
	defer t.mu.Unlock()
	player := t.engines[p.Spec]
	player.Player = *p
	return player
}

// Play has a game played, see match.Options.
func (t *Table) Play(ctx context.Context, f match.Fixture) (match.Record, error) {
	unit, err := json.Marshal(gameUnit{
		f.Number, f.Round, f.Pair, f.Opening, string(batch.AppendPosition(nil, f.Start)), f.Seed,
		[2]gamePlayer{t.player(f.Players[0]), t.player(f.Players[1])},
	})
	if err != nil {
		return match.Record{}, err
	}
	var a gameAnswer
	err = t.Do(ctx, unit, func(answer []byte) error {
		a = gameAnswer{}
		if err := json.Unmarshal(answer, &a); err != nil || a.Config != "" {
			return err
		}
		return f.Check(a.Record)
	})
	switch {
	case err != nil:
		return match.Record{}, err
	case a.Config != "":
		return match.Record{}, fmt.Errorf("%w: %s", match.ErrConfig, a.Config)
	}
	return a.Record, nil
}

// playing plays games on a worker.
type playing struct {
	engines   *Engines
	deadlines pluginclient.Deadlines
	warn      func(string)
	config    *match.Config
	referee   *match.Referee
}

// openGames is the Handler of games.
func (e *Engines) openGames(t cluster.Terms, jobs int, warn func(string)) (cluster.Answerer, error) {
	var g gameTerms
	if err := json.Unmarshal(t.Data, &g); err != nil {
		return nil, err
	}
	p := &playing{engines: e, deadlines: g.Deadlines, warn: warn, config: &match.Config{
		Tags: g.Tags, Margin: g.Margin, Rules: g.Rules, Draw: g.Draw, Resign: g.Resign, MaxMoves: g.MaxMoves,
	}}
	if len(t.Engines) == 0 {
		return nil, errors.New("a match without engines")
	}
	d, err := e.describe(Ref{t.Engines[0].Name, t.Engines[0].Spec})
	if err != nil {
		return nil, err
	}
	p.config.Game = d.Game
	if p.config.Judge, _, err = e.options.Games.Adjudicator(d.Game, g.Rules); err != nil {
		return nil, err
	}
	p.referee = match.NewReferee(p.config, jobs)
	return p, nil
}

// Answer plays a game.
func (p *playing) Answer(ctx context.Context, unit []byte) ([]byte, error) {
	var u gameUnit
	if err := json.Unmarshal(unit, &u); err != nil {
		return nil, err
	}
	start, err := batch.ParsePosition(p.config.Game, []byte(u.Start))
	if err != nil {
		return nil, err
	}
	f := match.Fixture{Number: u.Number, Round: u.Round, Pair: u.Pair, Opening: u.Opening, Start: start, Seed: u.Seed}
	for i := range u.Players {
		if f.Players[i], err = p.player(&u.Players[i]); err != nil {
			return nil, err
		}
	}
	r, err := p.referee.Play(ctx, f)
	a := gameAnswer{Record: r}
	if errors.Is(err, match.ErrConfig) {
		a.Config, err = err.Error(), nil
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(a)
}

// Close closes the engines.
func (p *playing) Close() error {
	p.referee.Close()
	return nil
}

// player returns a player whose engine this worker can open.
func (p *playing) player(g *gamePlayer) (*match.Player, error) {
	player := g.Player
	d, err := p.engines.engineOf(g.setup(p.deadlines), p.warn)
	if err != nil {
		return nil, err
	}
	if d.Game.Name() != p.config.Game.Name() {
		return nil, fmt.Errorf("%w: %s plays %s", ErrEngine, player.Name, d.Game.Name())
	}
	player.Open = func(ctx context.Context) (pluginclient.Session, error) { return OpenPlayer(ctx, &player, d.Open) }
	return &player, nil
}

// setup returns what the engine of the player is opened with.
func (g *gamePlayer) setup(d pluginclient.Deadlines) setup {
	return setup{Ref: g.Ref, Level: g.Level, Limits: g.Limits(), Deadlines: d, Settings: g.Settings}
}

// OpenPlayer starts the engine of a player. If only time limits it, it plays at its highest level.
func OpenPlayer(ctx context.Context, p *match.Player, open func(ctx context.Context) (pluginclient.Session, error)) (pluginclient.Session, error) {
	s, err := open(ctx)
	if err != nil || p.Level != nil || p.Time == 0 && p.Clock == (match.Clock{}) {
		return s, err
	}
	if err := attach.UseHighestLevel(ctx, s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// checkSettings returns an error unless all settings are numbers of an engine's own options. That is
// what a run may set beyond the SPEC that a worker was started with.
func checkSettings(settings []games.Setting, options []attach.Option) error {
	for _, s := range settings {
		_, err := strconv.ParseFloat(s.Value, 64)
		file := slices.ContainsFunc(options, func(o attach.Option) bool { return o.File && o.Name == s.Key })
		if err != nil || file || s.Key == "dir" || strings.HasPrefix(s.Key, "env.") {
			return fmt.Errorf("%w: a run may not set %s to %q", ErrEngine, s.Key, s.Value)
		}
	}
	return nil
}
