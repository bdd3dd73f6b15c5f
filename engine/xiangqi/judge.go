package xiangqi

import "qhsh/engine"

// A Ruling is the verdict of a rule set on a game at its last position.
type Ruling struct {
	Rules RuleSet
	Side  Side // to move in the last position

	// Result is the result of the game: by checkmate or stalemate; by repetition, at the third
	// occurrence of the position; or a draw without progress.
	Result engine.Result

	// Repetition is the result at the third occurrence of the position if the cycle is repeated. It
	// is set from the second occurrence on.
	Repetition engine.Result
	Times      int              // occurrences of the position since the last capture, including this one
	Cycle      []CycleMove      // the moves since the third-last occurrence, or the second-last; nil at the first
	Conduct    [2]Conduct       // by Side: what each did throughout the cycle
	Chased     [2][]ChasedPiece // by Side: what it chased throughout, if that is its conduct
}

// A ChasedPiece is a piece that is chased, and its point when the cycle began.
type ChasedPiece struct {
	Piece  Piece
	Square Square
}

// A CycleMove is a move of a cycle and what it does.
type CycleMove struct {
	Piece  Piece
	Move   Move
	Check  bool
	Threat bool // to mate with the next move; only computed under the Chinese rules, if the move does nothing else
	Chases []Chase
}

// A Chase is a new threat to capture a piece with profit.
type Chase struct {
	Attacker, Victim Piece
	From, To         Square // where they stand
	cut              bool   // new only because protection was cut off
}

// Judge returns the ruling at the last position of a game. It costs some microseconds per move of
// the cycle if the position has occurred before, and otherwise next to nothing.
func (r RuleSet) Judge(p *Position) Ruling {
	ruling := Ruling{Rules: r, Side: p.side, Result: p.Result()}
	b := p.Board()
	times, plies := b.Cycle()
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

// Adjudicate returns the Result of Judge. For a position of another game it returns that game's own
// result.
func (r RuleSet) Adjudicate(pos engine.Position) engine.Result {
	p, ok := pos.(*Position)
	if !ok {
		return pos.Result()
	}
	if result := p.Result(); result.Over() {
		return result
	}
	if result := r.repetition(p, repetitionLimit); result.Over() {
		return result
	}
	return r.drawWithoutProgress(p)
}

// Adjudicate returns the result by the Asian rules: Result, or by repetition, or a draw without
// progress.
func (p *Position) Adjudicate() engine.Result { return Asian.Adjudicate(p) }

// Repetition returns how the game ends by the Asian rules if the moves since the position last
// occurred are repeated; Ongoing if it is the first occurrence.
func (p *Position) Repetition() engine.Result { return Asian.repetition(p, 2) }

// repetition returns the result of a repetition; Ongoing if the position has occurred fewer times.
func (r RuleSet) repetition(p *Position, least int) engine.Result {
	if p.since < 4 {
		return engine.Result{}
	}
	b := p.Board()
	times, plies := b.Cycle()
	if times < least {
		return engine.Result{}
	}
	conduct, _ := b.judgeCycle(r.definition(), plies, nil)
	return repetitionResult(conduct)
}

// repetitionResult returns the result of a repetition.
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
