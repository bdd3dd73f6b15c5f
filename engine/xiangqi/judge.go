package xiangqi

import "qhsh/engine"

// A Ruling is what a rule set says of a game at its last position.
type Ruling struct {
	Rules RuleSet
	Side  Side // to move in the last position

	// Result reports whether the game is over: by checkmate or stalemate; by repetition,
	// when the position stands for the third time; or as a draw because too long
	// nothing was taken, or because nobody has a piece left to attack with.
	Result engine.Result

	// Repetition is how the game ends when the position stands for the third time, if
	// things go on as they went. It is set from the second time on.
	Repetition engine.Result
	Times      int              // how often the position has stood since the last capture, this time included
	Cycle      []CycleMove      // the moves since the third-last time, or the second-last; nil the first time
	Conduct    [2]Conduct       // by Side: what each has done throughout the cycle
	Chased     [2][]ChasedPiece // by Side: what it has chased throughout, if that is its conduct
}

// A ChasedPiece is a piece that is chased, and where it stood when the cycle began.
type ChasedPiece struct {
	Piece  Piece
	Square Square
}

// A CycleMove is a move of a cycle and what it does.
type CycleMove struct {
	Piece  Piece
	Move   Move
	Check  bool
	Threat bool // to mate with the next move; looked for by the Chinese rules, where the move does nothing else
	Chases []Chase
}

// A Chase is a threat, which was not there before, to take a piece with profit.
type Chase struct {
	Attacker, Victim Piece
	From, To         Square // where they stand
	cut              bool   // only the protection is new: that it is gone
}

// Judge says how a game stands at its last position. It costs some microseconds a move
// of the cycle where the position has occurred before, and else next to nothing.
func (r RuleSet) Judge(p *Position) Ruling {
	ruling := Ruling{Rules: r, Side: p.side, Result: p.Result()}
	b := p.Board()
	times, plies := b.occurrences()
	ruling.Times = times
	if plies > 0 {
		ruling.Cycle = make([]CycleMove, plies)
		var prey [2]Bitboard
		ruling.Conduct, prey = b.judgeCycle(r.definition(), plies, ruling.Cycle)
		for s := range prey {
			for sq := range prey[s].All() {
				ruling.Chased[s] = append(ruling.Chased[s], ChasedPiece{b.squares[sq], sq})
			}
		}
		ruling.Repetition = repetitionResult(ruling.Conduct)
	}
	switch {
	case ruling.Result.Over():
	case times >= repetitionLimit:
		ruling.Result = ruling.Repetition
	default:
		ruling.Result = r.drawWithoutProgress(p)
	}
	return ruling
}

// Adjudicate returns the Result of Judge. A position of another game answers its own.
func (r RuleSet) Adjudicate(pos engine.Position) engine.Result {
	p, ok := pos.(*Position)
	if !ok {
		return pos.Result()
	}
	if result := p.Result(); result.Over() {
		return result
	}
	if p.since >= 4 {
		b := p.Board()
		if times, plies := b.occurrences(); times >= repetitionLimit {
			conduct, _ := b.judgeCycle(r.definition(), plies, nil)
			return repetitionResult(conduct)
		}
	}
	return r.drawWithoutProgress(p)
}

// Adjudicate tells by the Asian rules whether the game is over: like Result, or by
// repetition, or as a draw.
func (p *Position) Adjudicate() engine.Result { return Asian.Adjudicate(p) }

// Repetition returns how the game will end by the Asian rules if it goes on as it did since
// the position stood before; not over if it never did.
func (p *Position) Repetition() engine.Result {
	if p.since < 4 {
		return engine.Result{}
	}
	b := p.Board()
	_, plies := b.occurrences()
	if plies == 0 {
		return engine.Result{}
	}
	conduct, _ := b.judgeCycle(Asian.definition(), plies, nil)
	return repetitionResult(conduct)
}

// repetitionLimit is how often a position has to stand for the game to be over.
const repetitionLimit = 3

// occurrences tells how often the position has stood since the last capture or Pass,
// this time included, and how many plies ago the first of the last fold times was; 0
// if this is the only one.
func (b *Board) occurrences() (times, plies int) {
	times = 1
	for back := 4; back <= int(b.since); back += 2 {
		if b.history[len(b.history)-back].key != b.key {
			continue
		}
		if times++; times <= repetitionLimit {
			plies = back
		}
	}
	return times, plies
}

// repetitionResult is how a repetition ends, and the words for it.
func repetitionResult(conduct [2]Conduct) engine.Result {
	switch verdictOf(conduct, Red) {
	case Loses:
		return engine.Result{Outcome: engine.SecondWins, Reason: conduct[Red].offence()}
	case Wins:
		return engine.Result{Outcome: engine.FirstWins, Reason: conduct[Black].offence()}
	}
	reason := "repetition"
	if conduct[Red] != Free {
		reason = "mutual " + conduct[Red].offence()
	}
	return engine.Result{Outcome: engine.Draw, Reason: reason}
}

// newDeed returns what the last move of a position did. Chases that are not firm only cut
// their prey off.
func newDeed(after *state, m Move, check, threat bool, h *chaseSet, firm Bitboard) CycleMove {
	d := CycleMove{Piece: after.squares[m.To()], Move: m, Check: check, Threat: threat}
	for i := range h.n {
		for to := range h.victims[i].All() {
			d.Chases = append(d.Chases, Chase{
				Attacker: after.squares[h.attackers[i]], From: h.attackers[i],
				Victim: after.squares[to], To: to, cut: !firm.Has(to),
			})
		}
	}
	return d
}

// dropCuts leaves out the chases that only cut their prey off.
func (d *CycleMove) dropCuts() {
	kept := d.Chases[:0]
	for _, c := range d.Chases {
		if !c.cut {
			kept = append(kept, c)
		}
	}
	d.Chases = kept
}
