package qchess_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/qchess"
	"qhsh/engine/render"
)

const kingSlot = 3

// bruteForce returns the probabilities of second kinds given the revealed ones, from all ways in which
// they can be drawn one after the other, each among the kinds that are left.
func bruteForce(shown qchess.Shown) (prior qchess.Prior) {
	left := [qchess.King]int{qchess.Pawn: 8, qchess.Rook: 2, qchess.Knight: 2, qchess.Bishop: 2, qchess.Queen: 1}
	var drawn qchess.Shown
	total := 0.0
	var draw func(slot int, p float64)
	draw = func(slot int, p float64) {
		if slot == kingSlot {
			slot++
		}
		if slot == len(shown) {
			total += p
			for slot, k := range drawn {
				if slot != kingSlot {
					prior[slot][k] += p
				}
			}
			return
		}
		kinds := 0
		for _, n := range left {
			kinds += min(n, 1)
		}
		for k := qchess.Pawn; k < qchess.King; k++ {
			if left[k] == 0 || shown[slot] != qchess.Unknown && shown[slot] != k {
				continue
			}
			left[k]--
			drawn[slot] = k
			draw(slot+1, p/float64(kinds))
			left[k]++
		}
	}
	draw(0, 1)
	for slot := range prior {
		for k := range prior[slot] {
			prior[slot][k] /= total
		}
	}
	return prior
}

// TestPriorBruteForce hides up to six kinds of a draw again.
func TestPriorBruteForce(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		b := qchess.NewBoard()
		b.Deal(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		var shown qchess.Shown
		for slot, p := range b.Pieces(qchess.White) {
			shown[slot] = p.Hidden
		}
		for range 6 {
			shown[rapid.IntRange(0, 15).Draw(t, "slot")] = qchess.Unknown
		}
		want, got := bruteForce(shown), shown.Prior()
		for slot := range want {
			for k := range want[slot] {
				if slot != kingSlot && math.Abs(want[slot][k]-got[slot][k]) > 1e-12 {
					t.Fatalf("%v: piece %d is a %v with %v, want %v", shown, slot, qchess.Kind(k), got[slot][k], want[slot][k])
				}
			}
		}
	})
}

// TestChances plays at random: probabilities add up to 1, what has been revealed is certain, and a
// diagram has each unknown kind once, in 80 columns.
func TestChances(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		b := qchess.NewBoard()
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			steps := b.AppendSteps(nil)
			if len(steps) == 0 {
				break
			}
			if err := b.Do(rapid.SampledFrom(steps).Draw(t, "step")); err != nil {
				t.Fatal(err)
			}
		}
		var unknown []string
		for side := range engine.Turn(2) {
			shown := b.Shown(side)
			prior := shown.Prior()
			for slot, p := range b.Pieces(side) {
				sum := 0.0
				for _, odds := range prior[slot] {
					sum += odds
				}
				if slot != kingSlot && (math.Abs(sum-1) > 1e-9 || shown[slot] != qchess.Unknown && math.Abs(prior[slot][shown[slot]]-1) > 1e-9) {
					t.Fatalf("%s: piece %d, shown %v, has %v", b.String(), slot, shown[slot], prior[slot])
				}
				if p.At != qchess.NoSquare && p.Kinds[1] == qchess.Unknown {
					unknown = append(unknown, p.At.String())
				}
			}
		}
		var told []string
		_, below, _ := strings.Cut(b.Diagram(render.TextOptions{}, true), "may still show")
		for line := range strings.Lines(below) {
			if len(line) > 81 { // with the line feed
				t.Errorf("%d columns: %s", len(line)-1, line)
			}
			if text, ok := strings.CutPrefix(line, "     "); ok {
				for entry := range strings.SplitSeq(strings.TrimPrefix(text, "? on "), ";") {
					if entry = strings.TrimSpace(entry); entry != "" {
						told = append(told, strings.Split(strings.Fields(entry)[0], ",")...)
					}
				}
			}
		}
		slices.Sort(unknown)
		slices.Sort(told)
		if !slices.Equal(told, unknown) {
			t.Fatalf("chances of %v, want of %v, in\n%s", told, unknown, below)
		}
		if items := b.ChanceItems(); len(items) != len(unknown) {
			t.Fatalf("%d chances in the picture, want %d", len(items), len(unknown))
		}
	})
}

// TestChanceTexts: pieces with the same chances are together, and only what is certain is 100%.
func TestChanceTexts(t *testing.T) {
	const black = "-,-,-,kk@30,-,-,-,-,-,-,-,-,-,-,-,-"
	for white, want := range map[string]string{
		"rp@07,np@17,bp@27,kk@37,qp@47,bp@57,np@67,rp@77,pr@06,pr@16,pn@26,pn@36,pb@46,pb@56,p?@66,p?@76": "66,76 PQ 50%",
		"rp@07,np@17,bp@27,kk@37,qp@47,bp@57,np@67,rp@77,pr@06,pr@16,pn@26,pn@36,pb@46,pb@56,pp@66,p?@76": "76 Q 100%",
		"rr@07,nr@17,bn@27,kk@37,qn@47,bb@57,nb@67,rq@77,p?@06,p?@16,-,-,-,-,-,-":                         "06,16 P 100%",
	} {
		b, err := qchess.ParseBoard("w " + white + " " + black + " -")
		if err != nil {
			t.Fatal(err)
		}
		text := b.Diagram(render.TextOptions{}, true)
		_, got, _ := strings.Cut(text, "     ? on ")
		if got, _, _ = strings.Cut(got, "\n"); got != want {
			t.Errorf("%s: %q, want %q", white, got, want)
		}
	}
}
