package xboard_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// Durations of the model's searches.
const (
	modelThinks = 4 * time.Second
	modelHints  = time.Second
)

// TestModel compares a server with a model of the protocol, for any commands at any time.
func TestModel(t *testing.T) {
	s := enginetest.Ranker{Depth: 4, Pace: modelThinks / 4}
	program := xboard.InProcess(uci.ServerConfig{Searcher: s, Name: "slow"})
	plugintest.CheckConversations(t, program.Start, []string{
		"go", "go", "playother", "force", "new", "result *", "?", "?", "ping 1", "ping 2", ".", "hint", "undo", "remove",
		"usermove h2e2", "usermove h9g7", "h7e7", "usermove a0a9", "usermove x", "analyze", "exit", "easy", "post", "nopost", "draw", "",
		"frob", "setboard 3k5/9/9/9/9/9/9/9/4R4/4K4 b", "setboard x", "variant xiangqi", "quit",
	}, func(rt *rapid.T, talk *plugintest.Conversation) {
		m := &model{T: rt, Conversation: talk, pos: xiangqi.Start(), playing: true, side: xiangqi.Black}
		m.Received = slices.DeleteFunc(m.Received, func(l plugintest.Line) bool { return kindOf(l.Text) == "" })
		m.run()
	})
}

// kindOf returns the kind of an answer; empty for thinking output, results and draws, which are not
// compared.
func kindOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "move", "pong", "Error", "Illegal", "Hint:", "stat01:", "tellusererror":
		return word
	}
	return ""
}

// A model implements the comment of Serve: it executes commands in order, except those for the
// current search.
type model struct {
	*rapid.T
	*plugintest.Conversation
	now     time.Duration
	waiting []string

	pos      *xiangqi.Position // nil: invalid
	side     xiangqi.Side
	playing  bool
	analyzes bool
	over     bool

	task  string // "thinking", "hinting", "analyzing" or none
	begun time.Duration
}

func (m *model) busy() bool { return m.task == "thinking" || m.task == "hinting" }

// ends returns when the task ends by itself.
func (m *model) ends() time.Duration {
	if m.task == "hinting" {
		return m.begun + modelHints
	}
	return m.begun + modelThinks
}

func (m *model) begin(task string) { m.task, m.begun = task, m.now }

func (m *model) run() {
	for _, line := range m.Sent {
		m.pass(line.At)
		m.waiting = append(m.waiting, line.Text)
		if line.Text == "quit" {
			m.End = line.At
			break
		}
		m.drain()
	}
	m.pass(m.End)
	for m.drain(); m.busy() && !m.over; m.drain() {
		m.finish()
	}
	if len(m.Received) > 0 {
		m.Fatalf("at the end there is more: %v", m.Received)
	}
}

// pass advances the time, in which searches end.
func (m *model) pass(until time.Duration) {
	for m.busy() && m.ends() < until {
		m.now = m.ends()
		m.finish()
		m.drain()
	}
	m.now = until
}

// drain executes the commands that need not wait.
func (m *model) drain() {
	behind := false
	for i := 0; i < len(m.waiting) && !m.over; {
		line := m.waiting[i]
		word, rest, _ := strings.Cut(line, " ")
		if m.busy() && (behind || !slices.Contains([]string{"?", "force", "new", "result", "draw", ".", "easy", "post", "nopost", ""}, word)) {
			behind = behind || slices.Contains([]string{"go", "playother", "analyze", "h7e7"}, word) || word == "usermove" && rest != "x"
			i++
			continue
		}
		m.waiting = slices.Delete(m.waiting, i, i+1)
		m.obey(word, rest, line)
		i, behind = 0, false
	}
}

// answer returns the next answer, which must be of the given kind and arrive now.
func (m *model) answer(to, kind string) string {
	if len(m.Received) == 0 || m.Received[0].At != m.now || kindOf(m.Received[0].Text) != kind {
		m.Fatalf("%s is not answered with %s at %v but with %v", to, kind, m.now, m.Received)
	}
	text := m.Received[0].Text
	m.Received = m.Received[1:]
	return strings.TrimPrefix(text, kind+" ")
}

func (m *model) obey(word, rest, line string) {
	switch word {
	case "ping":
		if got := m.answer(line, "pong"); got != rest {
			m.Fatalf("%s is answered with %s", line, got)
		}
	case "frob":
		m.answer(line, "Error")
	case "new":
		m.set(xiangqi.Start())
		m.playing, m.side = !m.analyzes, xiangqi.Black
	case "force", "result":
		m.task, m.playing, m.analyzes = "", false, false
	case "go":
		m.playing, m.analyzes = true, false
		if m.pos != nil {
			m.side = m.pos.Side()
		}
		m.turn(line)
	case "playother":
		m.task, m.playing, m.analyzes = "", true, false
		if m.pos != nil {
			m.side = m.pos.Side().Other()
		}
	case "?":
		if m.task == "thinking" {
			m.finish()
		}
	case ".":
		if m.task != "" {
			m.answer(line, "stat01:")
		}
	case "usermove":
		m.move(rest)
	case "h7e7":
		m.move(word)
	case "quit":
		m.over = true
	default:
		m.other(word, rest, line)
	}
}

func (m *model) other(word, rest, line string) {
	switch word {
	case "hint":
		m.hint(line)
	case "analyze":
		m.playing, m.analyzes = false, true
		m.analyze()
	case "exit":
		if m.analyzes {
			m.task, m.analyzes = "", false
		}
	case "undo":
		m.undo(1, line)
	case "remove":
		m.undo(2, line)
	case "variant":
		m.set(xiangqi.Start())
	case "setboard":
		pos, err := xiangqi.ParseFEN(rest)
		if err != nil {
			m.answer(line, "tellusererror")
			pos = nil
		}
		m.set(pos)
	}
}

// set sets another position.
func (m *model) set(pos *xiangqi.Position) {
	m.pos, m.task = pos, ""
	if m.analyzes {
		m.analyze()
	}
}

func (m *model) analyze() {
	m.task = ""
	if m.pos != nil && !m.pos.Result().Over() {
		m.begin("analyzing")
	}
}

func (m *model) undo(plies int, line string) {
	pos := m.pos
	for range plies {
		if pos == nil || pos.Before() == nil {
			m.answer(line, "Error")
			return
		}
		pos = pos.Before()
	}
	m.set(pos)
}

// turn starts the search for the engine's move.
func (m *model) turn(line string) {
	m.task = ""
	switch {
	case m.pos == nil:
		m.answer(line, "Error")
	case !m.pos.Result().Over():
		m.begin("thinking")
	}
}

// play makes a move if it is legal.
func (m *model) play(text string) bool {
	if m.pos == nil {
		return false
	}
	move, err := m.pos.Parse(text)
	if err == nil {
		m.pos, err = m.pos.PlayMove(xiangqi.Move(move))
	}
	return err == nil
}

func (m *model) move(text string) {
	if before := m.pos; !m.play(text) {
		m.pos = before
		m.answer(text, "Illegal")
		return
	}
	switch m.task = ""; {
	case m.analyzes:
		m.analyze()
	case m.playing && !engine.Adjudicate(m.pos).Over() && m.pos.Side() == m.side:
		m.begin("thinking")
	}
}

func (m *model) hint(line string) {
	switch {
	case m.pos == nil || m.pos.Result().Over():
	case m.task == "":
		m.begin("hinting")
	case m.now > m.begun+modelThinks/4: // the analysis has found something
		m.legal(m.answer(line, "Hint:"))
	}
}

func (m *model) legal(text string) {
	if _, err := m.pos.Parse(text); err != nil {
		m.Fatalf("it hints at %s: %v", text, err)
	}
}

// finish ends the current search and returns its answer.
func (m *model) finish() {
	task := m.task
	m.task = ""
	if task == "hinting" {
		m.legal(m.answer("hint", "Hint:"))
		return
	}
	if move := m.answer("go", "move"); !m.play(move) {
		m.Fatalf("it plays %s, which is illegal", move)
	}
}

// TestFlood: every command is answered, however many are waiting.
func TestFlood(t *testing.T) {
	program := xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "quick"})
	for command, kind := range map[string]string{"setboard 3k5/9/9/9/9/9/9/9/4R4/4K4 b\ngo": "move", "setboard 3k5/9/9/9/9/9/9/9/4R4/4K4 b\nhint\nping 1": "pong"} {
		plugintest.CheckFlood(t, program.Start, command, func(line string) bool { return kindOf(line) == kind })
	}
}
