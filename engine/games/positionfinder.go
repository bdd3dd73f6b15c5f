package games

import "qhsh/engine"

// A PositionFinder is a Row of a game whose positions can be searched for.
type PositionFinder interface {
	// Material returns a function that reports whether exactly the pieces named by letters are on
	// the board, or with a + at the end at least these. A piece of which each side always has one
	// may be left out. The error says what is wrong with the text.
	Material(text string) (func(engine.Position) bool, error)
	// Pattern returns a function that reports whether a board matches a pattern: the placement of a
	// FEN in which ? is any point, * any rest of a rank, + and - any piece of the first and of the
	// second side. With mirror a board also matches with left and right exchanged.
	Pattern(text string, mirror bool) (func(engine.Position) bool, error)
}
