// Package raster converts the SVG images that this module writes to PNG and GIF. It supports what they use:
// rectangles, circles, lines, paths, text, groups, definitions and arrowheads. Anything else is an
// error, so that no image silently lacks a part.
//
// This file has the elements, gif.go the frames, canvas.go the pixels, shape.go and pathdata.go the outlines, text.go the
// characters.
package raster

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
)

const (
	defaultWidth = 1000 // of a PNG, in pixels

	// MaxWidth is the maximum width in pixels. A PNG as wide as that takes some 150 MB while it is
	// drawn.
	MaxWidth = 4000
)

// PNG writes an SVG image as PNG, width pixels wide: 1000 by default, at most [MaxWidth].
func PNG(w io.Writer, svg string, width int) error {
	img, err := rasterize(svg, width)
	if err != nil {
		return err
	}
	return png.Encode(w, img)
}

// rasterize draws an SVG image.
func rasterize(svg string, width int) (*image.RGBA, error) {
	var root element
	if err := xml.Unmarshal([]byte(svg), &root); err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	if width <= 0 {
		width = defaultWidth
	}
	d := drawing{definitions: map[string]*element{}}
	var err error
	if d.canvas, err = newCanvas(&root, min(width, MaxWidth)); err != nil {
		return nil, err
	}
	return d.image, d.children(&root)
}

// An element is an element of SVG. Attributes that are not its own are inherited from its parent.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []*element `xml:",any"`
	Text     string     `xml:",chardata"`
	parent   *element
}

// own returns an attribute of the element itself; empty if it has none.
func (e *element) own(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// inherited returns an attribute of the element or of the closest group around it.
func (e *element) inherited(name string) string {
	for ; e != nil; e = e.parent {
		if value := e.own(name); value != "" {
			return value
		}
	}
	return ""
}

// number returns a numeric attribute; 0 if there is none.
func (e *element) number(name string) float64 { return parseNumber(e.own(name), 0) }

// A drawing is an image that is being drawn.
type drawing struct {
	*canvas
	definitions map[string]*element
}

func (d drawing) children(e *element) error {
	for _, child := range e.Children {
		child.parent = e
		if err := d.draw(child); err != nil {
			return err
		}
	}
	return nil
}

func (d drawing) draw(e *element) error {
	switch e.XMLName.Local {
	case "g":
		return d.children(e)
	case "defs":
		for _, child := range e.Children {
			d.definitions[child.own("id")] = child
		}
		return nil
	case "use":
		return d.use(e)
	case "text":
		return d.text(e)
	case "rect":
		w, h := e.number("width"), e.number("height")
		return d.shape(e, box{e.number("x") + w/2, e.number("y") + h/2, w, h, e.number("rx")})
	case "circle":
		r := e.number("r")
		return d.shape(e, box{e.number("cx"), e.number("cy"), 2 * r, 2 * r, r})
	case "line":
		return d.stroke(e, path{{[]point{{e.number("x1"), e.number("y1")}}, true}, {[]point{{e.number("x2"), e.number("y2")}}, false}})
	case "path":
		p, err := parsePath(e.own("d"))
		if err != nil {
			return err
		}
		return d.shape(e, p)
	}
	return fmt.Errorf("raster: element <%s> is not supported", e.XMLName.Local)
}

// use draws a path of the definitions in the style of an element.
func (d drawing) use(e *element) error {
	glyph, err := d.defined(e.own("href"))
	if err != nil {
		return err
	}
	var x, y, scale float64
	if _, err := fmt.Sscanf(e.own("transform"), "translate(%g %g) scale(%g)", &x, &y, &scale); err != nil {
		return fmt.Errorf("raster: transform %q is not supported", e.own("transform"))
	}
	return d.fillPath(glyph, e, pen{d.canvas, x, y, scale, 0})
}

// defined returns the definition that a reference such as #name or url(#name) names.
func (d drawing) defined(reference string) (*element, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(reference, "url("), ")")
	if e := d.definitions[strings.TrimPrefix(name, "#")]; e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("raster: %q is not defined", reference)
}

// fillPath fills the path of an element with the colour of another, which may be the same.
func (d drawing) fillPath(e, style *element, to pen) error {
	p, err := parsePath(e.own("d"))
	to.draw(p)
	return errors.Join(err, d.fill(style))
}

// shape fills and strokes a shape.
func (d drawing) shape(e *element, s shape) error {
	if e.inherited("fill") != "none" {
		s.outline(pen{d.canvas, 0, 0, 1, 0})
		if err := d.fill(e); err != nil {
			return err
		}
	}
	return d.stroke(e, s)
}

func (d drawing) stroke(e *element, s shape) error {
	if stroke := e.inherited("stroke"); stroke == "" || stroke == "none" {
		return nil
	}
	end, err := s.stroke(d.canvas, strokeStyle{parseNumber(e.inherited("stroke-width"), 1), e.inherited("stroke-linecap")})
	if err != nil {
		return fmt.Errorf("raster: path %.40q: %w", e.own("d"), err)
	}
	if err := d.paint(e.inherited("stroke"), e.inherited("stroke-opacity")); err != nil {
		return err
	}
	return d.arrowhead(e, end)
}

// fill fills what has been outlined with the colour of an element.
func (d drawing) fill(e *element) error {
	return d.paint(cmp.Or(e.inherited("fill"), "#000000"), e.inherited("fill-opacity"))
}

// arrowhead draws the marker of an element at the end of its line.
func (d drawing) arrowhead(e *element, end pen) error {
	reference := e.inherited("marker-end")
	if reference == "" {
		return nil
	}
	marker, err := d.defined(reference)
	if err != nil {
		return err
	}
	var x, y, w, h float64
	if _, err := fmt.Sscan(marker.own("viewBox"), &x, &y, &w, &h); err != nil {
		return fmt.Errorf("raster: marker: viewBox %q: %w", marker.own("viewBox"), err)
	}
	scale := marker.number("markerWidth") / w * parseNumber(e.inherited("stroke-width"), 1)
	end.cos, end.sin = scale*end.cos, scale*end.sin
	end = end.moved(-marker.number("refX"), -marker.number("refY"))
	for _, child := range marker.Children {
		if err := d.fillPath(child, child, end); err != nil {
			return err
		}
	}
	return nil
}
