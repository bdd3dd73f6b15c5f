package search_test

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
	"qhsh/engine/xiangqi/search"
)

// network is a small neural evaluation with arbitrary weights: 16 neurons have the pieces on their
// points as input, and the evaluation for Red is the sum of their clipped outputs. The
// accumulators are updated with each move.
type network struct {
	board *xiangqi.Board
	seen  [][16]int32 // accumulators, one for each move made, the start first
}

// weight returns the weight of a piece on a point for a neuron, -127 to 127. The mirror image in
// the other colour has the opposite weight.
func weight(p xiangqi.Piece, sq xiangqi.Square, neuron int) int32 {
	sign := int32(1)
	if p.Side() == xiangqi.Black {
		sq, sign = 89-sq, -1
	}
	x := uint32(int(p.Kind())*90*16+int(sq)*16+neuron) * 2654435761
	x ^= x >> 15
	x *= 2246822519
	return sign * (int32(x>>24) - 127)
}

func (n *network) Reset(b *xiangqi.Board) {
	n.board = b
	n.seen = append(n.seen[:0], [16]int32{})
	for sq := range xiangqi.Square(90) {
		n.add(b.At(sq), sq, 1)
	}
}

// add adds a piece on a point to the accumulator, times times.
func (n *network) add(p xiangqi.Piece, sq xiangqi.Square, times int32) {
	if p == xiangqi.Empty {
		return
	}
	top := &n.seen[len(n.seen)-1]
	for i := range top {
		top[i] += times * weight(p, sq, i)
	}
}

func (n *network) Make(m xiangqi.Move) {
	n.seen = append(n.seen, n.seen[len(n.seen)-1])
	p := n.board.At(m.From())
	n.add(p, m.From(), -1)
	n.add(n.board.At(m.To()), m.To(), -1)
	n.add(p, m.To(), 1)
}

func (n *network) Unmake() { n.seen = n.seen[:len(n.seen)-1] }

func (n *network) Evaluate() int {
	v := int32(0)
	for i, x := range n.seen[len(n.seen)-1] {
		v += int32(1-2*(i&1)) * max(-300, min(300, x))
	}
	if n.board.Side() == xiangqi.Black {
		v = -v
	}
	return int(v)
}

// material counts pieces, and returns values far beyond the allowed range.
type material struct{ board *xiangqi.Board }

func (m *material) Reset(b *xiangqi.Board) { m.board = b }
func (m *material) Make(xiangqi.Move)      {}
func (m *material) Unmake()                {}

func (m *material) Evaluate() int {
	v := 0
	for sq := range m.board.Occupied().All() {
		p := m.board.At(sq)
		if p.Kind() == xiangqi.King {
			continue
		}
		if worth := 1000 * eval.Value(p.Kind()); p.Side() == m.board.Side() {
			v += worth
		} else {
			v -= worth
		}
	}
	return v
}

// evaluators are the networks in the program and two replacements.
var evaluators = map[string]func() eval.Evaluator{
	"small":    func() eval.Evaluator { return net.NewEvaluator(net.Small()) },
	"net":      func() eval.Evaluator { return net.NewEvaluator(net.Embedded()) },
	"network":  func() eval.Evaluator { return &network{} },
	"material": func() eval.Evaluator { return &material{} },
}

// After moves are made and undone, an Evaluator returns what a new one returns for the same
// position.
func TestEvaluatorsFollowMoves(t *testing.T) {
	for name, make := range evaluators {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				b := position(t, rapid.SampledFrom(rootMoves).Draw(t, "fen")).Board()
				e := make()
				e.Reset(b)
				made := 0
				for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 80).Draw(t, "moves") {
					legal := b.AppendMoves(nil)
					if made > 0 && (n%3 == 0 || len(legal) == 0) {
						b.Undo()
						e.Unmake()
						made--
					} else if len(legal) > 0 {
						m := legal[n%len(legal)]
						e.Make(m)
						b.Do(m)
						made++
					}
					fresh := make()
					fresh.Reset(b)
					if got, want := e.Evaluate(), fresh.Evaluate(); got != want {
						t.Fatalf("%d, again %d", got, want)
					}
				}
			})
		})
	}
}

// The engine works with any Evaluator: every answer is valid, and Evaluate returns the value of
// the Evaluator in use.
func TestAnyEvaluator(t *testing.T) {
	for name, make := range evaluators {
		t.Run(name, func(t *testing.T) {
			o := small()
			o.Evaluator = make
			e := newEngine(t, o)
			rapid.Check(t, func(t *rapid.T) {
				pos := anyPosition(t)
				lim := anyLimits(t, pos)
				if len(allowed(pos, lim)) == 0 {
					return
				}
				answer, err := engine.Best(t.Context(), e, pos, lim)
				if err != nil {
					t.Fatal(err)
				}
				checkAnswer(t, pos, lim, answer)
			})
		})
	}
}

// With material alone a hanging rook is captured, and the score is the gain, within the bounds of
// an evaluation. Of two threads one may find in the table a damped score of the other, which is a little lower.
func TestEvaluatorDecides(t *testing.T) {
	o := small()
	o.Evaluator = evaluators["material"]
	o.QuietDamping = false // so that the score is the evaluation itself
	for threads, damped := range map[int]int{1: 0, 2: 100} {
		o.Threads = threads
		pos := position(t, "4k4/9/4b4/2r6/9/2R6/9/9/4A4/3K5 w")
		line := best(t, newEngine(t, o), pos, engine.Limits{Depth: 4})[0]
		cp, ok := line.Score.Centipawns()
		if got := pos.Format(line.Move()); got != "C4-C6" || !ok || cp > eval.Limit || cp < eval.Limit-damped {
			t.Errorf("%d threads: %s %v, want C4-C6 and the limit of centipawns", threads, got, line.Score)
		}
	}
}

// A game of the network against the engine's own evaluation: the network loses.
func TestEvaluatorsPlay(t *testing.T) {
	o := small()
	players := [2]*search.Engine{newEngine(t, o)}
	o.Evaluator = evaluators["network"]
	players[1] = newEngine(t, o)
	var pos engine.Position = xiangqi.Start()
	for ply := 0; !engine.Adjudicate(pos).Over(); ply++ {
		if ply > 400 {
			t.Fatal("no end after 400 plies")
		}
		pos = play(t, pos, best(t, players[ply%2], pos, engine.Limits{Nodes: 300})[0].Move())
	}
	if got := engine.Adjudicate(pos); got.Outcome != engine.Win(engine.First) {
		t.Errorf("%v: the network did not lose", got)
	}
}

// BenchmarkEvaluators measures the nodes per second with each evaluator.
func BenchmarkEvaluators(b *testing.B) {
	for _, name := range []string{"small", "net", "material", "network"} {
		b.Run(name, func(b *testing.B) {
			o := small()
			o.Evaluator = evaluators[name]
			e := newEngine(b, o)
			nodes := int64(0)
			for b.Loop() {
				e.Forget()
				nodes += spent(b, e, position(b, benchPositions[1]), engine.Limits{Nodes: 50_000})
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
