package raster

import "math"

// A shape is what an element draws, in SVG units.
type shape interface {
	// outline outlines the shape. It closes itself.
	outline(pen)
	// stroke outlines its line, and returns a pen at the end of the line, turned as the line is.
	stroke(*canvas, strokeStyle) (pen, error)
}

type strokeStyle struct {
	width float64
	cap   string // of lines: round, square or empty
}

// A box is a rectangle with round corners around its middle.
type box struct{ x, y, w, h, r float64 }

func (b box) outline(p pen) { p.moved(b.x, b.y).box(b.w, b.h, b.r) }

func (b box) stroke(c *canvas, s strokeStyle) (pen, error) {
	p := pen{c, b.x, b.y, 1, 0}
	p.box(b.w+s.width, b.h+s.width, outset(b.r, s.width/2))
	p.box(s.width-b.w, b.h-s.width, outset(b.r, -s.width/2))
	return p, nil
}

// outset returns the radius of a corner that is moved outwards. A corner without one stays sharp.
func outset(r, by float64) float64 {
	if r == 0 {
		return 0
	}
	return max(r+by, 0)
}

// box outlines a rectangle around 0,0. A negative width makes it a hole.
func (p pen) box(w, h, r float64) {
	const bend = 0.5523 // of a radius: the distance of the controls of a quarter of a circle from its ends
	x, y, k := w/2, h/2, r*(1-bend)
	rx, kx := math.Copysign(r, w), math.Copysign(k, w)
	line := func(x, y float64) segment { return segment{points: []point{{x, y}}} }
	bent := func(x1, y1, x2, y2, x, y float64) segment {
		return segment{points: []point{{x1, y1}, {x2, y2}, {x, y}}}
	}
	p.draw(path{
		{[]point{{x - rx, -y}}, true},
		bent(x-kx, -y, x, -y+k, x, -y+r), line(x, y-r),
		bent(x, y-k, x-kx, y, x-rx, y), line(-x+rx, y),
		bent(-x+kx, y, -x, y-k, -x, y-r), line(-x, -y+r),
		bent(-x, -y+k, -x+kx, -y, -x+rx, -y),
	})
}
