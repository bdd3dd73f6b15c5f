package train

import (
	"math/rand/v2"
	"testing"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// randomBoards calls visit with the positions of random games.
func randomBoards(n int, seed uint64, visit func(b *xiangqi.Board, r *rand.Rand)) {
	r := rand.New(rand.NewPCG(seed, 0))
	for {
		b := xiangqi.Start().Board()
		for range 200 {
			legal := b.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			if visit(b, r); n == 1 {
				return
			}
			n--
			b.Do(legal[r.IntN(len(legal))])
		}
	}
}

// randomSamples returns some of the positions of random games. The side with more material is likely to
// win.
func randomSamples(n int, seed uint64) (list []Sample) {
	const interval = 10 // positions of a game are similar
	randomBoards(interval*n, seed, func(b *xiangqi.Board, r *rand.Rand) {
		if b.Ply()%interval > 0 || len(list) == n {
			return
		}
		score := net.Small().Evaluate(b)
		outcome := engine.Win(b.Side().Turn())
		if r.Float64() > sigmoid(float64(score)/300) {
			outcome = engine.Win(b.Side().Turn().Other())
		}
		p := gamefile.Position{Board: b, Score: gamefile.NewScore(engine.Centipawns(score))}
		list = append(list, newSample(p, outcome))
	})
	return list
}

// smallData returns some positions to train on and to validate with.
func smallData() *Data {
	return &Data{Train: randomSamples(2000, 1), HeldOut: randomSamples(500, 2), Checksum: 1}
}

// smallPlan returns the parameters of a training that takes a moment.
func smallPlan() Plan {
	p := DefaultPlan()
	p.Hidden, p.Batch, p.Samples, p.Reports = 64, 200, 6000, 4
	p.Lambda, p.Rate = [2]float64{0, 0.2}, [2]float64{0.005, 0.0005}
	return p
}

func begin(t testing.TB, p Plan, data *Data, jobs int) *Training {
	t.Helper()
	training, err := New(p, nil, data, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return training
}
