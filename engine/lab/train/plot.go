package train

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Dimensions of the drawing, in pixels.
const (
	plotWidth  = 640
	plotHeight = 360
	plotLeft   = 70
	plotRight  = plotWidth - 20
	plotTop    = 30
	plotBottom = plotHeight - 40
	plotTicks  = 5
)

// A plot maps losses to a drawing.
type plot struct {
	samples   int64
	low, high float64 // losses at the bottom and at the top
}

// Plot draws losses over the number of samples as an SVG. Losses of the first fifth may be cut off at the
// top, where they fall from values that would leave no room for the rest. The curves are of other
// positions and targets, neighbours among them, so only their courses can be compared.
func Plot(w io.Writer, losses []Loss) error {
	p := newPlot(losses)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotWidth, plotHeight)
	p.axes(&b)
	p.curve(&b, losses, 0, "#90a4ae", "as trained on", func(l Loss) float64 { return l.Train })
	p.curve(&b, losses, 1, "#c62828", "held-out games", func(l Loss) float64 { return l.HeldOut })
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func newPlot(losses []Loss) plot {
	p := plot{samples: 1, low: math.Inf(1), high: math.Inf(-1)}
	for i, l := range losses {
		p.samples = max(p.samples, l.Samples)
		if i < len(losses)/5 {
			continue
		}
		for _, v := range []float64{l.Train, l.HeldOut} {
			if !math.IsNaN(v) {
				p.low, p.high = min(p.low, v), max(p.high, v)
			}
		}
	}
	if !(p.low < p.high) {
		p.low, p.high = 0, 1
	}
	return p
}

func (p plot) x(samples int64) float64 {
	return plotLeft + (plotRight-plotLeft)*float64(samples)/float64(p.samples)
}

func (p plot) y(loss float64) float64 {
	return max(plotTop, plotBottom-(plotBottom-plotTop)*(loss-p.low)/(p.high-p.low))
}

// axes draws lines and numbers.
func (p plot) axes(b *strings.Builder) {
	for i := range plotTicks + 1 {
		loss := p.low + (p.high-p.low)*float64(i)/plotTicks
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#eceff1"/><text x="%d" y="%.1f" text-anchor="end">%.4f</text>`+"\n",
			plotLeft, p.y(loss), plotRight, plotLeft-8, p.y(loss)+4, loss)
		samples := p.samples * int64(i) / plotTicks
		anchor := "middle"
		if i == plotTicks {
			anchor = "end"
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="%s">%s</text>`+"\n", p.x(samples), plotBottom+18, anchor, millions(samples))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">samples</text>`+"\n", (plotLeft+plotRight)/2, plotHeight-6)
}

func millions(n int64) string { return fmt.Sprintf("%.3g M", float64(n)/1e6) }

// curve draws the losses of one kind; n is its number in the legend.
func (p plot) curve(b *strings.Builder, losses []Loss, n int, colour, name string, of func(Loss) float64) {
	var points []string
	for _, l := range losses {
		if v := of(l); !math.IsNaN(v) {
			points = append(points, fmt.Sprintf("%.1f,%.1f", p.x(l.Samples), p.y(v)))
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(points, " "), colour)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" fill="%s">%s</text>`+"\n", plotRight, plotTop+14*n, colour, name)
}
