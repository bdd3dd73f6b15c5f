// Package games is the table of the games that the program plays: a row a game. Whatever asks
// about a game asks the table, so that a game is its packages and its row, and nothing else
// names it.
//
// # What a game brings
//
// A row needs no more than a name and an [engine.Game], which is immutable and passes
// enginetest.Conform. Package quoridor is the example to read. What else a game has are
// abilities, small interfaces found by assertion. Of the contract, which its Game or its
// positions have:
//
//   - engine.SideNamer: what the sides are called
//   - engine.MoveJoiner: moves that are written in several words
//   - engine.Adjudicator: ends by repetition
//   - engine.Odds: turns that belong to chance
//   - engine.Undoer: the position before the last move, without playing the game again
//
// and of this package, which its row has (a caller asks the [Table], or [Ability]):
//
//   - [Configurable]: options, such as the size of the board, and how they are described
//   - [PositionDescriber]: how its positions are written, for help texts
//   - [Player]: an engine of qhsh's own
//   - [Divider]: a count of move sequences (perft) at the speed of the game's own boards
//   - [Sampler]: positions to measure engines at
//   - [MoveReader], [Notator]: moves in other notations than that of the contract
//   - [FixedMoveNamer]: a move's name does not depend on the position
//   - [TextDrawer], [SVGDrawer], [PNGDrawer], [ScriptDrawer]: a board as text, as a picture, in a page
//   - [StatusReporter], [Translator]: how a game stands in its own words, and these in other languages
//   - [PieceInspector], [Checker], [MoveCounter]: pieces on points, checks, counts of moves
//   - [Judge]: several sets of rules on repetition
//   - [Recorder]: files of games in forms of its own, and its PGN
//
// Each has a fallback, for a game that has not got it. A row stands in a file of its own, and in
// [Default]; a test takes a copy of that with one more row, by [Table.With]. Package gamestest has
// the row of a game with rules and an engine alone, which cmd/qhsh's TestStones takes through
// every command: a new game wants the same there, a fuzz target for the text of its positions, and
// a section of the README.
package games

import (
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
)

// A Row is a game in the table. Its type may have the abilities of this package.
type Row interface {
	// Game returns the game as it is usually played.
	Game() engine.Game
}

// A Table is an immutable list of games, the first of which is the usual one. The zero Table has
// none.
type Table struct{ rows []Row }

// Default has the games that the program knows.
var Default = Table{[]Row{xiangqiRow{}, quoridorRow{}, qchessRow{}}}

// With returns a copy of the table with one more game.
func (t Table) With(r Row) Table { return Table{append(slices.Clone(t.rows), r)} }

// DefaultGame returns the game that is played where none is named.
func (t Table) DefaultGame() engine.Game { return t.rows[0].Game() }

// Games returns the games as they are usually played, in the order of the table.
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

// New returns the game of a name with options, which may be nil. The error of an unknown name
// lists those that there are.
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
		if !slices.ContainsFunc(c.Options(), func(o Option) bool { return o.Name == key }) {
			return nil, fmt.Errorf("%s has no option %q", engine.Title(t.rows[i].Game()), key)
		}
	}
	return c.New(v)
}

// row returns the row of a game, or a bare one if it is not in the table.
func (t Table) row(g engine.Game) Row {
	for _, r := range t.rows {
		if r.Game().Name() == g.Name() {
			return r
		}
	}
	return bare{g}
}

// bare is a game without a row.
type bare struct{ game engine.Game }

func (b bare) Game() engine.Game { return b.game }

// oneOf lists names for a person: "a", "b" or "c".
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
