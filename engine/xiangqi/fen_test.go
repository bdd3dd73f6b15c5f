package xiangqi

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"qhsh/engine/printable"
)

func TestParseFEN(t *testing.T) {
	const board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
	tests := []struct{ name, text, want string }{
		{"whole", board + " b - - 3 17", board + " b - - 3 17"},
		{"board alone", board, board + " w - - 0 1"},
		{"side alone", board + " b", board + " b - - 0 1"},
		{"red as r", board + " r", board + " w - - 0 1"},
		{"sides in upper case", board + " B", board + " b - - 0 1"},
		{"red in upper case", board + " R - - 0 1", board + " w - - 0 1"},
		{"letters of QHPLUGIN", "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w", board + " w - - 0 1"},
		{"g for elephants", "rngakagnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNGAKAGNR w", board + " w - - 0 1"},
		{"mixed letters", "rnbakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHBAKAGNR w", board + " w - - 0 1"},
		{"a field too many", board + " b - - - 1", board + " b - - 0 1"},
		{"a counter and a field too many", board + " b - - - 12", board + " b - - 0 12"},
		{"no counters", board + " b - -", board + " b - - 0 1"},
		{"one counter", board + " w - - 7", board + " w - - 7 1"},
		{"operations of an EPD", board + " w - - bm e7e8; dm 1;", board + " w - - 0 1"},
		{"counts of an EPD", board + " w - - 0 1 ;D1 44 ;D2 1920", board + " w - - 0 1"},
		{"counters that cannot be", board + " w - - -3 0", board + " w - - 0 1"},
		{"counters with signs", board + " w - - +3 +7", board + " w - - 0 1"},
		{"counters beyond all measure", board + " w - - 99999999999999999999 123456", board + " w - - 9999 99999"},
		{"without the unused fields, as XBoard", board + " w 7 12", board + " w - - 7 12"},
		{"largest counters", board + " w - - 9999 99999", board + " w - - 9999 99999"},
		{"counters in quotes", board + ` w - - "1" 2.0`, board + " w - - 0 1"},
		{"full-width digits", board + " w - - １ ２", board + " w - - 0 1"},
		{"white space", " \t" + board + "   b  -\t- 1  2 \r\n", board + " b - - 1 2"},
		{"byte order mark", "\ufeff" + board + " w - - 0 1", board + " w - - 0 1"},
		{"empty points in two digits", strings.Replace(board, "9", "45", 2) + " w", board + " w - - 0 1"},
		{"empty points one by one", strings.Replace(board, "1c5c1", "1c11111c1", 1) + " w", board + " w - - 0 1"},
		{"kings alone", "3k5/9/9/9/9/9/9/9/9/4K4 b", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"},
		{"to move in check", "3k5/9/9/9/9/9/9/9/9/3RK4 b", "3k5/9/9/9/9/9/9/9/9/3RK4 b - - 0 1"},
		{"pawns at their ends", "P2k4P/9/9/9/9/9/9/9/9/p3K3p w", "P2k4P/9/9/9/9/9/9/9/9/p3K3p w - - 0 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := ParseFEN(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.FEN(); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
			}
			if p.String() != p.FEN() {
				t.Errorf("String is %q", p.String())
			}
		})
	}
}

func TestParseFENErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "empty FEN: want a board such as rnbakabnr/9/1c5c1/..."},
		{" \t\n", "empty FEN: want a board such as rnbakabnr/9/1c5c1/..."},
		{"hello", "1 rank instead of 10"},
		{"9/9/9/9/9/9/9/9/9", "9 ranks instead of 10"},
		{"9/9/9/9/9/9/9/9/9/9/9", "11 ranks instead of 10"},
		{strings.Repeat("9/", 1_000_000), "more than 11 ranks instead of 10"},
		{"4k4/9/8/9/9/9/9/9/9/3K5 w", "rank 7: 8 files instead of 9"},
		{"4k4/9/9/9/9/9/9/9/9/3K6 w", "rank 0: 10 files instead of 9"},
		{"4k4/9//9/9/9/9/9/9/3K5 w", "rank 7: 0 files instead of 9"},
		{"4k4/9/1/9/9/9/9/9/9/3K5 w", "rank 7: 1 file instead of 9"},
		{"4k4/99999/9/9/9/9/9/9/9/3K5 w", "rank 8: 45 files instead of 9"},
		{"4k4/9/9/9/9/rrrrrrrrrr/9/9/9/3K5 w", "rank 4: 10 files instead of 9"},
		{"4k4/9/9/9/9/9/2x6/9/9/3K5 w", `rank 3, file C: unknown letter "x"`},
		{"4k4/9/9/9/9/9/0k8/9/9/3K5 w", `rank 3, file A: unknown letter "0"`},
		{"4k4/9/9/9/9/9/9-/9/9/3K5 w", `rank 3: unknown letter "-"`},
		{"4k4/9/9/9/9/9/8車/9/9/3K5 w", `rank 3, file I: unknown letter "車"`},
		{"4k4/9/9/9/9/9/8\x1b/9/9/3K5 w", `rank 3, file I: unknown letter "\x1b"`},
		{"4k4/9/9/9/9/9/8\xff/9/9/3K5 w", `rank 3, file I: unknown letter "\xff"`},
		{"4k4/9/9/9/9/9/9/9/9/3K5 x", `side "x": want w, r or b`},
		{"4k4/9/9/9/9/9/9/9/9/3K5 -", `side "-": want w, r or b`},
		{"4k4/9/9/9/9/9/9/9/9/3K5 " + strings.Repeat("white", 1000), `side "whitewhitewhitewhitewhitewhitewhitewhite...": want w, r or b`},
		{"4k4/9/9/9/9/9/9/9/9/3K5 a" + strings.Repeat("車", 1000), `side "a車車車車車車車車車車車車車...": want w, r or b`},
		{"4k4/9/9/9/9/9/9/9/9/3K5 \x00\x1b[2J", `side "\x00\x1b[2J": want w, r or b`},
		{"9/9/9/9/9/9/9/9/9/3K5 w", "no black king"},
		{"4k4/9/9/9/9/9/9/9/9/9 w", "no red king"},
		{"4k4/9/9/9/9/9/9/9/9/3KK4 w", "two red kings"},
		{"3kkk3/9/9/9/9/9/9/9/9/3K5 w", "3 black kings"},
		{"4k4/9/9/9/9/9/9/9/9/K8 w", "red king on A0 outside its palace"},
		{"4K4/9/9/9/9/9/9/9/9/3k5 w", "red king on E9 outside its palace"},
		{"9/9/9/3k5/9/9/9/9/9/4K4 w", "black king on D6 outside its palace"},
		{"4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other on file E"},
		{"4k4/9/9/9/9/9/RRR6/9/9/3K5 w", "3 red rooks: at most 2"},
		{"4k4/9/hhhh5/9/9/9/9/9/9/3K5 w", "4 black horses: at most 2"},
		{"2b1k1b2/9/b8/9/9/9/9/9/9/3K5 w", "3 black elephants: at most 2"},
		{"4k4/9/9/9/9/9/9/3A1A3/4A4/3K5 w", "3 red advisors: at most 2"},
		{"4k4/9/9/9/9/9/CCC6/9/9/3K5 w", "3 red cannons: at most 2"},
		{"4k4/9/9/ppppppp2/9/9/9/9/9/3K5 w", "7 black pawns: at most 5"},
		{"3bk4/9/9/9/9/9/9/9/9/3K5 w", "black elephant on D9: it can never stand there"},
		{"4k4/9/9/9/9/2b6/9/9/9/3K5 w", "black elephant on C4: it can never stand there"},
		{"4k4/9/9/9/9/9/9/9/A8/3K5 w", "red advisor on A1: it can never stand there"},
		{"4k4/9/9/9/9/9/1P7/9/9/3K5 w", "red pawn on B3: it can never stand there"},
		{"4k4/9/9/9/9/9/9/P8/9/3K5 w", "red pawn on A2: it can never stand there"},
		{"4k4/8p/9/9/9/9/9/9/9/3K5 w", "black pawn on I8: it can never stand there"},
		{"3k5/9/9/9/9/9/9/9/9/3RK4 w", "black is in check and red is to move"},
		{"4k4/9/9/9/9/9/9/4p4/4K4/9 b", "red is in check and black is to move"},
		{"3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w - - 0 1", "black pawn on I7: it can never stand there"},
	}
	for _, test := range tests {
		p, err := ParseFEN(test.text)
		switch {
		case err == nil:
			t.Errorf("%.80q: read as %v, want error %q", test.text, p, test.want)
		case err.Error() != test.want:
			t.Errorf("%.80q:\n got %s\nwant %s", test.text, err, test.want)
		}
	}
	if _, err := Rules.Position("9"); err == nil {
		t.Error("Rules.Position accepts a board of one rank")
	}
}

// TestRemark: what a FEN has that is neither usual nor missing is said, and so is a clock beyond the
// limits of the rules.
func TestRemark(t *testing.T) {
	const board = "4ka3/4a4/4b4/9/9/9/9/4B4/4A4/R3KA3"
	for _, test := range []struct{ fen, moves, want string }{
		{board, "", ""},
		{board + " b", "", ""},
		{board + " w - -", "", ""},
		{board + " w - - 0 1", "", ""},
		{board + " w 7 12", "", ""},
		{board + " b - - - 1", "", ""}, // from a real host
		{board + " w - - 007 1 -", "", ""},
		{board + " w - - 100 1", "", ""},
		{board + " w - - 101 1", "", "101 plies without a capture: a draw at 100 (asian, wxf)"},
		{board + " w - - 100 1", "a0a1", "101 plies without a capture: a draw at 100 (asian, wxf)"},
		{board + " w - - 120 1", "", "120 plies without a capture: a draw at 100 (asian, wxf)"},
		{board + " w - - 250 1", "", "250 plies without a capture: a draw at 100 (asian, wxf) or 120 (chinese, computer)"},
		{board + " w - - 250 1", "a0a9 e8d9 a9d9", ""},
		{checking, strings.Repeat(checkingMoves+" ", 29) + "e6f6 f9e9", ""},
		{checking, strings.Repeat(checkingMoves+" ", 31), "124 plies without a capture: a draw at 120 (chinese)"},
		{
			board + " w - - 99999 1", "",
			`halfmove clock "99999" is read as 9999: want 0 to 9999; 9999 plies without a capture: a draw at 100 (asian, wxf) or 120 (chinese, computer)`,
		},
		{board + " w - - 99999999999999999999 1", "a0a9 e8d9 a9d9", `halfmove clock "99999999999999999999" is read as 9999: want 0 to 9999`},
		{board + " w - - -3 1", "", `halfmove clock "-3" is read as 0: want 0 to 9999`},
		{board + " w - - +3 1", "a0a1 e9d9", `halfmove clock "+3" is read as 0: want 0 to 9999`},
		{board + " w - - 3.5 1", "", `halfmove clock "3.5" is read as 0: want 0 to 9999`},
		{board + " w - - 3 0", "", `move number "0" is read as 1: want 1 to 99999`},
		{board + " w - - 3 100000", "", `move number "100000" is read as 99999: want 1 to 99999`},
		{board + " w KQkq - 3 1", "", `field 3 of the FEN is ignored: "KQkq"`},
		{board + " w - e3 3 1 h2e2 h9g7", "", `field 4 of the FEN is ignored: "e3"; field 7 of the FEN is ignored: "h2e2"`},
		{board + " w 7", "", `field 3 of the FEN is ignored: "7"`},
		{board + " w \x1b[2J", "", `field 3 of the FEN is ignored: "\x1b[2J"`},
	} {
		p, err := ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := playAll(t, p, strings.Fields(test.moves)...).Remark(); got != test.want {
			t.Errorf("%s, after %q:\n got %s\nwant %s", test.fen, test.moves, got, test.want)
		}
	}
}

func TestWireFEN(t *testing.T) {
	p := parse(t, "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R b - - 3 2")
	if got, want := p.WireFEN(), "r1eakae1r/9/1ch4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4HC1/9/RHEAKAE1R b"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	back := parse(t, p.WireFEN())
	if back.Key() != p.Key() {
		t.Errorf("%s reads back as another position", p.WireFEN())
	}
}

// dataFile returns a file of $QHSH_DATA; without it the test is skipped.
func dataFile(t *testing.T, name string) string {
	t.Helper()
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		t.Skip("QHSH_DATA is not set: it names the folder of collected positions and games")
	}
	return filepath.Join(data, filepath.FromSlash(name))
}

// TestRealFENs reads positions written by other programs.
func TestRealFENs(t *testing.T) {
	files := []string{
		"positions/bestmoves.epd", "positions/fens999.txt", "openings/xiangqi.epd", "perft/perft.epd",
		"mates/classic.epd", "mates/real-games.epd",
	}
	for _, name := range files {
		t.Run(name, func(t *testing.T) {
			lines := readLines(t, dataFile(t, name))
			for i, line := range lines {
				checkRealFEN(t, i+1, line)
			}
			t.Logf("%d positions", len(lines))
		})
	}
}

// checkRealFEN compares the board, the side to move and, if both FENs have them, the counters.
func checkRealFEN(t *testing.T, line int, text string) {
	t.Helper()
	p, err := ParseFEN(text)
	if err != nil {
		t.Errorf("line %d: %s: %v", line, text, err)
		return
	}
	want := strings.Fields(text)
	got := strings.Fields(p.FEN())
	n := 2
	if len(want) >= 6 && isNumber(want[4]) && isNumber(want[5]) {
		n = 6
	}
	if strings.Join(got[:n], " ") != strings.Join(want[:n], " ") {
		t.Errorf("line %d: %s printed as %s", line, text, p.FEN())
	}
}

func TestRealRuleFENs(t *testing.T) {
	refused := map[string]string{
		"wxf-orange-103": "black pawn on I7: it can never stand there",
	}
	for _, name := range []string{"rules/repetition-cases.jsonl", "rules/protected-piece.jsonl"} {
		for i, line := range readLines(t, dataFile(t, name)) {
			var c struct{ ID, FEN string }
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			want, bad := refused[c.ID]
			if !bad {
				checkRealFEN(t, i+1, c.FEN)
			} else if _, err := ParseFEN(c.FEN); err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", c.ID, err, want)
			}
		}
	}
}

// FuzzFEN parses any text: a position that parses must print as a FEN
// that parses to the same position.
func FuzzFEN(f *testing.F) {
	for _, text := range []string{
		StartFEN,
		"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - - 1",
		"2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w - - bm e7e8; dm 1;",
		"4k4/9/9/9/9/9/9/9/9/3K5 \x1b",
		"9/9/9/9/9/9/9/9/9/9/9/9/9/9",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseFEN(text)
		if err != nil {
			checkMessage(t, err.Error())
			return
		}
		back, err := ParseFEN(p.FEN())
		if err != nil {
			t.Fatalf("%q prints as %q: %v", text, p.FEN(), err)
		}
		if back.state != p.state || back.FEN() != p.FEN() {
			t.Fatalf("%q prints as %q and then as %q", text, p.FEN(), back.FEN())
		}
		if wire, err := ParseFEN(p.WireFEN()); err != nil || wire.Key() != p.Key() {
			t.Fatalf("%q is sent as %q: %v", text, p.WireFEN(), err)
		}
		if remark := p.Remark(); remark != "" && printable.Line(remark) != remark {
			t.Errorf("%q: the remark %q is not a line of text", text, remark)
		}
		p.Result()
		p.Diagram()
		perft(p.Board(), 2, new(atomic.Bool))
	})
}

// checkMessage requires an error to be one short line without control characters.
func checkMessage(t *testing.T, message string) {
	t.Helper()
	if message == "" || len(message) > 250 {
		t.Errorf("message of %d bytes: %.80q", len(message), message)
	}
	for _, r := range message {
		if r < ' ' || r == 0x7f {
			t.Errorf("message with a control character: %q", message)
		}
	}
}

// TestIllegalFEN: a position that no game can reach can be parsed and shown, and no move in it
// captures a king.
func TestIllegalFEN(t *testing.T) {
	for _, fen := range []string{
		"3k5/9/9/9/9/9/9/9/9/3RK4 w - - 0 1",
		"4k4/9/9/9/9/9/9/4p4/4K4/9 b - - 0 1",
		"4k4/9/4P4/4C4/3N5/9/9/9/4p4/R2AK4 w - - 0 1",
		"4k4/4P4/9/9/9/9/9/9/9/3K5 w - - 0 1",
		"4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", // the kings face each other
	} {
		var illegal *IllegalError
		if _, err := ParseFEN(fen); !errors.As(err, &illegal) {
			t.Errorf("%s: error %v", fen, err)
			continue
		}
		p := illegal.Position
		if p.FEN() != fen {
			t.Errorf("%s is read as %s", fen, p)
		}
		b := p.Board()
		listed := b.AppendMoves(nil)
		for m := range endMove {
			if legal := b.Legal(m); legal != slices.Contains(listed, m) || legal && b.At(m.To()).Kind() == King {
				t.Errorf("%s: %v is legal: %v", fen, m, legal)
			}
		}
		for _, m := range listed {
			next, err := p.PlayMove(m)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseFEN(next.FEN()); err != nil {
				t.Errorf("%s, %v: %v", fen, m, err)
			}
		}
	}
}
