package reason

import (
	"cmp"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// The values of pieces in half pawns.
var values = [8]int{xiangqi.Rook: 18, xiangqi.Cannon: 9, xiangqi.Horse: 8, xiangqi.Advisor: 4, xiangqi.Elephant: 4, xiangqi.Pawn: 2}

const (
	minor    = 4    // the value of an advisor or an elephant
	infinite = 1000 // more than all pieces
)

// value returns the value of a piece; 0 for the empty point.
func value(piece xiangqi.Piece) int { return values[piece.Kind()] }

// price returns how much may be paid for a piece that is won.
func price(piece xiangqi.Piece) int { return value(piece) / 4 }

// Limits of a proof; what is not proved within them is not claimed.
const (
	budget    = 200_000 // positions of a claim
	maxMate   = 8       // moves to a mate
	onlyMate  = 3       // to a mate after the other moves
	maxForced = 3       // moves of a side that wins material
	maxQuiet  = 100     // plies without a capture after which a game may be a draw
)

// A prover proves claims on a board, on which it leaves no move of its own.
type prover struct {
	board *xiangqi.Board
	left  int              // positions to look at; what is found below 0 proves nothing
	known map[mateKey]bool // by mates
}

type mateKey struct {
	position uint64
	moves    int
}

// captures returns what the side to move wins if the sides only capture and may stop at any time, if that is between
// the bounds; else a bound of it.
func (p *prover) captures(alpha, beta int) int {
	b := p.board
	if p.left--; p.left < 0 {
		return 0
	}
	if b.InCheck() && b.CountMoves() == 0 {
		return -infinite
	}
	best := 0
	if best >= beta {
		return best
	}
	var room [xiangqi.MaxMoves]xiangqi.Move
	for _, m := range p.sorted(b.AppendCaptures(room[:0])) {
		alpha = max(alpha, best)
		won := value(b.At(m.To()))
		b.Do(m)
		best = max(best, won-p.captures(won-beta, won-alpha))
		b.Undo()
		if best >= beta {
			break
		}
	}
	return best
}

// sorted sorts moves by what they capture, the best first, and with what.
func (p *prover) sorted(moves []xiangqi.Move) []xiangqi.Move {
	at := func(sq xiangqi.Square) int { return value(p.board.At(sq)) }
	slices.SortStableFunc(moves, func(x, y xiangqi.Move) int {
		return cmp.Or(cmp.Compare(at(y.To()), at(x.To())), cmp.Compare(at(x.From()), at(y.From())))
	})
	return moves
}

// gain returns what a side wins by its move and captures after it, which is less than 0 if the other side wins more.
func (p *prover) gain(m xiangqi.Move) int {
	won := value(p.board.At(m.To()))
	p.board.Do(m)
	defer p.board.Undo()
	return won - p.captures(-infinite, infinite)
}

// exchange returns what the side to move wins by captures on a point alone, at which either side may stop.
func (p *prover) exchange(at xiangqi.Square) (most int) {
	b := p.board
	won := value(b.At(at))
	for _, m := range b.AppendCaptures(nil) {
		if m.To() == at {
			b.Do(m)
			most = max(most, won-p.exchange(at))
			b.Undo()
		}
	}
	return most
}

// anywhere is no point.
const anywhere = xiangqi.Square(90)

// wins reports whether the side to move can capture on a point, with the piece on another one or with any, so that the
// other side wins back no more than allowed.
func (p *prover) wins(at, by xiangqi.Square, allowed int) bool {
	b := p.board
	var room [xiangqi.MaxMoves]xiangqi.Move
	return allowed >= 0 && slices.ContainsFunc(b.AppendCaptures(room[:0]), func(m xiangqi.Move) bool {
		if m.To() != at || by != anywhere && m.From() != by {
			return false
		}
		b.Do(m)
		defer b.Undo()
		return p.captures(allowed, allowed+1) <= allowed
	})
}

// mateIn returns the number of moves in which the side to move forces mate, at most those that the engine announces;
// 0 if that is not proved, or the engine announces no mate. The first move is the engine's or one of those of mates.
func (p *prover) mateIn(announced engine.Score, first xiangqi.Move) int {
	most, _ := announced.Mate()
	for n := 1; n <= min(most, maxMate) && p.left >= 0; n++ {
		if p.board.QuietPlies()+2*n < maxQuiet && (p.mates(n) || p.board.Legal(first) && p.matesBy(first, n)) {
			return n
		}
	}
	return 0
}

// mates reports whether the side to move forces checkmate in so many moves or fewer. They are checks, but for the last
// but one, which may be any.
func (p *prover) mates(n int) bool {
	b := p.board
	key := mateKey{b.Key(), n}
	if won, ok := p.known[key]; ok || p.left < 0 {
		return won
	}
	var room [xiangqi.MaxMoves]xiangqi.Move
	won := slices.ContainsFunc(b.AppendMoves(room[:0]), func(m xiangqi.Move) bool {
		return (n == 2 || b.GivesCheck(m)) && p.matesBy(m, n)
	})
	if p.left >= 0 {
		p.known[key] = won
	}
	return won
}

// matesBy reports whether a move forces checkmate, it and those that follow being so many.
func (p *prover) matesBy(m xiangqi.Move, n int) bool {
	b := p.board
	p.left--
	b.Do(m)
	defer b.Undo()
	var room [xiangqi.MaxMoves]xiangqi.Move
	answers := b.AppendMoves(room[:0])
	if len(answers) == 0 || n == 1 || b.Occurrences() > 0 {
		return len(answers) == 0 && b.InCheck()
	}
	return !slices.ContainsFunc(answers, func(answer xiangqi.Move) bool {
		b.Do(answer)
		defer b.Undo()
		return b.Occurrences() > 0 || !p.mates(n-1)
	})
}

// others returns in how many moves the other side mates after every move but one, 0 if there is no other; ok is false
// if that is not proved.
func (p *prover) others(but xiangqi.Move) (most int, ok bool) {
	b := p.board
	for _, m := range b.AppendMoves(nil) {
		if m == but {
			continue
		}
		b.Do(m)
		n := p.mateIn(engine.MateIn(onlyMate), but) // which is illegal there
		b.Undo()
		if n == 0 {
			return 0, false
		}
		most = max(most, n)
	}
	return most, true
}

// A threat is what a move threatens that no answer averts.
type threat struct {
	move    xiangqi.Move
	isCheck bool
	targets []xiangqi.Square // one, or those of a fork
	least   int              // the value of the cheapest target
}

// threat returns what a move threatens that no answer averts; nil if there is nothing, or the move is illegal.
func (p *prover) threat(m xiangqi.Move) *threat {
	b := p.board
	if !b.Legal(m) {
		return nil
	}
	var targets []xiangqi.Square // that cannot be won at once
	for at := range b.OccupiedBy(b.Side().Other()).All() {
		if value(b.At(at)) >= minor && at != m.To() && !p.wins(at, anywhere, price(b.At(at))) {
			targets = append(targets, at)
		}
	}
	slices.SortStableFunc(targets, func(x, y xiangqi.Square) int { return cmp.Compare(value(b.At(y)), value(b.At(x))) })
	b.Do(m)
	defer b.Undo()
	for _, at := range targets {
		if p.isLost([]xiangqi.Square{at}, anywhere) {
			return &threat{m, b.InCheck(), []xiangqi.Square{at}, value(b.At(at))}
		}
	}
	if b.InCheck() {
		return nil
	}
	b.Pass()
	targets = slices.DeleteFunc(targets, func(at xiangqi.Square) bool { return !p.wins(at, m.To(), price(b.At(at))) })
	b.Undo()
	if len(targets) < 2 || !p.isLost(targets, m.To()) {
		return nil
	}
	return &threat{m, false, targets, value(b.At(targets[len(targets)-1]))}
}

// isLost reports whether there is an answer, and after each one of the pieces on some points is won, by the piece on a
// point or by any.
func (p *prover) isLost(targets []xiangqi.Square, by xiangqi.Square) bool {
	b := p.board
	answers := b.AppendMoves(nil)
	return len(answers) > 0 && !slices.ContainsFunc(answers, func(m xiangqi.Move) bool {
		taken := value(b.At(m.To()))
		b.Do(m)
		defer b.Undo()
		return m.To() == by || !slices.ContainsFunc(targets, func(at xiangqi.Square) bool {
			if at == m.From() {
				at = m.To()
			}
			return p.wins(at, by, price(b.At(at))-taken)
		})
	})
}

// forces reports whether the side to move wins so much, whatever the other side answers, by so many moves of its own,
// each a capture, a check or, at first, the engine's move, and by captures after them.
func (p *prover) forces(need, n int, first xiangqi.Move) bool {
	b := p.board
	if p.captures(need-1, need) >= need || n == 0 || p.left < 0 {
		return p.captures(need-1, need) >= need
	}
	return slices.ContainsFunc(p.sorted(b.AppendMoves(nil)), func(m xiangqi.Move) bool {
		won := value(b.At(m.To()))
		if won == 0 && m != first && !b.GivesCheck(m) {
			return false
		}
		b.Do(m)
		defer b.Undo()
		return !slices.ContainsFunc(p.sorted(b.AppendMoves(nil)), func(answer xiangqi.Move) bool {
			taken := value(b.At(answer.To()))
			b.Do(answer)
			defer b.Undo()
			return !p.forces(need-won+taken, n-1, 0)
		})
	})
}

// forced returns the piece of the greatest value that the side to move wins by force beside what has been paid; the
// empty point if it wins nothing.
func (p *prover) forced(paid int, first xiangqi.Move) xiangqi.Piece {
	for _, kind := range []xiangqi.Kind{xiangqi.Rook, xiangqi.Cannon, xiangqi.Horse, xiangqi.Advisor} {
		for n := range maxForced {
			if p.forces(paid+values[kind], n+1, first) {
				return xiangqi.NewPiece(xiangqi.Red, kind)
			}
		}
	}
	return xiangqi.Empty
}
