// Package xiangqi is Chinese chess: its rules, its positions and its notation of
// moves.
//
// A [Position] is the immutable value of the contract, with its history; [Rules] is
// the game. A [Board] is the same to make moves on and take them back, for a search
// or a count of many positions: nothing on it allocates.
//
// Both hold the board three times: the piece on each point, the set of points of
// each kind of piece ([Bitboard]), and a hash key, all kept as moves are made. What
// a piece reaches is looked up: rooks and cannons by the occupancy of their rank and
// file, horses and elephants by the four points that may block them, the rest by
// their point alone. Whether a move leaves its own king in check is settled once a
// position, not once a move: a guard works out which pieces bear on the king, or
// would after one move, and where they leave the others free to go. The king's own
// steps are tried.
//
// The rules of movement are those that all federations share, and are written down
// where they are applied. A side without a legal move loses, in check or not.
//
// What repetition is worth they do not share. [Position.Result] knows nothing of it, nor
// of draws because nothing has been taken for long: it is checkmate or stalemate, costs
// little, and is over exactly if there is no legal move. So a game that is over by the
// other rules can still be played on, as a plugin has to whose host does not stop. A
// [RuleSet] judges the rest: [RuleSet.Judge] says how a game stands, and why, for people;
// [RuleSet.Adjudicate] is the result alone, for whoever plays games to their end, and
// [Position.Adjudicate] the same by the Asian rules, for those who do not know what game
// they play; [Board.RepetitionUnder] is for a search. A game is decided when a position
// stands for the third time; a search need not wait, and looks at the second.
//
// To judge a repetition is to go back through the moves of the cycle, which nothing has
// been taken in, and to see what each of them does: whether it checks, which the history
// knows, and what it chases (chase.go). Each side's conduct throughout the cycle follows
// (judgecycle.go), and from both of them the verdict.
package xiangqi

import "qhsh/engine"

// A Square is a point of the board, 0 to 89: rank x 9 + file. A0, the corner at
// Red's left hand, is 0; I9 is 89.
type Square uint8

// A Side is Red or Black. It converts to an engine.Turn.
type Side uint8

// Red moves first and sits on ranks 0 to 4.
const (
	Red Side = iota
	Black
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

// Turn returns the side as the contract numbers it.
func (s Side) Turn() engine.Turn { return engine.Turn(s) }

func (s Side) String() string {
	if s == Red {
		return "red"
	}
	return "black"
}

// A Kind is a kind of piece.
type Kind uint8

// The kinds; the zero Kind is none.
const (
	NoKind Kind = iota
	Rook
	Horse
	Elephant
	Advisor
	King
	Cannon
	Pawn
)

// A Piece is a kind and a side. The zero Piece is an empty point.
type Piece uint8

// Empty is the piece of an empty point.
const Empty Piece = 0

// NewPiece returns a side's piece of a kind.
func NewPiece(s Side, k Kind) Piece { return Piece(s)<<3 | Piece(k) }

// Kind returns the piece's kind; NoKind for an empty point.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Side returns the piece's owner; an empty point has none and answers Red.
func (p Piece) Side() Side { return Side(p >> 3) }

// A Move goes from one point to another: from x 128 + to. It converts to an
// engine.Move and back.
type Move uint16

// NewMove returns the move from one point to another.
func NewMove(from, to Square) Move { return Move(from)<<7 | Move(to) }

// From returns the point that the move leaves.
func (m Move) From() Square { return Square(m >> 7) }

// To returns the point that the move reaches.
func (m Move) To() Square { return Square(m & 127) }
