package xiangqi

import "fmt"

// A MoveError is the error of an illegal move.
type MoveError struct {
	Move    Move
	Reason  string // without the move itself: "no piece on H4"
	InCheck bool   // the piece can move so, but its king would be attacked
}

func (e *MoveError) Error() string { return e.Move.ICCS() + ": " + e.Reason }

// explain returns the error of an illegal move.
func (s *state) explain(m Move) error {
	from, to := m.From(), m.To()
	if m >= endMove || to >= 90 {
		return fmt.Errorf("move %d: not a move of xiangqi", m)
	}
	piece := s.squares[from]
	reason := ""
	switch {
	case piece == Empty:
		reason = fmt.Sprintf("no piece on %v", from)
	case piece.Side() != s.side:
		reason = fmt.Sprintf("the piece on %v is %v, %v is to move", from, piece.Side(), s.side)
	case from == to:
		reason = "start and target are the same"
	default:
		reason = s.explainMovement(piece, from, to)
		if reason == "" && s.sides[s.side].Has(to) {
			reason = fmt.Sprintf("own piece on %v", to)
		}
		if reason == "" && s.squares[to].Kind() == King {
			reason = "a king cannot be captured"
		}
	}
	switch {
	case reason != "":
		return &MoveError{Move: m, Reason: reason}
	case s.threats(m) == s.pieces[NewPiece(s.side^1, King)]:
		reason = "the kings would face each other"
	case s.attacked(s.king(s.side), s.side, s.occupied()):
		reason = "the king is still in check"
	case piece.Kind() == King:
		reason = "the king would be in check"
	default:
		reason = "leaves the king in check"
	}
	return &MoveError{m, reason, true}
}

// explainMovement says why a piece cannot move from one point to another; empty if it can.
func (s *state) explainMovement(piece Piece, from, to Square) string {
	file, rank := int(places[to].file)-int(places[from].file), int(places[to].rank)-int(places[from].rank)
	switch piece.Kind() {
	case Rook:
		if !crosses[from].Has(to) {
			return "illegal rook move"
		}
		return s.explainBlock(from, to)
	case Cannon:
		switch {
		case !crosses[from].Has(to):
			return "illegal cannon move"
		case s.squares[to] == Empty:
			return s.explainBlock(from, to)
		case s.sides[s.side].Has(to): // reported as an own piece
		case pointsBetween(from, to).And(s.occupied()).Count() != 1:
			return "the cannon needs exactly one piece to jump over"
		}
		return ""
	case Horse:
		if file*file+rank*rank != 5 {
			return "illegal horse move"
		}
		return s.explainLeap("horse", from, step{file / 2, rank / 2})
	case Elephant:
		switch {
		case file*file != 4 || rank*rank != 4:
			return "illegal elephant move"
		case (from < halfSize) != (to < halfSize):
			return "an elephant cannot cross the river"
		}
		return s.explainLeap("elephant", from, step{file / 2, rank / 2})
	case Advisor:
		return explainPalace("an advisor", to, s.side, file*file == 1 && rank*rank == 1)
	case King:
		return explainPalace("a king", to, s.side, file*file+rank*rank == 1)
	}
	ahead := 1
	if s.side == Black {
		ahead = -1
	}
	switch sideways := rank == 0 && file*file == 1; {
	case file == 0 && rank == ahead, sideways && beyond[s.side].Has(from):
		return ""
	case file == 0 && rank == -ahead:
		return "a pawn cannot move backwards"
	case sideways:
		return "a pawn moves sideways only after crossing the river"
	}
	return "illegal pawn move"
}

func explainPalace(name string, to Square, side Side, moves bool) string {
	switch {
	case !moves:
		return name + " cannot move like that"
	case !palaces[side].Has(to):
		return name + " cannot leave the palace"
	}
	return ""
}

// explainBlock names the first piece in the way.
func (s *state) explainBlock(from, to Square) string {
	way := pointsBetween(from, to).And(s.occupied())
	if way.Empty() {
		return ""
	}
	first := way.First()
	if to < from {
		for sq := range way.All() {
			first = sq
		}
	}
	return fmt.Sprintf("the path is blocked at %v", first)
}

// explainLeap names the piece on the leg or the eye, a step away.
func (s *state) explainLeap(name string, from Square, d step) string {
	if at, _ := d.from(from); s.squares[at] != Empty {
		return fmt.Sprintf("the %s is blocked at %v", name, at)
	}
	return ""
}

// Check returns nil if a move is legal, and otherwise a *MoveError, or another error if m is not a
// move at all.
func (b *Board) Check(m Move) error {
	if b.Legal(m) {
		return nil
	}
	return b.explain(m)
}
