package qtpcheck

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// serverStarter returns a starter of this module's server for a Searcher.
func serverStarter(s engine.Searcher) pluginclient.Starter {
	return qtp.InProcess(&qtp.Server{Searcher: s, Name: "ranker", Rules: quoridor.Default}).Start
}

// A firstMover plays the first legal move.
type firstMover struct{}

func (firstMover) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if moves := pos.Moves(); len(moves) > 0 {
			yield([]engine.Line{{Moves: moves[:1]}}, nil)
		} else {
			yield(nil, engine.ErrNoMove)
		}
	}
}

// failed returns the names of the checks that an engine fails.
func failed(t *testing.T, start pluginclient.Starter) []string {
	t.Helper()
	report, err := check.Run(t.Context(), Suite(pluginclient.Program{Name: "engine", Start: start}, nil), check.Options{Budget: 10 * check.DefaultBudget})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range report.Results {
		if r.Verdict != check.Passed {
			t.Logf("%s: %s: expected %s, got %s %s", r.Name, r.Verdict, r.Expected, r.Got, r.Reason)
		}
		if r.Verdict == check.Failed || r.Verdict == check.Advised {
			names = append(names, r.Name)
		}
	}
	if report.Engine == "" || len(report.Results) != len(table) {
		t.Errorf("%d results of %q", len(report.Results), report.Engine)
	}
	return names
}

func TestOurs(t *testing.T) {
	if names := failed(t, serverStarter(enginetest.Ranker{})); len(names) > 0 {
		t.Errorf("failed: %v", names)
	}
}

// answering returns an engine that answers a command with a fixed text.
func answering(command, answer string) *plugintest.FaultyEngine {
	return &plugintest.FaultyEngine{OnCommand: plugintest.On(command, plugintest.Send(answer))}
}

// rewriting returns an engine whose lines are rewritten by out.
func rewriting(out func(line string) string) *plugintest.FaultyEngine {
	return &plugintest.FaultyEngine{OnReply: out}
}

func replacing(old, new string) *plugintest.FaultyEngine {
	return rewriting(func(line string) string { return strings.ReplaceAll(line, old, new) + "\n" })
}

// hearing returns an engine whose input lines are rewritten by in.
func hearing(in func(line string) string) *plugintest.FaultyEngine {
	return &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action { return plugintest.Obey(in(line)) }}
}

// behind returns an engine whose lines are rewritten from a command up to the empty line.
func behind(command string, out func(line string) string) *plugintest.FaultyEngine {
	var asked atomic.Bool
	return &plugintest.FaultyEngine{
		OnCommand: func(line string) plugintest.Action {
			if line == command || strings.HasPrefix(line, command+" ") {
				asked.Store(true)
			}
			return plugintest.Obey(line)
		},
		OnReply: func(line string) string {
			if !asked.Load() {
				return line + "\n"
			}
			if line == "" {
				asked.Store(false)
			}
			return out(line)
		},
	}
}

// letsStay returns an engine that takes a step of a pawn to where genmove has just put it for legal.
func letsStay() *plugintest.FaultyEngine {
	var cell atomic.Value
	cell.Store("")
	return &plugintest.FaultyEngine{
		OnCommand: func(line string) plugintest.Action {
			if at := cell.Swap("").(string); at != "" && line == "playmove black "+at {
				return plugintest.Send("= \n\n")
			}
			return plugintest.Obey(line)
		},
		OnReply: func(line string) string {
			if at, ok := strings.CutPrefix(line, "= "); ok && len(at) == 2 {
				cell.Store(at)
			}
			return line + "\n"
		},
	}
}

// crossing returns an engine that takes a wall across the one at B5 for legal.
func crossing() *plugintest.FaultyEngine {
	before := false
	return &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if before && strings.HasSuffix(line, " B5 v") {
			return plugintest.Send("= \n\n")
		}
		before = strings.HasSuffix(line, " B5 h") || before && !strings.HasPrefix(line, "undo") && line != "clear_board"
		return plugintest.Obey(line)
	}}
}

// holding returns an engine that executes a command only when the next one has come.
func holding(command string) plugintest.Behaviour {
	held := false
	return func(line string) plugintest.Action {
		before := held
		held = line == command
		switch {
		case held:
			return plugintest.Action{}
		case before:
			return plugintest.Obey(command, line)
		}
		return plugintest.Obey(line)
	}
}

// faults are engines with one defect each, and the checks that find it.
var faults = []struct {
	name   string
	engine *plugintest.FaultyEngine
	want   string
}{
	{"single line feeds", rewriting(func(line string) string {
		if line == "" {
			return ""
		}
		return line + "\n"
	}), "response.end"},
	{"a single line feed after a move", behind("genmove", func(line string) string {
		if line == "" {
			return ""
		}
		return line + "\n"
	}), "response.end"},
	{"a single line feed after a failure", behind("undo 1000", func(line string) string {
		if line == "" {
			return ""
		}
		return line + "\n"
	}), "response.end"},
	{"text after a wall", behind("playwall", func(line string) string {
		if line == "" {
			return "\nchatter\n"
		}
		return line + "\n"
	}), "response.only"},
	{"says that it is done", rewriting(func(line string) string {
		if line == "= " {
			line = "= ok done"
		}
		return line + "\n"
	}), "response.empty"},
	{"tabs", replacing("= true", "=\ttrue"), "response.ascii"},
	{"illegal in capitals", replacing("? illegal move", "? Illegal Move"), "move.illegal wall.board"},
	{"unknown with a capital", replacing("? unknown command", "? Unknown command"), "unknown.message"},
	{"walls clear the board", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if line == "walls 5" {
			return plugintest.Obey("boardsize 9", line)
		}
		return plugintest.Obey(line)
	}}, "walls.unchanged"},
	{"undoes any number", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if line == "undo x" || line == "undo -1" {
			return plugintest.Send("= \n\n")
		}
		return plugintest.Obey(line)
	}}, "undo.syntax"},
	{"undoes less than nothing", answering("undo -1", "= \n\n"), "undo.syntax"},
	{"gives less than no walls", answering("walls -1", "= \n\n"), "walls.syntax"},
	{"gives a hundred walls", answering("walls 101", "? too many\n\n"), "walls.many"},
	{"knows a byte", answering("walls 2147483647", "? too many\n\n"), "walls.many"},
	{"shuts in Black", answering("playwall white E9 v", "= \n\n"), "wall.black"},
	{"shuts in White", answering("playwall black E2 v", "= \n\n"), "wall.white"},
	{"takes pawns for walls", answering("playwall white E8 v", "? illegal move\n\n"), "wall.pawns"},
	{"jumps through walls", hearing(func(line string) string {
		return strings.Replace(line, "playwall white E7 h", "playwall white A7 h", 1)
	}), "move.between"},
	{"jumps aside on one hand", answering("playmove black F6", "? illegal move\n\n"), "move.aside"},
	{"jumps across through walls", hearing(func(line string) string {
		return strings.Replace(line, "playwall white B6 v", "playwall white H6 v", 1)
	}), "move.across"},
	{"plays for nobody in short", answering("genmove b", "? invalid syntax\n\n"), "input.short"},
	{"plays for nobody in capitals", answering("genmove BLACK", "? invalid syntax\n\n"), "input.case"},
	{"showing the board clears it", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if line == "showboard" {
			return plugintest.Obey("boardsize 9")
		}
		return plugintest.Obey(line)
	}}, "show.answers state.kept"},
	{"no blank", replacing("= ", "="), "response.blank"},
	{"the result below", replacing("= ", "=\n"), "response.line"},
	{"chatter", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if line == "genmove white" {
			return plugintest.Action{Send: "let me see\n", Obey: []string{line}}
		}
		return plugintest.Obey(line)
	}}, "response.only"},
	{"other letters", replacing("ranker", "ränker"), "response.ascii"},
	{"answers comments", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return plugintest.Send("? a comment\n\n")
		}
		return plugintest.Obey(line)
	}}, "input.comments"},
	{"answers empty lines", &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		if line == "" {
			return plugintest.Send("? an empty line\n\n")
		}
		return plugintest.Obey(line)
	}}, "input.empty"},
	{"keeps comments", hearing(func(line string) string { return strings.Replace(line, "#", " x ", 1) }), "input.comment input.comments"},
	{"knows nothing of tabs", hearing(func(line string) string { return strings.ReplaceAll(line, "\t", "") }), "input.tab"},
	{"keeps control characters", hearing(func(line string) string { return strings.ReplaceAll(line, "\x01", "!") }), "input.controls"},
	{"wants capitals", hearing(func(line string) string { return strings.Replace(line, " e8", " x", 1) }), "input.case"},
	{"knows no short words", hearing(func(line string) string { return strings.Replace(line, " b ", " red ", 1) }), "input.short"},
	{"has no name", answering("name", "= \n\n"), "name.answers"},
	{"false is a failure", replacing("= false", "? false"), "input.comment input.cr input.tab input.controls known.false winner.false winner.black winner.white robust.bytes"},
	{"lists too little", answering("list_commands", "=\nname\n\n"), "list.all"},
	{"lists too much", answering("list_commands", "=\nname\nknown_command\nlist_commands\nquit\nboardsize\nclear_board\nwalls\nplaymove\nplaywall\ngenmove\nundo\nwinner\nshowboard\nversion\n\n"), "list.known"},
	{"lists on a line", answering("list_commands", "= name known_command\n\n"), "list.rows"},
	{"another message", replacing("unknown command", "what?"), "unknown.message"},
	{"any case will do", hearing(func(line string) string {
		if line == "WINNER" {
			return "winner"
		}
		return line
	}), "unknown.case"},
	{"any size will do", answering("boardsize 26", "= \n\n"), "size.unacceptable"},
	{"a board of any size", answering("boardsize 1000000", "= \n\n"), "size.unacceptable"},
	{"takes a letter for no walls", answering("walls x", "= \n\n"), "walls.syntax"},
	{"says nothing of what it does not know", answering("frobnicate", ""), "unknown.message"},
	{"answers what is easy first", &plugintest.FaultyEngine{
		OnCommand: plugintest.On("known_command quit", plugintest.Send("= true\n\n")),
		OnReply: func(line string) string {
			if line == "= false" {
				time.Sleep(10 * time.Millisecond)
			}
			return line + "\n"
		},
	}, "talk.order"},
	{"lets a pawn stay", letsStay(), ""},
	{"crosses walls", crossing(), "wall.cross"},
	{"no other sizes", answering("boardsize 5", "? unacceptable size\n\n"), "size.small"},
	{"walls for ever", hearing(func(line string) string {
		if line == "walls 1" {
			return "walls 10"
		}
		return line
	}), "walls.number wall.left"},
	{"nobody wins", replacing("true white", "false"), "winner.white"},
	{"draws upside down", hearing(func(line string) string { return strings.Replace(line, "showboard", "list_commands", 1) }), "show.coordinates"},
	{"builds anywhere", answering("genmove", "= E9 h\n\n"), "genmove.plays genmove.legal genmove.walls genmove.twice"},
	{"passes", answering("genmove", "= pass\n\n"), "genmove.vertex"},
	{"waits for what comes next", &plugintest.FaultyEngine{OnCommand: holding("undo 1")}, "undo.wall undo.nothing"},
	{"moves once and says it twice", behind("genmove", func(line string) string {
		if line == "" {
			return "\n= A1\n\n"
		}
		return line + "\n"
	}), "response.single"},
	{"has no answer to genmove", answering("genmove", ""), "input.case input.short genmove.vertex"},
	{"says it without playing", answering("genmove black", "= E8\n\n"), "genmove.plays genmove.legal genmove.walls genmove.twice"},
	{"cannot undo many", hearing(func(line string) string { return strings.Replace(line, "undo 2", "undo", 1) }), "undo.many undo.toomany"},
	{"stays", &plugintest.FaultyEngine{OnCommand: plugintest.On("quit", plugintest.Send("= \n\n"))}, "quit.ends"},
	{"leaves without a word", &plugintest.FaultyEngine{OnCommand: plugintest.On("quit", plugintest.Action{Die: true})}, "quit.answers"},
}

// TestFaults checks that a defect is found by exactly the right checks.
func TestFaults(t *testing.T) {
	for _, f := range enginetest.SampleUnderRace(4, faults) {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f.engine.Engine = serverStarter(firstMover{})
				got := failed(t, f.engine.Start)
				// The wrapper does not forward a line of a million characters.
				got = slices.DeleteFunc(got, func(name string) bool { return name == "robust.long" })
				if diff := cmp.Diff(strings.Fields(f.want), got); diff != "" {
					t.Errorf("-want +failed:\n%s", diff)
				}
			})
		})
	}
}

// TestSlow: the protocol sets no time for responses.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		command, check string
		took           time.Duration
		want           check.Verdict
	}{
		{"genmove", "genmove.vertex", 20 * time.Second, check.Passed},
		{"genmove", "genmove.vertex", time.Hour, check.Unreached},
		{"clear_board", "move.step", 10 * time.Second, check.Passed},
		{"clear_board", "move.step", time.Hour, check.Failed},
	} {
		synctest.Test(t, func(t *testing.T) {
			slow := behind(c.command, func(line string) string {
				if line != "" {
					time.Sleep(c.took)
				}
				return line + "\n"
			})
			slow.Engine = serverStarter(firstMover{})
			report, err := check.Run(t.Context(), Suite(pluginclient.Program{Name: "engine", Start: slow.Start}, nil), check.Options{Only: []string{c.check}, Budget: 5 * check.DefaultBudget})
			if err != nil {
				t.Fatal(err)
			}
			if r := report.Result(c.check); r.Verdict != c.want {
				t.Errorf("%s after %v: %s, %s %s", c.command, c.took, r.Verdict, r.Got, r.Reason)
			}
		})
	}
}

// TestSingle: a second response is found wherever it comes between the others.
func TestSingle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		twice := &plugintest.FaultyEngine{Engine: serverStarter(firstMover{}), OnCommand: plugintest.On("genmove", plugintest.Obey("genmove black", "winner"))}
		report, err := check.Run(t.Context(), Suite(pluginclient.Program{Name: "engine", Start: twice.Start}, nil), check.Options{Only: []string{"response.single"}})
		if err != nil {
			t.Fatal(err)
		}
		if r := report.Result("response.single"); r.Verdict != check.Failed {
			t.Errorf("%s, %s %s", r.Verdict, r.Got, r.Reason)
		}
	})
}

// TestNaive checks the engine of the protocol's authors.
func TestNaive(t *testing.T) {
	folder := os.Getenv("QHSH_PEERS")
	if folder == "" {
		t.Skip("QHSH_PEERS is not set: it names the folder with quoridor/naive")
	}
	path := filepath.Join(folder, "quoridor", "naive")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	want := []string{
		"input.comments", "input.blank", "input.cr", "input.controls", "input.blanks", "known.false",
		"size.unacceptable", "size.syntax", "walls.syntax", "wall.syntax", "undo.syntax", "robust.long",
	}
	got := failed(t, pluginclient.Command{Path: path}.Start)
	// It answers a line of arbitrary bytes twice, and not always in time.
	got = slices.DeleteFunc(got, func(name string) bool { return name == "robust.bytes" })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +failed:\n%s", diff)
	}
}
