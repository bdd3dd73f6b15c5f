package repl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/protocol/qhplugin"
)

// shellWith returns a shell with the embedded engine and no interactive user.
func shellWith(t testing.TB, lines ...string) *Shell {
	t.Helper()
	one := 1
	s := New(Host{
		Stdin: strings.NewReader(""), Stdout: new(screen), Stderr: new(screen),
		Open: openForTest, CompleteSpec: completeSpecForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
	}, Options{})
	if err := s.openEditor(); err != nil {
		t.Fatal(err)
	}
	if err := s.attach(t.Context(), &attached{spec: "builtin"}, &one); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	for _, line := range lines {
		if err := s.executeAndReport(t.Context(), line); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestComplete: a bar marks the cursor.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"game.txt", "games.pgn", "with blank"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	s := shellWith(t, ".attach first", ".use builtin", "H2-E2")
	for _, c := range []struct{ line, want, choices string }{
		{"pl|", "PLAY |", ""},
		{"|", "|", "LEVEL FEN PLAY LOAD AI HINTS BAN UNDO BGTHINK ABORT TIMEOUT SCR QUIT"},
		{"s|", "SCR|", ""},
		{".ti|", ".timeout |", ""},
		{".h|", ".h|", ".history .hints .help"},
		{".hi|", ".hi|", ".history .hints"},
		{".his|", ".history |", ""},
		{".notation t|", ".notation traditional|", ""},
		{".hints -notation w|", ".hints -notation wxf|", ""},
		{".history -|", ".history -notation |", ""},
		{".moves -|", ".moves -notation |", ""},
		{".save -f|", ".save -force |", ""},
		{".tree -notation |", ".tree -notation |", "iccs uci wxf chinese traditional san pdn algebraic"},
		{"H9-|", "H9-|", "H9-G7 H9-I7"},
		{"xyz|", "xyz|", ""},
		{"PLAY h9-|", "PLAY H9-|", "H9-G7 H9-I7"},
		{"PLAY h9-g|", "PLAY H9-G7|", ""},
		{"PLAY h9-g|x", "PLAY H9-G7|x", ""},
		{"PLAY H9-G7 |", "PLAY H9-G7 |", ""},
		{"H9-G7 h0-|", "H9-G7 H0-|", "H0-G2 H0-I2"},
		{"LEVEL 1|", "LEVEL 1|", "1 10"},
		{"LEVEL 7|", "LEVEL 7|", ""},
		{"BGTHINK |", "BGTHINK O|", ""},
		{"BGTHINK on|", "BGTHINK ON|", ""},
		{".use |", ".use |", "builtin first"},
		{".use f|", ".use first|", ""},
		{".attach b|", ".attach builtin|", ""},
		{".attach qui|", ".attach quick|", ""},
		{".attach builtin,th|", ".attach builtin,threads=|", ""},
		{".attach builtin,off=probc|", ".attach builtin,off=probcut|", ""},
		{".load g|", ".load game|", ""},
		{".load game|", ".load game|", "game.txt games.pgn"},
		{".load games|", ".load games.pgn|", ""},
		{".load f|", ".load folder" + string(filepath.Separator) + "|", ""},
		{".load absent/x|", ".load absent/x|", ""},
		{".tree -w|", ".tree -width |", ""},
		{".tree -width 3 -o game.|", ".tree -width 3 -o game.txt |", ""},
		{".board -style ch|", ".board -style chinese|", ""},
		{".board h|", ".board H|", "H7 H9"},
		{".moves h7|", ".moves H7|", ""},
		{".all pl|", ".all PLAY |", ""},
		{".all PLAY h9-g|", ".all PLAY H9-G7|", ""},
		{".all .q|", ".all .q|", ""},
		{".help .tr|", ".help .tr|", ".tree .trace"},
		{".variation |", ".variation out|", ""},
		{".nothing x|", ".nothing x|", ""},
	} {
		checkCompletion(t, s, c.line, c.want, c.choices)
	}
}

// TestCompleteGame: commands that step complete what continues the game.
func TestCompleteGame(t *testing.T) {
	s := shellWith(t, ".load testdata/files/games.pgn", ".goto 1")
	for _, c := range []struct{ line, want, choices string }{
		{".next |", ".next H|", ""},
		{".next H|", ".next H|", "H9-G7 H7-E7"},
		{".variation |", ".variation |", "out 1"},
		{".promote |", ".promote |", "main 1"},
		{".delete |", ".delete |", "comment glyphs 1"},
		{".delete c|", ".delete comment|", ""},
		{".goto e|", ".goto end|", ""},
		{".glyph !|", ".glyph !|", "! !! !?"},
		{".glyph ?? |", ".glyph ?? |", "! ? !! ?? !? ?!"},
	} {
		checkCompletion(t, s, c.line, c.want, c.choices)
	}
}

func checkCompletion(t *testing.T, s *Shell, line, want, choices string) {
	t.Helper()
	before, behind, _ := strings.Cut(line, "|")
	done := s.complete(before+behind, len(before))
	var texts []string
	for _, choice := range done.choices {
		texts = append(texts, choice.Text)
	}
	got := []string{done.line[:done.cursor] + "|" + done.line[done.cursor:], strings.Join(texts, " ")}
	if diff := cmp.Diff([]string{want, choices}, got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", line, diff)
	}
}

// TestCompleteLanguage: for an engine with its own language, the shell completes its commands,
// their arguments and the moves of its game.
func TestCompleteLanguage(t *testing.T) {
	s := shellWith(t, ".attach quoridor,size=3,walls=1")
	for _, c := range []struct{ line, want, choices string }{
		{"|", "|", "name known_command list_commands quit boardsize clear_board walls playmove playwall genmove undo winner showboard"},
		{"genm|", "genmove |", ""},
		{"genmove bl|", "genmove black|", ""},
		{"genmove black |", "genmove black |", ""},
		{"playmove bl|", "playmove black |", ""},
		{"playmove black |", "playmove black |", "C3 B2 A3"},
		{"playmove w c|", "playmove w C1|", ""},
		{"playmove red |", "playmove red |", ""},
		{"playwall black a|", "playwall black A|", "A2 A3"},
		{"playwall black a2|", "playwall black A2 |", ""},
		{"playwall black A2 |", "playwall black A2 |", "horizontal vertical"},
		{"playwall black A2 v|", "playwall black A2 vertical|", ""},
		{"known_command pl|", "known_command play|", ""},
		{"known_command play|", "known_command play|", "playmove playwall"},
		{"undo |", "undo |", ""},
		{"a|", "A|", "A2h A2v A3 A3h A3v"},
		{"A2h b|", "A2h B3h|", ""},
		{"A2 h c|", "A2 h C1|", ""},
		{"LEV|", "LEV|", ""},
		{".hi|", ".hi|", ".history .hints"},
		{".moves -|", ".moves -notation |", ""},
		{".all genmove w|", ".all genmove white|", ""},
	} {
		checkCompletion(t, s, c.line, c.want, c.choices)
	}
}

// TestCompleteLists: the lines of a LOAD are consecutive moves, those of a BAN are alternatives.
func TestCompleteLists(t *testing.T) {
	s := shellWith(t)
	for _, c := range []struct {
		typed       []string
		line, want  string
		choices     int
		firstChoice string
	}{
		{[]string{"LOAD 3"}, "h2-e", "H2-E2", 0, ""},
		{[]string{"LOAD 3", "H2-E2 "}, "h9-g", "H9-G7", 0, ""},
		{[]string{"load 3", "H2-E2", "H9-G7"}, "h0-g", "H0-G2", 0, ""},
		{[]string{"LOAD 3", "H2-E2"}, "H9-", "H9-", 2, "H9-G7"},
		{[]string{"LOAD 3", "nonsense"}, "h0-g", "h0-g", 0, ""},
		{[]string{"BAN 2"}, "h0-", "H0-", 2, "H0-G2"},
		{[]string{"BAN 2", "h0-g2"}, "h0-", "H0-I2", 0, ""},
	} {
		s.continuing = c.typed
		done := s.complete(c.line, len(c.line))
		if done.line != c.want || len(done.choices) != c.choices || c.choices > 0 && done.choices[0].Text != c.firstChoice {
			t.Errorf("%q, %q: %+v", c.typed, c.line, done)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		line   string
		pos    int
		most   int
		want   string
		column int
	}{
		{"", 0, 10, "", 0},
		{"abc", 1, 10, "abc", 1},
		{"車馬", 1, 10, "車馬", 2},
		{"0123456789", 10, 10, "0123456789", 10},
		{"0123456789A", 0, 10, "012345678>", 0},
		{"0123456789A", 11, 10, "<456789A", 8},
		{"0123456789ABCDEF", 8, 10, "<3456789A>", 6},
		{"車馬象士將士象馬車", 9, 10, "<象馬車", 7},
		{"車馬象士將士象馬車", 0, 10, "車馬象士>", 0},
		{"0123456789", 5, 1, "<234567>", 4}, // wider than the window, which is too narrow
	} {
		text, column := window([]rune(c.line), c.pos, c.most)
		if string(text) != c.want || column != c.column {
			t.Errorf("%q at %d in %d: %q at %d, want %q at %d", c.line, c.pos, c.most, string(text), column, c.want, c.column)
		}
		if w := printable.Width.StringWidth(string(text)); w > max(c.most, 8) || column > w {
			t.Errorf("%q at %d in %d: %d wide, column %d", c.line, c.pos, c.most, w, column)
		}
	}
}
