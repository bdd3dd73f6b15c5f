package tune

import (
	"fmt"
	"io"
	"slices"

	"qhsh/engine/render/plot"
)

// plotPoints is the maximum number of points of a curve.
const plotPoints = 500

// writeSVG draws a curve for each parameter over the games played. A dashed line is the start.
func writeSVG(w io.Writer, r *Result) error {
	var curves []plot.Curve
	for i, p := range r.Config.Params {
		track := r.track(i)
		c := plot.Curve{
			Title: fmt.Sprintf("%s = %s", p.Name, p.round(r.Values[i], 0.5)), Height: 120, Dashed: p.Start,
			Low: min(slices.Min(track), p.clamp(p.Start-p.Step)), High: max(slices.Max(track), p.clamp(p.Start+p.Step)),
			Label: func(v float64) string { return fmt.Sprintf("%.*f", p.Decimals+1, v) },
		}
		n := min(plotPoints, len(track))
		for k := range n {
			c.Values = append(c.Values, track[at(k, n, len(track))])
		}
		curves = append(curves, c)
	}
	return plot.Write(w, curves, fmt.Sprintf("%d games", r.Games()))
}
