package ucicheck

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
)

// A fault is a defect of an engine, and the checks that must find it.
type fault struct {
	name   string
	ofUCCI bool
	in     plugintest.Behaviour
	out    func(string) string
	want   []string
}

// faults returns new faults, since some have state.
func faults() []fault {
	all := []fault{
		{"no uciok", false, nil, drop("uciok"), []string{"start.ok"}},
		{"no ucciok", true, nil, drop("ucciok"), []string{"start.ok"}},
		{"no name", false, nil, drop("id name"), []string{"start.name"}},
		{"no readyok", false, on("isready", plugintest.Action{}), nil, []string{"ready.ok"}},
		{"a spin without max", false, nil, change("option name MultiPV type spin min 1 max 128", "option name MultiPV type spin min 1"), []string{"option.form"}},
		{"an option twice", false, nil, change("option name Ponder", "option name MultiPV type spin min 1 max 9 default 1\noption name Ponder"), []string{"option.distinct"}},
		{"options kill", false, on("setoption name Ponder", plugintest.Action{Die: true}), nil, []string{"option.set", "ponder.hit", "ponder.stop"}},
		{"unknown options kill", false, on("setoption name nosuchoption", plugintest.Action{Die: true}), nil, []string{"option.unknown"}},
		{"no moves", false, func(line string) plugintest.Action {
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
		{"stop is nothing", false, on("stop", plugintest.Action{}), nil, slices.Concat([]string{"go.infinite", "ponder.stop"}, stopChecks)},
		{"infinite ends", false, func(line string) plugintest.Action {
			return plugintest.Obey(strings.Replace(line, "go infinite", "go depth 1", 1))
		}, nil, slices.Concat([]string{"go.infinite", "quit.thinking"}, stopChecks[1:])},
		{"mate has no answer", false, nil, drop("bestmove (none)"), []string{"go.mate"}},
		{"mate is no nobestmove", true, nil, change("nobestmove", "bestmove (none)"), []string{"go.nobestmove"}},
		{"depth is a word", false, nil, change("info depth 1", "info depth one"), []string{"info.form"}},
		{"pv goes astray", false, nil, func(line string) string { return strings.Replace(line, " pv ", " pv a0a9 ", 1) + "\n" }, []string{"info.multipv", "info.pv"}},
		{"no multipv", false, nil, func(line string) string { return strings.Replace(line, " multipv 3", " multipv 2", 1) + "\n" }, []string{"info.multipv"}},
		{"no searchmoves", false, func(line string) plugintest.Action {
			before, _, _ := strings.Cut(line, " searchmoves")
			return plugintest.Obey(before)
		}, nil, []string{"ban.searchmoves"}},
		{"no banmoves", true, on("banmoves", plugintest.Action{}), nil, []string{"ban.banmoves"}},
		{"ponderhit is nothing", false, on("ponderhit", plugintest.Action{}), nil, []string{"ponder.hit"}},
		{"no bye", true, nil, drop("bye"), []string{"quit.bye"}},
		{"quit is nothing", false, on("quit", plugintest.Action{}), nil, []string{"quit.ends"}},
		{"unknown words kill", false, on("xyzzy", plugintest.Action{Die: true}), nil, []string{"input.unknown"}},
		{"new games kill", false, on("ucinewgame", plugintest.Action{Die: true}), nil, []string{"newgame.goes"}},
		{"no fen", false, on("position fen", plugintest.Action{}), nil, []string{"position.fen"}},
		{"no Black", false, func(line string) plugintest.Action {
			return plugintest.Obey(strings.Replace(line, " b ", " w ", 1))
		}, nil, []string{"position.black"}},
		{"a time is none", false, on("go movetime 1000", plugintest.Obey("go infinite")), nil, []string{"go.time"}},
		{"tabs are no blanks", false, func(line string) plugintest.Action {
			if strings.Contains(line, "\t") {
				return plugintest.Action{}
			}
			return plugintest.Obey(line)
		}, nil, []string{"input.blanks"}},
		{"long lines kill", false, func(line string) plugintest.Action {
			return plugintest.Action{Die: len(line) > 4000, Obey: []string{line}}
		}, nil, []string{"robust.game"}},
	}
	add := func(name string, want string, in plugintest.Behaviour, out func(string) string) {
		all = append(all, fault{name, false, in, out, []string{want}})
	}
	all = append(all,
		fault{"ranks from 0 with UCI_Variant", false, nil, change("option name UCI_Variant type combo", "option name UCI_Variant type combo var chess"), nil},
		fault{"ranks from 1", false, func(line string) plugintest.Action {
			return plugintest.Obey(renumber(toldMoves, uci.FromOne, uci.FromZero)(line))
		}, func(line string) string {
			return renumber(foundMoves, uci.FromZero, uci.FromOne)(line) + "\n"
		}, nil},
	)
	in, out := playsIllegal()
	add("cheats once", "position.forced", in, out)
	in, out = while(false, "stop", plugintest.Send("bestmove a0a1\n"))
	add("stop always answers", "stop.idle", in, out)
	in, out = while(true, "isready", plugintest.Action{})
	add("isready while it thinks", "ready.thinking", in, out)
	all = append(all, fault{"bans stay", true, keepsBans(), nil, []string{"ban.ends"}})
	for _, ofUCCI := range []bool{false, true} {
		all = append(all, fault{"remembers", ofUCCI, nil, remembers(), []string{"newgame.forgets"}})
	}
	return all
}

// renumber returns a function that numbers the ranks of the moves behind a word the other way.
func renumber(word *regexp.Regexp, from, to uci.Ranks) func(line string) string {
	return func(line string) string {
		at := word.FindStringIndex(line)
		if at == nil {
			return line
		}
		words := strings.Split(line[at[1]:], " ")
		for i, text := range words {
			if m, ok := from.Parse(text); ok {
				words[i] = to.Format(m)
			}
		}
		return line[:at[1]] + strings.Join(words, " ")
	}
}

var (
	toldMoves  = regexp.MustCompile(`moves `)
	foundMoves = regexp.MustCompile(`bestmove | pv `)
)

// playsIllegal returns an illegal move at one position.
func playsIllegal() (plugintest.Behaviour, func(string) string) {
	var there atomic.Bool
	in := func(line string) plugintest.Action {
		if strings.HasPrefix(line, "position ") {
			there.Store(strings.HasPrefix(line, "position fen 2ba1k3/8n/n4R3"))
		}
		return plugintest.Obey(line)
	}
	return in, func(line string) string {
		if there.Load() {
			return change("bestmove", "bestmove a0a9 was")(line)
		}
		return line + "\n"
	}
}

// while replaces the action of a command while the engine searches, or while it does not.
func while(thinking bool, command string, act plugintest.Action) (plugintest.Behaviour, func(string) string) {
	var thinks atomic.Bool
	in := func(line string) plugintest.Action {
		switch {
		case line == "uci": // a new life
			thinks.Store(false)
		case strings.HasPrefix(line, "go "):
			thinks.Store(true)
		}
		if line == command && thinks.Load() == thinking {
			return act
		}
		return plugintest.Obey(line)
	}
	return in, func(line string) string {
		if strings.HasPrefix(line, "bestmove") {
			thinks.Store(false)
		}
		return line + "\n"
	}
}

// keepsBans applies a ban again when the same position is sent again.
func keepsBans() plugintest.Behaviour {
	position, banned, ban, fresh := "", "", "", false
	return func(line string) plugintest.Action {
		switch {
		case strings.HasPrefix(line, "position "):
			position, fresh = line, true
		case strings.HasPrefix(line, "banmoves "):
			banned, ban, fresh = position, line, false
		case strings.HasPrefix(line, "go ") && fresh && position == banned:
			return plugintest.Obey(ban, line)
		}
		return plugintest.Obey(line)
	}
}

// remembers reports more nodes with each search of its process.
func remembers() func(string) string {
	var searched int
	return func(line string) string {
		switch {
		case strings.HasSuffix(line, "ciok"): // a new process
			searched = 0
		case strings.HasPrefix(line, "bestmove"):
			searched++
		}
		line = strings.Replace(line+" ", " nodes 1 ", fmt.Sprintf(" nodes %d ", 1+searched), 1)
		return strings.TrimSuffix(line, " ") + "\n"
	}
}

// ignoresCR is the input of an engine that ignores lines with CR.
type ignoresCR struct{ io.WriteCloser }

func (d ignoresCR) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("\r")) {
		return len(p), nil
	}
	return d.WriteCloser.Write(p)
}

// TestFaults checks that exactly the fault of an engine is found.
func TestFaults(t *testing.T) {
	for _, c := range enginetest.Daily(4, faults()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkFinds(t, engineOf(c.ofUCCI, c.in, c.out), c.want) })
		})
	}
}

// TestLineEnds checks an engine that ignores lines with CR.
func TestLineEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := engineOf(false, nil, nil)
		start := e.Start
		e.Start = func(ctx context.Context) (*pluginclient.Streams, error) {
			streams, err := start(ctx)
			if err == nil {
				streams.Stdin = ignoresCR{streams.Stdin}
			}
			return streams, err
		}
		checkFinds(t, e, []string{lineEnds})
	})
}

// TestRanks checks that a numbering that the SPEC gives is kept, and the failure names the option.
func TestRanks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := engineOf(false, nil, nil)
		fromOne := uci.FromOne
		e.Ranks = &fromOne
		r := examine(t, e).Result("position.start")
		if !strings.HasSuffix(r.Got, "; it is legal if ranks are numbered 0 to 9: ranks=0 in the SPEC") {
			t.Errorf("%+v", r)
		}
	})
}

// lineEnds is the check for TestLineEnds.
const lineEnds = "input.crlf"

func checkFinds(t *testing.T, e Engine, want []string) {
	t.Helper()
	r := examine(t, e)
	slices.Sort(want)
	if diff := cmp.Diff(want, found(r, check.Failed, check.Advised)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
		for _, res := range r.Results {
			if res.Verdict == check.Failed || res.Verdict == check.Advised {
				t.Logf("%s: expected %s, got %s\n%s", res.Name, res.Expected, res.Got, strings.Join(check.FormatConversation(res.Conversation, 10), "\n"))
			}
		}
	}
}

// TestEveryFault checks that every binding check has a fault.
func TestEveryFault(t *testing.T) {
	for _, n := range table {
		binding := slices.DeleteFunc([]string{onlyUCI, onlyUCCI}, func(p string) bool {
			return n.of != "" && n.of != p || slices.Contains(n.advice, p)
		})
		fails := func(f fault) bool {
			return slices.Contains(f.want, n.name) && slices.Contains(binding, map[bool]string{false: onlyUCI, true: onlyUCCI}[f.ofUCCI])
		}
		if len(binding) > 0 && n.name != lineEnds && !slices.ContainsFunc(faults(), fails) {
			t.Errorf("no engine fails %s of %v", n.name, binding)
		}
	}
}
