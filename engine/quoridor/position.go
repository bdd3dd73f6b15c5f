package quoridor

import (
	"fmt"

	"qhsh/engine"
)

// A Position is a board and the moves that led to it, immutable.
type Position struct {
	board  Board
	before *Position // nil at the start
	last   Action    // that led here from before
}

var _ engine.Position = (*Position)(nil)

// NewPosition returns a board as the start of a game.
func NewPosition(b Board) *Position { return &Position{board: b} }

// Board returns a copy of the board.
func (p *Position) Board() Board { return p.board }

// Diagram returns the board drawn; see [Board.Diagram].
func (p *Position) Diagram() string { return p.board.Diagram() }

// Game returns the game on a board of this size, with the walls that Black had at the start.
func (p *Position) Game() engine.Game {
	start := p
	for start.before != nil {
		start = start.before
	}
	return Rules{start.board.size, start.board.left[Black]}
}

// Turn returns Black's, engine.First, or White's.
func (p *Position) Turn() engine.Turn { return p.board.turn }

// Moves returns the legal moves of the side to move: steps, horizontal walls, vertical walls.
func (p *Position) Moves() []engine.Move {
	return engine.AppendMovesOf(nil, p.board.AppendMoves(make([]Action, 0, 2*p.board.size*p.board.size)))
}

// Play makes a move, of either side. After a side has moved it is the other's turn.
func (p *Position) Play(m engine.Move) (engine.Position, error) {
	next, err := p.PlayAction(Action(m))
	if err != nil {
		return nil, err
	}
	return next, nil
}

// PlayAction is Play in this package's own types.
func (p *Position) PlayAction(a Action) (*Position, error) {
	if a&someMove == 0 || a.Kind() > Vertical {
		return nil, fmt.Errorf("move %#x: %w: no move of this game", uint16(a), ErrIllegal)
	}
	if result := p.Result(); result.Over() {
		return nil, fmt.Errorf("%s %v: %w: the game is over, %v", ColourName(a.Side()), a, ErrIllegal, result)
	}
	if err := p.board.Check(a); err != nil {
		return nil, err
	}
	next := &Position{board: p.board, before: p, last: a}
	next.board.Do(a)
	return next, nil
}

// Result returns a win for whose pawn stands on its goal row.
func (p *Position) Result() engine.Result {
	if winner, over := p.board.Winner(); over {
		return engine.Result{Outcome: engine.Win(winner), Reason: "goal reached"}
	}
	return engine.Result{}
}

// Format returns "E8", or "B5h" for a wall; after the side, "white:E8", if it is not to move.
func (p *Position) Format(m engine.Move) string {
	a := Action(m)
	if a.Side() != p.board.turn {
		return ColourName(a.Side()) + ":" + a.String()
	}
	return a.String()
}

// Parse reads a move as Format writes it, and as the protocol does, "B5 horizontal".
func (p *Position) Parse(text string) (engine.Move, error) {
	a, err := ParseAction(text, p.board.turn)
	if err != nil {
		return engine.NoMove, err
	}
	if result := p.Result(); result.Over() {
		return engine.NoMove, fmt.Errorf("move %s: %w: the game is over, %v", engine.Quote(text), ErrIllegal, result)
	}
	if err := p.board.Check(a); err != nil {
		return engine.NoMove, err
	}
	return engine.Move(a), nil
}

// History returns where the game started and the moves played since.
func (p *Position) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

// Undo returns the position before the last move, and that move.
func (p *Position) Undo() (engine.Position, engine.Move) {
	if p.before == nil {
		return nil, engine.NoMove
	}
	return p.before, engine.Move(p.last)
}

// Key is equal for equal boards.
func (p *Position) Key() uint64 { return p.board.key }

// String returns the text form of the board; see [Board.String].
func (p *Position) String() string { return p.board.String() }
