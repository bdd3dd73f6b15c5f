// Package engine is the contract between games, the engines that play them and
// everything that asks an engine for a move.
//
// It has two halves. A [Game] and its [Position] values are the rules: immutable values that know
// their legal moves and carry their history. A [Searcher] searches a Position under [Limits] and
// yields lines of play, best [Line] first. It is the only way anything in qhsh asks for a move: the
// embedded engine is a Searcher, and so is an engine at the other end of a pipe, whatever its
// protocol.
//
// The contract assumes little about a game. In most the sides alternate; in some a side may
// be made to move twice; in some there are turns that belong to chance, and then moves carry
// probabilities ([Odds]). Code above this package asks [Position.Turn] and never
// infers it. Inside a game's own search concrete types are used: nothing in a hot
// loop goes through an interface.
//
// Optional abilities are small interfaces found by type assertion: of a Searcher [Leveler] and
// [Forgetter], of a game or its positions [Odds], [Concealer], [Adjudicator], [SideNamer],
// [MoveJoiner], [MoveAppender], [Remarker].
package engine

import (
	_ "embed"
	"fmt"
)

// A Game is a set of rules.
type Game interface {
	// Name returns the game's name in lower case, such as "xiangqi".
	Name() string
	// Start returns the position that a game begins from.
	Start() Position
	// Position parses the text of a position, in Xiangqi a FEN. The error names the invalid part.
	Position(text string) (Position, error)
}

// A Position is an immutable value: a state of a game and the moves that led to
// it. It is safe for concurrent use.
type Position interface {
	// Game returns the game being played.
	Game() Game
	// Turn returns who chooses the next move. In a finished game it is the side that would have
	// been to move.
	Turn() Turn
	// Moves returns the legal moves, in an order that depends only on the position; none if the
	// game is over. The caller owns the slice.
	Moves() []Move
	// Play makes a move. The error of an illegal move says why it is illegal.
	Play(Move) (Position, error)
	// Result returns whether and how the game has ended.
	Result() Result
	// Format returns a legal move in the game's notation.
	Format(Move) string
	// Parse parses a legal move. The error says which move is wrong and why, and wraps ErrMalformed
	// if the text is not a move at all.
	Parse(text string) (Move, error)
	// History returns the start position and the moves played since; see HistoryOf.
	History() (start Position, moves []Move)
	// Undo returns the position before the last move, and that move; nil and NoMove at the start.
	Undo() (before Position, last Move)
	// Key returns a hash that is equal for positions with the same continuations, ignoring
	// histories and counters.
	Key() uint64
	// String returns the text that Game.Position parses, without the history.
	String() string
}

// FormatMoves returns the consecutive moves in the game's notation, up to the first illegal one.
func FormatMoves(pos Position, moves []Move) []string {
	var names []string
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		names = append(names, pos.Format(m))
		pos = next
	}
	return names
}

// FormatEach returns moves of the same position in the game's notation.
func FormatEach(pos Position, moves []Move) (texts []string) {
	for _, m := range moves {
		texts = append(texts, pos.Format(m))
	}
	return texts
}

// PlayMoves returns the position after moves.
func PlayMoves(pos Position, moves []Move) (Position, error) {
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	return pos, nil
}

// ReadMoves returns the moves that texts name, one played after the other from pos, and the position
// after them. They end before the first that is not legal, whose error it returns.
func ReadMoves(pos Position, texts []string) (moves []Move, after Position, err error) {
	for _, text := range texts {
		m, err := pos.Parse(text)
		if err != nil {
			return moves, pos, err
		}
		next, err := pos.Play(m)
		if err != nil {
			return moves, pos, err
		}
		moves, pos = append(moves, m), next
	}
	return moves, pos, nil
}

// A Move is opaque outside its game: a Position formats and parses it. Moves of one position are
// equal if and only if they are the same move. The zero Move is NoMove.
type Move uint64

// NoMove is the absence of a move.
const NoMove Move = 0

// A Turn is who chooses a position's next move.
type Turn int8

// The sides are numbered in the order in which they start: Red is First in Xiangqi.
const (
	First Turn = iota
	Second
	Chance // nobody: an outcome is drawn
)

// Other returns the other side; for Chance it returns Chance.
func (t Turn) Other() Turn {
	if t == Chance {
		return Chance
	}
	return First + Second - t
}

func (t Turn) String() string {
	switch t {
	case First:
		return "first"
	case Second:
		return "second"
	}
	return "chance"
}

// An Outcome is the state of a game: ongoing, or how it ended.
type Outcome int8

// The outcomes. The zero Outcome is a game in progress.
const (
	Ongoing Outcome = iota
	FirstWins
	SecondWins
	Draw
)

// Win returns the outcome of a game that t wins; for Chance it returns Draw.
func Win(t Turn) Outcome {
	switch t {
	case First:
		return FirstWins
	case Second:
		return SecondWins
	}
	return Draw
}

func (o Outcome) String() string {
	return [...]string{"ongoing", "first wins", "second wins", "draw"}[o]
}

// A Result is the outcome of a game and, if it is over, the reason.
type Result struct {
	Outcome Outcome
	Reason  string // a word or two in lower case, such as "checkmate"; empty while the game is in progress
}

// Over reports whether the game has ended.
func (r Result) Over() bool { return r.Outcome != Ongoing }

// Score returns the score of a finished game for a side: as of a mate on the board, or 0 for a draw.
func (r Result) Score(side Turn) Score {
	switch r.Outcome {
	case Draw:
		return Centipawns(0)
	case Win(side):
		return MateIn(0).Neg()
	}
	return MateIn(0)
}

// Why returns the reason, or the outcome, such as "draw", if there is none.
func (r Result) Why() string {
	if r.Reason == "" {
		return r.Outcome.String()
	}
	return r.Reason
}

// Verdict returns the result for a side: win, loss or draw followed by "by" and the reason, or none for a game in progress.
func (r Result) Verdict(side Turn) string {
	switch r.Outcome {
	case Ongoing:
		return "none"
	case Draw:
		return "draw by " + r.Reason
	case Win(side):
		return "win by " + r.Reason
	}
	return "loss by " + r.Reason
}

func (r Result) String() string {
	if r.Reason == "" {
		return r.Outcome.String()
	}
	return r.Outcome.String() + " by " + r.Reason
}

// Guide describes the games to the users of qhsh: positions, moves, options, in Markdown.
//
//go:embed GAMES.md
var Guide string
