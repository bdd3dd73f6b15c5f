package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
)

func newEngine(t rapid.TB) *alphabeta.Engine {
	t.Helper()
	e, err := search.New(1)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// at returns a random position that is not over.
func at(t *rapid.T) engine.Position {
	rules := rapid.SampledFrom([]quoridor.Rules{quoridor.Default, {Size: 5, Walls: 3}, {Size: 3, Walls: 1}, {Size: 25, Walls: 30}}).Draw(t, "rules")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
	pos := rules.Start()
	for range random.IntN(20) {
		moves := pos.Moves()
		next, err := pos.Play(moves[random.IntN(len(moves))])
		if err != nil {
			t.Fatal(err)
		}
		if next.Result().Over() {
			break
		}
		pos = next
	}
	return pos
}

// TestPromises checks the contract of engine.Searcher.
func TestPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		enginetest.ConformSearch(t, newEngine(t), at(t))
	})
}

// outcome is a solved race with no walls left to build: the number of plies to the end for all
// squares of the pawns and both sides to move.
type outcome map[[3]int]int // black, white, turn: plies to a won (odd) or lost (even) end

func solve(b quoridor.Board, cells []quoridor.Cell) outcome {
	ttEntry := outcome{}
	for plies := 0; ; plies++ {
		before := len(ttEntry)
		found := map[[3]int]int{}
		for _, black := range cells {
			for _, white := range cells {
				for _, turn := range []engine.Turn{quoridor.Black, quoridor.White} {
					place := [3]int{int(black), int(white), int(turn)}
					if _, done := ttEntry[place]; done || black == white {
						continue
					}
					if ttEntry.decided(b, place, plies) {
						found[place] = plies
					}
				}
			}
		}
		for place, plies := range found {
			ttEntry[place] = plies
		}
		if len(ttEntry) == before && plies > 0 {
			return ttEntry
		}
	}
}

// decided reports whether a position is won or lost in exactly plies plies, given all positions
// that are decided in fewer.
func (o outcome) decided(b quoridor.Board, place [3]int, plies int) bool {
	board := put(b, place)
	if winner, over := board.Winner(); over {
		return plies == 0 && winner != board.Turn()
	}
	if plies == 0 {
		return false
	}
	lost := true
	for _, a := range board.AppendMoves(nil) {
		next := place
		next[a.Side()], next[2] = int(a.Cell()), 1-place[2]
		left, done := o[next]
		if done && left%2 == 0 {
			return plies%2 == 1
		}
		lost = lost && done
	}
	return lost && plies%2 == 0
}

func put(b quoridor.Board, place [3]int) quoridor.Board {
	turn := []string{"b", "w"}[place[2]]
	board, err := quoridor.ParseBoard(fmt.Sprintf("%d %s %v/0 %v/0 %s", b.Size(), turn,
		quoridor.Cell(place[0]), quoridor.Cell(place[1]), wallsOf(b)))
	if err != nil {
		panic(err)
	}
	return board
}

func wallsOf(b quoridor.Board) (names string) {
	_, err := fmt.Sscanf(b.String(), "%s %s %s %s %s", new(string), new(string), new(string), new(string), &names)
	if err != nil {
		panic(err)
	}
	return names
}

// TestRaces compares the search with races solved by retrograde analysis.
func TestRaces(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, text := range []string{
		"4 b C4/0 C1/0 -",
		"5 b C5/0 C1/0 -",
		"5 b C5/0 C1/0 B3h,C4v",
		"4 b C4/0 C1/0 A2h,B3v",
		"5 b C5/0 C1/0 A2h,C3h,A4v,D5v",
	} {
		b, err := quoridor.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		var cells []quoridor.Cell
		for row := range b.Size() {
			for col := range b.Size() {
				cells = append(cells, quoridor.Cell(row<<5|col))
			}
		}
		races(t, b, solve(b, cells))
	}
}

func races(t *testing.T, b quoridor.Board, ttEntry outcome) {
	e := newEngine(t)
	checked := 0
	for place, plies := range ttEntry {
		if plies == 0 || plies > 12 {
			continue
		}
		checked++
		board := put(b, place)
		lines, err := engine.Best(t.Context(), e, quoridor.NewPosition(board), engine.Limits{Depth: plies})
		if err != nil {
			t.Fatal(err)
		}
		n, mate := lines[0].Score.Mate()
		want := (plies + 1) / 2
		if plies%2 == 0 {
			want = -plies / 2
		}
		if !mate || n != want {
			t.Errorf("%v: %v, want mate %d", &board, lines[0].Score, want)
		}
	}
	if checked < 100 {
		t.Errorf("%v: only %d positions were compared", &b, checked)
	}
}

// TestStops stops searches that have no other limit.
func TestStops(t *testing.T) {
	pos := quoridor.Default.Start()
	for _, cause := range []error{engine.ErrMoveNow, context.Canceled} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		var lines []engine.Line
		var err error
		for lines, err = range newEngine(t).Search(ctx, pos, engine.Limits{Lines: 3}) {
			cancel(cause)
		}
		if errors.Is(cause, engine.ErrMoveNow) {
			if err != nil || len(lines) != 3 {
				t.Errorf("move now: %v, %v", lines, err)
			}
		} else if !errors.Is(err, cause) {
			t.Errorf("cancelled: %v, %v", lines, err)
		}
	}
	if lines, err := engine.Best(t.Context(), newEngine(t), pos, engine.Limits{Time: time.Millisecond}); err != nil || lines[0].Depth == 0 {
		t.Errorf("one millisecond: %v, %v", lines, err)
	}
}

// A caller that waits for another search can be told to move now, or to give up.
func TestCancelledWhileWaiting(t *testing.T) {
	e, pos := newEngine(t), quoridor.Default.Start()
	for range e.Search(t.Context(), pos, engine.Limits{}) { // which goes on until the loop ends
		for _, cause := range []error{engine.ErrMoveNow, context.Canceled} {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(cause)
			lines, err := engine.Best(ctx, e, pos, engine.Limits{Lines: 3})
			if errors.Is(cause, engine.ErrMoveNow) {
				if err != nil || len(lines) != 3 {
					t.Errorf("move now: %v, %v", lines, err)
				}
			} else if !errors.Is(err, cause) {
				t.Errorf("cancelled: %v, %v", lines, err)
			}
		}
		break
	}
}

func TestRefuses(t *testing.T) {
	e := newEngine(t)
	over, err := quoridor.Default.Position("9 w E1/10 E2/10 -")
	if err != nil {
		t.Fatal(err)
	}
	start := quoridor.Default.Start()
	for _, c := range []struct {
		pos  engine.Position
		lim  engine.Limits
		want string
	}{
		{over, engine.Limits{}, "search: goal reached: no move to choose from"},
		{start, engine.Limits{Ban: start.Moves()}, "search: every move is banned: no move to choose from"},
		{start, engine.Limits{Level: 11}, "search: no level 11: levels go from 1 to 10"},
	} {
		if _, err := engine.Best(t.Context(), e, c.pos, c.lim); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.pos, err, c.want)
		}
	}
	if _, err := search.New(-1); err == nil {
		t.Error("hash -1 is taken")
	}
}

func BenchmarkSearch(b *testing.B) {
	e, err := search.New(0)
	if err != nil {
		b.Fatal(err)
	}
	const nodes = 100_000
	b.ReportAllocs()
	for b.Loop() {
		e.Forget()
		if _, err := engine.Best(b.Context(), e, quoridor.Default.Start(), engine.Limits{Nodes: nodes}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(nodes*b.N)/b.Elapsed().Seconds(), "nodes/s")
}

// TestManyWalls: walls beyond those that can be built add no value and no proven win.
func TestManyWalls(t *testing.T) {
	score := func(text string) int {
		pos, err := quoridor.Default.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := engine.Best(t.Context(), newEngine(t), pos, engine.Limits{Depth: 1})
		if err != nil {
			t.Fatal(err)
		}
		cp, ok := lines[0].Score.Centipawns()
		if !ok {
			t.Fatalf("%s: %v", text, lines[0].Score)
		}
		return cp
	}
	for _, side := range []string{"9 b E9/%d E1/0 -", "9 b E9/0 E1/%d -"} {
		some, many := score(fmt.Sprintf(side, 1000)), score(fmt.Sprintf(side, quoridor.MaxWalls))
		if some != many || many > 20000 || many < -20000 {
			t.Errorf("%s: 1000 walls are worth %d, the most %d", side, some, many)
		}
	}
}
