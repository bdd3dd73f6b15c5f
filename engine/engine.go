// Package engine is the contract between games, the engines that play them and
// everything that asks an engine for a move.
//
// It has two halves. A [Game] and its [Position] values are the rules: immutable
// values that know their legal moves and carry their history. A [Searcher] looks
// at a Position under [Limits] and tells what to play, best [Line] first. It is
// the only way anything in qhsh asks for a move: the embedded engine is a
// Searcher, and so is an engine at the other end of a pipe, whatever it speaks.
//
// The contract assumes little about a game. In most the sides alternate; in some a side may
// be made to move twice; in some there are turns that belong to chance, and then moves carry
// probabilities ([Odds]). Code above this package asks [Position.Turn] and never
// infers it. Inside a game's own search concrete types are used: nothing in a hot
// loop goes through an interface.
//
// Abilities that not every Searcher has are small interfaces found by assertion:
// [Leveler], [Forgetter]; and so is what not every game has: [Odds], [Adjudicator],
// [SideNamer], [MoveJoiner], [Undoer], [MoveAppender].
package engine

// A Game is a set of rules.
type Game interface {
	// Name returns the game's name in lower case, such as "xiangqi".
	Name() string
	// Start returns the position that a game begins from.
	Start() Position
	// Position reads a position's text form, in Xiangqi a FEN. The error names the
	// place that is wrong.
	Position(text string) (Position, error)
}

// A Position is an immutable value: a state of a game and the moves that led to
// it. It is safe for concurrent use.
type Position interface {
	// Game returns the game that is played.
	Game() Game
	// Turn tells who chooses the next move. In a finished game it is the side that
	// would have been to move.
	Turn() Turn
	// Moves returns the legal moves, in an order that depends on the position alone;
	// none when the game is over. The caller owns the slice.
	Moves() []Move
	// Play makes a move. The error of an illegal one says why it is illegal.
	Play(Move) (Position, error)
	// Result reports whether the game is over, and how.
	Result() Result
	// Format writes a move that is legal here in the game's notation.
	Format(Move) string
	// Parse reads a legal move. The error says which move is wrong and why, and wraps
	// ErrMalformed where the text is no move at all.
	Parse(text string) (Move, error)
	// History returns where the game started and the moves played since.
	History() (start Position, moves []Move)
	// Key is equal for positions from which play goes on alike, apart from their
	// histories and counters.
	Key() uint64
	// String returns the text form that Game.Position reads back, without the history.
	String() string
}

// FormatMoves writes moves that follow each other in the game's notation, as far as they are
// legal.
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

// Odds is a Position whose turn may belong to Chance.
type Odds interface {
	// Odds returns the probability of an outcome, from 0 to 1. The odds of all Moves add
	// up to 1.
	Odds(Move) float64
}

// A Move is opaque outside its game: a Position writes and reads it. Moves of one
// position are equal exactly if they are the same move. The zero Move is no move.
type Move uint64

// NoMove is the absence of a move.
const NoMove Move = 0

// A Turn tells who chooses a position's next move.
type Turn int8

// The sides are numbered in the order in which they start: Red is First in Xiangqi.
const (
	First Turn = iota
	Second
	Chance // nobody: an outcome is drawn
)

// Other returns the other side; Chance is its own.
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

// An Outcome is how a game stands.
type Outcome int8

// The outcomes; the zero Outcome is a game that goes on.
const (
	Ongoing Outcome = iota
	FirstWins
	SecondWins
	Draw
)

// Win returns the outcome of a game that t wins; of Chance it is a Draw.
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

// A Result is how a game stands and, when it is over, why.
type Result struct {
	Outcome Outcome
	Reason  string // a word or two in lower case, such as "checkmate"; empty while the game goes on
}

// Over reports whether the game has ended.
func (r Result) Over() bool { return r.Outcome != Ongoing }

// Why returns the reason, or what stands for it where a game is over without one, such as "draw".
func (r Result) Why() string {
	if r.Reason == "" {
		return r.Outcome.String()
	}
	return r.Reason
}

func (r Result) String() string {
	if r.Reason == "" {
		return r.Outcome.String()
	}
	return r.Outcome.String() + " by " + r.Reason
}
