package qhplugin

import (
	"strings"
	"testing"
	"testing/synctest"

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
