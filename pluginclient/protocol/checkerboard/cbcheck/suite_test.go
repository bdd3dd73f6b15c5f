package cbcheck_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/checkers"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
	"qhsh/pluginclient/protocol/checkerboard/abi"
	"qhsh/pluginclient/protocol/checkerboard/cbcheck"
	"qhsh/pluginclient/task/check"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// A library plays the first legal move at the end of its time. It speaks as the process of a
// library does. The other fields are its faults.
type library struct {
	variant checkers.Variant
	exports string                                   // if not empty, replaces the list of functions
	replies map[string]string                        // to enginecommand, instead of the correct replies
	answer  func(given, board, cbmove string) string // to getmove, instead of "BOARD CBMOVE STATUS"
	legal   func(legal bool, answer string) string   // to islegal, instead of answer
	slow    time.Duration                            // time beyond the limit
	deaf    bool                                     // ignores playnow
}

func (l *library) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	exports := l.exports
	if exports == "" {
		exports = "ready getmove enginecommand islegal"
	}
	fmt.Fprintln(out, exports)
	for line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case checkerboard.Command:
			fmt.Fprintln(out, l.command(rest))
		case checkerboard.IsLegal:
			fmt.Fprintln(out, l.islegal(strings.Fields(rest)))
		case checkerboard.GetMove:
			l.getmove(strings.Fields(rest), lines, out)
		case "quit":
			return nil
		}
	}
	return nil
}

func (l *library) command(text string) string {
	if reply, ok := l.replies[text]; ok {
		return reply
	}
	switch text {
	case "name", "about":
		return "1 Fake"
	case "get protocolversion":
		return "1 2"
	case "get gametype":
		return fmt.Sprintf("1 %d", l.variant.GameType())
	}
	return "0 ?"
}

// read returns the position of a request.
func (l *library) read(color, board string) checkers.Board {
	turn := checkers.Black
	if color == strconv.Itoa(abi.White) {
		turn = checkers.White
	}
	given, _ := abi.ParseBoard(board)
	b, _ := given.Read(l.variant, turn)
	return b
}

// islegal answers a request with the words COLOR FROM TO BOARD.
func (l *library) islegal(words []string) string {
	b := l.read(words[0], words[3])
	legal, answer := false, "0 -"
	for _, m := range b.AppendMoves(nil) {
		if strconv.Itoa(l.variant.Number(m.From())) == words[1] && strconv.Itoa(l.variant.Number(m.To())) == words[2] {
			move := abi.MoveOf(&b, m)
			legal, answer = true, "1 "+move.Wire()
		}
	}
	if l.legal != nil {
		return l.legal(legal, answer)
	}
	return answer
}

// getmove answers a request with the words COLOR SECONDS INFO MOREINFO BOARD.
func (l *library) getmove(words []string, lines <-chan string, out io.Writer) {
	b := l.read(words[0], words[4])
	m := b.AppendMoves(nil)[0]
	move := abi.MoveOf(&b, m)
	b.Do(m)
	board := abi.BoardOf(&b)
	answer := fmt.Sprintf("%s %s thinking", board.Wire(), move.Wire())
	if l.answer != nil {
		answer = l.answer(words[4], board.Wire(), move.Wire())
	}
	seconds, _ := strconv.ParseFloat(words[1], 64)
	end := time.After(time.Duration(seconds*float64(time.Second)) + l.slow)
	for waiting := true; waiting; {
		select {
		case <-end:
			waiting = false
		case line, ok := <-lines:
			waiting = ok && (l.deaf || line != checkerboard.PlayNow)
		}
	}
	fmt.Fprintln(out, "move 3 0 "+answer)
}

// TestSuite compares the checks that each library fails.
func TestSuite(t *testing.T) {
	const all = "start.exports"
	for _, c := range []struct {
		name string
		lib  library
		want string
	}{
		{name: "english"},
		{name: "italian", lib: library{variant: checkers.Italian}},
		{name: "spanish", lib: library{variant: checkers.Spanish}},
		{name: "russian", lib: library{variant: checkers.Russian}},
		{name: "brazilian", lib: library{variant: checkers.Brazilian}},
		{name: "no library", lib: library{exports: "error no such file"}, want: all},
		{name: "english without islegal", lib: library{exports: "ready getmove enginecommand"}},
		{name: "russian without islegal", lib: library{variant: checkers.Russian, exports: "ready getmove enginecommand"}, want: "islegal.exported"},
		{name: "game type", lib: library{replies: map[string]string{"get gametype": "1 23"}}, want: "command.gametype"},
		{name: "no game type", lib: library{replies: map[string]string{"get gametype": "0 "}}},
		{name: "no name", lib: library{replies: map[string]string{"name": "1 "}}, want: "command.name"},
		{name: "no about", lib: library{replies: map[string]string{"about": "0 "}}, want: "command.about"},
		{name: "version", lib: library{replies: map[string]string{"get protocolversion": "1 1"}}, want: "command.protocolversion"},
		{name: "understands all", lib: library{replies: map[string]string{"no such command": "1 ?"}}, want: "command.unknown"},
		{name: "all is legal", lib: library{legal: func(_ bool, answer string) string { return "1" + answer[1:] }}, want: "islegal.moves"},
		{name: "nothing is legal", lib: library{legal: func(bool, string) string { return "0 -" }}, want: "islegal.moves"},
		{name: "no board", lib: library{variant: checkers.Russian, answer: func(given, _, cbmove string) string { return given + " " + cbmove + " x" }}, want: "getmove.board"},
		{name: "no CBmove", lib: library{variant: checkers.Russian, answer: func(_, board, _ string) string { return board + " - x" }}, want: "getmove.cbmove"},
		{name: "no CBmove in English", lib: library{answer: func(_, board, _ string) string { return board + " - x" }}},
		{name: "no move", lib: library{answer: func(given, _, _ string) string { return given + " - x" }}, want: "getmove.legal"},
		{name: "no status", lib: library{answer: func(_, board, cbmove string) string { return board + " " + cbmove }}, want: "getmove.status"},
		{name: "late", lib: library{slow: 200 * time.Millisecond}, want: "getmove.exact"},
		{name: "very late", lib: library{slow: 2 * time.Second}, want: "getmove.time getmove.exact"},
		{name: "slow", lib: library{slow: 20 * time.Second}, want: "getmove.time getmove.exact"},
		{name: "deaf", lib: library{deaf: true}, want: "getmove.playnow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				program := pluginclient.Program{Name: "fake", Start: pluginclient.Pipe(c.lib.serve)}
				report, err := check.Run(t.Context(), cbcheck.Suite(program, nil), check.Options{Budget: 10 * check.DefaultBudget})
				if err != nil {
					t.Fatal(err)
				}
				var failed []string
				for _, r := range report.Results {
					if r.Verdict == check.Failed || r.Verdict == check.Advised {
						failed = append(failed, r.Name)
						t.Logf("%s: expected %s, got %s %s", r.Name, r.Expected, r.Got, r.Reason)
					}
				}
				if diff := cmp.Diff(c.want, strings.Join(failed, " ")); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}
