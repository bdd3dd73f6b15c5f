package tune

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine/printable"
)

// The sizes of a plot, in pixels.
const (
	plotWidth  = 640
	plotHeight = 120 // of a parameter
	plotMargin = 60  // left of the curves, for the scale
	plotTop    = 24  // above each curve, for its name
	plotPoints = 500 // at most, of a curve
)

// writeSVG draws a curve for each parameter over the games played. A dashed line is the start.
func writeSVG(w io.Writer, r *Result) error {
	height := len(r.Config.Params)*(plotHeight+plotTop) + plotTop
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="12">`+"\n",
		plotWidth, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", plotWidth, height)
	for i, p := range r.Config.Params {
		top := i*(plotHeight+plotTop) + plotTop
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s = %s</text>`+"\n", plotMargin, top-6, printable.Markup(p.Name), p.round(r.Values[i], 0.5))
		track := r.track(i)
		low, high := min(slices.Min(track), p.clamp(p.Start-p.Step)), max(slices.Max(track), p.clamp(p.Start+p.Step))
		curve{p, track, low, high, top}.draw(&b)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%d games</text>`+"\n</svg>\n", plotWidth-10, height-6, r.Games())
	_, err := io.WriteString(w, b.String())
	return err
}

// A curve is the plot of a parameter.
type curve struct {
	Param
	track     []float64
	low, high float64 // of the scale
	top       int
}

// y returns the ordinate of a value.
func (c curve) y(v float64) float64 {
	return float64(c.top) + plotHeight*(c.high-v)/(c.high-c.low)
}

func (c curve) draw(b *strings.Builder) {
	right := plotWidth - 10
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#ccc"/>`+"\n", plotMargin, c.top, right-plotMargin, plotHeight)
	for _, v := range []float64{c.high, c.low} {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%.*f</text>`+"\n", plotMargin-4, c.y(v)+4, c.Decimals+1, v)
	}
	fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1[3]f" stroke="#999" stroke-dasharray="4 4"/>`+"\n", plotMargin, right, c.y(c.Start))
	b.WriteString(`<polyline fill="none" stroke="#06c" stroke-width="1.5" points="`)
	n := min(plotPoints, len(c.track))
	for i := range n {
		x := float64(plotMargin) + float64((right-plotMargin)*i)/float64(max(n-1, 1))
		fmt.Fprintf(b, "%.1f,%.1f ", x, c.y(c.track[at(i, n, len(c.track))]))
	}
	b.WriteString(`"/>` + "\n")
}
