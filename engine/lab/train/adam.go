package train

import "math"

// An adam is the state of the optimizer AdamW.
type adam struct {
	mean     []float32 // of the gradient, recent ones weighing most
	variance []float32 // of its square
}

func newAdam(n int) *adam { return &adam{make([]float32, n), make([]float32, n)} }

// Parameters of AdamW, those that most trainers of such networks use.
const (
	beta1   = 0.9
	beta2   = 0.999
	decay   = 0.01
	epsilon = 1e-8
	// maxParam limits the parameters, so that they fit the integers of package net.
	maxParam = 1.98
)

// A rate is what a step of the optimizer multiplies with.
type rate struct {
	gradient float32 // makes a mean of a sum of gradients
	step     float32 // learning rate, corrected for the first steps, when the means begin at 0
	keep     float32 // what weight decay leaves of a parameter
}

// newRate returns the rate of a step, counted from 1. Gradients are sums over a batch, and the scale is
// left out of them.
func newRate(learning float64, step, batch int, scale float64) rate {
	correction := math.Sqrt(1-math.Pow(beta2, float64(step))) / (1 - math.Pow(beta1, float64(step)))
	return rate{float32(scale / float64(batch)), float32(learning * correction), float32(1 - float64(learning*decay))}
}

// update updates the parameters that begin at from, given their gradient.
func (a *adam) update(params, gradient []float32, from int, r rate) {
	n := len(gradient)
	params, mean, variance := params[from:][:n], a.mean[from:][:n], a.variance[from:][:n]
	for i, g := range gradient {
		g *= r.gradient
		m := float32(beta1*mean[i]) + float32((1-beta1)*g)
		v := float32(beta2*variance[i]) + float32((1-beta2)*float32(g*g))
		mean[i], variance[i] = m, v
		root := float32(math.Sqrt(float64(v)))
		p := float32(params[i]*r.keep) - float32(r.step*m)/(root+epsilon)
		params[i] = max(-maxParam, min(maxParam, p))
	}
}
