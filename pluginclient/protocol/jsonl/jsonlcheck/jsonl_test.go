package jsonlcheck_test

import (
	"context"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/protocol/jsonl/jsonlcheck"
	"qhsh/pluginclient/task/check"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// ours is qhsh -jsonl in front of the engine of a SPEC.
func ours(t *testing.T, spec string) (pluginclient.Starter, engine.Game) {
	t.Helper()
	e, err := attach.Parse(spec, attach.Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	modes := attach.DefaultKinds(games.Default).Modes()
	mode := modes[slices.IndexFunc(modes, func(m attach.Mode) bool { return m.Flag == "-jsonl" })]
	return pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return mode.Serve(ctx, attach.ServeConfig{Engine: e, In: in, Out: out})
	}), e.Game
}

// failed returns the checks that an engine does not pass. One that is late on a slow machine passes.
func failed(t *testing.T, start pluginclient.Starter, game engine.Game, slow bool) (names []string) {
	t.Helper()
	start = (&plugintest.FaultyEngine{Engine: start, OnCommand: func(line string) plugintest.Action {
		return plugintest.Obey(strings.Replace(line, `"time":100}`, `"time":5}`, 1)) // the tests need not wait
	}}).Start
	suite := jsonlcheck.Suite(pluginclient.Program{Name: "engine", Start: start}, game, nil)
	report, err := check.Run(t.Context(), suite, check.Options{Budget: 10 * check.DefaultBudget})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Verdict != check.Passed {
			t.Logf("%s: %s: expected %s, got %s %s", r.Name, r.Verdict, r.Expected, r.Got, r.Reason)
		}
		if (r.Verdict == check.Failed || r.Verdict == check.Advised) && (slow || !r.Late) {
			names = append(names, r.Name)
		}
		if r.Section == "" || r.Rule == "" {
			t.Errorf("%s has no section or rule", r.Name)
		}
	}
	return names
}

// TestOurs: qhsh passes everything, for a game with chance too, but does not pass over keys, which its
// clients have mistyped, and as a referee that nobody can compare.
func TestOurs(t *testing.T) {
	for _, spec := range []string{"quoridor,size=5,hash=1", "qchess,agent=ply"} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			start, game := ours(t, spec)
			if diff := cmp.Diff([]string{"request.key"}, failed(t, start, game, false)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("referee", func(t *testing.T) {
		t.Parallel()
		start, _ := ours(t, "quoridor,size=3,hash=1")
		game := jsonl.NewGame(t.Context(), "maze", pluginclient.Program{Name: "referee", Start: start}, jsonl.Options{})
		defer game.Close()
		if diff := cmp.Diff([]string{"request.key"}, failed(t, start, game, false)); diff != "" {
			t.Error(diff)
		}
	})
}

// replacing returns what an engine answers, with a replacement in each line.
func replacing(pattern, by string) func(line string) string {
	p := regexp.MustCompile(pattern)
	return func(line string) string { return p.ReplaceAllString(line, by) + "\n" }
}

// TestBad: each fault is found by the check that is meant for it.
func TestBad(t *testing.T) {
	first := func(word, by string) plugintest.Behaviour {
		return func(line string) plugintest.Action { return plugintest.Obey(strings.Replace(line, word, by, 1)) }
	}
	late := func(line string) plugintest.Action {
		if strings.Contains(line, `"time":300`) {
			time.Sleep(1500 * time.Millisecond)
		}
		return plugintest.Obey(line)
	}
	ban := regexp.MustCompile(`,"ban":\[[^]]*\]`)
	ignoring := func(line string) plugintest.Action { return plugintest.Obey(ban.ReplaceAllString(line, "")) }
	for name, c := range map[string]struct {
		engine *plugintest.FaultyEngine
		want   []string
	}{
		"ids are texts":              {&plugintest.FaultyEngine{OnReply: replacing(`^{"id":(\d+)`, `{"id":"$1"`)}, []string{"request.versions", "request.answer"}},
		"it answers unknown actions": {&plugintest.FaultyEngine{OnReply: replacing(`"error":"unknown action.*`, `"ok":1}`)}, []string{"request.action", "request.key"}},
		"everything twice":           {&plugintest.FaultyEngine{OnReply: func(line string) string { return line + "\n" + line + "\n" }}, []string{"request.several", "request.key", "request.broken"}},
		"illegal moves":              {&plugintest.FaultyEngine{OnReply: replacing(`"move":"\w+"`, `"move":"Z9"`)}, []string{"request.key", "hints.legal"}},
		"pv of other moves":          {&plugintest.FaultyEngine{OnReply: replacing(`"pv":\["\w+`, `"pv":["Z9`)}, []string{"request.key", "hints.pv"}},
		"too many lines":             {&plugintest.FaultyEngine{OnCommand: first(`"lines":3`, `"lines":5`)}, []string{"request.key", "hints.lines"}},
		"bans are ignored":           {&plugintest.FaultyEngine{OnCommand: ignoring}, []string{"request.key", "hints.ban"}},
		"turns are exchanged":        {&plugintest.FaultyEngine{OnReply: replacing(`"turn":"first"`, `"turn":"second"`)}, []string{"request.key", "state.rules"}},
		"a move is missing":          {&plugintest.FaultyEngine{OnReply: replacing(`"moves":\["\w+",`, `"moves":[`)}, []string{"request.key", "state.rules"}},
		"a state without a turn":     {&plugintest.FaultyEngine{OnReply: replacing(`"turn":"\w+",`, ``)}, []string{"request.key", "state.answer"}},
		"illegal moves are played":   {&plugintest.FaultyEngine{OnCommand: first(`"moves":["nosuchmove"]`, `"moves":[]`)}, []string{"request.key", "state.illegal"}},
		"it does not stop":           {&plugintest.FaultyEngine{OnCommand: first(`"terminate"`, `"queue"`)}, []string{"request.key", "limits.terminate"}},
		"it knows no time":           {&plugintest.FaultyEngine{OnCommand: late}, []string{"request.key", "limits.time"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, game := ours(t, "quoridor,size=5,hash=1")
			c.engine.Engine = start
			if diff := cmp.Diff(c.want, failed(t, c.engine.Start, game, name == "it knows no time")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
