package qchess_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/qchess"
	"qhsh/engine/render"
)

func TestConform(t *testing.T) { enginetest.Conform(t, qchess.Rules, 40) }

// dealt is the game with the hidden kinds drawn.
type dealt struct {
	engine.Game
	seed uint64
}

func (d dealt) Start() engine.Position {
	b := qchess.NewBoard()
	b.Deal(rand.New(rand.NewPCG(d.seed, 1)))
	return qchess.NewPosition(b)
}

// A full board has the same promises to keep.
func TestConformDealt(t *testing.T) {
	enginetest.SkipUnderRace(t)
	enginetest.Conform(t, dealt{qchess.Rules, 1}, 40)
}

// The updates of a game's steps give the same steps, on a board with hidden kinds and on one
// without.
func TestTellAndApply(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		full := qchess.NewBoard()
		full.Deal(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
		again, view := full, full.View()
		for range 80 {
			steps := full.AppendSteps(nil)
			if len(steps) == 0 {
				break
			}
			u, told, err := full.DoUpdate(rapid.SampledFrom(steps).Draw(t, "step"))
			if err != nil {
				t.Fatal(err)
			}
			if !told {
				continue
			}
			read, err := qchess.ParseUpdate(u.String())
			if err != nil || read != u {
				t.Fatalf("%v is read as %v, %v", u, read, err)
			}
			for _, b := range []*qchess.Board{&again, &view} {
				if _, err := b.Apply(u); err != nil {
					t.Fatal(err)
				}
			}
			seen := full.View()
			if again.String() != full.String() || view.String() != seen.String() {
				t.Fatalf("after %v:\n%v\n%v\n%v", u, full.String(), again.String(), view.String())
			}
		}
	})
}

// Boards survive the server's format.
func TestServerLines(t *testing.T) {
	full := qchess.NewBoard()
	full.Deal(rand.New(rand.NewPCG(7, 1)))
	for _, b := range []qchess.Board{full, full.View()} {
		back, err := qchess.ParseServerLines(b.ServerLines())
		if err != nil || back.String() != b.String() {
			t.Errorf("%v is read back as %v, %v", b.String(), back.String(), err)
		}
	}
}

// For the first piece all second kinds are equally likely; the more pawns are revealed, the less
// likely is another one.
func TestPrior(t *testing.T) {
	prior := qchess.Shown{}.Prior()
	for k := qchess.Pawn; k < qchess.King; k++ {
		if p := prior[0][k]; p < 0.1999 || p > 0.2001 {
			t.Errorf("the first rook is a %v too with %v", k, p)
		}
	}
	shown := qchess.Shown{}
	for slot := range 16 {
		if slot != 3 {
			shown[slot] = qchess.Pawn
		}
	}
	for i, k := range []qchess.Kind{qchess.Unknown, qchess.Rook, qchess.Rook, qchess.Knight, qchess.Knight, qchess.Bishop, qchess.Bishop} {
		shown[9+i] = k
	}
	if p := shown.Prior()[9][qchess.Queen]; p < 0.9999 {
		t.Errorf("what is left is a queen with %v", p)
	}
}

// Deal draws as Prior says.
func TestDealFollowsPrior(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const n = 4000
	var count [16][qchess.King]float64
	source := rand.New(rand.NewPCG(1, 1))
	start := qchess.NewBoard()
	for range n {
		b := start
		b.Deal(source)
		for slot, p := range b.Pieces(qchess.White) {
			if p.Hidden < qchess.King {
				count[slot][p.Hidden]++
			}
		}
	}
	prior := qchess.Shown{}.Prior()
	for slot := range count {
		for k := qchess.Pawn; k < qchess.King; k++ {
			if d := count[slot][k]/n - prior[slot][k]; slot != 3 && (d > 0.03 || d < -0.03) {
				t.Errorf("piece %d is a %v %v times of %d, expected %v", slot, k, count[slot][k], n, prior[slot][k]*n)
			}
		}
	}
}

// TestDealView checks that Deal completes a game so that its moves stay legal and its odds certain,
// that View takes back what Deal added, and that a position with hidden kinds is not drawn again.
func TestDealView(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		var pos engine.Position = qchess.Rules.Start()
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			moves := pos.Moves()
			if len(moves) == 0 {
				break
			}
			pos, _ = pos.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		}
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		full := pos.(engine.Concealer).Deal(source)
		if again := full.(engine.Concealer).Deal(source); again != full {
			t.Fatalf("%v is drawn again: %v", full, again)
		}
		start, moves := full.History()
		for _, m := range moves {
			if start.Turn() == engine.Chance && start.(engine.Odds).Odds(m) != 0.5 {
				t.Fatalf("%v: odds of %s", start, start.Format(m))
			}
			next, err := start.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			start = next
		}
		view := full.(engine.Concealer).View()
		if start.String() != full.String() || view.String() != pos.String() {
			t.Fatalf("%v, replayed %v, seen %v; want %v", full, start, view, pos)
		}
	})
}

// TestDiagramColour checks that colours replace the marks, and change nothing else.
func TestDiagramColour(t *testing.T) {
	b := qchess.NewBoard()
	coloured := b.Diagram(render.TextOptions{Last: []string{"36", "35"}, Color: true}, false)
	for _, want := range []string{"\x1b[31;7m P?  \x1b[0m", "\x1b[7m  .  \x1b[0m", "\x1b[36m r?  \x1b[0m", "\x1b[31m R?  \x1b[0m"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("%q is missing in\n%s", want, coloured)
		}
	}
	if got, want := regexp.MustCompile("\x1b[^m]*m").ReplaceAllString(coloured, ""), b.Diagram(render.TextOptions{}, false); got != want {
		t.Errorf("apart from colours:\n%s\nwant\n%s", got, want)
	}
}

// TestDiagramMarks marks every piece of all sorts: a mark must not make a row longer.
func TestDiagramMarks(t *testing.T) {
	for _, p := range qchess.Samples() {
		for _, m := range p.Moves() {
			next, err := p.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			b := next.(*qchess.Position).Board()
			var all render.TextOptions
			for at := range qchess.Square(64) {
				all.Last = append(all.Last, at.String())
			}
			plain, marked := strings.Split(b.Diagram(render.TextOptions{}, false), "\n"), strings.Split(b.Diagram(all, false), "\n")
			for i := range plain {
				if len(plain[i]) != len(marked[i]) {
					t.Fatalf("%s\n%s\n%s", p, plain[i], marked[i])
				}
			}
		}
	}
}
