// Package plot draws curves as SVG, one below the other.
package plot

import (
	"fmt"
	"io"
	"math"
	"strings"

	"qhsh/engine/printable"
)

// The sizes of a plot, in pixels.
const (
	width  = 640
	margin = 60 // left of the curves, for the scale
	right  = width - 10
	top    = 24 // above each curve, for its title
)

// A Curve is drawn in a frame of its own.
type Curve struct {
	Title     string
	Height    int     // of the frame, in pixels
	Low, High float64 // of the scale
	Label     func(y float64) string
	Dashed    float64   // where a dashed line is; Edges are below its ends
	Values    []float64 // at equal distances, from the left edge to the right one; NaN where there is none
	Points    []Point   // beside the curve
	Edges     [2]string // what the left and the right edge are; may be empty
}

// A Point has its abscissa from 0 to 1, and half the length of its bar.
type Point struct{ X, Y, Error float64 }

// Write draws the curves, with a note below.
func Write(w io.Writer, curves []Curve, note string) error {
	height := top
	for _, c := range curves {
		height += c.Height + top
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="12">`+"\n",
		width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	at := top
	for _, c := range curves {
		c.draw(&b, at)
		at += c.Height + top
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n</svg>\n", right, height-6, printable.Markup(note))
	_, err := io.WriteString(w, b.String())
	return err
}

// draw draws a curve whose frame begins at an ordinate.
func (c Curve) draw(b *strings.Builder, from int) {
	x := func(part float64) float64 { return margin + (right-margin)*part }
	y := func(v float64) float64 { return float64(from) + float64(c.Height)*(c.High-v)/(c.High-c.Low) }
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", margin, from-6, printable.Markup(c.Title))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#ccc"/>`+"\n", margin, from, right-margin, c.Height)
	for _, v := range []float64{c.High, c.Low} {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%s</text>`+"\n", margin-4, y(v)+4, c.Label(v))
	}
	if c.Edges[0] != "" {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="#666">%s</text>`+"\n", margin+4, y(c.Dashed)+14, c.Edges[0])
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%s</text>`+"\n", right-4, y(c.Dashed)+14, c.Edges[1])
	}
	fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1[3]f" stroke="#999" stroke-dasharray="4 4"/>`+"\n", margin, right, y(c.Dashed))
	b.WriteString(`<polyline fill="none" stroke="#06c" stroke-width="1.5" points="`)
	for i, v := range c.Values {
		if !math.IsNaN(v) {
			fmt.Fprintf(b, "%.1f,%.1f ", x(float64(i)/float64(max(len(c.Values)-1, 1))), y(v))
		}
	}
	b.WriteString(`"/>` + "\n")
	for _, p := range c.Points {
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1[1]f" y1="%.1f" y2="%.1f" stroke="#c30"/>`+"\n", x(p.X), y(min(p.Y+p.Error, c.High)), y(max(p.Y-p.Error, c.Low)))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="#c30"/>`+"\n", x(p.X), y(p.Y))
	}
}
