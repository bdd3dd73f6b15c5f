package qchess

import (
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"

	"qhsh/engine"
)

// A Position is an immutable board with the moves that led to it.
type Position struct {
	board  Board
	before *Position // nil at the start
	last   Step      // that led here from before
}

var (
	_ engine.Position    = (*Position)(nil)
	_ engine.Odds        = (*Position)(nil)
	_ engine.Adjudicator = (*Position)(nil)
	_ engine.Concealer   = (*Position)(nil)
)

// NewPosition returns the start of a game with a board.
func NewPosition(b Board) *Position { return &Position{board: b} }

// Board returns a copy of the board.
func (p *Position) Board() Board { return p.board }

// Game returns Rules.
func (p *Position) Game() engine.Game { return Rules }

// Turn returns the side to move, or Chance if the outcome of a selection is pending.
func (p *Position) Turn() engine.Turn {
	if p.board.OutcomePending() {
		return engine.Chance
	}
	return p.board.turn
}

// Moves returns the legal steps.
func (p *Position) Moves() []engine.Move { return engine.AppendMovesOf(nil, p.board.AppendSteps(nil)) }

// Odds returns the probability of an outcome.
func (p *Position) Odds(m engine.Move) float64 {
	for _, o := range p.board.Outcomes() {
		if engine.Move(OutcomeStep(o.Index, o.Kind)) == m {
			return o.Odds
		}
	}
	return 0
}

// Play makes a step.
func (p *Position) Play(m engine.Move) (engine.Position, error) {
	next, err := p.Do(Step(m))
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Do is Play with the types of this package.
func (p *Position) Do(s Step) (*Position, error) {
	next := &Position{board: p.board, before: p, last: s}
	if err := next.board.Do(s); err != nil {
		return nil, err
	}
	return next, nil
}

// Result reports a captured king, or two lone kings.
func (p *Position) Result() engine.Result { return p.board.Result() }

// Adjudicate returns Result: there is no rule on repetition.
func (p *Position) Adjudicate() engine.Result { return p.Result() }

// Repetition returns Ongoing: there is no rule on repetition.
func (p *Position) Repetition() engine.Result { return engine.Result{} }

// Format formats a step: "@36", "1=rook" or "36-35".
func (p *Position) Format(m engine.Move) string { return Step(m).String() }

// Parse parses a legal step as Format formats it, or as in the protocol.
func (p *Position) Parse(text string) (engine.Move, error) {
	s, err := p.board.ParseStep(text)
	if err != nil {
		return engine.NoMove, err
	}
	board := p.board
	if err := board.Do(s); err != nil {
		return engine.NoMove, err
	}
	return engine.Move(s), nil
}

// History returns the start of the game and the moves since.
func (p *Position) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

// Undo returns the position before the last move, and that move.
func (p *Position) Undo() (engine.Position, engine.Move) {
	if p.before == nil {
		return nil, engine.NoMove
	}
	return p.before, engine.Move(p.last)
}

// Deal returns the game so far on boards with hidden kinds; see [Board.Deal].
func (p *Position) Deal(source *rand.Rand) engine.Position {
	isHidden := func(piece Piece) bool { return piece.Hidden != Unknown }
	for start := p; start != nil; start = start.before {
		if slices.ContainsFunc(start.board.pieces[:], isHidden) {
			return p
		}
	}
	seconds := p.board.drawSeconds(source)
	return p.withBoards(func(b *Board) { b.hide(seconds) })
}

// View returns the game so far on boards without hidden kinds.
func (p *Position) View() engine.Position {
	return p.withBoards(func(b *Board) { *b = b.View() })
}

// withBoards returns a copy of p and of the positions before it, whose boards f has changed.
func (p *Position) withBoards(f func(*Board)) *Position {
	changed := *p
	f(&changed.board)
	if p.before != nil {
		changed.before = p.before.withBoards(f)
	}
	return &changed
}

// Key returns a hash of the board; equal boards have equal keys.
func (p *Position) Key() uint64 { return p.board.key() }

// String returns the text form of the board; see [Board.String].
func (p *Position) String() string { return p.board.String() }

// squares yields the squares of a set in ascending order.
func squares(set uint64) iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(Square(bits.TrailingZeros64(set))) {
				return
			}
		}
	}
}
