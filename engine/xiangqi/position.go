package xiangqi

import (
	"fmt"
	"slices"

	"qhsh/engine"
)

// Rules is the game of Xiangqi.
var Rules engine.Game = game{}

type game struct{}

func (game) Name() string           { return "xiangqi" }
func (game) Start() engine.Position { return Start() }

// SideName returns "red" or "black".
func (game) SideName(t engine.Turn) string { return Side(t).String() }

func (game) Position(text string) (engine.Position, error) {
	p, err := ParseFEN(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// A Position is an immutable position with its history. It implements engine.Position. Positions
// share their predecessors, so that the cost of playing a move does not depend on the length of the
// game.
type Position struct {
	state
	number  int // of the full move, from 1
	before  *Position
	move    Move     // from before to here; not set without before
	ply     int      // moves since the start of the history
	remarks []string // what was odd about the FEN of the start
}

var (
	_ engine.Position     = (*Position)(nil)
	_ engine.Adjudicator  = (*Position)(nil)
	_ engine.MoveAppender = (*Position)(nil)
	_ engine.Remarker     = (*Position)(nil)
)

var start = mustParse(StartFEN)

// mustParse reads a FEN of this package's own.
func mustParse(fen string) *Position {
	p, err := ParseFEN(fen)
	if err != nil {
		panic(err)
	}
	return p
}

// Start returns the position that a game begins from.
func Start() *Position { return start }

// Game returns Rules.
func (p *Position) Game() engine.Game { return Rules }

// Turn returns First for Red.
func (p *Position) Turn() engine.Turn { return p.side.Turn() }

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.check == checkYes }

// Ply returns the number of moves in the history.
func (p *Position) Ply() int { return p.ply }

// MoveNumber returns the number of the next full move, as the FEN has it.
func (p *Position) MoveNumber() int { return min(p.number, maxMove) }

// String returns the FEN.
func (p *Position) String() string { return p.FEN() }

// Moves returns the legal moves.
func (p *Position) Moves() []engine.Move { return p.AppendMovesTo(nil) }

// AppendMovesTo appends Moves to dst.
func (p *Position) AppendMovesTo(dst []engine.Move) []engine.Move {
	s := p.state // the generator notes what it finds
	var room [MaxMoves]Move
	return engine.AppendMovesOf(dst, s.appendMoves(room[:0], allSquares()))
}

// LegalMoves returns Moves in this package's own type.
func (p *Position) LegalMoves() []Move {
	s := p.state
	return s.appendMoves(nil, allSquares())
}

// Result returns the result if the side to move has no legal move, which loses whether it is in
// check or not. See Adjudicate for repetitions and draws.
func (p *Position) Result() engine.Result {
	s := p.state
	if s.countMoves() > 0 {
		return engine.Result{}
	}
	reason := "stalemate"
	if p.InCheck() {
		reason = "checkmate"
	}
	return engine.Result{Outcome: engine.Win(p.Turn().Other()), Reason: reason}
}

// Play makes a move. The error of an illegal one is a *MoveError.
func (p *Position) Play(move engine.Move) (engine.Position, error) {
	m := Move(move)
	if engine.Move(m) != move {
		return nil, fmt.Errorf("move %d: not a move of xiangqi", uint64(move))
	}
	next, err := p.PlayMove(m)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// PlayMove returns Play in this package's own types.
func (p *Position) PlayMove(m Move) (*Position, error) {
	if !p.Legal(m) {
		return nil, p.explain(m)
	}
	return p.after(m), nil
}

// after returns the position after a legal move.
func (p *Position) after(m Move) *Position {
	next := &Position{state: p.state, number: p.number, before: p, move: m, ply: p.ply + 1, remarks: p.remarks}
	next.apply(m)
	next.inCheck()
	if next.side == Red {
		next.number++
	}
	return next
}

// Format returns the move in ICCS.
func (p *Position) Format(m engine.Move) string { return Move(m).ICCS() }

// Parse reads a legal move, "H2-E2" or "h2e2" in any case. The error wraps
// ErrMalformed or is a *MoveError.
func (p *Position) Parse(text string) (engine.Move, error) {
	m, err := ParseMove(text)
	if err != nil {
		return engine.NoMove, err
	}
	if !p.Legal(m) {
		return engine.NoMove, p.explain(m)
	}
	return engine.Move(m), nil
}

// History returns where the game started and the moves played since.
func (p *Position) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

// Before returns the position that the last move was played in; nil at the start.
func (p *Position) Before() *Position { return p.before }

// Undo returns Before and the move that led here in the types of the contract.
func (p *Position) Undo() (engine.Position, engine.Move) {
	if p.before == nil {
		return nil, engine.NoMove
	}
	return p.before, engine.Move(p.move)
}

// Board returns a copy to make moves on, with the whole history and capacity for a search.
func (p *Position) Board() *Board {
	const room = 128 // plies beyond the game before the history has to grow
	b := &Board{state: p.state, history: make([]undoInfo, 0, p.ply+room)}
	for ; p.before != nil; p = p.before {
		from := p.before
		b.history = append(b.history, undoInfo{
			key: from.key, quiet: from.quiet, since: from.since,
			move: p.move, taken: from.squares[p.move.To()], check: from.check,
		})
	}
	slices.Reverse(b.history)
	return b
}

// Position returns the position on the board, without its history.
func (b *Board) Position() *Position {
	p := &Position{state: b.state, number: 1}
	p.since = 0
	p.check = checkOf(p.inCheck())
	return p
}
