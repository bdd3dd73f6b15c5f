package xiangqi

import "slices"

// A judgement goes back through the moves of a cycle and finds what each side does with every one
// of them.
//
// A side offends if it checks with every move, or chases the same piece with every move, with any
// of its pieces. A piece is tracked through the moves. The side with the more severe offence loses,
// perpetual check being the more severe; equal ones are a draw.
type judgement struct {
	code  *ruleSet
	board Board // goes back; its history is shared and only read
	log   []CycleMove

	chased  [2]Bitboard // what each side has chased with every move so far
	offends [2]bool     // whether each of its moves did something forbidden

	// Whether chases that only cut protection count depends on the move that they may answer, which
	// is judged next. Until then pending is set, and chased assumes that they count;
	// chasedWithoutCuts assumes that they do not.
	chasedWithoutCuts Bitboard
	pending           bool
	pendingSide       Side
}

// Conduct is what a side does throughout a cycle.
type Conduct uint8

// The kinds of conduct.
const (
	Free      Conduct = iota // nothing forbidden with every move
	Chasing                  // chases one and the same piece with every move
	Attacking                // checks, threatens mate or chases with every move (Chinese)
	Checking                 // checks with every move
)

// severity orders conducts. Chasing and Attacking do not occur together.
func (c Conduct) severity() int { return [...]int{Free: 0, Chasing: 1, Attacking: 1, Checking: 2}[c] }

// judgeCycle judges the last plies of the game, an even number. If log is not nil, it must have
// length plies and receives what each move does.
func (b *Board) judgeCycle(c *ruleSet, plies int, log []CycleMove) (conduct [2]Conduct, prey [2]Bitboard) {
	conduct, any := b.perpetual(plies)
	decided := conduct[Red] == Checking || conduct[Black] == Checking || c.excused && any
	if decided && log == nil {
		return conduct, prey
	}
	t := judgement{code: c, board: Board{state: b.state, history: b.history}, log: log}
	t.chased, t.offends = [2]Bitboard{allSquares(), allSquares()}, [2]bool{true, true}
	t.run(plies)
	for s := range conduct {
		switch {
		case conduct[s] == Checking:
		case c.mixed && t.offends[s]:
			conduct[s] = Attacking
		case !c.mixed && !t.chased[s].Empty() && !(c.excused && any):
			conduct[s], prey[s] = Chasing, t.chased[s]
		}
	}
	return conduct, prey
}

// perpetual returns the conduct of the sides in the last plies, an even number, as far as it is Checking,
// and whether any side checks at all.
func (b *Board) perpetual(plies int) (conduct [2]Conduct, any bool) {
	conduct = [2]Conduct{Checking, Checking}
	check := b.inCheck()
	for back := 1; back <= plies; back++ {
		if !check {
			conduct[b.side^Side(back&1)] = Free
		}
		any = any || check
		check = b.history[len(b.history)-back].check == checkYes
	}
	return conduct, any
}

func (t *judgement) run(plies int) {
	last := false // whether the last move is a chase, which the first then answers
	for i := plies - 1; i >= 0; i-- {
		chases := t.judgePly(i)
		if i == plies-1 {
			last = chases
		}
		if t.log == nil && !t.mayOffend(Red) && !t.mayOffend(Black) {
			return
		}
	}
	t.resolve(0, last)
}

// mayOffend reports whether a side has done something forbidden with every move so far.
func (t *judgement) mayOffend(s Side) bool {
	if t.code.mixed {
		return t.offends[s]
	}
	return !t.chased[s].Empty()
}

// judgePly takes the last move back and judges it. It reports whether the move is a chase that does
// not only cut protection.
func (t *judgement) judgePly(i int) (chases bool) {
	m := t.board.history[len(t.board.history)-1].move
	if t.log == nil && !t.pending && !t.mayOffend(t.board.side^1) {
		t.undo(m) // nothing depends on what the move does
		return false
	}
	late := t.board.state
	after := late.chaseBoard()
	t.undo(m)
	before := t.board.state.chaseBoard()
	by := t.board.side

	var h chaseSet
	after.findChases(by, &h)
	firm := t.code.novelty.keepNew(&h, m, &before, &after)
	t.resolve(i+1, !firm.Empty())

	fresh := h.all()
	check := late.inCheck()
	threat := t.code.mixed && !check && fresh.Empty() && (t.offends[by] || t.log != nil) && late.matesNext()
	t.offends[by] = t.offends[by] && (check || threat || !fresh.Empty())
	t.pending, t.pendingSide, t.chasedWithoutCuts = fresh != firm, by, t.chased[by].And(firm)
	t.chased[by] = t.chased[by].And(fresh)
	if t.log != nil {
		d := CycleMove{Piece: late.squares[m.To()], Move: m, Check: check, Threat: threat}
		for k := range h.n {
			for to := range h.victims[k].All() {
				d.Chases = append(d.Chases, Chase{
					Attacker: late.squares[h.attackers[k]], From: h.attackers[k],
					Victim: late.squares[to], To: to, cut: !firm.Has(to),
				})
			}
		}
		t.log[i] = d
	}
	return !firm.Empty()
}

// undo takes the last move back, m, and tracks the piece that made it.
func (t *judgement) undo(m Move) {
	t.board.Undo()
	for _, hunted := range [2]*Bitboard{&t.chased[t.board.side^1], &t.chasedWithoutCuts} {
		if hunted.Has(m.To()) {
			*hunted = hunted.AndNot(points[m.To()]).Or(points[m.From()])
		}
	}
}

// resolve decides the pending question of the move at index i: whether it answers a chase.
func (t *judgement) resolve(i int, answers bool) {
	if !t.pending {
		return
	}
	t.pending = false
	if !answers {
		return
	}
	t.chased[t.pendingSide] = t.chasedWithoutCuts
	if t.log != nil {
		t.log[i].Chases = slices.DeleteFunc(t.log[i].Chases, func(c Chase) bool { return c.cut })
	}
}

// matesNext reports whether the side that has just moved could mate with its next move if the other
// side passed. The side to move must not be in check.
func (s *state) matesNext() bool {
	b := Board{state: *s, checks: new([checkMaps]checkMap)} // which stays on the stack
	b.side ^= 1
	b.check = checkNo
	var room [MaxMoves]Move
	for _, m := range b.AppendMoves(room[:0]) {
		if !b.GivesCheck(m) {
			continue
		}
		after := b.state
		after.apply(m)
		if after.countMoves() == 0 {
			return true
		}
	}
	return false
}
