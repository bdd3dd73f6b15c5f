package train

import "math"

// fitScale returns the scale of scores: the K for which 1/(1+e^(-score/K)) predicts the results of
// the samples best. A score of K centipawns stands for an expected result of 73 %.
func fitScale(samples []Sample) float64 {
	h := newHistogram(samples)
	const smallest, largest = 10, 10000
	low, high := 1.0/largest, 1.0/smallest // of 1/K
	for range 50 {
		middle := (low + high) / 2
		if h.slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return 2 / (low + high)
}

// A histogram counts samples by score. Its counts are exact whatever the order of samples.
type histogram struct {
	n      []int64 // samples by score - math.MinInt16
	points []int64 // sum of their results, 2 for a win
}

func newHistogram(samples []Sample) histogram {
	h := histogram{make([]int64, 1<<16), make([]int64, 1<<16)}
	for i := range samples {
		s := &samples[i]
		if s.result == noResult {
			continue
		}
		h.n[int(s.score)-math.MinInt16]++
		h.points[int(s.score)-math.MinInt16] += int64(s.result)
	}
	return h
}

// slope returns the derivative of the log-likelihood of the results by 1/K.
func (h *histogram) slope(inverse float64) float64 {
	sum := 0.0
	for i, n := range h.n {
		if n > 0 {
			score := float64(i + math.MinInt16)
			surprise := float64(h.points[i])/2 - float64(float64(n)*sigmoid(float64(score*inverse)))
			sum += float64(surprise * score)
		}
	}
	return sum
}

// sigmoid returns 1/(1+e^-x).
func sigmoid(x float64) float64 { return 1 / (1 + exp(-x)) }

// exp returns e^x; an x beyond -700 or 700 counts as that. Unlike the result of math.Exp, it has the same
// bits on every processor.
func exp(x float64) float64 {
	x = max(-700, min(700, x))
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*math.Ln2)
	sum := 1.0 // of r^n/n!, |r| <= 0.35
	for n := 13.0; n >= 1; n-- {
		sum = 1 + float64(r*sum/n)
	}
	return sum * math.Float64frombits(uint64(1023+int64(k))<<52)
}

// A target computes what the network is to predict of a sample.
type target struct {
	lambda  float32   // share of the game's result
	chances []float32 // winning chances by score - math.MinInt16
}

// newChances returns the winning chances that scores stand for.
func newChances(scale float64) []float32 {
	list := make([]float32, 1<<16)
	for i := range list {
		list[i] = float32(sigmoid(float64(i+math.MinInt16) / scale))
	}
	return list
}

// of returns the target of a sample.
func (t target) of(s *Sample) float32 {
	chance := t.chances[int(s.score)-math.MinInt16]
	if s.result == noResult {
		return chance
	}
	result := float32(s.result) / 2
	return chance + float32(t.lambda*(result-chance))
}

// loss returns the squared error of a predicted result.
func (t target) loss(predicted float64, s *Sample) float64 {
	miss := predicted - float64(t.of(s))
	return float64(miss * miss)
}
