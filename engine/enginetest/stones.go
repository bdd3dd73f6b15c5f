// Package enginetest helps to test code that uses the engine contract. It has a small game with
// every feature that a game may have ([Stones]), a fast Searcher that ranks moves by a rule
// ([Ranker]), and a test that every Game must pass ([Conform]).
package enginetest

import (
	"fmt"
	"slices"

	"qhsh/engine"
)

// Stones is a game with a chance ply and a double move. There is a pile of stones. First, chance
// rolls 1 or 2, with odds of 1/3 and 2/3. Then the side to move takes up to as many stones. The
// side that takes the last stone wins. A side that takes two moves again immediately, with the same
// roll; otherwise it is the other side's turn, and chance rolls again.
//
// The text form is the size of the pile, the side and, unless chance is to roll, the roll: "7
// first", "7 second 2". Moves are "roll 2" and "take 1".
var Stones engine.Game = stones{}

type stones struct{}

func (stones) Name() string           { return "stones" }
func (stones) Start() engine.Position { return &pile{size: 7} }

// JoinMoves puts "take 1" together.
func (stones) JoinMoves(words []string) (moves []string) {
	for i, word := range words {
		if i > 0 && (words[i-1] == "take" || words[i-1] == "roll") {
			moves[len(moves)-1] += " " + word
		} else {
			moves = append(moves, word)
		}
	}
	return moves
}

func (stones) Position(text string) (engine.Position, error) {
	p := &pile{}
	var side string
	n, err := fmt.Sscanf(text+" 0", "%d %s %d", &p.size, &side, &p.roll)
	if n < 3 || err != nil || p.size < 0 || p.roll < 0 || p.roll > 2 {
		return nil, fmt.Errorf("stones %q: want a number, a side and a roll of 1 or 2", text)
	}
	switch side {
	case "first":
	case "second":
		p.side = engine.Second
	default:
		return nil, fmt.Errorf("stones %q: no side %q", text, side)
	}
	if p.String() != text {
		return nil, fmt.Errorf("stones %q: want %q", text, p)
	}
	return p, nil
}

type pile struct {
	size   int
	side   engine.Turn // the side that takes next
	roll   int         // 0: chance is to roll
	before *pile
	last   engine.Move
}

// Moves of Stones: 1 and 2 take stones, 11 and 12 are rolls.
const rolled engine.Move = 10

func (p *pile) Game() engine.Game { return Stones }

func (p *pile) Turn() engine.Turn {
	if p.roll == 0 && p.size > 0 {
		return engine.Chance
	}
	return p.side
}

func (p *pile) Moves() []engine.Move {
	switch {
	case p.size == 0:
		return nil
	case p.roll == 0:
		return []engine.Move{rolled + 1, rolled + 2}
	}
	moves := []engine.Move{1, 2}
	return moves[:min(p.roll, p.size)]
}

// Odds returns the odds of the rolls.
func (p *pile) Odds(m engine.Move) float64 { return float64(m-rolled) / 3 }

func (p *pile) Play(m engine.Move) (engine.Position, error) {
	if slices.Contains(p.Moves(), m) {
		return p.after(m), nil
	}
	return nil, fmt.Errorf("stones: %s is illegal in %q", p.Format(m), p)
}

func (p *pile) after(m engine.Move) *pile {
	next := &pile{size: p.size, side: p.side, before: p, last: m}
	switch {
	case m > rolled:
		next.roll = int(m - rolled)
	case m == 2 && p.size > 2:
		next.size, next.roll = p.size-2, p.roll
	default:
		next.size, next.side = p.size-int(m), p.side.Other()
	}
	return next
}

func (p *pile) Result() engine.Result {
	if p.size > 0 {
		return engine.Result{}
	}
	return engine.Result{Outcome: engine.Win(p.side.Other()), Reason: "last stone"}
}

func (p *pile) Format(m engine.Move) string {
	if m > rolled {
		return fmt.Sprintf("roll %d", m-rolled)
	}
	return fmt.Sprintf("take %d", m)
}

func (p *pile) Parse(text string) (engine.Move, error) {
	for _, m := range p.Moves() {
		if p.Format(m) == text {
			return m, nil
		}
	}
	for _, m := range []engine.Move{1, 2, rolled + 1, rolled + 2} {
		if p.Format(m) == text {
			return engine.NoMove, fmt.Errorf("stones: %s is illegal in %q", text, p)
		}
	}
	return engine.NoMove, fmt.Errorf("stones: no move %q in %q: %w", text, p, errMalformed)
}

var errMalformed = engine.Malformed(`want one such as "take 1" or "roll 2"`)

func (p *pile) History() (engine.Position, []engine.Move) { return engine.HistoryOf(p) }

func (p *pile) Undo() (engine.Position, engine.Move) {
	if p.before == nil {
		return nil, engine.NoMove
	}
	return p.before, p.last
}

func (p *pile) Key() uint64 { return uint64(p.size)<<8 | uint64(p.side)<<4 | uint64(p.roll) }

func (p *pile) String() string {
	if p.roll == 0 {
		return fmt.Sprintf("%d %v", p.size, p.side)
	}
	return fmt.Sprintf("%d %v %d", p.size, p.side, p.roll)
}
