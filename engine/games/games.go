// Package games is the table of games, one row each. All code that needs to know a game's features
// asks the table, so that adding a game means adding its packages and one row.
//
// # What a game provides
//
// A row needs no more than a name and an [engine.Game], which is immutable and passes
// enginetest.Conform. Package quoridor is the example to read. Everything else is optional: small
// interfaces found by type assertion. Those of package engine, implemented by its Game or its
// positions:
//
//   - engine.SideNamer: what the sides are called
//   - engine.MoveJoiner: moves that are written in several words
//   - engine.Adjudicator: results by repetition and lack of progress
//   - engine.Odds: turns that belong to chance
//   - engine.Undoer: the position before the last move, without replaying the game
//
// and those of this package, implemented by its row (callers use the methods of [Table], or [Ability]):
//
//   - [Configurable]: options, such as the size of the board
//   - [PositionDescriber]: the text form of its positions, for help texts
//   - [Player]: an embedded engine
//   - [Puzzler]: puzzles, proved by the embedded engine
//   - [Divider]: a fast perft on the game's own boards
//   - [Sampler]: positions for benchmarks
//   - [MoveReader], [Notator]: moves in other notations
//   - [FixedMoveNamer]: the text of a move does not depend on the position
//   - [TextDrawer], [SVGDrawer], [ScriptDrawer]: a board as text, as an image, in a web
//     page
//   - [StatusReporter], [Translator]: the state of a game in words, and translations
//   - [KindLister]: pieces of several kinds, drawn by chance
//   - [PieceInspector], [Checker], [MoveCounter]: pieces on points, checks, counts of moves
//   - [Judge]: several sets of rules on repetition
//   - [MoveLimiter]: games that may never end
//   - [Recorder]: files of games in forms of its own, and its PGN
//   - [Varied]: variants that its PGN tells apart
//   - [Aliased]: other names of the game in records
//   - [PositionFinder]: positions by their material or by a pattern
//   - [PlayerNamer]: names of players with a team before them
//
// Each has a fallback for games without it. A row has its own file and is listed in [Default]; a
// test adds a row to a copy with [Table.With]. Package gamestest has the row of a game with only
// rules and an engine; TestStones in cmd/qhsh runs every command with it. A new game needs such a
// test, a fuzz target for the text of its positions, and a section in GAMES.md beside package engine.
package games

import (
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
)

// A Row is a game in the table. Its type may implement the optional interfaces of this package.
type Row interface {
	// Game returns the game with default options.
	Game() engine.Game
}

// A Table is an immutable list of games, the first of which is the default. The zero Table is
// empty.
type Table struct{ rows []Row }

// Default has all games of the program.
var Default = Table{[]Row{xiangqiRow{}, quoridorRow{}, qchessRow{}, checkersRow{}}}

// With returns a copy of the table with one more game.
func (t Table) With(r Row) Table { return Table{append(slices.Clone(t.rows), r)} }

// DefaultGame returns the game that is used if none is named.
func (t Table) DefaultGame() engine.Game { return t.rows[0].Game() }

// Games returns the games with default options, in the order of the table.
func (t Table) Games() []engine.Game {
	all := make([]engine.Game, len(t.rows))
	for i, r := range t.rows {
		all[i] = r.Game()
	}
	return all
}

// Names returns the names of the games in the order of the table.
func (t Table) Names() []string {
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.Game().Name()
	}
	return names
}

// New returns a game by name with options, which may be nil. The error of an unknown name lists the
// known ones.
func (t Table) New(name string, v Values) (engine.Game, error) {
	i := slices.Index(t.Names(), name)
	if i < 0 {
		return nil, fmt.Errorf("unknown game %q: want %s", name, oneOf(t.Names()))
	}
	c, ok := t.rows[i].(Configurable)
	if !ok {
		for _, key := range v.keys() {
			return nil, fmt.Errorf("%s has no option %q", engine.Title(t.rows[i].Game()), key)
		}
		return t.rows[i].Game(), nil
	}
	for _, key := range v.keys() {
		o := slices.IndexFunc(c.Options(), func(o Option) bool { return o.Name == key })
		if o < 0 {
			return nil, fmt.Errorf("%s has no option %q", engine.Title(t.rows[i].Game()), key)
		}
		if err := c.Options()[o].Check(v[key]); err != nil {
			return nil, fmt.Errorf("%s=%s: %w", key, v[key], err)
		}
	}
	return c.New(v)
}

// row returns the row of a game, or a row without abilities if it is not in the table.
func (t Table) row(g engine.Game) Row {
	for _, r := range t.rows {
		if r.Game().Name() == g.Name() {
			return r
		}
	}
	return bare{g}
}

// bare is the row of a game that is not in the table.
type bare struct{ game engine.Game }

func (b bare) Game() engine.Game { return b.game }

// oneOf returns names quoted in a list: "a", "b" or "c".
func oneOf(names []string) string {
	text := ""
	for i, name := range names {
		switch i {
		case 0:
		case len(names) - 1:
			text += " or "
		default:
			text += ", "
		}
		text += strconv.Quote(name)
	}
	return text
}
