package qchess_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/engine/qchess/search"
	"qhsh/pluginclient/protocol/qchess"
)

func server(t testing.TB, a search.Agent) *qchess.Server {
	e, err := search.New(search.Options{Agent: a, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &qchess.Server{Searcher: e, Name: "ours", Limits: func() engine.Limits { return engine.Limits{Nodes: 500} }}
}

// serve is what an agent writes to an input, and what it warns of.
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

// TestServer: an agent answers requests, each with a line, and nothing else.
func TestServer(t *testing.T) {
	const lone = "BOARD\nwhite king ['king', 'king']at 3,4\nblack king ['king', 'king']at 3,0\nblack pawn ['pawn', 'pawn']at 1,1\n\nEND BOARD\n"
	for _, c := range []struct{ name, input, output, warnings string }{
		{"nothing", "", "", ""},
		{"a colour", "white\nQUIT\n", "", ""},
		{"QUIT with words", "white\nQUIT white BOUNDS 9,9\nSELECTION?\n", "", ""},
		{"updates alone", "black\n3 6 0 pawn\n3 6 -> 3 4\nQUIT black\n", "", ""},
		{"a board", "white\n" + lone + "SELECTION?\nQUIT\n", "3 4\n", ""},
		{"carriage returns", "white\r\n" + strings.ReplaceAll(lone, "\n", "\r\n") + "SELECTION?\r\nQUIT\r\n", "3 4\n", ""},
		{"an unknown line", "white\nBOUNDS 9,9\n" + lone + "SELECTION?\n", "3 4\n", `"BOUNDS 9,9": "BOUNDS 9,9" is no update: want one such as 3 6 0 pawn or 3 6 -> 3 4`},
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

// play plays a game of two clients, as a host does, whose board knows the hidden kinds.
func play(t testing.TB, board rules.Board, source *rand.Rand, clients [2]*qchess.Client, turns int) *rules.Position {
	t.Helper()
	pos := rules.NewPosition(board)
	for range 3 * turns {
		if pos.Result().Over() {
			break
		}
		now := pos.Board()
		s := rules.Step(0)
		if now.Drawing() {
			s = now.DrawOutcome(source)
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

// TestBothEnds: our host and our agents play whole games, and no agent is warned of anything, so
// that both ends have had the same board all along.
func TestBothEnds(t *testing.T) {
	for seed := range uint64(3) {
		var clients [2]*qchess.Client
		for side := range clients {
			s := server(t, search.Ply)
			s.Warn = func(text string) { t.Error(text) }
			clients[side] = dial(t, qchess.InProcess(s), hasty, func(text string) { t.Error(text) })
		}
		source := rand.New(rand.NewPCG(seed, 5))
		board := rules.NewBoard()
		board.Deal(source)
		play(t, board, source, clients, 100)
	}
}

// FuzzServer: whatever is said to an agent, it ends, and writes nothing but squares.
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

// TestForce: what the server says holds, whatever it is.
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
