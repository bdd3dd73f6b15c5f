package qhplugin

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// TestCompareBoard asks plugins for their boards: what differs, and that the trace marks SCR as added.
func TestCompareBoard(t *testing.T) {
	const start = "rheakaehr\n.........\n.c.....c.\np.p.p.p.p\n.........\n.........\nP.P.P.P.P\n.C.....C.\n.........\nRHEAKAEHR\n"
	for _, c := range []struct {
		answer     string
		difference string
		ok         bool
	}{
		{start, "", true},
		{strings.Replace(start, ".C.....C.", ".C..C....", 1), "on E2 it has C", true},
		{" A B C D E F G H I\n" + numbered(start, func(rank string) string { return strings.Join(strings.Split(rank, ""), " ") }), "", true},
		{numbered(strings.Replace(start, ".c.....c.", "*c_____+c", 1), strings.Clone), "on H7 it has no piece", true},
		{strings.Replace(start, "rheakaehr", "rheakaehD", 1), "", false},
		{"ERROR\n", "", false},
		{"", "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := dialMischief(t, &mischief{in: func(line string) act {
				if line == string(Scr) {
					return act{Send: c.answer}
				}
				return obey(line)
			}})
			defer client.Close()
			difference, ok, err := client.CompareBoard(t.Context())
			if err != nil || difference != c.difference || ok != c.ok {
				t.Errorf("%q: %q, %v, %v", c.answer, difference, ok, err)
			}
			added := client.Trace().Last(1, func(e pluginclient.Entry) bool { return e.Text == string(Scr) })
			if len(added) != 1 || added[0].Dir != pluginclient.Pinged {
				t.Errorf("%+v", added)
			}
		})
	}
}

// numbered returns a drawing with the number of each rank before and behind it.
func numbered(drawing string, row func(rank string) string) string {
	var b strings.Builder
	for i, rank := range strings.Fields(drawing) {
		fmt.Fprintf(&b, "%d %s %[1]d\n", 9-i, row(rank))
	}
	return b.String()
}

// TestCompareScreenTurned compares drawings of a position without symmetry.
func TestCompareScreenTurned(t *testing.T) {
	pos, err := xiangqi.ParseFEN("4k4/4r4/9/9/9/9/9/9/R8/3K5 w")
	if err != nil {
		t.Fatal(err)
	}
	for drawing, want := range map[string]string{
		"....k.... ....r.... ......... ......... ......... ......... ......... ......... R........ ...K.....": "",
		"...K..... R........ ......... ......... ......... ......... ......... ......... ....r.... ....k....": "its ranks are upside down",
		"....k.... ....r.... ......... ......... ......... ......... ......... ......... ........R .....K...": "its files are mirrored",
		".....K... ........R ......... ......... ......... ......... ......... ......... ....r.... ....k....": "it is turned around",
	} {
		if got, ok := CompareScreen(pos, strings.Fields(drawing)); got != want || !ok {
			t.Errorf("%s: %q, %v; want %q", drawing, got, ok, want)
		}
	}
}
