package qchess_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qchess"
)

// A script returns what an agent writes after a line, or "".
type script func(line string) string

// agent follows a script and exits at QUIT.
func agent(s script) pluginclient.Program {
	return pluginclient.Program{Name: "agent", Start: pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			text := s(lines.Text())
			if text == "die" {
				return errors.New("exit status 1")
			}
			if _, err := io.WriteString(out, text); err != nil || strings.HasPrefix(lines.Text(), qchess.Quit) && text == "" {
				return nil
			}
		}
		return nil
	})}
}

// says returns a script with fixed answers to some lines.
func says(answers map[string]string) script {
	return func(line string) string { return answers[line] }
}

var hasty = pluginclient.Deadlines{
	Start: 10 * time.Second, Reply: 5 * time.Second, Think: 200 * time.Millisecond, Late: 100 * time.Millisecond,
	Abort: 100 * time.Millisecond, Quit: 300 * time.Millisecond,
}

func dial(t *testing.T, p pluginclient.Program, d pluginclient.Deadlines, warn func(string)) *qchess.Client {
	t.Helper()
	c, err := qchess.Dial(t.Context(), p, pluginclient.ClientOptions{Deadlines: d, Warn: warn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// position returns the position after moves from the start.
func position(t *testing.T, moves ...string) engine.Position {
	t.Helper()
	pos := rules.Rules.Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return pos
}

// TestVerdicts: every fault by which an agent loses is reported in the server's words: to the host
// with the agent's name and line, and to the agent by QUIT.
func TestVerdicts(t *testing.T) {
	start, moving := position(t), position(t, "3 6", "0 pawn")
	ask := func(answer string) script { return says(map[string]string{"SELECTION?": answer, "MOVE?": answer}) }
	for _, c := range []struct {
		name string
		pos  engine.Position
		script
		words string // in the result line
		want  string // in the error
		is    error
	}{
		{"a square that is not on the board", start, ask("9 9\n"), "white BOUNDS 9,9", `"9 9"`, pluginclient.ErrIllegal},
		{"with leading zeros", start, ask("009 09 x\n"), "white BOUNDS 9,9", `"009 09 x"`, pluginclient.ErrIllegal},
		{"a number of many digits", start, ask("12345678901234567890 1\n"), "white BOUNDS 12345678901234567890,1", "", pluginclient.ErrIllegal},
		{"nothing", start, ask("3 3\n"), "white EMPTY", `"3 3"`, pluginclient.ErrIllegal},
		{"the other side's piece", start, ask("3 1\n"), "white COLOUR black not white", `"3 1"`, pluginclient.ErrIllegal},
		{"a word", start, ask("hello\n"), `white GIBBERISH "hello"`, `"hello"`, pluginclient.ErrInvalidReply},
		{"a comma", start, ask("3,6\n"), `white GIBBERISH "3,6"`, `"3,6"`, pluginclient.ErrInvalidReply},
		{"a point", start, ask("3.6\n"), `white GIBBERISH "3.6"`, `"3.6"`, pluginclient.ErrInvalidReply},
		{"negative numbers", start, ask("-1 -1\n"), `white GIBBERISH "-1 -1"`, `"-1 -1"`, pluginclient.ErrInvalidReply},
		{"an empty line", start, ask("\n"), `white GIBBERISH ""`, "", pluginclient.ErrInvalidReply},
		{"an illegal move", moving, ask("3 2\n"), "white ILLEGAL move 3,2", `"3 2"`, pluginclient.ErrIllegal},
		{"a move that leaves the board", moving, ask("8 2\n"), "white ILLEGAL move 8,2", `"8 2"`, pluginclient.ErrIllegal},
		{"a word for a move", moving, ask("e4\n"), `white GIBBERISH "e4"`, `"e4"`, pluginclient.ErrInvalidReply},
		{"no answer", start, ask(""), "white TIMEOUT", "no answer", pluginclient.ErrNoReply},
		{"half a line", start, ask("3"), "white TIMEOUT", `"3"`, pluginclient.ErrPartialLine},
		{"death", start, ask("die"), `white GIBBERISH ""`, "died", pluginclient.ErrDied},
		{
			"an answer to the colour", start, says(map[string]string{"white": "hi\n", "SELECTION?": "3 6\n"}),
			`white GIBBERISH "hi"`, `"hi"`, pluginclient.ErrInvalidReply,
		},
		{
			"an answer to an update", moving, says(map[string]string{"3 6 0 pawn": "thanks\n", "MOVE?": "3 4\n"}),
			`white GIBBERISH "thanks"`, `"thanks"`, pluginclient.ErrInvalidReply,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dial(t, agent(c.script), hasty, nil)
			_, err := engine.Best(t.Context(), client, c.pos, engine.Limits{})
			var v *qchess.Verdict
			if !errors.As(err, &v) || v.Result() != c.words || !errors.Is(err, c.is) {
				t.Fatalf("%v, want %s", err, c.words)
			}
			if text := err.Error(); !strings.HasPrefix(text, "agent: ") || !strings.Contains(text, c.words) || !strings.Contains(text, c.want) {
				t.Errorf("the error %s has no %s", text, c.want)
			}
			sent := plugintest.SentLines(client)
			if last := sent[len(sent)-1]; last != ">QUIT "+c.words && !errors.Is(c.is, pluginclient.ErrDied) {
				t.Errorf("sent last: %s", last)
			}
			if state := client.State(); state.Status == pluginclient.StatusRunning {
				t.Error("the agent still runs")
			}
		})
	}
}

// TestTolerance: the client accepts what the server accepts.
func TestTolerance(t *testing.T) {
	for _, answer := range []string{"3 6\n", "  003   006 junk\n", "3 6 0 pawn\n", "3 6\r\n", "\t3\t6\n"} {
		client := dial(t, agent(says(map[string]string{"SELECTION?": answer})), hasty, nil)
		best, err := engine.Best(t.Context(), client, position(t), engine.Limits{})
		if err != nil || position(t).Format(best[0].Move()) != "@36" {
			t.Errorf("%q: %v, %v", answer, best, err)
		}
	}
}

// TestGame: within a game the agent gets each event once, and the result; another game has a new
// process.
func TestGame(t *testing.T) {
	answers := says(map[string]string{"SELECTION?": "3 6\n", "MOVE?": "3 4\n"})
	client := dial(t, agent(answers), hasty, func(text string) { t.Error(text) })
	for _, moves := range [][]string{
		{},
		{"3 6", "0 pawn"},
		{"3 6", "0 pawn", "3 4", "3 1", "0 pawn", "3 3"},
		{},
	} {
		if _, err := engine.Best(t.Context(), client, position(t, moves...), engine.Limits{}); err != nil {
			if !errors.Is(err, pluginclient.ErrIllegal) || len(moves) != 6 {
				t.Fatal(err)
			}
		}
	}
	client.Close()
	want := []string{
		"~white", ">SELECTION?", "~3 6 0 pawn", ">MOVE?", "~3 6 -> 3 4", "~3 1 0 pawn", "~3 1 -> 3 3", ">SELECTION?",
		">QUIT white EMPTY", "~white", ">SELECTION?", ">QUIT",
	}
	if diff := cmp.Diff(want, plugintest.SentLines(client)); diff != "" {
		t.Error(diff)
	}
}

// TestResult: the agent gets the result of the game.
func TestResult(t *testing.T) {
	pos, err := rules.Rules.Position("w rr0@00,-,-,kk@77,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pn@11,-,-,-,-,-,-,- -")
	if err != nil {
		t.Fatal(err)
	}
	client := dial(t, boardAgent(), hasty, nil)
	for _, want := range []string{"@00", "00-30"} {
		best, err := engine.Best(t.Context(), client, pos, engine.Limits{})
		if err != nil || pos.Format(best[0].Move()) != want {
			t.Fatalf("%v, %v; want %s", best, err, want)
		}
		if pos, err = pos.Play(best[0].Move()); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.CheckResult(t.Context(), pos); err != nil {
		t.Error(err)
	}
	sent := plugintest.SentLines(client)
	if diff := cmp.Diff([]string{">MOVE?", "~0 0 -> 3 0", ">QUIT white"}, sent[len(sent)-3:]); diff != "" {
		t.Error(diff)
	}
}

// TestFault: both agents get the server's result line of the side at fault, one that was not asked yet
// after its side and the moves.
func TestFault(t *testing.T) {
	bounds := &qchess.Verdict{Side: rules.Black, Words: "BOUNDS 9,9", Err: pluginclient.ErrIllegal}
	late := errors.New("no move after 1s")
	asked := []string{"~white", ">SELECTION?"}
	moves := []string{"~3 6 0 pawn", "~3 6 -> 3 4"}
	for _, c := range []struct {
		name  string
		asked bool
		side  engine.Turn
		moves []string
		fault error
		want  []string
	}{
		{"the opponent's answer", true, rules.White, []string{"3 6", "0 pawn", "3 4"}, fmt.Errorf("other: %w", bounds), append(moves, ">QUIT black BOUNDS 9,9")},
		{"the opponent has died", true, rules.White, []string{"3 6", "0 pawn", "3 4"}, pluginclient.ErrDied, append(moves, `>QUIT black GIBBERISH ""`)},
		{"the opponent is late", true, rules.White, []string{"3 6", "0 pawn", "3 4"}, late, append(moves, ">QUIT black TIMEOUT")},
		{"the agent is late", true, rules.White, nil, late, []string{">QUIT white TIMEOUT"}},
		{"not asked yet", false, rules.Black, nil, late, []string{"~black", ">QUIT white TIMEOUT"}},
		{"not asked yet, after moves", false, rules.White, []string{"3 6", "0 pawn", "3 4"}, late, append([]string{"~white"}, append(moves, ">QUIT black TIMEOUT")...)},
	} {
		client := dial(t, agent(says(map[string]string{"SELECTION?": "3 6\n"})), pluginclient.Deadlines{}, nil)
		want := c.want
		if c.asked {
			if _, err := engine.Best(t.Context(), client, position(t), engine.Limits{}); err != nil {
				t.Fatal(err)
			}
			want = append(slices.Clone(asked), want...)
		}
		if err := client.EndByFault(t.Context(), position(t, c.moves...), c.side, c.fault); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(want, plugintest.SentLines(client)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// boardAgent obeys BOARD: it selects the first piece of its side, and moves it to the square of
// Black's king at the start, or else to the first possible square.
func boardAgent() pluginclient.Program {
	var board rules.Board
	var side engine.Turn
	var pieces []string
	reading, king := false, rules.SquareAt(3, 0)
	return agent(func(line string) string {
		switch {
		case line == "BOARD":
			reading, pieces = true, nil
		case line == "END BOARD":
			reading = false
			board, _ = rules.ParseServerLines(pieces)
			board.SetTurn(side)
		case reading:
			pieces = append(pieces, line)
		case line == "white" || line == "black":
			side, _ = rules.ParseColour(line)
		case line == "SELECTION?" || line == "MOVE?":
			to := board.AppendSteps(nil)[0].Square()
			if board.Destinations()>>king&1 == 1 {
				to = king
			}
			return fmt.Sprintf("%d %d\n", to.X(), to.Y())
		default:
			if u, err := rules.ParseUpdate(line); err == nil {
				_, _ = board.Apply(u)
			}
		}
		return ""
	})
}

// TestBoard: a position that is not reached from the start is sent by BOARD, unless the agent
// ignores that.
func TestBoard(t *testing.T) {
	const text = "b r?@07,-,-,kk@77,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pn@11,-,-,-,-,-,-,- -"
	pos, err := rules.Rules.Position(text)
	if err != nil {
		t.Fatal(err)
	}
	client := dial(t, boardAgent(), hasty, nil)
	best, err := engine.Best(t.Context(), client, pos, engine.Limits{})
	if err != nil || pos.Format(best[0].Move()) != "@30" {
		t.Fatalf("%v, %v", best, err)
	}
	sent := plugintest.SentLines(client)
	at := slices.Index(sent, "~black")
	want := []string{
		"~black", "~BOARD", "~white unknown ['rook', 'unknown']at 0,7", "~black unknown ['pawn', 'knight']at 1,1",
		"~black king ['king', 'king']at 3,0", "~white king ['king', 'king']at 7,7", "~", "~END BOARD", ">SELECTION?",
	}
	if diff := cmp.Diff(want, sent[at:]); diff != "" {
		t.Error(diff)
	}
	deaf := dial(t, agent(says(map[string]string{"SELECTION?": "3 6\n"})), hasty, nil)
	for range 2 {
		_, err = engine.Best(t.Context(), deaf, pos, engine.Limits{})
		if !errors.Is(err, pluginclient.ErrRefused) || !strings.Contains(err.Error(), "agent: ") || !strings.Contains(err.Error(), "the agent ignores BOARD, so it can only play games from the usual start") {
			t.Errorf("an agent that ignores BOARD: %v", err)
		}
	}
}

// TestIgnoresQuit: an agent that does not exit is killed, with a warning.
func TestIgnoresQuit(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := pluginclient.Command{Path: exe, Env: append(os.Environ(), deafTo+"=1")}
	var warnings []string
	client := dial(t, pluginclient.Program{Name: "stubborn", Start: cmd.Start}, pluginclient.Deadlines{Quit: 200 * time.Millisecond}, func(text string) {
		warnings = append(warnings, text)
	})
	if _, err := engine.Best(t.Context(), client, position(t), engine.Limits{}); err != nil {
		t.Fatal(err)
	}
	client.Forget()
	if diff := cmp.Diff([]string{"stubborn: did not exit within 200ms after QUIT, and was killed"}, warnings); diff != "" {
		t.Error(diff)
	}
}

// TestLimits: what the protocol cannot express is an error.
func TestLimits(t *testing.T) {
	client := dial(t, agent(says(map[string]string{"SELECTION?": "3 6\n"})), hasty, nil)
	for _, lim := range []engine.Limits{{Nodes: 1}, {Depth: 1}, {Level: 1}} {
		var refused *engine.LimitError
		if _, err := engine.Best(t.Context(), client, position(t), lim); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", lim, err)
		}
	}
	m, _ := position(t).Parse("3 6")
	if _, err := engine.Best(t.Context(), client, position(t), engine.Limits{Ban: []engine.Move{m}}); !errors.Is(err, pluginclient.ErrRefused) {
		t.Errorf("a banned move: %v", err)
	}
	if _, err := engine.Best(t.Context(), client, position(t, "3 6"), engine.Limits{}); !errors.Is(err, engine.ErrNoMove) {
		t.Errorf("at chance's turn: %v", err)
	}
}

// TestRaw: the server's lines are sent unchanged, and the board follows them.
func TestRaw(t *testing.T) {
	client := dial(t, agent(says(map[string]string{"SELECTION?": "3 6\n", "MOVE?": "3 4\n"})), hasty, nil)
	for _, c := range []struct{ line, answer, standing string }{
		{"white", "", rules.Rules.Start().String()},
		{"SELECTION?", "3 6", rules.Rules.Start().String()},
		{"3 6 0 pawn", "", position(t, "3 6", "0 pawn").String()},
		{"MOVE?", "3 4", position(t, "3 6", "0 pawn").String()},
		{"3 6 -> 3 4", "", position(t, "3 6", "0 pawn", "3 4").String()},
		{"black", "", rules.Rules.Start().String()},
		{"QUIT black", "", rules.Rules.Start().String()},
	} {
		answer, err := client.Raw(t.Context(), c.line)
		if err != nil || strings.Join(answer, "|") != c.answer || client.Position().String() != c.standing {
			t.Errorf("%s: %q, %v, at %v", c.line, answer, err, client.Position())
		}
	}
	if _, err := client.Raw(t.Context(), "SELECTION?"); !errors.Is(err, pluginclient.ErrNotRunning) {
		t.Errorf("after QUIT: %v", err)
	}
}
