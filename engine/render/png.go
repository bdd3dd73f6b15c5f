package render

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/vector"

	"qhsh/engine/render/glyph"
	"qhsh/engine/xiangqi"
)

const (
	defaultPixels = 1000 // the width of a PNG unless the options have another

	// MaxWidth is the most that a Width should be: a PNG as wide as that takes some 150 MB
	// while it is drawn.
	MaxWidth = 4000
)

// PNG writes the picture that [SVG] describes in points of colour, 1000 wide unless the
// options have a Width, of which no more than [MaxWidth] counts.
func PNG(w io.Writer, p *xiangqi.Position, o SVGOptions) error {
	o.Width = min(o.Width, MaxWidth)
	if o.Width <= 0 {
		o.Width = defaultPixels
	}
	c := newCanvas(o.Width, o.height())
	c.board(o)
	c.last(o)
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		c.pieces(p, side, o)
	}
	c.targets(p, o)
	c.arrows(o)
	return png.Encode(w, c.image)
}

// A canvas draws shapes. All that is outlined before a fill is filled at once, so shapes of
// one colour that do not lie upon each other cost little more than one. Where shapes
// overlap, all of them go round in the same direction.
type canvas struct {
	image *image.RGBA
	path  *vector.Rasterizer
	scale float64 // pixels per unit of the picture
}

func newCanvas(pixels, lines int) *canvas {
	return &canvas{
		image: image.NewRGBA(image.Rect(0, 0, pixels, lines)),
		path:  vector.NewRasterizer(pixels, lines),
		scale: float64(pixels) / width,
	}
}

// fill fills what has been outlined with a colour such as "#f2d9a6".
func (c *canvas) fill(code string, opacity float64) {
	rgb, _ := strconv.ParseUint(code[1:], 16, 32)
	fill := color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), uint8(math.Round(255 * opacity))}
	c.path.Draw(c.image, c.image.Bounds(), image.NewUniform(fill), image.Point{})
	c.path.Reset(c.image.Bounds().Dx(), c.image.Bounds().Dy())
}

// A placed pen draws an outline around a point of a canvas, scaled and turned.
type placed struct {
	*canvas
	x, y     float64
	cos, sin float64 // of the angle that it is turned by, times its scale
}

// at returns a pen that draws around a point.
func (c *canvas) at(x, y int, scale float64) placed {
	return placed{c, float64(x), float64(y), scale, 0}
}

func (p placed) pixel(x, y float64) (px, py float32) {
	return float32((p.x + x*p.cos - y*p.sin) * p.scale), float32((p.y + x*p.sin + y*p.cos) * p.scale)
}

func (p placed) MoveTo(x, y float64) { p.path.MoveTo(p.pixel(x, y)) }
func (p placed) LineTo(x, y float64) { p.path.LineTo(p.pixel(x, y)) }
func (p placed) Close()              { p.path.ClosePath() }

func (p placed) CubeTo(x1, y1, x2, y2, x, y float64) {
	ax, ay := p.pixel(x1, y1)
	bx, by := p.pixel(x2, y2)
	cx, cy := p.pixel(x, y)
	p.path.CubeTo(ax, ay, bx, by, cx, cy)
}

// polygon outlines a shape with straight edges.
func (p placed) polygon(points ...[2]float64) {
	for i, at := range points {
		if i == 0 {
			p.MoveTo(at[0], at[1])
			continue
		}
		p.LineTo(at[0], at[1])
	}
	p.Close()
}

// box outlines a rectangle with the middle at 0,0 and round corners. With a negative width
// it goes round in the other direction, and is a hole.
func (p placed) box(w, h, r float64) {
	const bend = 0.5523 // of a radius: how far a curve's controls are from its ends, for it to look round
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
	p.Close()
}

func (p placed) disc(r float64) { p.box(2*r, 2*r, r) }

// ring outlines a circle's line of some thickness.
func (p placed) ring(r, thick float64) {
	outer, inner := r+thick/2, r-thick/2
	p.disc(outer)
	p.box(-2*inner, 2*inner, inner)
}

// stroke outlines a line that reaches beyond its ends.
func (c *canvas) stroke(x1, y1, x2, y2 int, thick, beyond float64) {
	pen, length := c.along(x1, y1, x2, y2)
	pen.polygon([2]float64{-beyond, -thick / 2}, [2]float64{length + beyond, -thick / 2},
		[2]float64{length + beyond, thick / 2}, [2]float64{-beyond, thick / 2})
}

// along returns a pen at a line's start to which the line is the axis of x.
func (c *canvas) along(x1, y1, x2, y2 int) (pen placed, length float64) {
	dx, dy := float64(x2-x1), float64(y2-y1)
	length = math.Hypot(dx, dy)
	if length == 0 {
		return c.at(x1, y1, 1), 0
	}
	return placed{c, float64(x1), float64(y1), dx / length, dy / length}, length
}

// board draws what is under the pieces.
func (c *canvas) board(o SVGOptions) {
	c.at(width/2, height/2, 1).box(width, height, 0)
	c.fill(colorBoard, 1)
	for _, l := range gridLines() {
		c.stroke(l[0], l[1], l[2], l[3], 2, 1)
	}
	c.fill(colorGrid, 1)
	if !o.Letters {
		for _, word := range riverWords {
			glyph.Draw(word.name, c.at(word.x, riverMiddle, factor(scaleRiver)))
		}
		c.fill(colorRiver, 1)
	}
	scale := factor(scaleName)
	for file, name := range fileNames {
		x, _ := o.place(xiangqi.Square(file))
		glyph.Draw(name, c.at(x, topNames, scale))
		glyph.Draw(name, c.at(x, bottomNames, scale))
	}
	for rank, name := range rankNames {
		_, y := o.place(xiangqi.Square(9 * rank))
		glyph.Draw(name, c.at(leftNames, y, scale))
		glyph.Draw(name, c.at(rightNames, y, scale))
	}
	c.fill(colorGrid, 1)
}

// factor is one of the scales, which are written as SVG has them.
func factor(scale string) float64 {
	value, _ := strconv.ParseFloat(scale, 64)
	return value
}

func (c *canvas) last(o SVGOptions) {
	if o.Last == 0 {
		return
	}
	for _, sq := range []xiangqi.Square{o.Last.From(), o.Last.To()} {
		x, y := o.place(sq)
		c.at(x, y, 1).box(50, 50, 8)
		c.at(x, y, 1).box(-42, 42, 4)
	}
	c.fill(colorMarked, 1)
}

func (c *canvas) pieces(p *xiangqi.Position, side xiangqi.Side, o SVGOptions) {
	each := func(draw func(piece xiangqi.Piece, x, y int)) {
		for sq := xiangqi.Square(0); sq < 90; sq++ {
			if piece := p.At(sq); piece != xiangqi.Empty && piece.Side() == side {
				x, y := o.place(sq)
				draw(piece, x, y)
			}
		}
	}
	each(func(_ xiangqi.Piece, x, y int) { c.at(x, y, 1).disc(21) })
	c.fill(colorPiece, 1)
	each(func(piece xiangqi.Piece, x, y int) {
		c.at(x, y, 1).ring(21, 2)
		glyph.Draw(o.name(piece), c.at(x, y, factor(scalePiece)))
	})
	c.fill([]string{colorRed, colorBlack}[side], 1)
}

func (c *canvas) targets(p *xiangqi.Position, o SVGOptions) {
	for _, sq := range o.Targets {
		x, y := o.place(sq)
		if p.At(sq) == xiangqi.Empty {
			c.at(x, y, 1).disc(8.5) // with its line
			continue
		}
		c.at(x, y, 1).ring(23, 5)
	}
	c.fill(colorMarked, 1)
}

func (c *canvas) arrows(o SVGOptions) {
	for _, a := range o.Arrows {
		x1, y1 := o.place(a.From)
		x2, y2 := o.place(a.To)
		c.stroke(x1, y1, x2, y2, 8, 0)
		c.at(x1, y1, 1).disc(4)
		c.at(x2, y2, 1).disc(4)
		c.fill(colorArrow, .75)
		pen, length := c.along(x1, y1, x2, y2)
		pen.polygon([2]float64{length - 24, -16}, [2]float64{length + 8, 0}, [2]float64{length - 24, 16})
		c.fill(colorArrow, 1)
	}
}
