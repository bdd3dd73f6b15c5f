package checkers

import (
	"fmt"
	"slices"

	"qhsh/engine"
)

// A Position is an immutable board with the moves that led to it.
type Position struct {
	board        Board
	previous     *Position // nil at the start
	last         Move      // from previous
	quietPlies   int       // plies since the last irreversible move
	balancePlies int       // plies since the last capture or promotion
}

var (
	_ engine.Position     = (*Position)(nil)
	_ engine.Adjudicator  = (*Position)(nil)
	_ engine.MoveAppender = (*Position)(nil)
)

// NewPosition returns the start of a game with a board.
func NewPosition(b Board) *Position { return &Position{board: b} }

// Board returns a copy of the board.
func (p *Position) Board() Board { return p.board }

// QuietPlies returns the number of plies since the last irreversible move.
func (p *Position) QuietPlies() int { return p.quietPlies }

// Game returns the Rules of the variant.
func (p *Position) Game() engine.Game { return Rules{p.board.variant} }

// Turn returns the side to move.
func (p *Position) Turn() engine.Turn { return p.board.variant.Turn(p.board.turn) }

// Moves returns the legal moves.
func (p *Position) Moves() []engine.Move { return p.AppendMovesTo(nil) }

// AppendMovesTo appends the legal moves to dst.
func (p *Position) AppendMovesTo(dst []engine.Move) []engine.Move {
	var room [64]Move
	return engine.AppendMovesOf(dst, p.board.AppendMoves(room[:0]))
}

// Play makes a move.
func (p *Position) Play(m engine.Move) (engine.Position, error) {
	next, err := p.Do(Move(m))
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Do is Play with the types of this package.
func (p *Position) Do(m Move) (*Position, error) {
	var room [64]Move
	if !slices.Contains(p.board.AppendMoves(room[:0]), m) {
		return nil, fmt.Errorf("move %d to %d: %w in %v",
			p.board.variant.Number(m.From()), p.board.variant.Number(m.To()), ErrIllegal, &p.board)
	}
	next := &Position{board: p.board, previous: p, last: m}
	if !p.board.IsIrreversible(m) {
		next.quietPlies = p.quietPlies + 1
	}
	next.board.Do(m)
	if c := p.board.turn; m.Captured() == 0 && next.board.Kings(c).Len() == p.board.Kings(c).Len() {
		next.balancePlies = p.balancePlies + 1
	}
	return next, nil
}

// Result reports a loss of the side to move if it has no move.
func (p *Position) Result() engine.Result {
	if p.board.CanMove() {
		return engine.Result{}
	}
	reason := "no move left"
	if p.board.side[p.board.turn] == 0 {
		reason = "no piece left"
	}
	return engine.Result{Outcome: engine.Win(p.Turn().Other()), Reason: reason}
}

// Adjudicate is Result, but also reports a draw on the third occurrence of a position, and by the variant's
// rules on games that do not end.
func (p *Position) Adjudicate() engine.Result {
	if result := p.Result(); result.Over() {
		return result
	}
	if p.Occurrences() >= 3 {
		return engine.Result{Outcome: engine.Draw, Reason: "repetition"}
	}
	return p.draw()
}

// Repetition reports a draw if the position has occurred before.
func (p *Position) Repetition() engine.Result {
	if p.Occurrences() > 1 {
		return engine.Result{Outcome: engine.Draw, Reason: "repetition"}
	}
	return engine.Result{}
}

// Occurrences returns how often the position has occurred, including now.
func (p *Position) Occurrences() int {
	times := 1
	q := p
	for range p.quietPlies {
		if q = q.previous; q.board.key == p.board.key {
			times++
		}
	}
	return times
}

// Format formats a legal move in numbers; see [Board.Format].
func (p *Position) Format(m engine.Move) string { return p.board.Format(Move(m)) }

// Parse parses a legal move; see [Board.ParseMove].
func (p *Position) Parse(text string) (engine.Move, error) {
	m, err := p.board.ParseMove(text)
	return engine.Move(m), err
}

// History returns the start of the game and the moves since.
func (p *Position) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

// Undo returns the position before the last move, and that move.
func (p *Position) Undo() (engine.Position, engine.Move) {
	if p.previous == nil {
		return nil, engine.NoMove
	}
	return p.previous, engine.Move(p.last)
}

// Key returns a hash of the board; see [Board.Key].
func (p *Position) Key() uint64 { return p.board.key }

// String returns the FEN; see [Board.String].
func (p *Position) String() string { return p.board.String() }
