package raster

import (
	"fmt"
	"strconv"
	"strings"
)

// A pathPen draws a path. Its points are absolute.
type pathPen interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CubeTo(x1, y1, x2, y2, x, y float64)
	Close()
}

// drawPath draws SVG path data with a pen. It knows the commands M m L l H h V v c and z.
func drawPath(data string, pen pathPen) error {
	in := pathReader{rest: data}
	for in.next() {
		if err := in.step(pen); err != nil {
			return fmt.Errorf("path data %.40q: %w", data, err)
		}
	}
	return nil
}

// A pathReader reads path data.
type pathReader struct {
	rest    string
	command byte
	x, y    float64 // the current point
}

// next reads the next command, and reports whether there is one. Numbers without a command repeat
// the last one; after a move, they are lines.
func (in *pathReader) next() bool {
	in.skip()
	if in.rest == "" {
		return false
	}
	switch c := in.rest[0]; {
	case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z':
		in.command, in.rest = c, in.rest[1:]
	case in.command == 'M':
		in.command = 'L'
	case in.command == 'm':
		in.command = 'l'
	case in.command == 'z':
		in.command = 0
	}
	return true
}

func (in *pathReader) skip() { in.rest = strings.TrimLeft(in.rest, " ,\n") }

func (in *pathReader) step(pen pathPen) (err error) {
	x, y := in.x, in.y
	switch in.command {
	case 'M', 'm':
		if in.x, in.y, err = in.point(in.command == 'm'); err == nil {
			pen.MoveTo(in.x, in.y)
		}
		return err
	case 'c':
		return in.cube(pen)
	case 'z':
		pen.Close()
		return nil
	case 'L', 'l':
		x, y, err = in.point(in.command == 'l')
	case 'H', 'h':
		x, err = in.coordinate(x, in.command == 'h')
	case 'V', 'v':
		y, err = in.coordinate(y, in.command == 'v')
	default:
		err = fmt.Errorf("command %q is not supported", in.command)
	}
	if err == nil {
		in.x, in.y = x, y
		pen.LineTo(x, y)
	}
	return err
}

func (in *pathReader) cube(pen pathPen) error {
	var p [6]float64
	for i := 0; i < len(p); i += 2 {
		var err error
		if p[i], p[i+1], err = in.point(true); err != nil {
			return err
		}
	}
	in.x, in.y = p[4], p[5]
	pen.CubeTo(p[0], p[1], p[2], p[3], p[4], p[5])
	return nil
}

// point reads a point, which may be relative to the current one.
func (in *pathReader) point(relative bool) (x, y float64, err error) {
	if x, err = in.coordinate(in.x, relative); err != nil {
		return 0, 0, err
	}
	y, err = in.coordinate(in.y, relative)
	return x, y, err
}

// coordinate reads a number, which may be relative to another. A blank, a comma or the sign of the
// next number ends it.
func (in *pathReader) coordinate(from float64, relative bool) (float64, error) {
	in.skip()
	n := 0
	for n < len(in.rest) && (n == 0 && in.rest[n] == '-' || in.rest[n] == '.' || '0' <= in.rest[n] && in.rest[n] <= '9') {
		n++
	}
	value, err := strconv.ParseFloat(in.rest[:n], 64)
	in.rest = in.rest[n:]
	if relative {
		value += from
	}
	return value, err
}
