package raster

import (
	"fmt"
	"math"
)

// A shape is what an element draws, in SVG units.
type shape interface {
	// outline outlines the shape. It closes itself.
	outline(pen) error
	// stroke outlines its line, and returns a pen at the end of the line, turned as the line is.
	stroke(*canvas, strokeStyle) (pen, error)
}

type strokeStyle struct {
	width float64
	cap   string // of lines: round, square or empty
}

// A box is a rectangle with round corners around its middle.
type box struct{ x, y, w, h, r float64 }

func (b box) outline(p pen) error {
	p.moved(b.x, b.y).box(b.w, b.h, b.r)
	return nil
}

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
	p.MoveTo(x-rx, -y)
	p.CubeTo(x-kx, -y, x, -y+k, x, -y+r)
	p.LineTo(x, y-r)
	p.CubeTo(x, y-k, x-kx, y, x-rx, y)
	p.LineTo(-x+rx, y)
	p.CubeTo(-x+kx, y, -x, y-k, -x, y-r)
	p.LineTo(-x, -y+r)
	p.CubeTo(-x, -y+k, -x+kx, -y, -x+rx, -y)
}

// A polyline has straight lines.
type polyline []point

func (l polyline) outline(p pen) error {
	for i, at := range l {
		if i == 0 {
			p.MoveTo(at.x, at.y)
			continue
		}
		p.LineTo(at.x, at.y)
	}
	return nil
}

// stroke draws each line by itself, and joins them with discs.
func (l polyline) stroke(c *canvas, s strokeStyle) (pen, error) {
	end := pen{c, 0, 0, 1, 0}
	for i := range len(l) - 1 {
		from, to := l[i], l[i+1]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		if length == 0 {
			continue
		}
		along := pen{c, from.x, from.y, (to.x - from.x) / length, (to.y - from.y) / length}
		end = along.moved(length, 0)
		beyond := 0.0
		if s.cap == "square" {
			beyond = s.width / 2
		}
		along.moved(length/2, 0).box(length+2*beyond, s.width, 0)
		if i > 0 || s.cap == "round" {
			along.box(s.width, s.width, s.width/2)
		}
	}
	if s.cap == "round" {
		end.box(s.width, s.width, s.width/2)
	}
	return end, nil
}

// pathData is a path. Its line, if it has one, is straight and open.
type pathData string

func (d pathData) outline(p pen) error { return drawPath(string(d), p) }

func (d pathData) stroke(c *canvas, s strokeStyle) (end pen, err error) {
	var lines straight
	if err := drawPath(string(d), &lines); err != nil {
		return end, err
	}
	if lines.curved {
		return end, fmt.Errorf("raster: path %.40q: the line of a curved or closed path is not supported", d)
	}
	for _, l := range lines.lines {
		if end, err = l.stroke(c, s); err != nil {
			return end, err
		}
	}
	return end, nil
}

// straight is a pen that collects straight lines.
type straight struct {
	lines  []polyline
	curved bool // or closed
}

func (s *straight) MoveTo(x, y float64) { s.lines = append(s.lines, polyline{{x, y}}) }

func (s *straight) LineTo(x, y float64) {
	if len(s.lines) == 0 {
		s.MoveTo(0, 0)
	}
	last := &s.lines[len(s.lines)-1]
	*last = append(*last, point{x, y})
}

func (s *straight) CubeTo(_, _, _, _, _, _ float64) { s.curved = true }
func (s *straight) Close()                          { s.curved = true }
