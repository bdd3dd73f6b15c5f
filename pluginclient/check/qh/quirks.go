package qh

import (
	"strings"

	"qhsh/pluginclient/check"
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

// quirks are what a client has to be told of a plugin. The first that is found of a key
// holds.
func quirks(r *check.Report) []string {
	bad := func(name string) bool {
		v := r.Verdict(name)
		return v == check.Failed || v == check.Advised
	}
	var found []string
	keys := map[string]bool{}
	for _, w := range workarounds {
		key, _, _ := strings.Cut(w.quirk, "=")
		if keys[key] || w.and != "" && !bad(w.and) {
			continue
		}
		for _, name := range w.checks {
			if bad(name) {
				found, keys[key] = append(found, w.quirk), true
				break
			}
		}
	}
	return found
}
