package qhcheck

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// thinker returns a plugin that thinks long at every level.
func thinker(pace time.Duration) *qhplugin.Server {
	return &qhplugin.Server{Searcher: player{pace: pace}, Name: "thinker", Level: 1}
}

// TestSlow checks that a slow plugin that obeys TIMEOUT is checked completely within the default
// budget.
func TestSlow(t *testing.T) {
	for _, pace := range enginetest.SampleUnderRace(3, []time.Duration{600 * time.Millisecond, 3 * time.Second, 8 * time.Second, time.Minute}) {
		t.Run(pace.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := thinker(pace)
				r := run(t, server, replace("", ""), nil, check.Options{})
				if !r.OK() || r.Took > check.DefaultBudget {
					t.Errorf("%v, not passed: %v", r.Took, found(r, check.Failed, check.Advised, check.Skipped, check.Unreached))
					report(t, r)
				}
			})
		})
	}
}

// TestSlowAndDeaf checks that a slow plugin without TIMEOUT neither fails nor passes.
func TestSlowAndDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := thinker(time.Minute)
		info := replace("TIMEOUT 1", "TIMEOUT 0")
		r := run(t, server, info, on("TIMEOUT", plugintest.Action{}), check.Options{Only: []string{"ai.answers", "fen.board"}})
		want := []string{"ai.answers", "fen.board"}
		if diff := cmp.Diff(want, found(r, check.Unreached)); diff != "" || r.OK() || r.Count(check.Failed, false) > 0 {
			t.Errorf("%+v\n-want +got:\n%s", r.Results, diff)
		}
		if reason := r.Results[0].Reason; !strings.HasPrefix(reason, check.ErrTooSlow.Error()) {
			t.Errorf("reason %q", reason)
		}
	})
}

// TestSlowHints checks that only timeout.hints fails for a plugin that ignores TIMEOUT during
// HINTS.
func TestSlowHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := thinker(2 * time.Second)
		deaf := in(func(t *behaviour, w, _ string) (plugintest.Action, bool) {
			return plugintest.Action{}, w == "TIMEOUT" && t.asked.Load() == "HINTS"
		})
		r := run(t, server, replace("", ""), deaf, check.Options{Only: []string{"hints", "timeout"}, Budget: time.Hour})
		if diff := cmp.Diff([]string{"timeout.hints"}, found(r, check.Failed)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
			report(t, r)
		}
	})
}

// TestLongThink checks that a plugin is interrupted that thinks long at its first level only, or only
// where there are many moves, and that the summary says so of one that never does.
func TestLongThink(t *testing.T) {
	board, _, _ := strings.Cut(boards.ManyMoves.String(), " ")
	for name, p := range map[string]player{"first level": {slow: 1}, "many moves": {only: board}, "never": {slow: 3, pace: 700 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := newServer()
				server.Searcher = p
				r := run(t, server, replace("", ""), on("ABORT", plugintest.Action{}), check.Options{Only: []string{"abort"}})
				if p.slow != 3 {
					if diff := cmp.Diff(abortChecks, found(r, check.Failed)); diff != "" {
						t.Errorf("-want +got:\n%s", diff)
					}
					return
				}
				var text strings.Builder
				if err := check.Formats()[0].Write(&text, r, check.Style{}); err != nil {
					t.Fatal(err)
				}
				want := "\n5 do not apply: it never thinks for more than 1.5s (700ms at most, at level 2), so whether it can be interrupted is unknown\n"
				if !r.OK() || !strings.Contains(text.String(), want) {
					t.Error(text.String())
				}
			})
		})
	}
}

// TestOnlyReadsInfo checks that a single check also uses the info block: the weakest level and
// TIMEOUT.
func TestOnlyReadsInfo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := thinker(time.Minute)
		server.Level = 2
		r := run(t, server, replace("", ""), nil, check.Options{Only: []string{"ai.answers"}})
		talk := strings.Join(check.FormatConversation(r.Results[len(r.Results)-1].Conversation, 100), "\n")
		if !r.OK() || !strings.Contains(talk, "> LEVEL 1") || !strings.Contains(talk, "> TIMEOUT") {
			t.Errorf("%+v\n%s", r.Results, talk)
		}
	})
}

// report logs the failed checks.
func report(t *testing.T, r *check.Report) {
	t.Helper()
	for _, res := range r.Results {
		if res.Verdict == check.Failed || res.Verdict == check.Advised {
			t.Logf("%s: expected %s, got %s\n%s", res.Name, res.Expected, res.Got, strings.Join(check.FormatConversation(res.Conversation, 12), "\n"))
		}
	}
}
