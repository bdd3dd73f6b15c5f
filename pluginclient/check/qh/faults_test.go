package qh

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/check"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/qhplugin"
)

// player is a Searcher that answers at once at level 1, and at level 2 when it is told to. It
// sees mates in one.
type player struct {
	pace time.Duration // that it takes at level 1 unless it is told to move
}

func (player) Levels() []engine.Level {
	return []engine.Level{{ID: 1, Text: "at once"}, {ID: 2, Text: "never by itself"}}
}

func (p player) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if !yield(ranked(pos, lim), nil) || lim.Level != 2 && p.pace == 0 {
			return
		}
		pace := time.Hour
		if lim.Level != 2 {
			pace = p.pace
		}
		select {
		case <-time.After(pace):
			return
		case <-ctx.Done():
		}
		if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
			yield(nil, cause)
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
			mates = append(mates, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(1)})
		default:
			others = append(others, engine.Line{Moves: []engine.Move{m, next.Moves()[0]}, Score: engine.Centipawns(-len(others))})
		}
	}
	all := slices.Concat(mates, others)
	return all[:min(len(all), max(lim.Lines, 1))]
}

// tampering is what a fault does to one life of a plugin.
type tampering struct {
	in    plugintest.Behaviour
	out   func(line string) string
	last  atomic.Value // the last command's first word
	asked atomic.Value // the last of AI and HINTS
	think atomic.Int32 // how many of them have no answer yet
}

// life is a plugin that behaves but for what tamper makes of it.
func life(server *qhplugin.Server, tamper func(t *tampering)) pluginclient.Starter {
	return func(ctx context.Context) (*pluginclient.Streams, error) {
		t := &tampering{in: func(line string) plugintest.Act { return plugintest.Obey(line) }, out: func(line string) string { return line + "\n" }}
		t.last.Store("")
		t.asked.Store("")
		if tamper != nil {
			tamper(t)
		}
		in, out := t.in, t.out
		m := &plugintest.Mischief{
			Engine: pluginclient.Pipe(server.Serve),
			In: func(line string) plugintest.Act {
				act := in(line)
				cmd, _ := qhplugin.ParseCommand(line)
				t.last.Store(string(cmd.Word))
				if cmd.Word == qhplugin.AI || cmd.Word == qhplugin.Hints {
					t.asked.Store(string(cmd.Word))
					t.think.Add(1)
				}
				return act
			},
			Out: func(line string) string {
				first, _, more := strings.Cut(line, " ")
				if n := t.think.Load(); n > 0 && (isMove(first) && !more || begins(line, "ENDHINTS") || begins(line, "ABORTED") || begins(line, "ERROR")) {
					t.think.Store(n - 1)
				}
				return out(line)
			},
		}
		return m.Start(ctx)
	}
}

func newServer() *qhplugin.Server {
	return &qhplugin.Server{Searcher: player{}, Name: "player", Level: 1}
}

// in makes a plugin do something else with a command.
func in(f func(t *tampering, word, line string) (plugintest.Act, bool)) func(*tampering) {
	return func(t *tampering) {
		t.in = func(line string) plugintest.Act {
			cmd, _ := qhplugin.ParseCommand(line)
			if act, ok := f(t, string(cmd.Word), line); ok {
				return act
			}
			return plugintest.Obey(line)
		}
	}
}

// on makes it do something else with one command, whatever stands behind it.
func on(word string, act plugintest.Act) func(*tampering) {
	return in(func(_ *tampering, w, _ string) (plugintest.Act, bool) { return act, w == word })
}

// idle and thinking are on for a plugin that does not think, or does.
func idle(word string, act plugintest.Act) func(*tampering) {
	return in(func(t *tampering, w, _ string) (plugintest.Act, bool) { return act, w == word && t.think.Load() == 0 })
}

func thinking(f func(word string) (plugintest.Act, bool)) func(*tampering) {
	return in(func(t *tampering, w, _ string) (plugintest.Act, bool) {
		act, ok := f(w)
		return act, ok && t.think.Load() > 0
	})
}

// forgives answers something else where the answer to a command is ERROR with a text in it.
func forgives(word, text, answer string) func(*tampering) {
	return func(t *tampering) {
		t.out = func(line string) string {
			if t.last.Load() == word && strings.HasPrefix(line, "ERROR") && strings.Contains(line, text) {
				return answer
			}
			return line + "\n"
		}
	}
}

// says changes what is said.
func saysOf(f func(t *tampering, line string) string) func(*tampering) {
	return func(t *tampering) { t.out = func(line string) string { return f(t, line) } }
}

// swallow answers OK to a list and does nothing with it.
func swallow(word string) func(*tampering) {
	return func(t *tampering) { swallowing(word)(t) }
}

// swallowing is swallow for one life.
func swallowing(word string) func(*tampering) {
	left := 0
	return in(func(t *tampering, w, line string) (plugintest.Act, bool) {
		if t.think.Load() > 0 {
			return plugintest.Act{}, false
		}
		if left > 0 {
			left--
			if left == 0 {
				return plugintest.Say("OK\n"), true
			}
			return plugintest.Act{}, true
		}
		cmd, _ := qhplugin.ParseCommand(line)
		n, err := cmd.Count()
		if w != word || err != nil {
			return plugintest.Act{}, false
		}
		if left = n; left == 0 {
			return plugintest.Say("OK\n"), true
		}
		return plugintest.Act{}, true
	})
}

func isMove(line string) bool { return moveForm.MatchString(line) }

// A fault is one thing that a plugin does wrong, and the checks that have to find it.
type fault struct {
	name   string
	tamper func(*tampering)
	info   func(block string) string
	want   []string
}

var abortChecks = []string{"abort.0", "abort.10", "abort.100", "abort.1000", "abort.hints"}

var timeoutChecks = []string{"timeout.0", "timeout.10", "timeout.100", "timeout.1000", "timeout.hints"}

func replace(old, with string) func(string) string {
	return func(block string) string { return strings.Replace(block, old, with, 1) }
}

var faults = []fault{
	{"version", nil, replace("V1.3", "V9.9"), []string{"info.version"}},
	{"no name", nil, replace("player\n", "\n"), []string{"info.name"}},
	{"long name", nil, replace("player\n", strings.Repeat("player ", 9)+"\n"), []string{"info.short"}},
	{"levels miscounted", nil, replace("LEVELS 2", "LEVELS 3"), []string{"info.levels"}},
	{"level without number", nil, replace("\n1 at once", "\none at once"), []string{"info.levels"}},
	{"no RULES", nil, replace("RULES 1\n", ""), []string{"info.flags"}},
	{"flag is a word", nil, replace("UNDO 1", "UNDO yes"), []string{"info.flags"}},
	{"no ENDINFO", nil, replace("ENDINFO\n", ""), []string{"info.end"}},
	{"ENDINFO without line end", nil, replace("ENDINFO\n", "ENDINFO"), []string{"info.end"}},

	{"no flush", func(t *tampering) {
		held := ""
		saysOf(func(_ *tampering, line string) string {
			if held += line + "\n"; line == "BYE" {
				return held
			}
			return ""
		})(t)
	}, nil, []string{"plugin.flush"}},
	{"no line end", saysOf(func(_ *tampering, line string) string { return line }), nil, []string{"plugin.newline"}},
	{"OK without line end", saysOf(func(_ *tampering, line string) string {
		if line == "OK" {
			return line
		}
		return line + "\n"
	}), nil, []string{"plugin.newline"}},
	{"OK twice", saysOf(func(t *tampering, line string) string {
		if line == "OK" && t.last.Load() == "PLAY" {
			return "OK\nOK\n"
		}
		return line + "\n"
	}), nil, []string{"plugin.single"}},
	{"small letters", saysOf(func(_ *tampering, line string) string { return strings.Replace(line, "OK", "ok", 1) + "\n" }), nil, []string{"plugin.capitals"}},

	{"LEVEL tells the count", saysOf(func(_ *tampering, line string) string {
		if isNumber(line) {
			return "3\n"
		}
		return line + "\n"
	}), nil, []string{"level.current"}},
	{"LEVEL refuses", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), line == "LEVEL 2"
	}), nil, []string{"level.set"}},
	{"LEVEL forgets", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Say("OK\n"), line == "LEVEL 2"
	}), nil, []string{"level.keeps"}},
	{"LEVEL clamps", forgives("LEVEL", "there is no such level", "OK\n"), nil, []string{"level.range"}},
	{"LEVEL takes words", forgives("LEVEL", "the level has to be", "OK\n"), nil, []string{"level.word"}},

	{"FEN knows n and b only", in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), w == "FEN" && strings.ContainsAny(strings.ToLower(line[3:]), "he")
	}), nil, []string{"fen.letters"}},
	{"FEN knows r only", in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), w == "FEN" && strings.Contains(line, " w")
	}), nil, []string{"fen.w"}},
	{"FEN is for Red", in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		return plugintest.Obey(strings.TrimSuffix(line, " b") + " w"), w == "FEN" && strings.HasSuffix(line, " b")
	}), nil, []string{"fen.black"}},
	{"FEN takes anything", in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		cmd, _ := qhplugin.ParseCommand(line)
		_, err := xiangqi.ParseFEN(cmd.Arg)
		return plugintest.Say("OK\n"), w == "FEN" && err != nil
	}), nil, []string{"fen.error"}},
	{"FEN is cut", in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		if w != "FEN" || len(line) < 79 {
			return plugintest.Act{}, false
		}
		return plugintest.Obey(line[:79], "rest "+line[79:]), true
	}), nil, []string{"fen.long"}},
	{"FEN goes nowhere", on("FEN", plugintest.Say("OK\n")), nil, []string{"fen.board"}},

	{"PLAY from empty points", forgives("PLAY", "no piece on", "OK\n"), nil, []string{"play.empty"}},
	{"PLAY out of turn", forgives("PLAY", "is to move", "OK\n"), nil, []string{"play.turn"}},
	{"PLAY onto own pieces", forgives("PLAY", "own piece", "OK\n"), nil, []string{"play.own"}},
	{"PLAY goes astray", forgives("PLAY", "move so", "OK\n"), nil, []string{"play.step"}},
	{"PLAY into check", forgives("PLAY", "check", "OK\n"), nil, []string{"play.check"}},
	{"PLAY takes anything", forgives("PLAY", "not a move", "OK\n"), nil, []string{"play.malformed"}},
	{"PLAY dies", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Act{Die: true}, line == "PLAY Z2-E2"
	}), nil, []string{"play.malformed"}},

	{"LOAD says OK", saysOf(func(_ *tampering, line string) string {
		if strings.HasPrefix(line, "ERROR line") {
			return "OK\n"
		}
		return line + "\n"
	}), nil, []string{"load.illegal"}},
	{"LOAD goes nowhere", swallow("LOAD"), nil, []string{"load.illegal", "load.plays"}},
	{"UNDO at the start", forgives("UNDO", "no move to take back", "OK\n"), nil, []string{"undo.start"}},
	{"UNDO not of AI", in(func(t *tampering, w, _ string) (plugintest.Act, bool) {
		return plugintest.Say("OK\n"), w == "UNDO" && t.last.Load() == "AI" && t.think.Load() == 0
	}), nil, []string{"undo.ai"}},

	{"AI in small letters", saysOf(func(_ *tampering, line string) string {
		if isMove(line) {
			return strings.ToLower(line) + "\n"
		}
		return line + "\n"
	}), nil, []string{"ai.form"}},
	{"AI cheats", saysOf(func(_ *tampering, line string) string {
		if isMove(line) {
			return "A0-A9\n"
		}
		return line + "\n"
	}), nil, []string{"ai.legal"}},
	{"AI is deaf", on("AI", plugintest.Act{}), nil, []string{"ai.answers"}},
	{"AI does not move", neverMoves, nil, []string{"ai.moves"}},
	{"AI plays when mated", saysOf(func(t *tampering, line string) string {
		if t.last.Load() == "AI" && strings.HasPrefix(line, "ERROR checkmate") {
			return "A0-A0\n"
		}
		return line + "\n"
	}), nil, []string{"ai.mate"}},
	{"AI hangs when stalemated", saysOf(func(_ *tampering, line string) string {
		if strings.HasPrefix(line, "ERROR stalemate") {
			return ""
		}
		return line + "\n"
	}), nil, []string{"ai.stalemate"}},

	{"HINTS have no end", saysOf(func(_ *tampering, line string) string {
		if line == "ENDHINTS" {
			return ""
		}
		return line + "\n"
	}), nil, []string{"hints.list"}},
	{"HINTS cheat", saysOf(func(_ *tampering, line string) string {
		if line == "ENDHINTS" {
			return "A0-A0 just so\nENDHINTS\n"
		}
		return line + "\n"
	}), nil, []string{"hints.legal"}},
	{"HINTS turn back", func(t *tampering) {
		var held []string
		saysOf(func(_ *tampering, line string) string {
			first, _, more := strings.Cut(line, " ")
			if more && isMove(first) {
				held = append([]string{line + "\n"}, held...)
				return ""
			}
			all := strings.Join(held, "") + line + "\n"
			held = nil
			return all
		})(t)
	}, nil, []string{"hints.best", "hints.order"}},
	{"HINTS begin with the worst", func(t *tampering) {
		held := ""
		saysOf(func(_ *tampering, line string) string {
			first, _, more := strings.Cut(line, " ")
			if more && isMove(first) {
				if held == "" {
					held = first + "\n"
					return ""
				}
				return first + "\n"
			}
			all := held + line + "\n"
			held = ""
			return all
		})(t)
	}, nil, []string{"hints.best"}},
	{"HINTS when mated", saysOf(func(t *tampering, line string) string {
		if t.last.Load() == "HINTS" && strings.HasPrefix(line, "ERROR checkmate") {
			return "ENDHINTS\n"
		}
		return line + "\n"
	}), nil, []string{"hints.mate"}},
	{"HINTS move", func(t *tampering) {
		in(func(_ *tampering, w, _ string) (plugintest.Act, bool) { return plugintest.Obey("AI"), w == "HINTS" })(t)
		saysOf(func(t *tampering, line string) string {
			if isMove(line) && t.asked.Load() == "HINTS" {
				return line + "\nENDHINTS\n"
			}
			return line + "\n"
		})(t)
	}, nil, []string{"hints.stay"}},

	{"BAN is nothing", swallow("BAN"), nil, []string{"ban.ai", "ban.hints"}},
	{"BAN of all", forgives("AI", "every legal move is banned", "A0-A1\n"), nil, []string{"ban.all"}},
	{"BAN stays", banStays, nil, []string{"ban.next.ai", "ban.next.hints"}},
	{"BGTHINK OFF", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), line == "BGTHINK OFF"
	}), nil, []string{"bgthink.off"}},
	{"BGTHINK ON", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), line == "BGTHINK ON"
	}), nil, []string{"bgthink.on"}},

	{"QUIT without BYE", saysOf(func(_ *tampering, line string) string { return strings.Replace(line+"\n", "BYE\n", "", 1) }), nil, []string{"quit.bye"}},
	{"QUIT and stay", on("QUIT", plugintest.Act{Say: "BYE\n", Hang: true}), nil, []string{"quit.ends"}},
	{"QUIT is nothing", on("QUIT", plugintest.Act{}), nil, []string{"quit.bye", "quit.ends"}},

	{"ABORT always answers", idle("ABORT", plugintest.Say("ABORTED\n")), nil, []string{"abort.silent"}},
	{"ABORT is nothing", on("ABORT", plugintest.Act{}), nil, abortChecks},
	{"ABORT is TIMEOUT", on("ABORT", plugintest.Obey("TIMEOUT")), nil, abortChecks},
	{"TIMEOUT is nothing", on("TIMEOUT", plugintest.Act{}), nil, timeoutChecks},
	{"TIMEOUT is ABORT", on("TIMEOUT", plugintest.Obey("ABORT")), nil, timeoutChecks},
	{"TIMEOUT always answers", idle("TIMEOUT", plugintest.Say("ERROR\n")), nil, []string{"timeout.silent"}},
	{"LEVEL does not interrupt", thinking(func(word string) (plugintest.Act, bool) {
		return plugintest.Say("1\n"), word == "LEVEL"
	}), nil, []string{"interrupt.level", "interrupt.setlevel", "interrupt.thinking"}},
	{"PLAY does not interrupt", thinking(func(word string) (plugintest.Act, bool) {
		return plugintest.Say("ERROR\n"), word == "PLAY"
	}), nil, []string{"interrupt.play"}},
	{"QUIT does not interrupt", thinking(func(word string) (plugintest.Act, bool) {
		return plugintest.Act{Say: "BYE\n", Die: true}, word == "QUIT"
	}), nil, []string{"interrupt.quit"}},
	{"UNDO dies", thinking(func(word string) (plugintest.Act, bool) {
		return plugintest.Act{Die: true}, word == "UNDO"
	}), nil, []string{"interrupt.undo"}},

	{"unknown words", saysOf(func(_ *tampering, line string) string {
		if strings.Contains(line, "unknown command") {
			return ""
		}
		return line + "\n"
	}), nil, []string{"input.unknown", "interrupt.unknown"}},
	{"short games", shortGames, nil, []string{"robust.game"}},
	{"arguments kill", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Act{Die: true}, strings.Contains(line, " ?*") && !strings.HasPrefix(line, "~")
	}), nil, []string{"robust.arguments"}},
	{"noise kills", in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		return plugintest.Act{Die: true}, strings.Contains(line, "~\xff")
	}), nil, []string{"robust.noise"}},
}

// banStays bans again what was banned, before every AI and HINTS up to the next FEN or BAN.
func banStays(t *tampering) {
	var list []string
	left, drop := 0, atomic.Bool{}
	in(func(_ *tampering, w, line string) (plugintest.Act, bool) {
		switch {
		case left > 0:
			left--
			list = append(list, line)
		case w == "BAN":
			cmd, _ := qhplugin.ParseCommand(line)
			left, _ = cmd.Count()
			list = []string{line}
		case w == "FEN":
			list = nil
		case (w == "AI" || w == "HINTS") && len(list) > 1:
			drop.Store(true)
			return plugintest.Obey(append(slices.Clone(list), line)...), true
		}
		return plugintest.Act{}, false
	})(t)
	saysOf(func(_ *tampering, line string) string {
		if line == "OK" && drop.Swap(false) {
			return ""
		}
		return line + "\n"
	})(t)
}

// neverMoves takes back what AI has played when the next command comes.
func neverMoves(t *tampering) {
	var moved, drop atomic.Bool
	in(func(_ *tampering, _, line string) (plugintest.Act, bool) {
		if !moved.Swap(false) {
			return plugintest.Act{}, false
		}
		drop.Store(true)
		return plugintest.Obey("UNDO", line), true
	})(t)
	saysOf(func(_ *tampering, line string) string {
		if line == "OK" && drop.Swap(false) {
			return ""
		}
		if isMove(line) {
			moved.Store(true)
		}
		return line + "\n"
	})(t)
}

// shortGames are over after 200 moves.
func shortGames(t *tampering) {
	moves := 0
	in(func(_ *tampering, w, _ string) (plugintest.Act, bool) {
		switch w {
		case "FEN":
			moves = 0
		case "UNDO":
			moves--
		case "PLAY":
			moves++
		}
		return plugintest.Say("ERROR the game is over\n"), w == "PLAY" && moves > 200
	})(t)
}

// examined is the report on a plugin with a fault.
func examined(t *testing.T, f fault) *check.Report {
	info := newServer().Info().String()
	if f.info != nil {
		info = f.info(info)
	}
	o := check.Options{Spec: "player", Budget: time.Hour}
	if f.name != "" && !slices.ContainsFunc(f.want, func(name string) bool { return strings.HasPrefix(name, "robust.") }) {
		o.Only = quick() // thousands of lines take their time
	}
	return run(t, newServer(), info, f.tamper, o)
}

// run examines a server that is tampered with.
func run(t *testing.T, server *qhplugin.Server, info string, tamper func(*tampering), o check.Options) *check.Report {
	play := life(server, tamper)
	suite := Suite(Plugin{
		Name: "player", Play: play, Debug: play,
		Info: pluginclient.Pipe(func(_ context.Context, _ io.Reader, out io.Writer) error {
			_, err := io.WriteString(out, info)
			return err
		}),
	})
	r, err := check.Run(t.Context(), suite, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// quick are all chapters but one.
func quick() []string {
	var names []string
	for _, n := range table {
		if chapter, _, _ := strings.Cut(n.name, "."); chapter != "robust" && !slices.Contains(names, chapter) {
			names = append(names, chapter)
		}
	}
	return names
}

// found are the checks that have not been passed, by verdict.
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

// TestFaultless: a plugin that does as it should passes everything that applies.
func TestFaultless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := examined(t, fault{})
		want := []string{"input.bgthink", "input.unsupported"}
		if diff := cmp.Diff(want, found(r, check.Absent)); diff != "" || !r.OK() {
			t.Errorf("what does not apply, -want +got:\n%s", diff)
		}
		if r.Count(check.Passed, false)+r.Count(check.Passed, true) != len(table)-len(want) {
			t.Errorf("not passed: %v", found(r, check.Failed, check.Advised, check.Skipped, check.Unreached))
		}
	})
}

// TestFaults: of a plugin with one fault exactly that is found, and what depends on it is
// skipped and not failed.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := examined(t, f)
				slices.Sort(f.want)
				if diff := cmp.Diff(f.want, found(r, check.Failed, check.Advised)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
					report(t, r)
				}
			})
		})
	}
}
