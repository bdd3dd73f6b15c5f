package quoridor_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
)

// A plain board is written directly from the rules, without regard for speed.
type plain struct {
	size  int
	pawns [2][2]int // row, column
	left  [2]int
	walls map[[3]int]bool // kind (0 horizontal), row, column of the centre
}

func newPlain(b quoridor.Board) *plain {
	p := &plain{size: b.Size(), walls: map[[3]int]bool{}}
	for side := range 2 {
		c := b.Pawn(engine.Turn(side))
		p.pawns[side] = [2]int{c.Row(), c.Col()}
		p.left[side] = b.Walls(engine.Turn(side))
	}
	return p
}

func (p *plain) open(row, col, dr, dc int) bool {
	if row+dr < 0 || row+dr >= p.size || col+dc < 0 || col+dc >= p.size {
		return false
	}
	if dr != 0 {
		r := min(row, row+dr)
		return !p.walls[[3]int{0, r, col}] && !p.walls[[3]int{0, r, col - 1}]
	}
	c := min(col, col+dc)
	return !p.walls[[3]int{1, row, c}] && !p.walls[[3]int{1, row - 1, c}]
}

var directions = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// distance is a breadth-first search over cells; -1 if no path exists.
func (p *plain) distance(side int) int {
	goal := 0
	if side == 1 {
		goal = p.size - 1
	}
	steps := map[[2]int]int{p.pawns[side]: 0}
	queue := [][2]int{p.pawns[side]}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at[0] == goal {
			return steps[at]
		}
		for _, d := range directions {
			next := [2]int{at[0] + d[0], at[1] + d[1]}
			if _, seen := steps[next]; !seen && p.open(at[0], at[1], d[0], d[1]) {
				steps[next] = steps[at] + 1
				queue = append(queue, next)
			}
		}
	}
	return -1
}

func (p *plain) over() bool { return p.pawns[0][0] == 0 || p.pawns[1][0] == p.size-1 }

func (p *plain) moves(side int) []string {
	if p.over() {
		return nil
	}
	return append(p.steps(side), p.building(side)...)
}

func (p *plain) steps(side int) (names []string) {
	me, other := p.pawns[side], p.pawns[1-side]
	for i, d := range directions {
		if !p.open(me[0], me[1], d[0], d[1]) {
			continue
		}
		next := [2]int{me[0] + d[0], me[1] + d[1]}
		if next != other {
			names = append(names, name(next[0], next[1]))
			continue
		}
		if p.open(next[0], next[1], d[0], d[1]) {
			names = append(names, name(next[0]+d[0], next[1]+d[1]))
			continue
		}
		for _, j := range []int{(i + 1) % 4, (i + 3) % 4} {
			if a := directions[j]; p.open(next[0], next[1], a[0], a[1]) {
				names = append(names, name(next[0]+a[0], next[1]+a[1]))
			}
		}
	}
	return names
}

func (p *plain) building(side int) (names []string) {
	if p.left[side] == 0 {
		return nil
	}
	for r := range p.size - 1 {
		for c := range p.size - 1 {
			along := [2][4]int{{0, -1, 0, 1}, {-1, 0, 1, 0}}
			for kind := range 2 {
				a := along[kind]
				if p.walls[[3]int{0, r, c}] || p.walls[[3]int{1, r, c}] ||
					p.walls[[3]int{kind, r + a[0], c + a[1]}] || p.walls[[3]int{kind, r + a[2], c + a[3]}] {
					continue
				}
				p.walls[[3]int{kind, r, c}] = true
				if p.distance(0) >= 0 && p.distance(1) >= 0 {
					names = append(names, name(r+1, c)+"hv"[kind:kind+1])
				}
				delete(p.walls, [3]int{kind, r, c})
			}
		}
	}
	return names
}

func name(row, col int) string { return fmt.Sprintf("%c%d", 'A'+col, row+1) }

// play plays an action on the plain board.
func (p *plain) play(a quoridor.Action) {
	side := int(a.Side())
	switch row, col := a.Cell().Row(), a.Cell().Col(); a.Kind() {
	case quoridor.Step:
		p.pawns[side] = [2]int{row, col}
	case quoridor.Horizontal:
		p.walls[[3]int{0, row - 1, col}] = true
		p.left[side]--
	default:
		p.walls[[3]int{1, row - 1, col}] = true
		p.left[side]--
	}
}

// TestReference plays random games with many walls and with the sides in any order, and compares
// everything with the plain board.
func TestReference(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(3, 10).Draw(t, "size")
		rules, err := quoridor.NewRules(size, rapid.IntRange(0, 2*size).Draw(t, "walls"))
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		board := quoridor.NewBoard(rules)
		reference := newPlain(board)
		for range 3 * size {
			if random.IntN(4) == 0 {
				board.SetTurn(board.Turn().Other())
			}
			moves := compare(t, &board, reference)
			if len(moves) == 0 {
				return
			}
			a := pick(random, moves)
			board.Do(a)
			reference.play(a)
		}
	})
}

// pick prefers walls, which are the difficult part.
func pick(random *rand.Rand, moves []quoridor.Action) quoridor.Action {
	walls := slices.IndexFunc(moves, func(a quoridor.Action) bool { return a.Kind() != quoridor.Step })
	if walls > 0 && random.IntN(3) > 0 {
		return moves[walls+random.IntN(len(moves)-walls)]
	}
	return moves[random.IntN(len(moves))]
}

func compare(t *rapid.T, b *quoridor.Board, p *plain) []quoridor.Action {
	moves := b.AppendMoves(nil)
	var got []string
	for _, m := range moves {
		got = append(got, m.String())
	}
	want := p.moves(int(b.Turn()))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%v\n%s: moves (-want +got)\n%s", b, b.Diagram(), diff)
	}
	for side := range 2 {
		if got, want := b.Distance(engine.Turn(side)), p.distance(side); got != want {
			t.Fatalf("%v\n%s: distance of %d is %d, want %d", b, b.Diagram(), side, got, want)
		}
	}
	compareChecks(t, b, moves)
	back, err := quoridor.ParseBoard(b.String())
	if err != nil || back != *b {
		t.Fatalf("%v reads back as %v, %v", b, &back, err)
	}
	return moves
}

// compareChecks compares Check, which validates one action, with the list of legal actions.
func compareChecks(t *rapid.T, b *quoridor.Board, moves []quoridor.Action) {
	if _, over := b.Winner(); over {
		return
	}
	for row := range b.Size() {
		for col := range b.Size() {
			for kind := quoridor.Step; kind <= quoridor.Vertical; kind++ {
				a, err := quoridor.ParseAction(name(row, col)+[]string{"", "h", "v"}[kind], b.Turn())
				if err != nil {
					t.Fatal(err)
				}
				if got, want := b.Check(a) == nil, slices.Contains(moves, a); got != want {
					t.Fatalf("%v\n%s: check of %v: %v, want %v: %v", b, b.Diagram(), a, got, want, b.Check(a))
				}
			}
		}
	}
}
