package uci_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// Durations of the model's searches.
const (
	modelThinks = 4 * time.Second // without a limit
	modelTime   = 3 * time.Second // of "movetime 3000" and "time 3000"
	modelNever  = time.Duration(math.MaxInt64)
)

// TestModel compares a server with a model of the protocol, for any commands at any time.
func TestModel(t *testing.T) {
	const illegal = "position startpos moves a0a9"
	commands := map[string][]string{
		"uci": {
			"go depth 2", "go depth 3", "go movetime 3000", "go infinite", "go ponder depth 2", "go ponder", "go perft 1",
			"go searchmoves h2e2 h7e7 depth 2", "stop", "stop", "ponderhit", "isready", "isready", "uci", "ucinewgame", "d", "frob", "",
			"position startpos", "position startpos moves h2e2", "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b", illegal,
			"setoption name MultiPV value 2", "quit",
		},
		"ucci": {
			"go depth 2", "go depth 3", "go time 3000", "go infinite", "go ponder depth 2", "go ponder depth 3", "stop", "stop", "ponderhit",
			"isready", "isready", "ucci", "probe", "frob", "",
			"position startpos", "position startpos moves h2e2", "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b\nbanmoves d9d8", illegal,
			"setoption multipv 2", "quit",
		},
	}
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			program := p.inProcess(uci.ServerConfig{Searcher: enginetest.Ranker{Depth: 4, Pace: modelThinks / 4}, Name: "slow"})
			plugintest.CheckConversations(t, program.Start, commands[p.name], func(rt *rapid.T, talk *plugintest.Conversation) {
				m := &model{T: rt, Conversation: talk, ucci: p.name == "ucci", pos: xiangqi.Start()}
				m.run()
				m.compare()
			})
		})
	}
}

// A model implements what the two protocols have in common, according to their documents and the
// comment of Serve. It depends on the order of lines: first it computes when each search begins and
// ends, and from that when every line is executed.
type model struct {
	*rapid.T
	*plugintest.Conversation
	ucci bool
	now  time.Duration // when the line is executed
	pos  *xiangqi.Position
	ban  string
	want []plugintest.Line // the answers, as kinds; a move is the list of allowed moves

	from, to time.Duration // of the latest search
	searched bool          // there was a search

	doubtful []time.Duration // times of a second "stop" for the same search
}

func (m *model) run() {
	m.cutAtQuit()
	for i := 0; i < len(m.Sent); i++ {
		line := m.Sent[i]
		word, _, _ := strings.Cut(line.Text, " ")
		switch word {
		case "stop", "ponderhit":
			m.now = max(line.At, m.from)
			if word == "stop" && m.ucci {
				m.stopIdle()
			}
			continue
		case "isready":
			m.now = line.At
			m.say("readyok")
			continue
		}
		m.now = max(line.At, m.to)
		m.obey(word, line.Text, i)
	}
}

// stopIdle is "stop" without a search, which UCCI answers.
func (m *model) stopIdle() {
	switch {
	case !m.searched || m.now > m.to:
		m.say("none")
	case m.now == m.to:
		m.doubtful = append(m.doubtful, m.now)
	}
}

// cutAtQuit ends the input at "quit".
func (m *model) cutAtQuit() {
	if i := slices.IndexFunc(m.Sent, func(l plugintest.Line) bool { return l.Text == "quit" }); i >= 0 {
		m.End = m.Sent[i].At
		m.Sent = m.Sent[:i+1]
	}
}

func (m *model) say(kind string) { m.want = append(m.want, plugintest.Line{At: m.now, Text: kind}) }

func (m *model) obey(word, line string, i int) {
	switch word {
	case "uci", "ucci":
		m.say("ok")
	case "frob":
		m.say("unknown")
	case "probe":
		m.say("pophash")
	case "d":
		m.say(map[bool]string{true: "remark", false: "Fen"}[m.pos == nil])
	case "quit":
		if m.ucci {
			m.say("bye")
		}
	case "banmoves":
		if m.pos != nil {
			m.ban = strings.TrimPrefix(line, "banmoves ")
		}
	case "position":
		m.position(strings.Fields(line))
	case "go":
		m.search(line, i)
	}
}

func (m *model) position(words []string) {
	m.ban = ""
	switch words[len(words)-1] {
	case "startpos":
		m.pos = xiangqi.Start()
	case "h2e2":
		next, err := xiangqi.Start().PlayMove(xiangqi.NewMove(xiangqi.Square(2*9+7), xiangqi.Square(2*9+4)))
		if err != nil {
			m.Fatalf("%v", err)
		}
		m.pos = next
	case "b":
		p, err := xiangqi.ParseFEN(strings.Join(words[2:], " "))
		if err != nil {
			m.Fatalf("%v", err)
		}
		m.pos = p
	default:
		m.pos = nil
		m.say("remark")
	}
}

// moves returns the allowed moves, in a line.
func (m *model) moves(line string) string {
	var all []string
	for _, move := range m.pos.LegalMoves() {
		if text := move.UCI(); text != m.ban {
			all = append(all, text)
		}
	}
	if strings.Contains(line, "searchmoves") {
		all = slices.DeleteFunc(all, func(text string) bool { return text != "h2e2" && text != "h7e7" })
	}
	return strings.Join(all, " ")
}

// search is a "go" that begins now, and its end.
func (m *model) search(line string, i int) {
	m.from, m.to, m.searched = m.now, m.now, false
	perft := strings.Contains(line, "perft")
	switch {
	case m.pos == nil:
		m.say("remark")
		m.say("none")
		return
	case perft:
		kind := "count"
		if next := m.nextOf(i, "stop", "go"); next.Text == "stop" && next.At <= m.from {
			kind = "count or its end"
		}
		m.say(kind)
		return
	}
	allowed := m.moves(line)
	if allowed == "" {
		m.say("none")
		return
	}
	m.to, m.searched = m.end(line, i), true
	m.now = m.to
	m.say(allowed)
}

// nextOf returns the index of the next line after i that is one of several.
func (m *model) nextOf(i int, words ...string) plugintest.Line {
	for _, later := range m.Sent[i+1:] {
		if word, _, _ := strings.Cut(later.Text, " "); slices.Contains(words, word) {
			return plugintest.Line{At: later.At, Text: word}
		}
	}
	return plugintest.Line{}
}

// end returns when a search ends.
func (m *model) end(line string, i int) time.Duration {
	end, endless := m.from+modelThinks, false
	switch {
	case strings.Contains(line, "3000"):
		end = m.from + modelTime
	case strings.Contains(line, "infinite"):
		endless = true
		if !m.ucci { // in UCCI it ends by itself
			end = modelNever
		}
	}
	limited := strings.Contains(line, "depth")
	ponders := strings.Contains(line, "ponder")
	if ponders {
		end, endless = modelNever, true
	}
	for _, later := range m.Sent[i+1:] {
		at := max(later.At, m.from)
		switch word, _, _ := strings.Cut(later.Text, " "); {
		case at > end:
			return end
		case word == "stop":
			return at
		case word == "ponderhit" && ponders && end == modelNever:
			end, endless = max(at, m.from+modelThinks), !limited
		case word == "quit":
			return at
		case word == "go" && endless:
			return at
		case word == "go":
			return min(end, max(m.End, m.from))
		}
	}
	return min(end, max(m.End, m.from))
}

// compare compares the answers of each kind and their times.
func (m *model) compare() {
	got := map[string][]plugintest.Line{}
	for _, line := range m.Received {
		if kind, text := kindOf(line.Text); kind != "" {
			got[kind] = append(got[kind], plugintest.Line{At: line.At, Text: text})
		}
	}
	want := map[string][]plugintest.Line{}
	for _, line := range m.want {
		kind := line.Text
		if strings.ContainsAny(kind, "0123456789") {
			kind = "move"
		}
		want[kind] = append(want[kind], line)
	}
	// A count that is stopped at once may have ended before.
	const either = "count or its end"
	for i := 0; len(want[either]) > len(got[either]) && i < len(got["count"]); {
		if slices.ContainsFunc(want["count"], func(l plugintest.Line) bool { return l.At == got["count"][i].At }) {
			i++
			continue
		}
		got[either] = append(got[either], got["count"][i])
		got["count"] = slices.Delete(got["count"], i, i+1)
	}
	slices.SortStableFunc(got[either], func(a, b plugintest.Line) int { return cmp.Compare(a.At, b.At) })
	got["none"] = m.withoutDoubtful(got["none"], want["none"])
	for _, kind := range []string{"move", "none", "readyok", "ok", "unknown", "pophash", "Fen", "bye", "count", either, "remark"} {
		slices.SortStableFunc(want[kind], func(a, b plugintest.Line) int { return cmp.Compare(a.At, b.At) })
		if len(got[kind]) != len(want[kind]) {
			m.Fatalf("of kind %s there are\n%v\nwant\n%v", kind, got[kind], want[kind])
		}
		for i, w := range want[kind] {
			g := got[kind][i]
			if g.At != w.At || kind == "move" && !slices.Contains(strings.Fields(w.Text), g.Text) {
				m.Fatalf("of kind %s, answer %d is %v, want %v", kind, i+1, g, w)
			}
		}
	}
}

// withoutDoubtful removes optional answers, if there are more than the required ones.
func (m *model) withoutDoubtful(got, want []plugintest.Line) []plugintest.Line {
	extra := len(got) - len(want)
	return slices.DeleteFunc(got, func(l plugintest.Line) bool {
		drop := extra > 0 && slices.Contains(m.doubtful, l.At)
		if drop {
			extra--
		}
		return drop
	})
}

// kindOf returns the kind of an answer, and its move if it has one.
func kindOf(text string) (kind, move string) {
	words := append(strings.Fields(text), "", "")
	switch words[0] {
	case "bestmove":
		if words[1] == "(none)" {
			return "none", ""
		}
		return "move", words[1]
	case "nobestmove":
		return "none", ""
	case "uciok", "ucciok":
		return "ok", ""
	case "readyok", "pophash", "bye":
		return words[0], ""
	case "Fen:":
		return "Fen", ""
	case "Nodes":
		return "count", ""
	case "info":
		switch {
		case strings.Contains(text, "perft: move now"):
			return "count or its end", ""
		case strings.Contains(text, "unknown command"):
			return "unknown", ""
		case words[1] == "string", words[1] == "message":
			return "remark", ""
		}
	}
	return "", ""
}

// TestFlood: every command is answered, however many are waiting.
func TestFlood(t *testing.T) {
	for _, p := range both {
		program := p.inProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "quick"})
		for command, kind := range map[string]string{"go depth 2\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b": "move", "go depth 2\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b\n" + p.name: "ok"} {
			plugintest.CheckFlood(t, program.Start, command, func(line string) bool {
				got, _ := kindOf(line)
				return got == kind
			})
		}
	}
}
