package raster

import (
	"regexp"
	"strings"
	"testing"
)

// all has every character that boards use.
const all = "俥傌相仕帥炮兵車馬象士將砲卒楚河漢界一二三四五六七八九ABCDEFGHI0123456789RNBAKCPrnbakcp"

// edgesOf returns the edges of an outline: left, right, top, bottom. A curve may extend beyond its end
// points.
func edgesOf(p path) (edges [4]float64) {
	var last point
	see := func(x, y float64) {
		edges = [4]float64{min(edges[0], x), max(edges[1], x), min(edges[2], y), max(edges[3], y)}
	}
	for _, s := range p {
		if len(s.points) == 3 {
			for i := range 100 {
				t := float64(i) / 100
				u := 1 - t
				a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				q := s.points
				see(a*last.x+b*q[0].x+c*q[1].x+d*q[2].x, a*last.y+b*q[0].y+c*q[1].y+d*q[2].y)
			}
		}
		if n := len(s.points); n > 0 {
			last = s.points[n-1]
			see(last.x, last.y)
		}
	}
	return edges
}

// TestOutlines: every character has an outline that is well formed, closed, centred and of a
// suitable size.
func TestOutlines(t *testing.T) {
	form := regexp.MustCompile(`^(M-?\d+[ -]\d+([lhvc](-?\d+ ?)+)+z)+$`)
	for _, r := range all {
		data := Glyph(r)
		if !form.MatchString(data) {
			t.Errorf("%c: %.40s", r, data)
		}
		p, err := parsePath(data)
		if err != nil {
			t.Error(err)
		}
		all := edgesOf(p)
		for _, edges := range [][]float64{all[:2], all[2:]} {
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
	p, err := parsePath(Glyph('F'))
	if err != nil {
		t.Fatal(err)
	}
	const want = "M-228 371L-80 371L-80 71L183 71L183 -54L-80 -54L-80 -247L228 -247L228 -371L-228 -371L-228 371z"
	if got := written(p); got != want {
		t.Errorf("F is drawn as\n%s, want\n%s", got, want)
	}
	if Glyph('Z') != "" {
		t.Error("Z has an outline")
	}
}
