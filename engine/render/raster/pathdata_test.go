package raster

import (
	"fmt"
	"strings"
	"testing"
)

// written returns a path as path data with absolute coordinates.
func written(p path) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(map[bool]string{true: "M", false: "zL?C"[len(s.points):][:1]}[s.start])
		for i, at := range s.points {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%g %g", at.x, at.y)
		}
	}
	return b.String()
}

func TestParsePath(t *testing.T) {
	for _, c := range []struct{ data, want, problem string }{
		{"", "", ""},
		{"M0 0 8 4 0 8z", "M0 0L8 4L0 8z", ""},
		{"M10,20l5-6h7v-8m1 1 2 2", "M10 20L15 14L22 14L22 6M23 7L25 9", ""},
		{"M1 2c1 1 2 2 3 3-1-1-2-2-3-3", "M1 2C2 3 3 4 4 5C3 4 2 3 1 2", ""},
		{"M.5-1.5L3 4H9V8", "M0.5 -1.5L3 4L9 4L9 8", ""},
		{"M1", "", `path data "M1": strconv.ParseFloat: parsing "": invalid syntax`},
		{"M1 1a3", "M1 1", `path data "M1 1a3": command 'a' is not supported`},
		{"M1 1z5", "M1 1z", `path data "M1 1z5": command '\x00' is not supported`},
	} {
		p, err := parsePath(c.data)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if got := written(p); got != c.want || problem != c.problem {
			t.Errorf("%q is %q, %s; want %q, %s", c.data, got, problem, c.want, c.problem)
		}
	}
}

// FuzzParsePath: nothing makes parsePath panic.
func FuzzParsePath(f *testing.F) {
	f.Add("M10,20l5-6h7v-8m1 1 2 2c1 1 2 2 3 3z")
	f.Fuzz(func(t *testing.T, data string) { _, _ = parsePath(data) })
}
