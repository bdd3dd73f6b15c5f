package qh

import (
	"slices"
	"strings"

	"qhsh/pluginclient/task/check"
)

// A workaround is what a client has to be told where a check has failed.
type workaround struct {
	checks []string // any of them
	and    string   // a check that has to have failed too; empty: none
	quirk  string   // in the words of qhplugin.Quirks
}

// workarounds are those that make a difference to a client, which is careful by itself.
var workarounds = []workaround{
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

// quirks returns what a client has to be told of a plugin. The first that is found of a key
// holds; and of those that the user knew, what the checks have not looked into. A plugin that
// does what it should, but late, needs patience and no quirk.
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
