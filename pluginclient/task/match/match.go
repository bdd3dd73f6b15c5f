// Package match plays engines against each other: players and terms in, games and
// their statistics out.
//
// The parts, each of which can be used and tested by itself:
//
//   - [Config] are everything that the course of a match depends on: the players, the
//     openings, the limits, the rules of adjudication, the seed. The schedule is a pure
//     function of them, so a match that was killed can be resumed.
//   - A game is played by two [pluginclient.Session] values through [engine.Searcher]
//     alone, so any engine of any protocol will do. What happened is a [Record].
//   - [Run] plays the schedule with some jobs. Records reach its outputs in the order of
//     the games whatever the number of jobs is; only a [Journal] gets them as they come.
//   - A [State] is a journal in a file, which survives being killed at any instant. [PGN]
//     and [SaveTraces] are the other files.
//   - A [Table] adds records up: standings, Elo, likelihood of superiority, [SPRT].
//
// Every engine is made to forget before each game ([engine.Forget]), and what is random
// comes from the seed. So with engines that are deterministic and limits that are not
// times the same terms give the same games.
//
// An engine that crashes, answers no move or an illegal one, or oversteps its time loses
// the game, and is restarted before its next one. What ends a match: its context, an
// engine that cannot be started, terms that an engine refuses ([ErrConfig]), an output
// that cannot be written. What was finished by then is kept.
//
// Nothing here knows a game. The side to move is [engine.Position.Turn], which need not
// alternate; chance is drawn by [engine.Odds]. How a game ends beyond the rules of
// [engine.Position.Result], such as by repetition, is told by a [Judge]; where there is
// none, and positions are no [engine.Adjudicator], the third time of one is a draw.
package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// ErrConfig is wrapped by the error of a match whose terms make no sense, or are none that
// an engine can play under, or not those of the match that is to be resumed.
var ErrConfig = errors.New("terms of the match")

// configError wraps ErrTerms without saying so.
type configError struct{ error }

func (e configError) Unwrap() []error { return []error{ErrConfig, e.error} }

func configf(format string, args ...any) error { return configError{fmt.Errorf(format, args...)} }

// A Player is an engine under the limits that it plays with.
type Player struct {
	Name  string // by which it is known in the match, unlike any other
	Spec  string // what it is, in words that stay the same when a match is resumed
	Level *int   // at which Open opens it; nil: its own
	Nodes int64  // a move; 0: not limited
	Depth int    // plies a move; 0: not limited
	Time  time.Duration
	Clock Clock // for the whole game; zero: there is none, and Time is for each move
	// Ban tells it, by Limits.Ban, which moves would lose by repetition under the Judge. It
	// is for engines of which it is not known that they judge alike.
	Ban bool
	// Open starts the engine. It is called from several goroutines.
	Open func(ctx context.Context) (pluginclient.Session, error) `json:"-"`
}

// Limits returns those of a move, but for what a Clock leaves.
func (p *Player) Limits() engine.Limits {
	lim := engine.Limits{Nodes: p.Nodes, Depth: p.Depth, Time: p.Time}
	if p.Level != nil {
		lim.Level = *p.Level
	}
	return lim
}

// Tournament is who meets whom.
type Tournament string

// The tournaments.
const (
	RoundRobin Tournament = "round-robin" // everybody meets everybody
	Gauntlet   Tournament = "gauntlet"    // the first player meets everybody else
)

// Order is the order of openings.
type Order string

// The orders.
const (
	Sequential Order = "sequential"
	Random     Order = "random"
)

// Config are everything that the course of a match depends on.
type Config struct {
	Game       engine.Game
	Players    []Player // at least two
	Tournament Tournament
	Games      int // for each pairing in each round; made even if Repeat
	Rounds     int
	// Repeat has every opening played twice in a row with colours exchanged. Without it the
	// colours alternate all the same, and every game has an opening of its own.
	Repeat   bool
	Openings []engine.Position // with the moves that led there; none: the start of the game
	Order    Order
	Start    int // the opening to begin with, from 1; 0 is 1
	Plies    int // how many moves of an opening are played; 0: all
	Seed     uint64
	Margin   time.Duration // by which a time may be overstepped
	Judge    Judge         // nil: the game's own
	Rules    string        // what the Judge is called; empty for the game's own
	Draw     DrawRule
	Resign   ResignRule
	MaxMoves int   // a game of as many moves of both sides is a draw; 0: there is no limit
	SPRT     *SPRT // ends the match when it has decided; nil: there is none
}

// Check describes what makes no sense. The error wraps ErrTerms.
func (t *Config) Check() error {
	switch {
	case len(t.Players) < 2:
		return configf("a match is between two players at least")
	case t.SPRT != nil && len(t.Players) != 2:
		return configf("an SPRT compares two players, and there are %d", len(t.Players))
	case t.SPRT != nil:
		if err := t.SPRT.Check(); err != nil {
			return configf("%w", err)
		}
	case t.Tournament != RoundRobin && t.Tournament != Gauntlet:
		return configf("tournament %q: there are %s and %s", t.Tournament, RoundRobin, Gauntlet)
	case t.Order != Sequential && t.Order != Random:
		return configf("order %q: there are %s and %s", t.Order, Sequential, Random)
	}
	if len(t.Openings) > 0 && t.Start > len(t.Openings) {
		return configf("there is no opening %d: there are %d", t.Start, len(t.Openings))
	}
	return t.checkPlayers()
}

func (t *Config) checkPlayers() error {
	seen := map[string]bool{}
	for _, p := range t.Players {
		switch {
		case p.Name == "":
			return configf("a player has no name")
		case seen[p.Name]:
			return configf("there are two players named %s", p.Name)
		case p.Time != 0 && p.Clock != Clock{}:
			return configf("%s has both a time a move and a clock", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
