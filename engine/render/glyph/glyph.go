// Package glyph has the outlines of the characters that boards are drawn with, so that a
// picture looks the same wherever it is shown, whatever fonts there are.
//
// They are the names of the pieces, the words on the river, the names of files and ranks,
// and the letters of a FEN. An outline is measured in thousandths of an em, with the
// middle of the character at 0,0 and y growing downwards. Where outlines overlap, a point
// is inside if its winding number is not zero.
package glyph

import "strconv"

// Path returns a character's outline as path data of SVG; empty if there is none.
func Path(r rune) string { return outlines[r] }

// A Pen draws an outline. Its points are absolute.
type Pen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CubeTo(x1, y1, x2, y2, x, y float64)
	Close()
}

// Draw has a pen draw a character's outline; nothing if there is none.
func Draw(r rune, pen Pen) {
	in := reader{rest: outlines[r]}
	for in.rest != "" {
		in.step(pen)
	}
}

// reader takes the path data of an outline apart, which is this package's own.
type reader struct {
	rest    string
	command byte
	x, y    float64 // where the pen is
}

// step draws what the next command says. Numbers without one repeat the last.
func (in *reader) step(pen Pen) {
	if c := in.rest[0]; c >= 'A' {
		in.command, in.rest = c, in.rest[1:]
	}
	switch in.command {
	case 'M':
		in.x, in.y = in.number(), in.number()
		pen.MoveTo(in.x, in.y)
	case 'z':
		pen.Close()
	case 'c':
		x1, y1 := in.x+in.number(), in.y+in.number()
		x2, y2 := in.x+in.number(), in.y+in.number()
		in.x, in.y = in.x+in.number(), in.y+in.number()
		pen.CubeTo(x1, y1, x2, y2, in.x, in.y)
	default:
		in.line(pen)
	}
}

// line draws one of the straight lines: l, h or v.
func (in *reader) line(pen Pen) {
	if in.command != 'v' {
		in.x += in.number()
	}
	if in.command != 'h' {
		in.y += in.number()
	}
	pen.LineTo(in.x, in.y)
}

// number reads a whole number. A blank or the sign of the next one parts it from that.
func (in *reader) number() float64 {
	for in.rest != "" && in.rest[0] == ' ' {
		in.rest = in.rest[1:]
	}
	n := 0
	for n < len(in.rest) && (n == 0 && in.rest[n] == '-' || '0' <= in.rest[n] && in.rest[n] <= '9') {
		n++
	}
	value, _ := strconv.Atoi(in.rest[:n])
	in.rest = in.rest[n:]
	return float64(value)
}
