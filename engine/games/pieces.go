package games

import "qhsh/engine"

// A PieceInspector is a Row of a game with pieces that move from point to point.
type PieceInspector interface {
	// Pieces returns the pieces on the board, in the order of the position's text.
	Pieces(engine.Position) []Piece
	// Letters returns the letters of the pieces, the first side's before the second's, by value.
	Letters() string
	// Point parses a point's name in any case and returns it as in moves. The error says what is
	// valid.
	Point(text string) (string, error)
	// At returns the letter of the piece on a point, 0 if it is empty. The error is that of Point.
	At(p engine.Position, point string) (letter byte, err error)
	// Ends returns the start and target points of a move.
	Ends(engine.Move) (from, to string)
	// Captures reports whether a legal move captures a piece.
	Captures(engine.Position, engine.Move) bool
	// Attackers returns the points of a side's pieces that attack or protect a point, including
	// pinned ones.
	Attackers(p engine.Position, side engine.Turn, point string) ([]string, error)
	// Mirror returns the position and its history with left and right exchanged.
	Mirror(engine.Position) (engine.Position, error)
}

// A Piece is a piece on a board.
type Piece struct {
	Point  string // such as "H2"
	Letter byte   // as in the position's text
	Kind   string // a word such as "rook"
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
	// MoveNumber returns the full move number, from 1; it increases after the second side's move.
	MoveNumber(engine.Position) int
	// QuietPlies returns the number of plies since the last irreversible move, such as a capture.
	QuietPlies(engine.Position) int
	// Occurrences returns how often the position has occurred since then, including now.
	Occurrences(engine.Position) int
}

// A StatusReporter is a Row that describes the state of a game in its own words.
type StatusReporter interface {
	// Status returns a line such as "red to move, in check".
	Status(engine.Position) string
}

// Status describes the state of a game in one line.
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

// A FixedMoveNamer is a Row whose moves have the same text in all positions, and are few enough to
// store the texts of all.
type FixedMoveNamer interface {
	// FixedMoveNames returns the texts of all moves, indexed by move.
	FixedMoveNames() []string
}
