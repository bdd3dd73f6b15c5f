package qhcheck

import (
	"slices"
	"strings"

	"qhsh/pluginclient/task/check"
)

// workarounds are the options that clients need after failed checks; they handle other faults themselves.
var workarounds = []struct {
	checks []string // if any has failed
	and    string   // if set, must have failed too
	quirk  string   // in the syntax of qhplugin.Quirks
}{
	{[]string{"level.current", "level.keeps"}, "", "level=count"},
	{[]string{"fen.letters"}, "", "letters=nb"},
	{[]string{"fen.w"}, "", "side=r"},
	{[]string{"fen.long"}, "", "fenlong=none"},
	{[]string{"load.plays", "load.current", "robust.load"}, "", "load=play"},
	{[]string{"undo.all", "undo.ai", "undo.load"}, "", "undo=none"},
	{[]string{"hints.list", "hints.legal", "hints.stay"}, "", "hints=none"},
	{[]string{"ban.ai", "ban.hints"}, "", "ban=none"},
	{[]string{"ban.next.ai", "ban.next.hints"}, "ban.zero", "ban=none"},
	{[]string{"ban.next.ai", "ban.next.hints"}, "", "ban=keeps"},
	{[]string{"bgthink.on", "bgthink.off", "bgthink.bails"}, "", "bgthink=none"},
	{[]string{"timeout.10", "timeout.100", "timeout.1000"}, "", "timeout=none"},
	{[]string{"abort.10", "abort.100", "abort.1000"}, "", "abort=none"},
	{[]string{"quit.ends"}, "", "quit=none"},
	{[]string{"input.scr"}, "", "scr=none"},
}

// quirks returns the options that a client needs: the first found per key, and those of given that
// no check contradicts. Late answers need longer timeouts, not a quirk.
func quirks(r *check.Report, given []string) []string {
	bad := func(name string) bool {
		res := r.Result(name)
		return (res.Verdict == check.Failed || res.Verdict == check.Advised) && !res.Late
	}
	good := func(name string) bool { return r.Result(name).Verdict == check.Passed }
	var found []string
	settled := map[string]bool{} // keys
	for _, w := range workarounds {
		key, _, _ := strings.Cut(w.quirk, "=")
		switch {
		case settled[key]:
		case slices.ContainsFunc(w.checks, bad) && (w.and == "" || bad(w.and)):
			found, settled[key] = append(found, w.quirk), true
		case slices.Contains(given, w.quirk) && slices.ContainsFunc(w.checks, good):
			given = slices.DeleteFunc(slices.Clone(given), func(q string) bool { return q == w.quirk })
		}
	}
	for _, quirk := range given {
		if key, _, _ := strings.Cut(quirk, "="); !settled[key] {
			found = append(found, quirk)
		}
	}
	return found
}
