package raster

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A path is a sequence of outlines or lines, with absolute points. Its line, if it is drawn, is straight
// and open.
type path []segment

// A segment is a step of a path: its last point is the end, those before are controls. An end alone is a
// line; a start is the first point of an outline. Without points it closes the outline.
type segment struct {
	points []point
	start  bool
}

type point struct{ x, y float64 }

// parsePath reads SVG path data. It knows the commands M m L l H h V v c and z. With an error it returns
// what comes before it.
func parsePath(data string) (p path, err error) {
	in := pathReader{rest: data}
	for in.next() {
		s, err := in.step()
		if err != nil {
			return p, fmt.Errorf("path data %.40q: %w", data, err)
		}
		p = append(p, s)
	}
	return p, nil
}

func (p path) outline(to pen) { to.draw(p) }

// stroke draws each line by itself, and joins them with discs.
func (p path) stroke(c *canvas, s strokeStyle) (end pen, err error) {
	for i, to := range p {
		switch {
		case len(to.points) != 1:
			return end, errCurved
		case to.start:
			end = pen{c, 0, 0, 1, 0}
			continue
		}
		from, to := p[max(i-1, 0)].points[0], to.points[0]
		if length := math.Hypot(to.x-from.x, to.y-from.y); length > 0 {
			along := pen{c, from.x, from.y, (to.x - from.x) / length, (to.y - from.y) / length}
			end = along.moved(length, 0)
			beyond := 0.0
			if s.cap == "square" {
				beyond = s.width / 2
			}
			along.moved(length/2, 0).box(length+2*beyond, s.width, 0)
			if !p[i-1].start || s.cap == "round" {
				along.box(s.width, s.width, s.width/2)
			}
		}
		if s.cap == "round" && (i+1 == len(p) || p[i+1].start) {
			end.box(s.width, s.width, s.width/2)
		}
	}
	return end, nil
}

var errCurved = errors.New("the line of a curved or closed path is not supported")

// A pathReader reads path data.
type pathReader struct {
	rest    string
	command byte
	at      point // the current one
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

func (in *pathReader) step() (s segment, err error) {
	at, relative := in.at, in.command >= 'a'
	switch in.command {
	case 'M', 'm', 'L', 'l':
		at, err = in.point(relative)
	case 'H', 'h':
		at.x, err = in.coordinate(at.x, relative)
	case 'V', 'v':
		at.y, err = in.coordinate(at.y, relative)
	case 'c':
		var bend [3]point
		for i := range bend {
			if bend[i], err = in.point(relative); err != nil {
				return s, err
			}
		}
		in.at = bend[2]
		return segment{points: bend[:]}, nil
	case 'z':
		return s, nil
	default:
		err = fmt.Errorf("command %q is not supported", in.command)
	}
	in.at = at
	return segment{[]point{at}, in.command|0x20 == 'm'}, err
}

// point reads a point, which may be relative to the current one.
func (in *pathReader) point(relative bool) (p point, err error) {
	if p.x, err = in.coordinate(in.at.x, relative); err != nil {
		return p, err
	}
	p.y, err = in.coordinate(in.at.y, relative)
	return p, err
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
