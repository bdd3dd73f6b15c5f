package qchess_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/engine/qchess/record"
	"qhsh/engine/qchess/search"
	recorded "qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qchess"
)

func server(t testing.TB, a search.Agent) *qchess.Server {
	e, err := search.New(search.Options{Agent: a, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &qchess.Server{Searcher: e, Name: "ours", Limits: func() engine.Limits { return engine.Limits{Nodes: 500} }}
}

// serve returns the output of an agent for an input, and its warnings.
func serve(t testing.TB, input string) (output, warnings string) {
	t.Helper()
	var out bytes.Buffer
	var warned []string
	s := server(t, search.Ply)
	s.Warn = func(text string) { warned = append(warned, text) }
	if err := s.Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String(), strings.Join(warned, "\n")
}

// TestServer: an agent answers each request with one line, and nothing else.
func TestServer(t *testing.T) {
	const lone = "BOARD\nwhite king ['king', 'king']at 3,4\nblack king ['king', 'king']at 3,0\nblack pawn ['pawn', 'pawn']at 1,1\n\nEND BOARD\n"
	for _, c := range []struct{ name, input, output, warnings string }{
		{"nothing", "", "", ""},
		{"a colour", "white\nQUIT\n", "", ""},
		{"QUIT with words", "white\nQUIT white BOUNDS 9,9\nSELECTION?\n", "", ""},
		{"updates alone", "black\n3 6 0 pawn\n3 6 -> 3 4\nQUIT black\n", "", ""},
		{"a board", "white\n" + lone + "SELECTION?\nQUIT\n", "3 4\n", ""},
		{"carriage returns", "white\r\n" + strings.ReplaceAll(lone, "\n", "\r\n") + "SELECTION?\r\nQUIT\r\n", "3 4\n", ""},
		{"an unknown line", "white\nBOUNDS 9,9\n" + lone + "SELECTION?\n", "3 4\n", `"BOUNDS 9,9": invalid update "BOUNDS 9,9": use the form 3 6 0 pawn or 3 6 -> 3 4`},
		{"no colour", "SELECTION?\nwhite\n", "", `"SELECTION?": want white or black`},
		{"MOVE? too early", "white\nMOVE?\n", "", `"MOVE?": no piece is ready to move`},
		{"a move that the rules forbid", "white\n" + lone + "3 4 0 king\n3 4 -> 7 7\n1 1 0 pawn\n1 1 -> 1 2\nSELECTION?\n", "7 7\n", `"3 4 -> 7 7": move 34-77: illegal: the king cannot go there`},
	} {
		output, warnings := serve(t, c.input)
		if output != c.output || warnings != c.warnings {
			t.Errorf("%s: %q, %s; want %q, %s", c.name, output, warnings, c.output, c.warnings)
		}
	}
}

// play plays a game of two clients, as a host does, whose board may know the hidden kinds. draw
// draws the outcomes.
func play(t testing.TB, board rules.Board, draw func(*rules.Board) rules.Step, clients [2]*qchess.Client, steps int) *rules.Position {
	t.Helper()
	pos := rules.NewPosition(board)
	for range steps {
		if pos.Result().Over() {
			break
		}
		now := pos.Board()
		var s rules.Step
		if now.OutcomePending() {
			s = draw(&now)
		} else {
			best, err := engine.Best(t.Context(), clients[now.Turn()], pos, engine.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			s = rules.Step(best[0].Move())
		}
		next, err := pos.Do(s)
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
	for _, c := range clients {
		if err := c.CheckResult(t.Context(), pos); err != nil {
			t.Error(err)
		}
	}
	return pos
}

// witness is a Searcher that stores the board of its last search.
type witness struct {
	engine.Searcher
	asked string
}

func (w *witness) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	w.asked = pos.String()
	return w.Searcher.Search(ctx, pos, lim)
}

// TestBothEnds plays whole games between our host and our agents. Both have the same boards, and
// neither gives a warning. QHSH_QCHESS_PLY and QHSH_QCHESS_SEARCH are numbers of games, for longer
// trials.
func TestBothEnds(t *testing.T) {
	for agent, variable := range map[search.Agent]string{search.Ply: "QHSH_QCHESS_PLY", search.Search: "QHSH_QCHESS_SEARCH"} {
		games, err := strconv.ParseUint(os.Getenv(variable), 10, 32)
		if err != nil {
			games = 2
		}
		for seed := range games {
			bothEnds(t, agent, seed)
		}
		t.Logf("%d games of %s", games, agent)
	}
}

func bothEnds(t *testing.T, agent search.Agent, seed uint64) {
	var clients [2]*qchess.Client
	var witnesses [2]*witness
	for side := range clients {
		s := server(t, agent)
		s.Limits = func() engine.Limits { return engine.Limits{Nodes: 300} }
		s.Warn = func(text string) { t.Error(text) }
		witnesses[side] = &witness{Searcher: s.Searcher}
		s.Searcher = witnesses[side]
		client, err := qchess.Dial(t.Context(), qchess.InProcess(s), pluginclient.ClientOptions{Warn: func(text string) { t.Error(text) }})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		clients[side] = client
	}
	source := rand.New(rand.NewPCG(seed, 5))
	board := rules.NewBoard()
	board.Deal(source)
	checked := func(b *rules.Board) rules.Step { return b.DrawOutcome(source) }
	end := play(t, board, checked, clients, 900)
	for pos := end; ; {
		before, _ := pos.Undo()
		if before == nil {
			break
		}
		pos = before.(*rules.Position)
		now := pos.Board()
		if w := witnesses[now.Turn()]; pos.Turn() != engine.Chance && w.asked != "" {
			if view := now.View(); view.String() != w.asked {
				t.Fatalf("the host's board is %v, the agent's %v", view.String(), w.asked)
			}
			w.asked = ""
		}
	}
}

// TestServerLogs: with the answers, the hidden kinds and the outcomes of games of the real server,
// our host reaches the same result line.
func TestServerLogs(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("QHSH_DATA"), "qchess", "*.log"))
	if os.Getenv("QHSH_DATA") == "" || len(files) == 0 {
		t.Skip("QHSH_DATA has no logs of the server")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for game, err := range record.Records.Read(bytes.NewReader(text), file) {
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			want := strings.TrimPrefix(lines[len(lines)-2], ": ")
			if got := replayed(t, game); got != want {
				t.Errorf("%s: %s, the server says %s", file, got, want)
			}
		}
	}
}

// replayed returns the result line of a game in which both sides play as recorded.
func replayed(t *testing.T, game *recorded.Game) string {
	start := game.Start.(*rules.Position).Board()
	var answers [2][]string
	var outcomes []rules.Step
	board := start
	for _, m := range game.MainLine() {
		s := rules.Step(m)
		if board.OutcomePending() {
			outcomes = append(outcomes, s)
		} else {
			answers[board.Turn()] = append(answers[board.Turn()], fmt.Sprintf("%d %d\n", s.Square().X(), s.Square().Y()))
		}
		if err := board.Do(s); err != nil {
			t.Fatal(err)
		}
	}
	var clients [2]*qchess.Client
	for side := range clients {
		client, err := qchess.Dial(t.Context(), agent(func(line string) (answer string) {
			if line == qchess.Selection || line == qchess.Move {
				answer, answers[side] = answers[side][0], answers[side][1:]
			}
			return answer
		}), pluginclient.ClientOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		clients[side] = client
	}
	end := play(t, start, func(*rules.Board) (s rules.Step) {
		s, outcomes = outcomes[0], outcomes[1:]
		return s
	}, clients, len(game.MainLine()))
	return qchess.Result(end)
}

// FuzzServer: for any input an agent ends, and writes only squares.
func FuzzServer(f *testing.F) {
	f.Add("white\nSELECTION?\n3 6 0 pawn\nMOVE?\n3 6 -> 3 4\nQUIT\n")
	f.Add("black\nBOARD\nwhite king ['king', 'king']at 3,4\n\nEND BOARD\nSELECTION?\n3 4 -> 3 4\n")
	f.Fuzz(func(t *testing.T, input string) {
		output, _ := serve(t, input)
		for line := range strings.Lines(output) {
			if len(line) != 4 || line[1] != ' ' {
				t.Errorf("%q: wrote %q", input, line)
			}
		}
	})
}

// TestForce: the server's word counts, even against the rules.
func TestForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString("white\n")
		number := rapid.IntRange(0, 7)
		for range rapid.IntRange(1, 30).Draw(t, "lines") {
			x, y := number.Draw(t, "x"), number.Draw(t, "y")
			u := rules.Update{From: rules.SquareAt(x, y), To: rules.SquareAt(number.Draw(t, "x2"), number.Draw(t, "y2"))}
			if rapid.Bool().Draw(t, "selects") {
				u.Index, u.Kind = rapid.IntRange(0, 1).Draw(t, "index"), rules.Kind(rapid.IntRange(1, 6).Draw(t, "kind"))
			}
			b.WriteString(u.String() + "\n")
			b.WriteString(rapid.SampledFrom([]string{"", "SELECTION?\n", "MOVE?\n"}).Draw(t, "request"))
		}
		e, _ := search.New(search.Options{Agent: search.Ply})
		s := &qchess.Server{Searcher: e, Limits: func() engine.Limits { return engine.Limits{Nodes: 50} }}
		var out bytes.Buffer
		if err := s.Serve(context.Background(), strings.NewReader(b.String()), &out); err != nil {
			t.Fatal(err)
		}
	})
}
