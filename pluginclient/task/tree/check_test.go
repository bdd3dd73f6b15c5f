package tree

import (
	"fmt"
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
)

// A testingT is a *testing.T or a *rapid.T.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
}

// check checks the invariants of a tree.
func check(t testingT, tree *Tree) {
	t.Helper()
	size, searched, failed := -1, 0, 0
	expanded := map[positionID]bool{}
	tree.Root.walk(func(n *Node) {
		size++
		if n.Kind == Searched && n.Pos.Turn() != engine.Chance {
			searched++
		}
		if n.Kind == Failed {
			failed++
		}
		if n.Kind == Searched {
			if expanded[positionIDOf(n.Pos)] {
				t.Errorf("%s was searched twice", n.Pos)
			}
			expanded[positionIDOf(n.Pos)] = true
		}
		checkMove(t, tree, n)
		checkKind(t, tree, n)
		checkChildren(t, tree, n)
		if got, want := n.Value, valueOf(n); got != want {
			t.Errorf("value of %q is %q, want %q", n.moves(), got, want)
		}
	})
	got := []int{tree.Size, tree.Searched, tree.Failed}
	if diff := cmp.Diff([]int{size, searched, failed}, got); diff != "" {
		t.Errorf("size, searched, failed (-counted +reported):\n%s", diff)
	}
	checkBest(t, tree)
}

// checkMove checks that the moves of a node lead from the root to its position.
func checkMove(t testingT, tree *Tree, n *Node) {
	pos := tree.Root.Pos
	for _, step := range n.Path() {
		m, err := pos.Parse(step.Name)
		if err == nil && m != step.Move {
			err = fmt.Errorf("%q is move %d, not %d", step.Name, m, step.Move)
		}
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Errorf("%q: illegal move: %v", n.moves(), err)
			return
		}
	}
	if pos.String() != n.Pos.String() {
		t.Errorf("%q leads to %s, not to %s", n.moves(), pos, n.Pos)
	}
	if n.ply > tree.Options.Depth {
		t.Errorf("%q is deeper than %d", n.moves(), tree.Options.Depth)
	}
	if len(n.PV) > 0 && n.PV[0] != n.Name {
		t.Errorf("line %v does not start with %s", n.PV, n.Name)
	}
}

func checkKind(t testingT, tree *Tree, n *Node) {
	same := n.Same != nil && positionIDOf(n.Same.Pos) == positionIDOf(n.Pos)
	ok := true
	switch n.Kind {
	case Merged:
		ok = same && n.Same.Kind != Merged && n.Same.Kind != Return && !n.Same.isAncestorOf(n)
	case Return:
		ok = n.Same == nil || same && n.Same.isAncestorOf(n)
	default:
		ok = n.Same == nil
	}
	if n.Kind == Over != n.Pos.Result().Over() {
		ok = false
	}
	if (n.Kind == Failed) != (n.Err != nil) || (n.Kind == Searched) != (len(n.Children) > 0) {
		ok = false
	}
	if n.Kind == Searched && n.ply >= tree.Options.Depth {
		ok = false
	}
	if !ok {
		t.Errorf("%q is %v, with same %v, error %v, %d children", n.moves(), n.Kind, n.Same, n.Err, len(n.Children))
	}
}

func checkChildren(t testingT, tree *Tree, n *Node) {
	if n.Kind != Searched {
		return
	}
	if n.Pos.Turn() == engine.Chance {
		if len(n.Children) != len(n.Pos.Moves()) {
			t.Errorf("%q has %d outcomes, not %d", n.moves(), len(n.Children), len(n.Pos.Moves()))
		}
		return
	}
	if len(n.Children) > tree.Options.Width {
		t.Errorf("%q has %d children", n.moves(), len(n.Children))
	}
	if !slices.IsSortedFunc(n.Children, byValue(n.Children)) {
		t.Errorf("%q: the best child is not first", n.moves())
	}
}

// checkBest checks that the best line is legal.
func checkBest(t testingT, tree *Tree) {
	pos := tree.Root.Pos
	for _, n := range tree.Root.Best() {
		next, err := pos.Play(n.Move)
		if err != nil {
			t.Errorf("best line: %v", err)
			return
		}
		pos = next
	}
}

// valueOf computes a node's value from the leaves, independently of the tested code.
func valueOf(n *Node) engine.Score {
	worth := slowScore(n)
	if !worth.Known() {
		return n.Score
	}
	if n.Parent == nil {
		return worth
	}
	mover := n.Parent.Pos.Turn()
	if sideOf(mover) != sideOf(n.Pos.Turn()) {
		worth = worth.Neg()
	}
	if moves, mate := worth.Mate(); mate && worth.Compare(engine.Centipawns(0)) > 0 && mover != engine.Chance {
		return engine.MateIn(moves + 1)
	}
	return worth
}

func sideOf(t engine.Turn) engine.Turn {
	if t == engine.Second {
		return engine.Second
	}
	return engine.First
}

func slowScore(n *Node) engine.Score {
	switch n.Kind {
	case Merged:
		if n.loop {
			return engine.Score{}
		}
		return slowScore(n.Same)
	case Return:
		return repetitionScore(n.Pos)
	case Over:
		switch n.Pos.Result().Outcome {
		case engine.Draw:
			return engine.Centipawns(0)
		case engine.FirstWins:
			return map[engine.Turn]engine.Score{engine.First: engine.MateIn(0).Neg(), engine.Second: engine.MateIn(0)}[sideOf(n.Pos.Turn())]
		default:
			return map[engine.Turn]engine.Score{engine.Second: engine.MateIn(0).Neg(), engine.First: engine.MateIn(0)}[sideOf(n.Pos.Turn())]
		}
	}
	var values []engine.Score
	for _, child := range n.Children {
		v := valueOf(child)
		if !v.Known() {
			return engine.Score{}
		}
		values = append(values, v)
	}
	switch {
	case len(values) == 0:
		return engine.Score{}
	case n.Pos.Turn() == engine.Chance:
		return slowAverage(n, values)
	}
	return slices.MaxFunc(values, engine.Score.Compare)
}

func slowAverage(n *Node, values []engine.Score) engine.Score {
	zero := engine.Centipawns(0)
	var sum float64
	var wins, losses []engine.Score
	possible := 0
	for i, v := range values {
		odds := n.Children[i].Odds
		if odds == 0 {
			continue
		}
		possible++
		cp, plain := v.Centipawns()
		switch {
		case plain:
			sum += odds * float64(cp)
		case v.Compare(zero) > 0:
			wins, sum = append(wins, v), sum+odds*engine.MateCentipawns
		default:
			losses, sum = append(losses, v), sum-odds*engine.MateCentipawns
		}
	}
	switch possible {
	case len(wins):
		return slices.MinFunc(wins, engine.Score.Compare)
	case len(losses):
		return slices.MaxFunc(losses, engine.Score.Compare)
	}
	return engine.Centipawns(int(math.Round(sum)))
}
