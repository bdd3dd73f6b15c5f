package uci

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/check"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/ucci"
	protocol "qhsh/pluginclient/uci"
	"qhsh/pluginclient/universal"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// player is a Searcher that answers at once where there is a limit on nodes or depth, and else
// when it is told to. It sees mates in one.
type player struct{}

func (player) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if !yield(ranked(pos, lim), nil) || lim.Nodes > 0 || lim.Depth > 0 {
			return
		}
		var end <-chan time.Time
		if lim.Time > 0 {
			end = time.After(lim.Time)
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				yield(nil, cause)
			}
		case <-end:
		}
	}
}

func ranked(pos engine.Position, lim engine.Limits) []engine.Line {
	var mates, others []engine.Line
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		switch {
		case err != nil || slices.Contains(lim.Ban, m):
		case next.Result().Over():
			mates = append(mates, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(1), Depth: 1, Nodes: 1})
		default:
			others = append(others, engine.Line{Moves: []engine.Move{m, next.Moves()[0]}, Score: engine.Centipawns(-len(others)), Depth: 1, Nodes: 1})
		}
	}
	all := slices.Concat(mates, others)
	return all[:min(len(all), max(lim.Lines, 1))]
}

func engineOf(ofUCCI bool, in plugintest.Behaviour, out func(string) string) Engine {
	program := protocol.InProcess(universal.Served{Searcher: player{}, Name: "player"})
	if ofUCCI {
		program = ucci.InProcess(universal.Served{Searcher: player{}, Name: "player"})
	}
	start := program.Start
	if in != nil || out != nil {
		start = func(ctx context.Context) (*pluginclient.Streams, error) {
			return (&plugintest.Mischief{Engine: program.Start, In: in, Out: out}).Start(ctx)
		}
	}
	return Engine{Name: "player", UCCI: ofUCCI, Start: start}
}

func examined(t *testing.T, e Engine) *check.Report {
	r, err := check.Run(t.Context(), Suite(e), check.Options{Spec: "player", Budget: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func found(r *check.Report, verdicts ...check.Verdict) []string {
	var names []string
	for _, res := range r.Results {
		if slices.Contains(verdicts, res.Verdict) {
			names = append(names, res.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestFaultless: the servers of this project pass everything.
func TestFaultless(t *testing.T) {
	for _, ofUCCI := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := examined(t, engineOf(ofUCCI, nil, nil))
			if bad := found(r, check.Failed, check.Advised, check.Skipped, check.Unreached, check.Absent); len(bad) > 0 || len(r.Results) < 40 {
				t.Errorf("UCCI %v: %d checks, not passed: %v", ofUCCI, len(r.Results), bad)
			}
		})
	}
}

// drop leaves lines out, and change makes something else of the first words of lines.
func drop(prefix string) func(string) string { return change(prefix, "") }

func change(prefix, with string) func(string) string {
	return func(line string) string {
		if !strings.HasPrefix(line, prefix) {
			return line + "\n"
		}
		if with == "" {
			return ""
		}
		return with + strings.TrimPrefix(line, prefix) + "\n"
	}
}

func on(prefix string, act plugintest.Act) plugintest.Behaviour {
	return func(line string) plugintest.Act {
		if strings.HasPrefix(line, prefix) {
			return act
		}
		return plugintest.Obey(line)
	}
}

var stopChecks = []string{"stop.0", "stop.10", "stop.100", "stop.1000"}

// TestFaults: of an engine with one fault exactly that is found.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		ofUCCI bool
		in     plugintest.Behaviour
		out    func(string) string
		want   []string
	}{
		{"no uciok", false, nil, drop("uciok"), []string{"start.ok"}},
		{"no ucciok", true, nil, drop("ucciok"), []string{"start.ok"}},
		{"no name", false, nil, drop("id name"), []string{"start.name"}},
		{"no readyok", false, on("isready", plugintest.Act{}), nil, []string{"ready.ok"}},
		{"a spin without max", false, nil, change("option name MultiPV type spin min 1 max 128", "option name MultiPV type spin min 1"), []string{"option.form"}},
		{"an option twice", false, nil, change("option name Ponder", "option name MultiPV type spin min 1 max 9 default 1\noption name Ponder"), []string{"option.distinct"}},
		{"options kill", false, on("setoption name Ponder", plugintest.Act{Die: true}), nil, []string{"option.set", "ponder.hit", "ponder.stop"}},
		{"unknown options kill", false, on("setoption name nosuchoption", plugintest.Act{Die: true}), nil, []string{"option.unknown"}},
		{"no moves", false, func(line string) plugintest.Act {
			before, _, _ := strings.Cut(line, " moves")
			return plugintest.Obey(before)
		}, nil, []string{"position.moves"}},
		{"a move that is none", false, nil, change("bestmove", "bestmove a0a9 was"), []string{"position.start"}},
		{"two best moves", false, nil, func(line string) string {
			if strings.HasPrefix(line, "bestmove") {
				return line + "\n" + line + "\n"
			}
			return line + "\n"
		}, slices.Concat([]string{"go.depth", "go.nodes"}, stopChecks)},
		{"stop is nothing", false, on("stop", plugintest.Act{}), nil, slices.Concat([]string{"go.infinite", "ponder.stop"}, stopChecks)},
		{"infinite ends", false, func(line string) plugintest.Act {
			return plugintest.Obey(strings.Replace(line, "go infinite", "go depth 1", 1))
		}, nil, slices.Concat([]string{"go.infinite", "quit.thinking"}, stopChecks[1:])},
		{"mate has no answer", false, nil, drop("bestmove (none)"), []string{"go.mate"}},
		{"mate is no nobestmove", true, nil, change("nobestmove", "bestmove (none)"), []string{"go.nobestmove"}},
		{"depth is a word", false, nil, change("info depth 1", "info depth one"), []string{"info.form"}},
		{"pv goes astray", false, nil, func(line string) string { return strings.Replace(line, " pv ", " pv a0a9 ", 1) + "\n" }, []string{"info.multipv", "info.pv"}},
		{"no multipv", false, nil, func(line string) string { return strings.Replace(line, " multipv 3", " multipv 2", 1) + "\n" }, []string{"info.multipv"}},
		{"no searchmoves", false, func(line string) plugintest.Act {
			before, _, _ := strings.Cut(line, " searchmoves")
			return plugintest.Obey(before)
		}, nil, []string{"ban.searchmoves"}},
		{"no banmoves", true, on("banmoves", plugintest.Act{}), nil, []string{"ban.banmoves"}},
		{"ponderhit is nothing", false, on("ponderhit", plugintest.Act{}), nil, []string{"ponder.hit"}},
		{"no bye", true, nil, drop("bye"), []string{"quit.bye"}},
		{"quit is nothing", false, on("quit", plugintest.Act{}), nil, []string{"quit.ends"}},
		{"unknown words kill", false, on("xyzzy", plugintest.Act{Die: true}), nil, []string{"input.unknown"}},
		{"new games kill", false, on("ucinewgame", plugintest.Act{Die: true}), nil, []string{"newgame.goes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := examined(t, engineOf(c.ofUCCI, c.in, c.out))
				slices.Sort(c.want)
				if diff := cmp.Diff(c.want, found(r, check.Failed, check.Advised)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
					for _, res := range r.Results {
						if res.Verdict == check.Failed || res.Verdict == check.Advised {
							t.Logf("%s: expected %s, got %s\n%s", res.Name, res.Expected, res.Got, strings.Join(check.Said(res.Talk, 10), "\n"))
						}
					}
				}
			})
		})
	}
}
