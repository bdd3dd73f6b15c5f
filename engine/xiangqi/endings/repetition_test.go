package endings

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

// A tablePlayer plays a table's draws.
type tablePlayer struct {
	t *testing.T
	*maker
}

// makeMaker makes the tables of a material and of its parts, if a win may take limit plies without a capture.
func makeMaker(t *testing.T, text string, limit int) *maker {
	t.Helper()
	m, err := ParseMaterial(text)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[Material]*table{}
	var k *maker
	for _, m := range withParts(m) {
		k, err = newMaker(t.Context(), m, tables)
		if err != nil {
			t.Fatal(err)
		}
		k.limit = limit
		if err := k.solve(); err != nil {
			t.Fatal(err)
		}
		tables[m] = &k.table
	}
	return k
}

// moves returns the moves that draw, and those of them that cannot be an offence, first those that attack something.
func (k tablePlayer) moves(p *xiangqi.Position) (draws, free []xiangqi.Move) {
	var from placement
	for at := range p.Board().Occupied().All() {
		from.add(man{p.At(at), at})
	}
	side := p.Side()
	number, _, imaged := k.layout.number(&from, false, false)
	at, _ := k.layout.at(number)
	k.next(number, side, func(s step, after *placement, v Value) bool {
		if v != Draw {
			return true
		}
		m := xiangqi.NewMove(at.men[s.man].at, s.to)
		if imaged {
			m = m.Mirrored()
		}
		draws = append(draws, m)
		if s.taken >= 0 || !after.attacked(side^1) && !k.mayOffend(&at, after, s.man, side) {
			attacks := false
			after.legal(side, func(s step, _ *placement) bool {
				attacks = s.taken >= 0 && after.men[s.man].piece.Kind() != xiangqi.King
				return !attacks
			})
			if attacks {
				free = slices.Insert(free, 0, m)
			} else {
				free = append(free, m)
			}
		}
		return true
	})
	return draws, free
}

// TestChases has moves after which a man that has not moved chases what it attacked before, as that is not guarded any
// more, and moves that are no chase.
func TestChases(t *testing.T) {
	for _, test := range []struct {
		fen, move string
		chases    bool
	}{
		{"9/9/2R1bk3/9/9/9/9/8n/9/3K5 w", "d0e0", true}, // its king may not retake on e7
		{"3k5/4n4/3a5/4R4/9/9/9/4K4/9/9 w", "e2d2", true},
		{"4k4/4a1c2/9/9/4R4/9/9/9/9/3K5 w", "d0e0", true},
		{"1R7/5k3/9/9/9/9/5n3/9/4A4/4K4 b", "f8e8", true},
		{"3k5/9/3a5/9/9/9/9/9/2N6/4K4 w", "c1b3", false},
		{"3k5/9/9/4n4/9/9/9/9/R8/4K4 w", "a1a6", true},
		{"3k5/9/3n5/4n4/9/9/9/9/R8/4K4 w", "a1a6", true},
		{"2b1k4/9/4b4/9/9/9/9/9/R8/3K5 w", "a1a7", false}, // guarded
	} {
		p, err := xiangqi.ParseFEN(test.fen + " - - 0 1")
		if err != nil {
			t.Fatal(err)
		}
		m, err := xiangqi.ParseMove(test.move)
		if err != nil {
			t.Fatal(err)
		}
		var before placement
		for at := range p.Board().Occupied().All() {
			before.add(man{p.At(at), at})
		}
		moved := slices.IndexFunc(before.men[:before.n], func(one man) bool { return one.at == m.From() })
		after := before
		after.move(moved, m.To())
		if got := before.mayChaseAnew(&after, moved, p.Side()); got != test.chases {
			t.Errorf("%s %s: %t", test.fen, test.move, got)
		}
	}
}

// TestDraws plays draws that are said to be so by all rule sets: a side that always makes the same move that
// cannot be an offence, where there is one, never loses, whatever repeats.
func TestDraws(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, material := range []string{"KRKN", "KNKB", "KCKAA", "KNKP", "KNKC"} {
		k := tablePlayer{t, makeMaker(t, material, strictest())}
		dice := rand.New(rand.NewPCG(1, 2))
		repeated := 0
		for games := 0; games < 40; {
			number, side := dice.IntN(k.layout.size), xiangqi.Side(dice.IntN(2))
			if Value(k.values[side].at(number)) != Draw {
				continue
			}
			games++
			men, _ := k.layout.at(number)
			for _, rules := range xiangqi.RuleSets() {
				if k.play(men.fen(side), rules, dice) {
					repeated++
				}
			}
		}
		if material != "KRKN" && repeated < 20 {
			t.Errorf("%s: only %d games ended by a rule", material, repeated)
		}
	}
}

// play plays a draw by a rule set, and reports whether a rule ended the game.
func (k tablePlayer) play(fen string, rules xiangqi.RuleSet, dice *rand.Rand) bool {
	p, err := xiangqi.ParseFEN(fen)
	steady := xiangqi.Side(dice.IntN(2))
	for err == nil {
		if result := rules.Adjudicate(p); result.Outcome != engine.Ongoing {
			if result.Outcome == engine.Win(steady.Other().Turn()) {
				k.t.Fatalf("%s, %v: %v plays draws and loses: %v", fen, rules, steady, result)
			}
			return true
		}
		draws, free := k.moves(p)
		if len(draws) == 0 {
			k.t.Fatalf("%v: a draw from which no move draws", p)
		}
		m := draws[0]
		if dice.IntN(4) == 0 {
			m = draws[dice.IntN(len(draws))]
		}
		if p.Side() == steady && len(free) > 0 {
			m = free[0]
		}
		if p, err = p.PlayMove(m); err == nil && MaterialOf(p.Board()) != k.layout.material {
			return false // a capture that draws
		}
	}
	k.t.Fatal(err)
	return false
}
