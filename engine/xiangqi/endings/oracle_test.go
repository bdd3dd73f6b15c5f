package endings_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

var whole = flag.String("oracle", "", "compare `all` endings of up to four men with the slow generator, or one that is drawn by date: today")

// An oracle has the values of all positions of some materials, found in the simplest way: sweeps over all of
// them until nothing changes, with the moves of package plain. It knows nothing of repetitions.
type oracle struct {
	at    map[string]int // by FEN
	fens  []string
	next  [][]int
	plies []int // -1: a draw
}

// add adds all positions of a material, and of what captures lead to.
func (o *oracle) add(t *testing.T, m endings.Material) {
	var men []xiangqi.Piece
	for p, n := range m {
		for range n {
			men = append(men, xiangqi.Piece(p))
		}
	}
	var squares [90]xiangqi.Piece
	var place func(i int, least xiangqi.Square)
	place = func(i int, least xiangqi.Square) {
		if i == len(men) {
			for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
				fen := xiangqi.BoardFEN(&squares, side) + " - - 0 1"
				if _, err := xiangqi.ParseFEN(fen); err == nil {
					o.number(fen)
				}
			}
			return
		}
		for at := range xiangqi.Home(men[i].Side(), men[i].Kind()).All() {
			if squares[at] == xiangqi.Empty && at >= least {
				squares[at] = men[i]
				from := xiangqi.Square(0)
				if i+1 < len(men) && men[i+1] == men[i] {
					from = at
				}
				place(i+1, from)
				squares[at] = xiangqi.Empty
			}
		}
	}
	place(0, 0)
	for i := len(o.next); i < len(o.fens); i++ { // captures lead to more
		b, err := plain.Parse(o.fens[i])
		if err != nil {
			t.Fatal(err)
		}
		mover := xiangqi.Red
		if strings.Contains(o.fens[i], " b ") {
			mover = xiangqi.Black
		}
		var next []int
		for _, m := range b.Moves() {
			next = append(next, o.number(fenOf(b.After(m), mover^1)))
		}
		o.next = append(o.next, next)
	}
}

func (o *oracle) number(fen string) int {
	i, ok := o.at[fen]
	if !ok {
		i = len(o.fens)
		o.at[fen] = i
		o.fens = append(o.fens, fen)
	}
	return i
}

func fenOf(b *plain.Board, side xiangqi.Side) string {
	var squares [90]xiangqi.Piece
	for at := range squares {
		if c := b.At(at); c != '.' {
			squares[at] = xiangqi.PieceOf(c)
		}
	}
	return xiangqi.BoardFEN(&squares, side) + " - - 0 1"
}

// solve finds the values. Endings without attackers are over.
func (o *oracle) solve(t *testing.T) {
	o.plies = slices.Repeat([]int{-1}, len(o.fens))
	var open []int
	for i, fen := range o.fens {
		p, err := xiangqi.ParseFEN(fen)
		switch {
		case err != nil:
			t.Fatal(err)
		case len(o.next[i]) == 0:
			o.plies[i] = 0
		case !p.LacksAttackers(xiangqi.Asian):
			open = append(open, i)
		}
	}
	for plies, idle := 1, 0; idle < 3; plies++ {
		var found []int
		open = slices.DeleteFunc(open, func(i int) bool {
			win, loss := false, true
			for _, n := range o.next[i] {
				v := o.plies[n]
				win = win || v >= 0 && v%2 == 0
				loss = loss && v >= 0 && v%2 == 1
			}
			if win || loss {
				found = append(found, i)
			}
			return win || loss
		})
		for _, i := range found {
			o.plies[i] = plies
		}
		idle++
		if len(found) > 0 {
			idle = 0
		}
	}
}

// smallEndings are all materials of up to four men in standard form.
func smallEndings(t *testing.T) (all []endings.Material) {
	for _, text := range []string{"KRK", "KNK", "KCK", "KPK", "KAK", "KBK"} {
		all = append(all, parse(t, text))
	}
	letters := "RNCPAB"
	for i, a := range letters {
		for j, b := range letters {
			if i <= j {
				all = append(all, parse(t, fmt.Sprintf("K%c%cK", a, b)), parse(t, fmt.Sprintf("K%cK%c", a, b)))
			}
		}
	}
	return all
}

func parse(t *testing.T, text string) endings.Material {
	t.Helper()
	m, err := endings.ParseMaterial(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func makeTables(t *testing.T, texts ...string) *endings.Tables {
	t.Helper()
	tables := endings.Open(t.TempDir())
	t.Cleanup(func() { tables.Close() })
	for _, text := range texts {
		if err := tables.Make(t.Context(), parse(t, text), func(string, int) {}, func(endings.Stats, bool) {}); err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// TestOracle compares every entry of small endings with those of a slow generator that shares no code:
// legality, value and number of plies.
func TestOracle(t *testing.T) {
	enginetest.SkipUnderRace(t)
	all := []endings.Material{parse(t, "KRKA"), parse(t, "KPK"), parse(t, "KPKB")}
	switch *whole {
	case "all":
		all = smallEndings(t)
	case "today":
		all = smallEndings(t)
		all = all[enginetest.Today()/7%len(all):][:1]
	}
	for _, m := range all {
		t.Run(m.String(), func(t *testing.T) {
			tables := makeTables(t, m.String())
			o := &oracle{at: map[string]int{}}
			o.add(t, m)
			o.solve(t)
			legal := [2]int{}
			for i, fen := range o.fens {
				p, err := xiangqi.ParseFEN(fen)
				if err != nil {
					t.Fatal(err)
				}
				b := p.Board()
				v, err := tables.Value(b)
				if err != nil {
					t.Fatal(err)
				}
				if endings.MaterialOf(b) == m {
					legal[b.Side()]++
				}
				if plies, ok := v.Plies(); ok && plies != o.plies[i] || !ok && o.plies[i] >= 0 {
					t.Fatalf("%s: %d, want %d plies", fen, v, o.plies[i])
				}
			}
			stats, err := tables.List()
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range stats {
				if s.Material == m.String() && (s.Sides[0].Legal != legal[0] || s.Sides[1].Legal != legal[1]) {
					t.Errorf("%d and %d legal positions, want %v", s.Sides[0].Legal, s.Sides[1].Legal, legal)
				}
			}
		})
	}
}

// TestLegalPositions counts the legal positions that are known from elsewhere.
func TestLegalPositions(t *testing.T) {
	tables := makeTables(t, "KRKAA")
	want := map[string][2]int{"KRK": {3834, 4914}, "KRKAA": {35166, 41670}}
	all, err := tables.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if w, ok := want[s.Material]; ok && (s.Sides[0].Legal != w[0] || s.Sides[1].Legal != w[1]) {
			t.Errorf("%s: %d and %d legal positions, want %v", s.Material, s.Sides[0].Legal, s.Sides[1].Legal, w)
		}
	}
}

// A byRule is the positions around those that are won by rule.
type byRule struct {
	t      *testing.T
	tables *endings.Tables
	at     map[uint64]int
	all    []*xiangqi.Position
	values []endings.Value
	next   [][]int // not set where a mate is known
}

// number returns a position's number, after exploring from it along the positions that are won by rule.
func (g *byRule) number(p *xiangqi.Position) int {
	if i, ok := g.at[p.Key()]; ok {
		return i
	}
	i := len(g.all)
	v, err := g.tables.Value(p.Board())
	if err != nil {
		g.t.Fatal(err)
	}
	g.at[p.Key()], g.all, g.values, g.next = i, append(g.all, p), append(g.values, v), append(g.next, nil)
	if v != endings.LossByRule && v != endings.WinByRule {
		return i
	}
	for _, m := range p.LegalMoves() {
		next, err := p.PlayMove(m)
		if err != nil {
			g.t.Fatal(err)
		}
		g.next[i] = append(g.next[i], g.number(next.Board().Position()))
	}
	return i
}

// TestWinsByRule plays positions that are won because the other side may not check for ever, under all
// rule sets. The winner goes where the other side can only check, and stays there.
func TestWinsByRule(t *testing.T) {
	enginetest.SkipUnderRace(t)
	g := &byRule{t: t, tables: makeTables(t, "KRKN"), at: map[uint64]int{}}
	dice := rand.New(rand.NewPCG(1, 2))
	men := []xiangqi.Piece{xiangqi.PieceOf('K'), xiangqi.PieceOf('R'), xiangqi.PieceOf('k'), xiangqi.PieceOf('n')}
	for range 5000 {
		var squares [90]xiangqi.Piece
		for _, piece := range men {
			home := slices.Collect(xiangqi.Home(piece.Side(), piece.Kind()).All())
			squares[home[dice.IntN(len(home))]] = piece
		}
		if p, err := xiangqi.ParseFEN(xiangqi.BoardFEN(&squares, xiangqi.Black)); err == nil && endings.MaterialOf(p.Board()).String() == "KRKN" {
			g.number(p)
		}
	}
	values := g.values
	checked := make([]bool, len(g.all))
	for i, p := range g.all {
		checked[i] = p.InCheck()
	}
	// The loser's positions by the number of his moves after which he can only check: first those in which
	// he already is, as long as the winner has a reply to each move that keeps him there.
	rank := map[int]int{}
	for i, v := range values {
		if v == endings.LossByRule {
			rank[i] = 0
		}
	}
	reply := func(i, below int) (best int) { // of the winner
		best = -1
		for _, n := range g.next[i] {
			if r, ok := rank[n]; ok && r < below && !checked[n] && (best < 0 || r < rank[best]) {
				best = n
			}
		}
		return best
	}
	losing := func(i, below int, onlyChecks bool) bool {
		for _, n := range g.next[i] {
			if _, plain := values[n].Plies(); !plain && (onlyChecks && !checked[n] || reply(n, below) < 0) {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for i := range rank {
			if !losing(i, 1, true) {
				delete(rank, i)
				changed = true
			}
		}
	}
	for r, more := 1, true; more; r++ {
		more = false
		for i, v := range values {
			if _, ok := rank[i]; !ok && v == endings.LossByRule && losing(i, r, false) {
				rank[i] = r
				more = true
			}
		}
	}
	dice, games := rand.New(rand.NewPCG(1, 2)), 0
	for i, v := range values {
		if v != endings.LossByRule {
			continue
		}
		if _, ok := rank[i]; !ok {
			t.Fatalf("%v: lost by rule, but nothing forces it", g.all[i])
		}
		for _, rules := range xiangqi.RuleSets() {
			games++
			p, err := g.all[i], error(nil)
			loser := p.Turn()
			for at := i; err == nil; {
				if result := rules.Adjudicate(p); result.Outcome != engine.Ongoing {
					if result.Outcome != engine.Win(loser.Other()) {
						t.Fatalf("%v, %v: %v", g.all[i], rules, result)
					}
					break
				}
				if p.Turn() == loser {
					at = g.next[at][dice.IntN(len(g.next[at]))]
					if _, plain := values[at].Plies(); plain {
						break // he has found a way to lose without repeating
					}
				} else {
					at = reply(at, 1<<30)
				}
				p, err = follow(p, g.all[at])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d games from %d positions that are lost by rule", games, len(rank))
}

// follow plays the move that leads to a position.
func follow(p, want *xiangqi.Position) (*xiangqi.Position, error) {
	for _, m := range p.LegalMoves() {
		if next, err := p.PlayMove(m); err == nil && next.Key() == want.Key() {
			return next, nil
		}
	}
	return nil, fmt.Errorf("no move from %v to %v", p, want)
}
