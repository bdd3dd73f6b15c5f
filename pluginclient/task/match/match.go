// Package match plays engines against each other and computes statistics of the games.
//
//   - A [Config] holds everything that the course of a match depends on. The schedule is a pure function of it, so a
//     killed match can be resumed.
//   - A game is played by two [pluginclient.Session] values through [engine.Searcher] alone, so any engine of any
//     protocol will do. Its result is a [Record].
//   - [Run] plays the schedule with several jobs. The outputs receive the records in the order of the games, whatever
//     the number of jobs; a [State], a journal that survives a kill at any instant, as games finish.
//   - A [Table] aggregates records: standings, Elo, likelihood of superiority, [SPRT].
//
// Every engine is reset before each game ([engine.Forget]), and all randomness comes from the seed. So deterministic
// engines with limits other than time play the same games for the same configuration.
//
// An engine may resign, and two may agree on a draw ([engine.Line].Offer). One that crashes, returns no move or an
// illegal one, or exceeds its time loses the game and is restarted before its next one. A match ends early when its
// context is done, an engine cannot be started or refuses the configuration ([ErrConfig]), or an output fails. Games
// finished by then are kept.
//
// The package knows no particular game. The side to move is [engine.Position.Turn], which need not alternate; chance
// moves are drawn with [engine.Odds]. What a game hides from both sides ([engine.Concealer]) is drawn before it starts,
// and no player gets it; it is part of Record.Start. A [Judge] decides endings beyond [engine.Position.Result], such as
// repetition; without one, and if positions do not implement [engine.Adjudicator], the third occurrence of a position
// is a draw.
package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// ErrConfig is wrapped by errors of an invalid configuration, one that an engine refuses, or one
// that differs from that of the match to resume.
var ErrConfig = errors.New("match configuration")

// configError wraps ErrConfig without adding its text.
type configError struct{ error }

func (e configError) Unwrap() []error { return []error{ErrConfig, e.error} }

func configf(format string, args ...any) error { return configError{fmt.Errorf(format, args...)} }

// A Player is an engine with its limits.
type Player struct {
	Name string // unique in the match
	Spec string // identifies the engine; the same when the match is resumed
	// Evaluation identifies the evaluation of an embedded engine; also the same when the match is
	// resumed.
	Evaluation string
	Book       string // identifies the contents of an embedded engine's book; the same as well
	// Files identify the contents of the engine's program and the files in its command line, or of
	// this program if it is embedded; the same as well.
	Files []string

	Level *int  // that Open sets; nil: the engine's own
	Nodes int64 // per move; 0: unlimited
	Depth int   // in plies; 0: unlimited
	Time  time.Duration
	Clock Clock // for the whole game; zero: none, and Time is per move
	// Ban sets Limits.Ban to the moves that lose by repetition under the Judge. It is for engines
	// that may judge repetition differently.
	Ban bool
	// Hints asks for lines with scores. Otherwise the engine is asked for moves (Limits.Play), which
	// many engines do by another command, and some without scores.
	Hints  bool
	Ponder bool // lets the engine think on its opponent's time
	// Open starts the engine. Several goroutines call it.
	Open func(ctx context.Context) (pluginclient.Session, error) `json:"-"`
}

// Limits returns the limits of a move, without the time from Clock.
func (p *Player) Limits() engine.Limits {
	lim := engine.Limits{Nodes: p.Nodes, Depth: p.Depth, Time: p.Time, Play: !p.Hints}
	if p.Level != nil {
		lim.Level = *p.Level
	}
	return lim
}

// A Tournament says which players meet.
type Tournament string

// The tournament types.
const (
	RoundRobin Tournament = "round-robin" // all players meet each other
	Gauntlet   Tournament = "gauntlet"    // the first player meets all others
)

// An Order is the order of the openings.
type Order string

// The orders.
const (
	Sequential Order = "sequential"
	Random     Order = "random"
)

// A Config is everything that the course of a match depends on.
type Config struct {
	Game       engine.Game
	Tags       record.Tags // name the variant of the game in records
	Players    []Player    // at least two
	Tournament Tournament
	Games      int // per pairing and round; rounded up to even if Repeat
	Rounds     int
	// Repeat plays every opening twice in a row with colours reversed. Without it colours still
	// alternate, and every game has its own opening.
	Repeat   bool
	Openings []engine.Position // with their moves; empty: the start of the game
	Order    Order
	Start    int // the first opening, from 1; 0 means 1
	Skip     int // pairs of games that come before the first one: openings and chance follow theirs
	Plies    int // number of an opening's moves to play; 0: all
	Seed     uint64
	Margin   time.Duration // by which a time limit may be exceeded
	Judge    Judge         // nil: the game's own
	Rules    string        // the Judge's name; empty for the game's own
	Draw     DrawRule
	Resign   ResignRule
	MaxMoves int          // a game of this many moves of each side is a draw; 0: no limit
	Known    engine.Known // ends games whose result it knows
	Endings  string       // identifies Known
	SPRT     *SPRT        // ends the match when it decides; may be nil
}

// Check returns why the configuration is invalid. The error wraps ErrConfig.
func (t *Config) Check() error {
	switch {
	case len(t.Players) < 2:
		return configf("a match needs at least two players")
	case t.SPRT != nil && len(t.Players) != 2:
		return configf("an SPRT needs exactly two players, not %d", len(t.Players))
	case t.Tournament != RoundRobin && t.Tournament != Gauntlet:
		return configf("unknown tournament %q: use %s or %s", t.Tournament, RoundRobin, Gauntlet)
	case t.Order != Sequential && t.Order != Random:
		return configf("unknown order %q: use %s or %s", t.Order, Sequential, Random)
	}
	if t.SPRT != nil {
		if err := t.SPRT.Check(); err != nil {
			return configf("%w", err)
		}
	}
	if len(t.Openings) > 0 && t.Start > len(t.Openings) {
		return configf("no opening %d: the number of openings is %d", t.Start, len(t.Openings))
	}
	seen := map[string]bool{}
	for _, p := range t.Players {
		switch {
		case p.Name == "":
			return configf("player without a name")
		case seen[p.Name]:
			return configf("two players are named %s", p.Name)
		case p.Time != 0 && p.Clock != Clock{}:
			return configf("%s has both a time per move and a clock", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
