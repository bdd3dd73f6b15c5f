package repl

import (
	"strings"
	"testing"

	"qhsh/engine/games"
)

// TestFill wraps lines to the width of a terminal, and fills paragraphs that do not fit.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		width      int
		text, want string
	}{
		{0, "one two three\nfour\n", "one two three\nfour\n"},
		{13, "one two three\nfour\n", "one two three\nfour\n"},
		{8, "one two\nthree\n", "one two\nthree\n"},
		{8, "one two three\nfour\n", "one two\nthree\nfour\n"},
		{8, "one two three\n  four five\n", "one two\nthree\n  four\n  five\n"},
		{8, "one two three\nfour\n\nfive\nsix\n", "one two\nthree\nfour\n\nfive\nsix\n"},
		{20, "  .fen  print the position\n", "  .fen  print the\n        position\n"},
		{14, "  .fen  print the position\n", "  .fen  print\n  the position\n"},
		{6, "abcdefghij kl mnopq\n", "abcdefghij\nkl\nmnopq\n"},
		{6, "  abcdefghij\n", "  abcdefghij\n"},
		{28, "1  H2-E2  +0.50  14     H2-E2 H7-E7\n", "1  H2-E2  +0.50  14\n   H2-E2 H7-E7\n"},
		{8, "車馬 炮炮 兵\n", "車馬\n炮炮 兵\n"},
		{3, "\n\n", "\n\n"},
	} {
		if got := fill(c.text, c.width); got != c.want {
			t.Errorf("%d, %q: %q, want %q", c.width, c.text, got, c.want)
		}
	}
}

// TestAnalysisBoard draws the board of .analyze in the first style that fits.
func TestAnalysisBoard(t *testing.T) {
	all := games.Default
	pos := all.DefaultGame().Start()
	for _, c := range []struct {
		style         string
		width, height int
		want          string // the style; "none" is no board
	}{
		{"", 80, 40, "ascii"},
		{"chinese", 80, 40, "chinese"},
		{"", 80, 17, "letters"}, // a screen of 80x24
		{"chinese", 80, 17, "chinese"},
		{"", 30, 40, "letters"},
		{"", 80, 12, "none"},
		{"", 20, 40, "none"},
	} {
		s := New(Host{Games: all}, Options{})
		s.look.style = c.style
		want := ""
		if c.want != "none" {
			want = all.Draw(pos, games.TextOptions{Style: c.want, Last: true})
		}
		a := &analysis{call: &call{shell: s}}
		if got := strings.Join(a.board(pos, c.width, c.height), "\n"); got != want {
			t.Errorf("%+v:\n%s", c, got)
		}
	}
}
