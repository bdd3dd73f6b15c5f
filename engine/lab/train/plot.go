package train

import (
	"fmt"
	"io"
	"math"

	"qhsh/engine/render/plot"
)

// Plot draws losses over the number of samples as an SVG. Losses of the first fifth may be cut off at the
// top, where they fall from values that would leave no room for the rest. The curves are of other
// positions and targets, neighbours among them, so only their courses can be compared.
func Plot(w io.Writer, losses []Loss) error {
	samples, low, high := int64(0), math.Inf(1), math.Inf(-1)
	for i, l := range losses {
		samples = max(samples, l.Samples)
		for _, v := range []float64{l.Train, l.HeldOut} {
			if i >= len(losses)/5 && !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if !(low < high) {
		low, high = 0, 1
	}
	curve := func(title string, of func(Loss) float64) plot.Curve {
		c := plot.Curve{
			Title: title, Height: 240, Low: low, High: high, Dashed: low, Label: func(v float64) string { return fmt.Sprintf("%.4f", v) },
		}
		for _, l := range losses {
			c.Values = append(c.Values, min(of(l), high))
		}
		return c
	}
	return plot.Write(w, []plot.Curve{
		curve("as trained on", func(l Loss) float64 { return l.Train }),
		curve("held-out games", func(l Loss) float64 { return l.HeldOut }),
	}, fmt.Sprintf("%.3g M samples", float64(samples)/1e6))
}
