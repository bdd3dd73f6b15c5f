package qhcheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// TestQuirks checks the quirks for failed checks, and that given ones are kept unless contradicted.
func TestQuirks(t *testing.T) {
	for _, c := range []struct {
		name         string
		failed, good []string
		late         bool
		given, want  []string
	}{
		{"nothing", nil, []string{"level.current", "ban.ai"}, false, nil, nil},
		{"in the order of the table", []string{"scr.x", "input.scr", "fen.letters"}, nil, false, nil, []string{"letters=nb", "scr=none"}},
		{"one of a key", []string{"ban.ai", "ban.next.ai"}, nil, false, nil, []string{"ban=none"}},
		{"a ban that is lifted", []string{"ban.next.ai"}, []string{"ban.zero"}, false, nil, []string{"ban=keeps"}},
		{"a ban that is not", []string{"ban.next.ai", "ban.zero"}, nil, false, nil, []string{"ban=none"}},
		{"late is no quirk", []string{"quit.ends", "abort.10"}, nil, true, nil, nil},
		{"known, and found again", []string{"level.current"}, nil, false, []string{"level=count"}, []string{"level=count"}},
		{"known, and something else found", []string{"ban.ai"}, nil, false, []string{"ban=keeps"}, []string{"ban=none"}},
		{"known, and not so", nil, []string{"level.current", "level.keeps"}, false, []string{"level=count", "side=r"}, []string{"side=r"}},
	} {
		r := &check.Report{}
		for _, name := range c.failed {
			r.Results = append(r.Results, check.Result{Check: check.Check{Name: name}, Verdict: check.Failed, Late: c.late})
		}
		for _, name := range c.good {
			r.Results = append(r.Results, check.Result{Check: check.Check{Name: name}, Verdict: check.Passed})
		}
		if diff := cmp.Diff(c.want, quirks(r, c.given)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
}

// TestWorkarounds checks that clients accept every quirk.
func TestWorkarounds(t *testing.T) {
	for _, w := range workarounds {
		var q qhplugin.Quirks
		key, value, ok := strings.Cut(w.quirk, "=")
		if err := q.Set(key, value); err != nil || !ok || q.String() != w.quirk {
			t.Errorf("%s: %v, %s", w.quirk, err, q)
		}
	}
}
