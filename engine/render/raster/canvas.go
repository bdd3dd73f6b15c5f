package raster

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// A canvas collects outlines in pixels and paints them. Outlines that are painted together may
// overlap if they turn in the same direction; one that turns in the other direction is a hole.
type canvas struct {
	image *image.RGBA
	scale float64 // pixels per SVG unit
	path  path
	area  bounds // of path
}

// bounds is a rectangle in pixels.
type bounds struct{ minX, minY, maxX, maxY float64 }

var noBounds = bounds{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func newCanvas(root *element, width int) (*canvas, error) {
	var x, y, w, h float64
	if _, err := fmt.Sscan(root.own("viewBox"), &x, &y, &w, &h); err != nil || x != 0 || y != 0 || w <= 0 || h <= 0 {
		return nil, fmt.Errorf("raster: viewBox %q is not supported", root.own("viewBox"))
	}
	scale := float64(width) / w
	height := max(int(math.Round(h*scale)), 1)
	return &canvas{image: image.NewRGBA(image.Rect(0, 0, width, height)), scale: scale, area: noBounds}, nil
}

// paint fills the path with a colour such as "#f2d9a6", and starts a new one. An empty opacity is 1.
func (c *canvas) paint(code, opacity string) error {
	fill, err := parseColor(code, parseNumber(opacity, 1))
	if err != nil {
		return err
	}
	area := image.Rect(int(math.Floor(c.area.minX)), int(math.Floor(c.area.minY)), int(math.Ceil(c.area.maxX))+1, int(math.Ceil(c.area.maxY))+1)
	area = area.Intersect(c.image.Bounds())
	if len(c.path) > 0 && !area.Empty() {
		c.rasterize(area).Draw(c.image, area, image.NewUniform(fill), image.Point{})
	}
	c.path, c.area = c.path[:0], noBounds
	return nil
}

// rasterize returns the path relative to the corner of an area.
func (c *canvas) rasterize(area image.Rectangle) *vector.Rasterizer {
	r := vector.NewRasterizer(area.Dx(), area.Dy())
	at := func(p point) (x, y float32) {
		return float32(p.x - float64(area.Min.X)), float32(p.y - float64(area.Min.Y))
	}
	for _, s := range c.path {
		x, y := at(s.points[len(s.points)-1])
		switch {
		case s.start:
			r.ClosePath()
			r.MoveTo(x, y)
		case len(s.points) == 1:
			r.LineTo(x, y)
		case len(s.points) == 2:
			bx, by := at(s.points[0])
			r.QuadTo(bx, by, x, y)
		default:
			bx, by := at(s.points[0])
			cx, cy := at(s.points[1])
			r.CubeTo(bx, by, cx, cy, x, y)
		}
	}
	r.ClosePath()
	return r
}

// parseColor parses #rrggbb, or #rgb.
func parseColor(code string, opacity float64) (color.NRGBA, error) {
	if len(code) == len("#rgb") && code[0] == '#' {
		code = code[:1] + strings.Repeat(code[1:2], 2) + strings.Repeat(code[2:3], 2) + strings.Repeat(code[3:], 2)
	}
	if len(code) != len("#rrggbb") || code[0] != '#' {
		return color.NRGBA{}, fmt.Errorf("raster: colour %q is not supported: want #rrggbb or #rgb", code)
	}
	rgb, err := strconv.ParseUint(code[1:], 16, 32)
	if err != nil {
		return color.NRGBA{}, fmt.Errorf("raster: colour %q: %w", code, err)
	}
	return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), uint8(math.Round(255 * opacity))}, nil
}

// parseNumber returns the number in an attribute, or fallback if it is empty or not a number.
func parseNumber(text string, fallback float64) float64 {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n
	}
	return fallback
}

// A pen draws outlines around a point of a canvas, scaled and turned.
type pen struct {
	*canvas
	x, y     float64 // in SVG units
	cos, sin float64 // of the angle that it is turned by, times its scale
}

// at returns a point in pixels.
func (p pen) at(x, y float64) point {
	return point{(p.x + x*p.cos - y*p.sin) * p.scale, (p.y + x*p.sin + y*p.cos) * p.scale}
}

// moved returns a pen whose origin is elsewhere in the coordinates of p.
func (p pen) moved(x, y float64) pen {
	p.x, p.y = p.x+x*p.cos-y*p.sin, p.y+x*p.sin+y*p.cos
	return p
}

// draw adds outlines to the path of the canvas. What is filled is closed.
func (p pen) draw(outlines path) {
	for _, s := range outlines {
		if len(s.points) == 0 {
			continue
		}
		points := make([]point, len(s.points))
		for i, from := range s.points {
			at := p.at(from.x, from.y)
			points[i] = at
			p.area.minX, p.area.maxX = min(p.area.minX, at.x), max(p.area.maxX, at.x)
			p.area.minY, p.area.maxY = min(p.area.minY, at.y), max(p.area.maxY, at.y)
		}
		p.path = append(p.path, segment{points, s.start})
	}
}
