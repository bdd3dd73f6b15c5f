package games

import (
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
)

func TestPositionFinder(t *testing.T) {
	const (
		start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
		end   = "3ak4/4a4/4b4/9/2b6/9/9/R8/9/4K4 w - - 0 1"
		any   = "*/*/*/*/*/*/*/"
	)
	match := func(fen, material, pattern string, mirror bool) bool {
		p, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		test, err := xiangqiMaterial(material)
		if pattern != "" {
			test, err = xiangqiPattern(pattern, mirror)
		}
		if err != nil {
			t.Fatal(err)
		}
		return test(p)
	}
	for _, c := range []struct {
		fen, material, pattern string
		mirror, want           bool
	}{
		{fen: end, material: "Raabb", want: true},
		{fen: end, material: "KRkaaee", want: true},
		{fen: end, material: "Raab"},
		{fen: end, material: "Raab+", want: true},
		{fen: start, material: "RR+", want: true},
		{fen: end, material: "RR+"},
		{fen: end, pattern: any + "R8/9/4K4", want: true},
		{fen: end, pattern: any + "R*/*/*", want: true},
		{fen: end, pattern: any + "8R/*/*"},
		{fen: end, pattern: any + "8R/*/*", mirror: true, want: true},
		{fen: end, pattern: any + "+8/9/????+*", want: true},
		{fen: end, pattern: any + "-8/*/*"},
		{fen: end, pattern: "3-*/" + any[2:] + "*/*/*", want: true},
		{fen: start, pattern: "rheakaehr/*/*/*/*/*/*/*/*/*", want: true},
	} {
		if got := match(c.fen, c.material, c.pattern, c.mirror); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for text, want := range map[string]string{
		"*/*":                   "2 ranks instead of 10",
		any + "*/*/8":           `rank "8": 8 points instead of 9`,
		any + "*/*/99":          `rank "99": 18 points instead of 9`,
		any + "*/*/x*":          `'x' is none of the letters`,
		strings.Repeat("*/", 9): `rank "": 0 points instead of 9`,
	} {
		if _, err := xiangqiPattern(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := xiangqiMaterial("RX"); err == nil || !strings.Contains(err.Error(), "'X' is no piece") {
		t.Errorf("%v", err)
	}
}
