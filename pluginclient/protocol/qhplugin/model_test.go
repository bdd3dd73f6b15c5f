package qhplugin

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// modelThinks is how long a search of the model takes.
const modelThinks = 4 * time.Second

// TestModel compares a server with a model of the protocol, for any commands at any time.
func TestModel(t *testing.T) {
	s := enginetest.Ranker{Depth: 4, Pace: modelThinks / 4}
	start := pluginclient.Pipe((&Server{Searcher: s, Name: "qhsh"}).Serve)
	plugintest.CheckConversations(t, start, []string{
		"AI", "AI", "ai", "HINTS", "HINTS 2", "ABORT", "TIMEOUT", "LEVEL", "LEVEL 2", "LEVEL 99",
		"PLAY H2-E2", "PLAY h9-g7", "PLAY A0-A9", "UNDO", "SCR", "FROB", "", "H2-E2", "AI 3",
		"BGTHINK ON", "BGTHINK OFF", "QUIT", "FEN 3k5/9/9/9/9/9/9/9/4R4/4K4 b", "FEN x",
		"LOAD 0", "LOAD 2\nC3-C4\nC6-C5", "LOAD 1\nA0-A9", "LOAD -1", "LOAD 1",
		"BAN 0", "BAN 2\nH2-E2\nD9-D8", "BAN 1\nx", "BAN 542220608", "FEN 3k5/9/9/9/9/9/9/9/9/C3K4 w\nBAN 1\nE0-E1\nAI",
	}, func(rt *rapid.T, talk *plugintest.Conversation) {
		m := &model{T: rt, Conversation: talk, level: 5, game: []*xiangqi.Position{xiangqi.Start()}}
		m.run()
	})
}

// A model implements the protocol as this package interprets it, with searches that take
// modelThinks.
type model struct {
	*rapid.T
	*plugintest.Conversation
	now      time.Duration
	level    int
	game     []*xiangqi.Position
	ban      []string
	bgthink  bool
	pondered bool // the reply that was played may have been pondered
	afterBad bool
	over     bool
}

func (m *model) board() *xiangqi.Position { return m.game[len(m.game)-1] }

// run executes the commands, and checks that each answer comes at its time, and no other.
func (m *model) run() {
	for !m.over {
		line, ok := m.take()
		if !ok {
			break
		}
		m.obey(line)
	}
	if len(m.Received) > 0 {
		m.Fatalf("at the end there is more: %v", m.Received)
	}
}

// peek returns the next line that is not blank.
func (m *model) peek() (plugintest.Line, bool) {
	for len(m.Sent) > 0 && m.Sent[0].Text == "" {
		m.Sent = m.Sent[1:]
	}
	if len(m.Sent) == 0 {
		return plugintest.Line{}, false
	}
	return m.Sent[0], true
}

func (m *model) take() (string, bool) {
	line, ok := m.peek()
	if ok {
		m.Sent = m.Sent[1:]
		m.now = max(m.now, line.At)
	}
	return line.Text, ok
}

// answer returns the next line of the server, which must come now.
func (m *model) answer(to string) string {
	if len(m.Received) == 0 {
		m.Fatalf("no answer to %s at %v", to, m.now)
	}
	line := m.Received[0]
	if line.At != m.now {
		m.Fatalf("%s at %v is answered with %v", to, m.now, line)
	}
	m.Received = m.Received[1:]
	return line.Text
}

// want checks that the next answer begins with a word.
func (m *model) want(to, word string) {
	if got := m.answer(to); got != word && !strings.HasPrefix(got, word+" ") {
		m.Fatalf("%s at %v is answered with %q, want %s", to, m.now, got, word)
	}
}

// okIf checks for OK or ERROR.
func (m *model) okIf(ok bool, to string) {
	if ok {
		m.want(to, "OK")
	} else {
		m.want(to, "ERROR")
	}
}

func (m *model) obey(line string) {
	word, arg, _ := strings.Cut(strings.ToUpper(line), " ")
	if m.afterBad && line == "H2-E2" {
		return
	}
	m.afterBad = false
	switch word {
	case "ABORT", "TIMEOUT":
	case "QUIT":
		m.want(line, "BYE")
		m.over = true
	case "LEVEL":
		m.setLevel(line, arg)
	case "PLAY":
		m.okIf(m.play(arg), line)
		m.pondered = m.bgthink
	case "UNDO":
		undone := len(m.game) > 1
		if undone {
			m.game = m.game[:len(m.game)-1]
		}
		m.okIf(undone, line)
	case "FEN":
		pos, err := xiangqi.ParseFEN(line[len("FEN "):])
		if err == nil {
			m.game, m.ban = []*xiangqi.Position{pos}, nil
		}
		m.okIf(err == nil, line)
	case "SCR":
		for range 21 {
			m.answer(line)
		}
	case "BGTHINK":
		m.bgthink = arg == "ON"
		m.want(line, "OK")
	case "LOAD", "BAN":
		m.list(word, arg)
	case "AI", "HINTS":
		m.think(word, arg)
	default:
		m.want(line, "ERROR")
	}
}

func (m *model) setLevel(line, arg string) {
	if arg == "" {
		m.want(line, strconv.Itoa(m.level))
		return
	}
	if arg == "2" {
		m.level = 2
	}
	m.okIf(arg == "2", line)
}

// play makes a move if it is legal.
func (m *model) play(text string) bool {
	move, err := m.board().Parse(text)
	if err != nil {
		return false
	}
	next, err := m.board().PlayMove(xiangqi.Move(move))
	if err == nil {
		m.game = append(m.game[:len(m.game):len(m.game)], next)
	}
	return err == nil
}

// list reads the lines after LOAD and BAN, or none if the count is invalid.
func (m *model) list(word, arg string) {
	n, _ := strconv.Atoi(arg)
	if n < 0 || n > 10_000 {
		m.afterBad = true
		m.want(word, "ERROR")
		return
	}
	var lines []string
	for range n {
		line, ok := m.take()
		if !ok {
			m.over = true
			return
		}
		lines = append(lines, line)
	}
	game, good := m.game, true
	for _, line := range lines {
		if word == "LOAD" {
			good = good && m.play(line)
		} else if _, err := xiangqi.ParseMove(line); err != nil {
			good = false
		}
	}
	switch {
	case word == "LOAD" && !good:
		m.game = game
	case word == "BAN" && good:
		m.ban = lines
	}
	m.okIf(good, word)
}

// think executes AI and HINTS: they are answered at the end of the search, or when a line comes
// before that: TIMEOUT, with the best so far, or any other.
func (m *model) think(word, arg string) {
	ban, pondered := m.ban, m.pondered
	m.ban, m.pondered = nil, false
	var allowed []string
	for _, move := range m.board().LegalMoves() {
		if !slices.ContainsFunc(ban, func(text string) bool { return strings.EqualFold(text, move.ICCS()) }) {
			allowed = append(allowed, move.ICCS())
		}
	}
	if len(allowed) == 0 || word == "AI" && arg != "" {
		m.want(word, "ERROR")
		return
	}
	end := m.now + modelThinks
	line, more := m.peek()
	if pondered && len(m.Received) > 0 && m.Received[0].Text != "ABORTED" {
		end = min(end, m.Received[0].At)
	}
	switch before := line.At < end; {
	case more && before && strings.EqualFold(line.Text, "TIMEOUT"):
		m.take()
	case more && before:
		m.now = max(m.now, line.At)
		m.want(word, "ABORTED")
		if strings.EqualFold(line.Text, "ABORT") {
			m.take()
		}
		return
	case !more && m.End < end:
		m.over = true
		return
	default:
		m.now = end
	}
	if word == "AI" {
		m.move(allowed)
		return
	}
	m.hints(arg, allowed)
}

func (m *model) move(allowed []string) {
	move := m.answer("AI")
	if !slices.Contains(allowed, move) || !m.play(move) {
		m.Fatalf("AI plays %q, which is illegal or banned", move)
	}
}

// hints reads the hints: as many as requested, or fewer if there are fewer moves or after TIMEOUT.
func (m *model) hints(arg string, allowed []string) {
	most := 3
	if arg != "" {
		most, _ = strconv.Atoi(arg)
	}
	for n := 0; ; n++ {
		text := m.answer("HINTS")
		if text == "ENDHINTS" && n > 0 {
			return
		}
		move, _, _ := strings.Cut(text, " ")
		if !slices.Contains(allowed, move) || n == most {
			m.Fatalf("hint %d is %q, which is one too many, illegal or banned", n+1, text)
		}
		allowed = slices.DeleteFunc(allowed, func(text string) bool { return text == move })
	}
}

// TestFlood: every command is answered, however many are waiting.
func TestFlood(t *testing.T) {
	start := pluginclient.Pipe((&Server{Searcher: enginetest.Ranker{}, Name: "qhsh"}).Serve)
	const board = "FEN 3k5/9/9/9/9/9/9/9/4R4/4K4 w"
	for command, kind := range map[string]string{"HINTS\nABORT": "ABORTED", board + "\nAI\nTIMEOUT": "-", "LOAD 1\nx": "ERROR line"} {
		plugintest.CheckFlood(t, start, command, func(line string) bool { return strings.Contains(line, kind) })
	}
}
