package raster

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// all has every character that boards use.
const all = "俥傌相仕帥炮兵車馬象士將砲卒楚河漢界一二三四五六七八九ABCDEFGHI0123456789RNBAKCPrnbakcp"

// outlineWriter is a pathPen that writes SVG path data with absolute coordinates.
type outlineWriter struct {
	strings.Builder
	open                   bool
	closed                 int
	x, y                   float64
	minX, minY, maxX, maxY float64
}

func (w *outlineWriter) MoveTo(x, y float64) { w.open = true; w.point("M", x, y) }
func (w *outlineWriter) LineTo(x, y float64) { w.point("L", x, y) }
func (w *outlineWriter) Close()              { w.open = false; w.closed++; w.WriteString("z") }

func (w *outlineWriter) CubeTo(x1, y1, x2, y2, x, y float64) {
	fmt.Fprintf(w, "C%g %g %g %g", x1, y1, x2, y2)
	fromX, fromY := w.x, w.y
	for i := range 100 { // a curve may extend beyond its end points
		t := float64(i) / 100
		u := 1 - t
		a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		w.see(a*fromX+b*x1+c*x2+d*x, a*fromY+b*y1+c*y2+d*y)
	}
	w.point(" ", x, y)
}

func (w *outlineWriter) point(command string, x, y float64) {
	fmt.Fprintf(w, "%s%g %g", command, x, y)
	w.x, w.y = x, y
	w.see(x, y)
}

func (w *outlineWriter) see(x, y float64) {
	w.minX, w.maxX = min(w.minX, x), max(w.maxX, x)
	w.minY, w.maxY = min(w.minY, y), max(w.maxY, y)
}

// TestOutlines: every character has an outline that is well formed, closed, centred and of a
// suitable size.
func TestOutlines(t *testing.T) {
	form := regexp.MustCompile(`^(M-?\d+[ -]\d+([lhvc](-?\d+ ?)+)+z)+$`)
	for _, r := range all {
		path := Glyph(r)
		if !form.MatchString(path) {
			t.Errorf("%c: %.40s", r, path)
		}
		var w outlineWriter
		if err := drawPath(path, &w); err != nil {
			t.Error(err)
		}
		if w.open || w.closed != strings.Count(path, "z") {
			t.Errorf("%c: %d of %d outlines are closed", r, w.closed, strings.Count(path, "z"))
		}
		for _, edges := range [][2]float64{{w.minX, w.maxX}, {w.minY, w.maxY}} {
			if middle := edges[0] + edges[1]; middle < -3 || middle > 3 || edges[1] > 500 {
				t.Errorf("%c goes from %v to %v", r, edges[0], edges[1])
			}
		}
	}
	if len(outlines) != len([]rune(unique(all))) {
		t.Errorf("there are %d outlines for %d characters", len(outlines), len([]rune(unique(all))))
	}
}

func unique(text string) string {
	seen := map[rune]bool{}
	return strings.Map(func(r rune) rune {
		if seen[r] {
			return -1
		}
		seen[r] = true
		return r
	}, text)
}

// TestGlyph checks every point of one outline.
func TestGlyph(t *testing.T) {
	var w outlineWriter
	if err := drawPath(Glyph('F'), &w); err != nil {
		t.Fatal(err)
	}
	const want = "M-228 371L-80 371L-80 71L183 71L183 -54L-80 -54L-80 -247L228 -247L228 -371L-228 -371L-228 371z"
	if got := w.String(); got != want {
		t.Errorf("F is drawn as\n%s, want\n%s", got, want)
	}
	if Glyph('Z') != "" {
		t.Error("Z has an outline")
	}
}
