package raster

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The fonts, parsed when they are first needed.
var (
	regular   = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })
	bold      = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })
	monospace = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gomono.TTF) })
)

// A typesetter writes characters of a font from left to right. Sizes are in the units of the font.
type typesetter struct {
	*sfnt.Font
	buffer sfnt.Buffer
	em     fixed.Int26_6
}

func newTypesetter(e *element) (*typesetter, error) {
	load := regular
	switch {
	case e.inherited("font-family") == "monospace":
		load = monospace
	case e.inherited("font-weight") == "bold":
		load = bold
	}
	f, err := load()
	if err != nil {
		return nil, fmt.Errorf("raster: font: %w", err)
	}
	return &typesetter{Font: f, em: fixed.I(int(f.UnitsPerEm()))}, nil
}

// width returns the width of a text.
func (s *typesetter) width(text string) (width float64, err error) {
	for _, r := range text {
		advance, err := s.advance(r)
		if err != nil {
			return 0, err
		}
		width += advance
	}
	return width, nil
}

func (s *typesetter) advance(r rune) (float64, error) {
	glyph, err := s.GlyphIndex(&s.buffer, r)
	if err != nil {
		return 0, err
	}
	advance, err := s.GlyphAdvance(&s.buffer, glyph, s.em, font.HintingNone)
	return units(advance), err
}

func units(n fixed.Int26_6) float64 { return float64(n) / 64 }

// draw outlines a character whose origin is that of the pen.
func (s *typesetter) draw(p pen, r rune) error {
	glyph, err := s.GlyphIndex(&s.buffer, r)
	if err != nil {
		return err
	}
	segments, err := s.LoadGlyph(&s.buffer, glyph, s.em, nil)
	if err != nil {
		return err
	}
	for _, g := range segments {
		s := segment{start: g.Op == sfnt.SegmentOpMoveTo}
		for _, at := range g.Args[:max(int(g.Op), 1)] { // two of a quadratic curve, three of a cubic one
			s.points = append(s.points, point{units(at.X), units(at.Y)})
		}
		p.draw(path{s})
	}
	return nil
}

// text draws a text element: one line, from its x or around it, underlined or as long as textLength.
func (d drawing) text(e *element) error {
	s, err := newTypesetter(e)
	if err != nil {
		return err
	}
	size := parseNumber(e.inherited("font-size"), 16)
	scale := size / float64(s.UnitsPerEm())
	width, err := s.width(e.Text)
	if err != nil || width == 0 {
		return err
	}
	spacing := 1.0 // the distances of the characters, as multiples of what the font has
	if length := e.number("textLength"); length > 0 {
		spacing = length / (width * scale)
	}
	p := pen{d.canvas, e.number("x"), e.number("y"), scale, 0}
	if e.inherited("text-anchor") == "middle" {
		p = p.moved(-width*spacing/2, 0)
	}
	if e.own("text-decoration") == "underline" {
		const below, thickness = .11, .08 // of the font's size
		em := float64(s.UnitsPerEm())
		p.moved(width*spacing/2, below*em).box(width*spacing, thickness*em, 0)
	}
	for _, r := range e.Text {
		if err := s.draw(p, r); err != nil {
			return fmt.Errorf("raster: %q: %w", r, err)
		}
		advance, err := s.advance(r)
		if err != nil {
			return err
		}
		p = p.moved(advance*spacing, 0)
	}
	return d.fill(e)
}

// Glyph returns the outline of a character of a board as path data of SVG, so that a picture looks the same
// whatever fonts there are; empty if there is none. There are those of the pieces' names, the river, files
// and ranks, and of a FEN. An outline is measured in thousandths of an em, with the middle of the character
// at 0,0 and y growing downwards. Where outlines overlap, a point is inside if its winding number is not
// zero.
func Glyph(r rune) string { return outlines[r] }
