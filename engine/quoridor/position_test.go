package quoridor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
)

func TestConform(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, rules := range []quoridor.Rules{quoridor.Default, {Size: 5, Walls: 3}, {Size: 4, Walls: 2}, {Size: 3, Walls: 1}} {
		enginetest.Conform(t, rules, 30)
	}
}

// after returns the start position after the moves.
func after(t *testing.T, rules quoridor.Rules, moves ...string) engine.Position {
	t.Helper()
	pos := rules.Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return pos
}

func TestDiagram(t *testing.T) {
	pos := after(t, quoridor.Rules{Size: 5, Walls: 5}, "B5h", "B4 v", "white:C3 horizontal", "white:c2").(*quoridor.Position)
	board := pos.Board()
	const want = `     A   B   C   D   E   
   +---+---+---+---+---+
 5 |   |   | B |   |   | 5  black walls:  4
   +---+=======+---+---+
 4 |   |   H   |   |   | 4  white walls:  3
   +---+---H---+---+---+
 3 |   |   H   |   |   | 3
   +---+---+=======+---+
 2 |   |   | W |   |   | 2
   +---+---+---+---+---+
 1 |   |   |   |   |   | 1
   +---+---+---+---+---+
     A   B   C   D   E   
`
	if diff := cmp.Diff(want, board.Diagram()); diff != "" {
		t.Error(diff)
	}
	if got, want := pos.String(), "5 b C5/4 C2/3 C3h,B5h,B4v"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestResults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"9 b E9/10 E1/10 -", "ongoing"},
		{"9 w E1/10 E2/10 -", "first wins by goal reached"},
		{"9 b E2/10 E9/10 -", "second wins by goal reached"},
		{"9 b E1/10 E9/10 -", "first wins by goal reached"},
		{"3 b B2/0 B1/0 A3v", "ongoing"},
	} {
		pos, err := quoridor.Default.Position(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := pos.Result().String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
		if pos.String() != c.text {
			t.Errorf("%s reads back as %v", c.text, pos)
		}
	}
}

func TestIllegal(t *testing.T) {
	for _, c := range []struct{ text, move, want string }{
		{"9 b E9/10 E1/10 -", "E7", "black E7: illegal move: the pawn on E9 cannot get there"},
		{"9 b E9/10 E8/10 -", "E8", "black E8: illegal move: the other pawn stands there"},
		{"5 b C5/3 C1/3 -", "E9", "black E9: illegal move: off the board"},
		{"5 b C5/3 C1/3 -", "E3h", "black E3h: illegal move: no wall can be built there"},
		{"5 b C5/3 C1/3 -", "A1v", "black A1v: illegal move: no wall can be built there"},
		{"5 b C5/0 C1/3 -", "B3h", "black B3h: illegal move: no walls left"},
		{"5 b C5/3 C1/3 B3h", "C3h", "black C3h: illegal move: another wall is in the way"},
		{"5 b C5/3 C1/3 B3h", "B3v", "black B3v: illegal move: another wall is in the way"},
		{"5 b C5/3 C1/0 B5v,C5v", "white:B3h", "white B3h: illegal move: no walls left"},
		{"3 b B3/3 B1/3 B3h", "B2v", ""},
		{"4 b C4/3 C1/3 A3h,C2v", "B2h", ""},
		{"4 b C4/3 C1/3 A3h,B3v", "C3h", "black C3h: illegal move: black would have no way to the goal row"},
		{"9 w E1/10 E2/10 -", "E3", `move "E3": illegal move: the game is over, first wins by goal reached`},
		{"9 b E9/10 E1/10 -", "pass", `move "pass": want a cell such as E8, or a wall such as B5h`},
		{"9 b E9/10 E1/10 -", "B5 x", `move "B5 x": orientation "x": want horizontal or vertical`},
		{"9 b E9/10 E1/10 -", "red:B5", `move "red:B5": colour "red": want black or white`},
	} {
		pos, err := quoridor.Default.Position(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		got := ""
		if _, err := pos.Parse(c.move); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.text, c.move, got, c.want)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `position "" has 0 fields: want 5, such as 9 b E9/10 E1/10 -`},
		{"x b E9/10 E1/10 -", `size "x": want a number`},
		{"2 b A2/0 A1/0 -", "size 2: want 3 to 25"},
		{"26 b A2/0 A1/0 -", "size 26: want 3 to 25"},
		{"9 r E9/10 E1/10 -", `side to move: colour "r": want black or white`},
		{"9 b E9 E1/10 -", `black "E9": want a cell and walls such as E9/10`},
		{"9 b J9/1 E1/10 -", `black "J9/1": want a cell and walls such as E9/10`},
		{"9 b E9/10 E1/2147483648 -", `white "E1/2147483648": want 0 to 2147483647 walls after the slash`},
		{"9 b E9/10 E9/10 -", "both pawns stand on E9"},
		{"9 b E9/10 E1/10 E5", `walls: "E5" is no wall: want one such as B5h`},
		{"9 b E9/10 E1/10 E5h,E5v", "walls: black E5v: illegal move: another wall is in the way"},
		{"9 b E9/10 E1/10 E5h,,", `walls: move "": want a cell such as E8, or a wall such as B5h`},
		{"3 b A3/1 C1/1 A3h,B3v,A2h", "walls: black B3v: illegal move: black would have no way to the goal row"},
	} {
		_, err := quoridor.Default.Position(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestEitherSide lets one colour move twice in a row, which the protocol allows.
func TestEitherSide(t *testing.T) {
	pos := after(t, quoridor.Default, "E8", "white:E2", "white:E3", "black:E7")
	if got, want := pos.String(), "9 w E7/10 E3/10 -"; got != want {
		t.Errorf("position %q, want %q", got, want)
	}
	start, moves := pos.History()
	var names []string
	for _, m := range moves {
		names = append(names, start.Format(m))
		var err error
		if start, err = start.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(names, " "), "E8 E2 white:E3 E7"; got != want {
		t.Errorf("moves %q, want %q", got, want)
	}
	if _, err := pos.Play(1); !errors.Is(err, quoridor.ErrIllegal) {
		t.Errorf("move 1: %v", err)
	}
}

// FuzzPosition parses any text: a position that parses must print as text that parses to the same
// position.
func FuzzPosition(f *testing.F) {
	f.Add("9 b E9/10 E1/9 B5h,C3v")
	f.Add("25 w A1/0 Y25/999 X25h")
	f.Add("3 b B2/0 B1/0 A3v")
	f.Fuzz(func(t *testing.T, text string) {
		pos, err := quoridor.Default.Position(text)
		if err != nil {
			return
		}
		again, err := quoridor.Default.Position(pos.String())
		if err != nil || again.String() != pos.String() || again.Key() != pos.Key() {
			t.Fatalf("%q: %v reads back as %v, %v", text, pos, again, err)
		}
		if len(pos.Moves()) == 0 != pos.Result().Over() {
			t.Fatalf("%q: %d moves, %v", text, len(pos.Moves()), pos.Result())
		}
	})
}
