package xiangqi

import (
	"strings"
	"testing"
)

// checking has moves with which Red gives check and Black evades, repeated without end.
const (
	checking      = "5k3/9/9/4R4/9/9/9/9/9/3K5 w - - 0 1"
	checkingMoves = "e6f6 f9e9 f6e6 e9f9"
)

func TestQuietPlies(t *testing.T) {
	tests := []struct {
		name, fen, moves string
		all, counted     int // plies without progress; counted leaves out checks after the first 10
	}{
		{"start", StartFEN, "", 0, 0},
		{"no checks", StartFEN, "h2e2 h9g7 b2c2", 3, 3},
		{"the FEN's", "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 33 60", "a1a2 d9d8", 35, 35},
		{"a capture", "3k5/9/9/9/9/9/9/p8/R8/5K3 w - - 33 60", "a1a2 d9d8", 1, 1},
		{"10 checks", checking, strings.Repeat(checkingMoves+" ", 5), 20, 20},
		{"11 checks", checking, strings.Repeat(checkingMoves+" ", 5) + "e6f6", 21, 20},
		{"11 checks and the reply", checking, strings.Repeat(checkingMoves+" ", 5) + "e6f6 f9e9", 22, 20},
		{"12 checks, then none", checking, strings.Repeat(checkingMoves+" ", 6) + "e6e5 f9f8", 26, 22},
		{"checks before a capture", "5k3/9/9/4R4/9/9/9/9/p8/R2K5 w", strings.Repeat(checkingMoves+" ", 6) + "a0a1 f9f8 e6e5", 2, 2},
	}
	for _, test := range tests {
		p := playAll(t, mustParse(test.fen), strings.Fields(test.moves)...)
		if all, counted := p.Board().quietPlies(0), p.Board().quietPlies(10); all != test.all || counted != test.counted {
			t.Errorf("%s: %d plies, %d counted; want %d, %d", test.name, all, counted, test.all, test.counted)
		}
	}
}

// TestMoveLimit: the draw takes effect only after the last ply, and checkmate takes precedence.
func TestMoveLimit(t *testing.T) {
	tests := []struct {
		rules     RuleSet
		fen, move string
		want      string
	}{
		{Asian, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 98 60", "a1a2", "none"},
		{Asian, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 99 60", "a1a2", "draw by 50-move limit"},
		{WXF, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 99 60", "a1a2", "draw by 50-move limit"},
		{Chinese, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 99 60", "a1a2", "none"},
		{Chinese, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 60", "a1a2", "draw by 60-move limit"},
		{Computer, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 118 60", "a1a2", "none"},
		{Computer, "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 60", "a1a2", "draw by 60-move limit"},
		{Asian, "3k5/9/9/9/9/9/9/p8/R8/5K3 w - - 99 60", "a1a2", "none"},
		{Asian, "3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 99 60", "a1a9", "loss by checkmate"},
	}
	for _, test := range tests {
		p := playAll(t, mustParse(test.fen), test.move)
		ruling := test.rules.Judge(p)
		if got := ruling.Verdict(); got != test.want {
			t.Errorf("%v, %s and %s: %s, want %s", test.rules, test.fen, test.move, got, test.want)
		}
	}
}

// TestLackOfAttackers: without rooks, horses, cannons and pawns the game is drawn.
func TestLackOfAttackers(t *testing.T) {
	tests := []struct {
		name, fen       string
		others, machine bool // a draw under the other rule sets; under Computer
	}{
		{"kings", "3k5/9/9/9/9/9/9/9/9/4K4 w", true, true},
		{"defenders", "3k1a3/9/b8/9/9/9/9/B3B4/4A4/4KA3 w", true, true},
		{"a pawn", "3k5/9/9/9/9/9/P8/9/9/4K4 w", false, false},
		{"a horse", "3k5/9/9/9/9/9/9/9/n8/4K4 w", false, false},
		{"a cannon", "3k5/9/9/9/9/9/9/9/C8/4K4 w", false, true},
		{"a cannon and elephants", "3k5/9/9/9/9/9/9/B8/C8/4K1B2 w", false, true},
		{"a cannon and an advisor", "3k5/9/9/9/9/9/9/9/C3A4/4K4 w", false, false},
		{"a cannon against an advisor", "3k1a3/9/9/9/9/9/9/9/C8/4K4 w", false, true},
		{"a cannon against two advisors", "3k1a3/4a4/9/9/9/9/9/9/C8/4K4 w", false, true},
		{"a cannon and an elephant against two advisors", "3k1a3/4a4/9/9/9/9/9/9/C8/4K1B2 w", false, false},
		{"black's cannon against two advisors", "3k5/9/9/9/9/9/9/9/c3A4/4KA3 w", false, true},
		{"a cannon each", "3k5/8c/9/9/9/9/9/9/C8/4K4 w", false, true},
		{"a cannon each and an advisor", "3k5/8c/9/9/9/9/9/9/C8/4KA3 w", false, false},
		{"two cannons", "3k5/9/9/9/9/9/9/9/C7C/4K4 w", false, false},
		{"a cannon and a pawn", "3k5/9/9/9/9/9/P8/9/C8/4K4 w", false, false},
	}
	for _, test := range tests {
		p := mustParse(test.fen)
		for _, r := range RuleSets() {
			want := test.others
			if r == Computer {
				want = test.machine
			}
			if got := r.Adjudicate(p); got.Over() != want || want && got.String() != "draw by lack of attackers" {
				t.Errorf("%s, %v: %v, want a draw: %v", test.name, r, got, want)
			}
		}
	}
}
