package qtp

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient/plugintest"
)

// TestModel compares a server with a model of the protocol, for any commands at any time.
func TestModel(t *testing.T) {
	s := &Server{
		Searcher: enginetest.Ranker{Depth: 10, Pace: 300 * time.Millisecond}, Name: "slow",
		Rules: quoridor.Rules{Size: 5, Walls: 2},
	}
	plugintest.CheckConversations(t, InProcess(s).Start, []string{
		"genmove black", "genmove white", "genmove b # think", "genmove purple", "genmove", "name", "winner", "known_command genmove", "known_command frob",
		"list_commands", "showboard", "frob", "", "# nothing", "undo", "undo 1", "undo 2", "undo 0", "undo x",
		"playmove black C4", "playmove white C2", "playmove black A1", "playmove black Z9", "playwall white B2 h", "playwall black C3 v",
		"clear_board\nwalls 2", "boardsize 99", "boardsize 5\nclear_board\nwalls 2", "quit",
	}, func(rt *rapid.T, talk *plugintest.Conversation) {
		m := &model{T: rt, Conversation: talk}
		m.renew()
		m.run()
	})
}

// A model implements the protocol's document, with a board of five rows on which each side has two
// walls.
type model struct {
	*rapid.T
	*plugintest.Conversation
	now    time.Duration
	boards []quoridor.Board // from the start on
}

func (m *model) renew() {
	m.boards = []quoridor.Board{quoridor.NewBoard(quoridor.Rules{Size: 5, Walls: 2})}
}

func (m *model) board() quoridor.Board { return m.boards[len(m.boards)-1] }

// run checks that each command has a response, in order and in time.
func (m *model) run() {
	for _, line := range m.Sent {
		text, _, _ := strings.Cut(line.Text, "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		m.now = max(m.now, line.At)
		if words[0] == "genmove" {
			m.generate(words[1:])
			continue
		}
		want := m.obey(words[0], words[1:])
		if got := m.response(text); got != want && !(want == "= ..." && strings.HasPrefix(got, "=")) {
			m.Fatalf("%s at %v is answered with %q, want %q", text, line.At, got, want)
		}
		if words[0] == "quit" {
			break
		}
	}
	if len(m.Received) > 0 {
		m.Fatalf("at the end there is more: %v", m.Received)
	}
}

// response returns the next response up to its empty line, without what follows its first line. It
// must arrive now.
func (m *model) response(to string) string {
	n := slices.IndexFunc(m.Received, func(l plugintest.Line) bool { return l.Text == "" })
	if n < 1 {
		m.Fatalf("no response to %s at %v: %v", to, m.now, m.Received)
	}
	first := m.Received[0]
	if first.At != m.now {
		m.Fatalf("%s at %v is answered with %v", to, m.now, first)
	}
	m.Received = m.Received[n+1:]
	return strings.TrimSpace(first.Text)
}

// obey returns the expected response to a command.
func (m *model) obey(word string, args []string) string {
	switch word {
	case "quit", "walls":
		return "="
	case "name":
		return "= slow"
	case "known_command":
		if args[0] == "genmove" {
			return "= true"
		}
		return "= false"
	case "list_commands", "showboard":
		return "= ..."
	case "winner":
		board := m.board()
		if side, over := board.Winner(); over {
			return "= true " + quoridor.ColourName(side)
		}
		return "= false"
	case "undo":
		return m.undo(args)
	case "clear_board":
		m.renew()
		return "="
	case "boardsize":
		if args[0] == "99" {
			return "? unacceptable size"
		}
		m.renew()
		return "="
	case "playmove", "playwall":
		return m.play(args)
	}
	return "? unknown command"
}

func (m *model) undo(args []string) string {
	times := 1
	switch {
	case len(args) == 0:
	case args[0] == "x":
		return "? invalid syntax"
	default:
		times = int(args[0][0] - '0')
	}
	if len(m.boards) == 1 || times > len(m.boards)-1 {
		return "? cannot undo"
	}
	m.boards = m.boards[:len(m.boards)-times]
	return "="
}

// play makes a move or builds a wall for the colour that is named first.
func (m *model) play(args []string) string {
	side, err := quoridor.ParseColour(args[0])
	if err != nil {
		m.Fatalf("%v", err)
	}
	action, err := quoridor.ParseAction(strings.Join(args[1:], ""), side)
	board := m.board()
	if err != nil || board.Check(action) != nil {
		return "? illegal move"
	}
	board.Do(action)
	m.boards = append(slices.Clip(m.boards), board)
	return "="
}

// generate is genmove, which fails only if the command is malformed. It takes a second, and all of
// them together end within that time after the end of the input.
func (m *model) generate(args []string) {
	if len(args) == 0 || args[0] == "purple" {
		if got := m.response("genmove"); got != "? invalid syntax" {
			m.Fatalf("genmove %q is answered with %q", args, got)
		}
		return
	}
	m.now = min(m.now+DefaultTime, max(m.now, m.End+DefaultTime))
	got, ok := strings.CutPrefix(m.response("genmove"), "= ")
	if !ok || m.play(append([]string{args[0]}, strings.Fields(got)...)) != "=" {
		m.Fatalf("genmove %s plays %q, which is illegal", args[0], got)
	}
}

// TestFlood: every command is answered, however many are waiting.
func TestFlood(t *testing.T) {
	s := &Server{Searcher: enginetest.Ranker{}, Name: "quick", Rules: quoridor.Rules{Size: 3, Walls: 1}}
	for _, command := range []string{"clear_board\ngenmove black", "name"} {
		plugintest.CheckFlood(t, InProcess(s).Start, command, func(line string) bool { return len(line) > 1 })
	}
}

// sluggish is a Searcher that takes half a second, whatever the limits are.
type sluggish struct{ enginetest.Ranker }

func (s sluggish) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		time.Sleep(time.Second / 2)
		s.Ranker.Search(context.WithoutCancel(ctx), pos, lim)(yield)
	}
}

// TestSluggishAfterEnd: commands that wait at the end of the input are answered by a Searcher that
// obeys in time, however many there are.
func TestSluggishAfterEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const questions = 20
		var out bytes.Buffer
		err := (&Server{Searcher: sluggish{}}).Serve(t.Context(), strings.NewReader(strings.Repeat("genmove black\n", questions)), &out)
		if answers := strings.Count(out.String(), "= "); answers != questions || err != nil {
			t.Errorf("%d of %d have an answer, %v", answers, questions, err)
		}
	})
}
