package xiangqi

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

// shuffles calls check with the final positions of games that start like the collected cases and
// continue with moves that are mostly undone, so that positions repeat.
func shuffles(t *testing.T, check func(t *rapid.T, p *Position)) {
	t.Helper()
	cases := readRepetitions(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cases).Draw(t, "case")
		p, err := ParseFEN(c.FEN)
		if err != nil {
			return
		}
		for _, text := range c.Moves[:rapid.IntRange(0, len(c.Moves)).Draw(t, "moves of the case")] {
			if p, err = p.PlayMove(mustParseMove(text)); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 20).Draw(t, "plies") {
			next := shuffle(p, rapid.IntRange(0, 999).Draw(t, "choice"))
			if next == nil {
				break
			}
			p = next
		}
		check(t, p)
	})
}

func mustParseMove(text string) Move {
	m, err := ParseMove(text)
	if err != nil {
		panic(err)
	}
	return m
}

// shuffle plays the move selected by choice: mostly the reverse of the side's last move, otherwise
// any legal one. It returns nil if the game is over.
func shuffle(p *Position, choice int) *Position {
	if last := p.Before(); last != nil && last.Before() != nil && choice%10 < 7 {
		m := last.move
		if next, err := p.PlayMove(NewMove(m.To(), m.From())); err == nil {
			return next
		}
	}
	moves := p.LegalMoves()
	if len(moves) == 0 {
		return nil
	}
	next, err := p.PlayMove(moves[choice/10%len(moves)])
	if err != nil {
		return nil
	}
	return next
}

// summary has the parts of a ruling that are the same in each image, except for the sides.
type summary struct {
	Result, Repetition engine.Result
	Times              int
	Conduct            [2]Conduct
	Prey               [2]int
	Deeds              [][3]int
}

func summarize(r Ruling) summary {
	s := summary{Result: r.Result, Repetition: r.Repetition, Times: r.Times, Conduct: r.Conduct}
	s.Prey = [2]int{len(r.Chased[0]), len(r.Chased[1])}
	for _, d := range r.Cycle {
		deed := [3]int{0, 0, len(d.Chases)}
		if d.Check {
			deed[0] = 1
		}
		if d.Threat {
			deed[1] = 1
		}
		s.Deeds = append(s.Deeds, deed)
	}
	return s
}

// swapped returns a summary with the sides exchanged.
func (s summary) swapped() summary {
	for _, r := range []*engine.Result{&s.Result, &s.Repetition} {
		switch r.Outcome {
		case engine.FirstWins:
			r.Outcome = engine.SecondWins
		case engine.SecondWins:
			r.Outcome = engine.FirstWins
		}
	}
	slices.Reverse(s.Conduct[:])
	slices.Reverse(s.Prey[:])
	return s
}

// TestJudgeSymmetry: mirroring the board or exchanging the colours does not change a ruling.
func TestJudgeSymmetry(t *testing.T) {
	shuffles(t, func(t *rapid.T, p *Position) {
		mirrored, swapped := p.Mirrored(), p.Swapped()
		if again := mirrored.Mirrored(); again.FEN() != p.FEN() || again.Key() != p.Key() || again.Ply() != p.Ply() {
			t.Fatalf("%v is %v when it is mirrored twice", p, again)
		}
		for sq := range Square(90) {
			if mirrored.At(sq.Mirrored()) != p.At(sq) || swapped.At(89-sq)^8 != p.At(sq) && p.At(sq) != Empty {
				t.Fatalf("%v is %v when it is mirrored, %v with the sides exchanged", p, mirrored, swapped)
			}
		}
		for _, r := range RuleSets() {
			want := summarize(r.Judge(p))
			if diff := cmp.Diff(want, summarize(r.Judge(mirrored))); diff != "" {
				t.Fatalf("%v, %v: the mirrored ruling differs:\n%s", r, p, diff)
			}
			if diff := cmp.Diff(want, summarize(r.Judge(swapped)).swapped()); diff != "" {
				t.Fatalf("%v, %v: the colours differ:\n%s", r, p, diff)
			}
		}
	})
}

// TestJudgeSeesTheCycleAlone: the moves before the cycle do not change a ruling.
func TestJudgeSeesTheCycleAlone(t *testing.T) {
	shuffles(t, func(t *rapid.T, p *Position) {
		for _, r := range RuleSets() {
			want := r.Judge(p)
			first := p
			for range want.Cycle {
				first = first.Before()
			}
			start, err := ParseFEN(first.FEN())
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range want.Cycle {
				if start, err = start.PlayMove(d.Move); err != nil {
					t.Fatal(err)
				}
			}
			got := r.Judge(start)
			if want.Times > repetitionLimit {
				got.Times = want.Times // earlier occurrences are not in the shortened game
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Chase{})); diff != "" && !isLimit(want.Result) && !isLimit(got.Result) {
				t.Fatalf("%v, %v: the cycle alone is judged differently:\n%s", r, p, diff)
			}
		}
	})
}

// isLimit reports whether a game is drawn by a move limit, which depends on the checks before the
// cycle.
func isLimit(r engine.Result) bool { return r.Reason == "50-move limit" || r.Reason == "60-move limit" }

// TestJudgeOnBoards: a board that a search has used gives the same rulings as its game, and Judge
// agrees with Adjudicate and RepetitionUnder.
func TestJudgeOnBoards(t *testing.T) {
	shuffles(t, func(t *rapid.T, p *Position) {
		b := p.Board()
		for _, m := range b.AppendMoves(nil) {
			b.Do(m)
			b.RepetitionUnder(Chinese)
			b.Undo()
		}
		for _, r := range RuleSets() {
			ruling := r.Judge(p)
			if got := r.Adjudicate(p); got != ruling.Result {
				t.Fatalf("%v, %v: adjudicated %v, judged %v", r, p, got, ruling.Result)
			}
			times, plies := b.Cycle()
			if times != ruling.Times || plies != len(ruling.Cycle) {
				t.Fatalf("%v: %d times, %d plies; the judge says %d, %d", p, times, plies, ruling.Times, len(ruling.Cycle))
			}
			v, ok := b.RepetitionUnder(r)
			if ok != (ruling.Times > 1) {
				t.Fatalf("%v: repeated %v, %d times", p, ok, ruling.Times)
			}
			if ok && repetitionFor(v, p.side) != ruling.Repetition.Outcome {
				t.Fatalf("%v, %v: the board says %v, the judge %v", r, p, v, ruling.Repetition)
			}
			if v, _ := b.Repetition(); v != Draws && repetitionFor(v, p.side) != ruling.Repetition.Outcome {
				t.Fatalf("%v, %v: perpetual check %v, the judge says %v", r, p, v, ruling.Repetition)
			}
		}
		repeated := false
		for q := p; q != nil && p.Ply()-q.Ply() <= int(p.since); q = q.Before() {
			times, _ := q.Board().Cycle()
			repeated = repeated || times > 1
		}
		if b.HasRepeated() != repeated {
			t.Fatalf("%v: has repeated: %v", p, !repeated)
		}
		if p.Adjudicate() != Asian.Adjudicate(p) || p.Repetition() != Asian.Judge(p).Repetition {
			t.Fatalf("%v: the position does not use the Asian rules", p)
		}
	})
}

// TestJudgeAgreesWithReference: the plain implementation of the rules gives the same results, and says
// the same of each move.
func TestJudgeAgreesWithReference(t *testing.T) {
	check := func(t *rapid.T, p *Position) {
		start, moves := p.History()
		game, err := plain.NewGame(start.String())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			game.Play(plain.Move{From: int(Move(m).From()), To: int(Move(m).To())})
		}
		for _, r := range RuleSets() {
			if got, want := r.Adjudicate(p), game.Result(r.String()); got != want {
				t.Fatalf("%v: %v, want %v: %v", r, got, want, r.Judge(p))
			}
			log := make([]CycleMove, min(int(p.since), 6)&^1)
			p.Board().judgeCycle(r.definition(), len(log), log)
			for i, got := range log {
				want := game.Deed(len(moves)-len(log)+i, r.String())
				if victims := victimsOf(got, false); got.Check != want.Check || !slices.Equal(victims, want.Chased) {
					t.Fatalf("%v, %v: %v %+v, want %+v", p, r, got.Move, got, want)
				}
				if cuts := victimsOf(got, true); len(cuts) > 0 && !slices.Equal(cuts, want.CutOff) {
					t.Fatalf("%v, %v: %v cuts off %v, want %v", p, r, got.Move, cuts, want.CutOff)
				}
				if len(got.Chases) == 0 && got.Threat != want.Threat {
					t.Fatalf("%v, %v: %v threatens mate: %v", p, r, got.Move, got.Threat)
				}
			}
		}
	}
	shuffles(t, check)
	playouts(t, 30, func(t *rapid.T, p *Position, b *Board) { check(t, p) })
}

// victimsOf returns the points of the pieces that a move chases, sorted.
func victimsOf(d CycleMove, cut bool) (points []int) {
	for _, c := range d.Chases {
		if c.cut == cut {
			points = append(points, int(c.To))
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}

func repetitionFor(v Verdict, side Side) engine.Outcome {
	switch v {
	case Wins:
		return engine.Win(side.Turn())
	case Loses:
		return engine.Win(side.Other().Turn())
	}
	return engine.Draw
}

// FuzzJudge plays games selected by bytes and judges every position.
func FuzzJudge(f *testing.F) {
	cases := readRepetitions(f)
	for i := range cases {
		f.Add(uint8(i), []byte("\x05\x17\x09\x19\x29\x39\x49\x59\x69\x79"))
	}
	f.Fuzz(func(t *testing.T, at uint8, choices []byte) {
		p, err := ParseFEN(cases[int(at)%len(cases)].FEN)
		if err != nil {
			return
		}
		for _, choice := range choices[:min(len(choices), 60)] {
			next := shuffle(p, int(choice))
			if next == nil {
				break
			}
			p = next
			for _, r := range RuleSets() {
				ruling := r.Judge(p)
				if ruling.String() == "" || ruling.Times > 1 && !ruling.Repetition.Over() {
					t.Fatalf("%v: %+v", p, ruling)
				}
			}
		}
	})
}
