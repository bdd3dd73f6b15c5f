package games

import "qhsh/engine"

// A PieceInspector is a Row of a game whose moves take pieces from point to point.
type PieceInspector interface {
	// Pieces returns those on the board, in the order of the position's text.
	Pieces(engine.Position) []Piece
	// Letters returns those that pieces have, the first side's before the second's, in the order in
	// which people count material.
	Letters() string
	// Point reads a point's name in any case, and writes it as moves have it. The error says what
	// is wanted.
	Point(text string) (string, error)
	// At returns the letter of the piece on a point, 0 on an empty one. The error is that of Point.
	At(p engine.Position, point string) (letter byte, err error)
	// Ends returns the points of a move.
	Ends(engine.Move) (from, to string)
	// Captures reports whether a legal move takes a piece.
	Captures(engine.Position, engine.Move) bool
	// Attackers returns the points of a side's pieces that attack or protect a point, pinned ones too.
	Attackers(p engine.Position, side engine.Turn, point string) ([]string, error)
	// Mirror returns the same game with left and right exchanged, its moves included.
	Mirror(engine.Position) (engine.Position, error)
}

// A Piece is a piece on a board.
type Piece struct {
	Point  string // such as "H2"
	Letter byte   // as the position's text has it
	Kind   string // in words, such as "rook"
	Side   engine.Turn
}

// A Checker is a Row of a game in which a king can be in check.
type Checker interface {
	InCheck(engine.Position) bool
	// GivesCheck reports whether a legal move puts the other side in check.
	GivesCheck(engine.Position, engine.Move) bool
}

// A MoveCounter is a Row whose positions count moves.
type MoveCounter interface {
	// MoveNumber returns the number of the move, from 1: it grows after the second side's.
	MoveNumber(engine.Position) int
	// QuietPlies returns the number of moves of both sides since the last that cannot be taken back,
	// such as a capture.
	QuietPlies(engine.Position) int
	// Occurrences returns how often the position has stood since then, now included.
	Occurrences(engine.Position) int
}

// A StatusReporter is a Row that says in its own words how a game stands.
type StatusReporter interface {
	// Status returns a line, such as "red to move, in check".
	Status(engine.Position) string
}

// Status tells in a line how a game stands.
func (t Table) Status(p engine.Position) string {
	g := p.Game()
	if teller, ok := t.row(g).(StatusReporter); ok {
		return teller.Status(p)
	}
	switch result := p.Result(); {
	case result.Outcome == engine.Draw:
		return "a draw by " + result.Reason
	case result.Over():
		winner := engine.First
		if result.Outcome == engine.SecondWins {
			winner = engine.Second
		}
		return engine.SideName(g, winner) + " has won: " + result.Reason
	}
	return engine.SideName(g, p.Turn()) + " to move"
}

// A FixedMoveNamer is a Row whose positions all write a move in the same way, and whose moves are
// few, so that the names of all of them may be kept.
type FixedMoveNamer interface {
	// FixedMoveNames returns the names of all moves, each at the place that is its number.
	FixedMoveNames() []string
}
