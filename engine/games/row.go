package games

import (
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A Row is a game in the table. Only Game is required; a field that is nil or empty means that the
// game does not have it. Functions are called with games, positions and moves of the row's game
// alone.
type Row struct {
	Game engine.Game // with default options

	// Options are those of the game, such as the size of the board.
	Options []Option
	// New returns the game with options, whose values have been checked by [Option.Check]; those that
	// are absent are as usual. The error names the option that is wrong.
	New func(Values) (engine.Game, error)
	// Values returns the options of a game, by which New returns it.
	Values func(engine.Game) Values
	// Describe returns the name of a game with its options, such as "NAME of size 9".
	Describe func(engine.Game) string

	// PositionText describes the text form of positions with an example; it follows the words "a
	// position is".
	PositionText string
	// Heading is that of the game's section of [engine.Guide], a topic of the help, and Summary a
	// line about it.
	Heading, Summary string

	// EngineOptions returns the options of the embedded engine, in the order of the documentation.
	EngineOptions func() []Option
	// Engine reads options of the engine of a game, each of which is one of EngineOptions, and makes
	// nothing yet. The error names the option that is wrong.
	Engine func(engine.Game, []Setting) (Engine, error)
	// ForcedWin is what the game calls a win that the other side cannot avert, such as "mate". It
	// means that puzzles can be made: nothing in the game is left to chance, and its embedded engine
	// scores every line and leaves out banned moves, so that a second search shows whether a move is
	// the only one that wins.
	ForcedWin string

	// Perft counts as [engine.Divide] wants it, on the game's own boards.
	Perft func(p engine.Position, depth int, stop *atomic.Bool) int64
	// PerftNotation is the notation of moves in the output of perft, if it is not the game's own.
	PerftNotation string
	// Samples returns positions of a game that never change, for benchmarks, the start first.
	Samples func(engine.Game) []engine.Position

	// Board describes the boards of the game, from which follow its pictures, its boards of text and those in
	// web pages; nil: boards are shown as text alone.
	Board *Board
	// Styles are the names of the styles in which boards are drawn as text, in lower case, the default
	// first; none if there is only one, which ignores TextOptions.
	Styles []string
	// Draw returns the board as text, if that does not follow from Board; every line ends in a newline.
	Draw func(engine.Position, TextOptions) string
	// Picture returns the board as an SVG document without ImageOptions, or "". It is for a game without Board.
	Picture func(engine.Position) string
	// Foreign means that each new position is a question to a program, so that what needs many of them, such
	// as perft, is refused.
	Foreign bool
	// Status returns the state of a game in its own words, such as "red to move, in check".
	Status func(engine.Position) string

	// Words maps the English names of the sides, the game and the reasons of results to a language
	// such as "zh".
	Words map[string]map[string]string
	// NotationFor is the notation that readers of a language expect, if it is not the game's own.
	NotationFor map[string]string

	// Notations are the names of the notations of moves in lower case, that of the game's positions
	// first, if there are several.
	Notations []string
	// ReadableNotations are those meant for people, in the order in which a web page offers them.
	ReadableNotations []string
	// Names returns consecutive moves in one of Notations, up to the first illegal one.
	Names func(p engine.Position, moves []engine.Move, notation string) []string
	// AnyNotation is the game whose positions, and method ReadMove, parse moves in all notations. It
	// may have a method PlayMove that is faster than parsing and playing.
	AnyNotation engine.Game
	// FixedMoveNames returns the texts of all moves, indexed by move, of a game whose moves have the
	// same text in all positions, and are few enough to store them all.
	FixedMoveNames func() []string

	// Openings returns the names of openings, in English, by the keys of the positions that have them, after openingPlies
	// at most. OpeningWords maps these names to a language, as Words does.
	Openings     func() map[uint64]string
	OpeningWords map[string]map[string]string

	// Records reads and writes the game's own file formats, and the general ones.
	Records *record.Library
	// Variants reads and writes the tag that tells the game's variants apart in PGN.
	Variants *record.Variants
	// Aliases are other names of the game in records.
	Aliases []string
	// Books are the formats of opening books of the game's programs.
	Books []BookFormat
	// PlayerName returns the name of a player without what records write before it, such as a team.
	PlayerName func(text string) string

	// Endings opens the tables of exact endings in a folder, which need not exist, besides those in the program; "":
	// these alone.
	Endings func(dir string) EndingTables

	// MoveLimit is the number of moves of each side after which a game of a match is a draw, unless
	// the match has a limit of its own. It is for games without a rule that ends every game.
	MoveLimit int

	// RuleSets are the names in lower case, the default first, of the rule sets by which games end by
	// repetition and lack of progress.
	RuleSets []string
	// Adjudicate returns a function like [engine.Adjudicate] for a rule set. An unknown set is an
	// error.
	Adjudicate func(rules string) (func(engine.Position) engine.Result, error)
	// Judge returns the ruling of a rule set at a position.
	Judge func(p engine.Position, rules string) (Ruling, error)

	// Pieces, and the fields up to Mirror, are for pieces that move from point to point of a Board. It returns
	// the pieces on the board, in the order of the position's text.
	Pieces func(engine.Position) []Piece
	// Letters are those of the pieces, the first side's before the second's, by value.
	Letters string
	// Captures reports whether a legal move captures a piece.
	Captures func(engine.Position, engine.Move) bool
	// Attackers returns the points of a side's pieces that attack or protect a point, including
	// pinned ones.
	Attackers func(p engine.Position, side engine.Turn, point string) ([]string, error)
	// Mirror returns the position and its history with left and right exchanged.
	Mirror func(engine.Position) (engine.Position, error)
	// Swap returns the position and its history with the sides exchanged, and the board turned for that.
	Swap func(engine.Position) (engine.Position, error)

	// HandOver returns the position as it would be if the side to move had passed, without its history: from it follows
	// what the other side threatens. The error is that it is not legal, such as in check.
	HandOver func(engine.Position) (engine.Position, error)

	// InCheck and GivesCheck are for a king that can be in check: now, and after a legal move.
	InCheck    func(engine.Position) bool
	GivesCheck func(engine.Position, engine.Move) bool

	// Endgame reports whether so little is on the board that it is an endgame; nil: the game knows none.
	Endgame func(engine.Position) bool
	// Reasons returns what can be proved of a move that an engine has judged, the gravest first.
	Reasons func(Judged) []Reason

	// MoveNumber returns the full move number, from 1; it increases after the second side's move.
	MoveNumber func(engine.Position) int
	// QuietPlies returns the number of plies since the last irreversible move, such as a capture.
	QuietPlies func(engine.Position) int
	// Occurrences returns how often the position has occurred since then, including now.
	Occurrences func(engine.Position) int

	// Kinds returns the pieces on the board as both sides know them, in a game whose pieces have
	// several kinds, of which chance draws one when a piece is selected.
	Kinds func(engine.Position) []PieceKinds

	// Material returns a function that reports whether exactly the pieces named by letters are on the
	// board, or with a + at the end at least these. A piece of which each side always has one may be
	// left out. The error says what is wrong with the text.
	Material func(text string) (func(engine.Position) bool, error)
	// Pattern returns a function that reports whether a board matches a pattern: the placement of a
	// FEN in which ? is any point, * any rest of a rank, + and - any piece of the first and of the
	// second side. With mirror a board also matches with left and right exchanged.
	Pattern func(text string, mirror bool) (func(engine.Position) bool, error)
}

// HasPieces reports whether a game has pieces that move from point to point.
func HasPieces(r *Row) bool { return r.Pieces != nil }

// HasRuleSets reports whether a game has several sets of rules on repetition.
func HasRuleSets(r *Row) bool { return r.RuleSets != nil }

// HasEndings reports whether a game has tables of endings.
func HasEndings(r *Row) bool { return r.Endings != nil }

// Known returns what the tables of the program say of a game's positions, if there are any.
func (t Table) Known(g engine.Game) engine.Known {
	if row := t.Row(g); HasEndings(row) {
		return KnownBy(row.Endings(""), "")
	}
	return nil
}

// KnownBy returns what tables say of positions by a rule set; "": the usual one.
func KnownBy(tables EndingTables, rules string) engine.Known {
	return func(pos engine.Position) (engine.Ending, bool) {
		e, err := tables.Query(pos, rules)
		return e, err == nil && e.Result(pos.Turn()).Over()
	}
}

// A Judged is a legal move with what an engine says of it.
type Judged struct {
	Before engine.Position
	Move   engine.Move
	Bad    bool // Best has another move, which is better
	// Best and Reply are the engine's lines in Before and after the move. Reply has no moves if the game is over, or if
	// the engine has not answered.
	Best, Reply engine.Line
	Known       engine.Known // what is known exactly of Before and the position after the move
}

// A Reason is a sentence on a move that is proved.
type Reason struct {
	Kind    string `json:"kind"` // as the game's package calls it
	English string `json:"en"`
	Chinese string `json:"zh"`
}

// A Ruling is the ruling of a rule set on the repetition at a position.
type Ruling struct {
	Rules  string
	Result engine.Result // by all rules
	// Repetition is the result at the third occurrence of the position; Ongoing at the first one.
	Repetition engine.Result
	Verdict    string      // Result for the side to move: "win", "loss" or "draw" with "by" and the reason, or "none"
	Times      int         // occurrences of the position since it could last be repeated, including this one
	Cycle      []CycleMove // the moves since the last occurrence; none if there is none
	Conduct    [2]string   // what each side does throughout the cycle, in words; empty without a cycle
	Text       string      // a report in lines, for a person
}

// A CycleMove is a move of a repeated cycle.
type CycleMove struct {
	Move engine.Move
	Text string // what it does, such as "checks"
}

// A Piece is a piece on a board.
type Piece struct {
	Point  string // such as "H2"
	Letter byte   // as in the position's text
	Kind   string // a word such as "rook"
	Side   engine.Turn
}

// PieceKinds are the kinds of a piece.
type PieceKinds struct {
	Point string
	Side  engine.Turn
	Kinds []string   // "" if unknown
	Now   string     // the current kind; "" in superposition
	Odds  []KindOdds // what it may become when it is selected, with a sum of 1
}

// KindOdds is a kind with its probability.
type KindOdds struct {
	Kind string
	Odds float64
}
