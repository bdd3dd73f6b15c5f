package repl

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/suggest"
	"qhsh/script"
)

func TestCommandLines(t *testing.T) {
	for text, want := range map[string]string{
		"LEVEL 1":                 "LEVEL 1",
		"LEVEL 1; AI ;.fen":       "LEVEL 1\nAI\n.fen",
		"a\nb;c\n":                "a\nb\nc\n",
		`.load "a;b"; AI`:         ".load \"a;b\"\nAI",
		`.load 'a;b";'; AI`:       ".load 'a;b\";'\nAI",
		"it's not closed\nAI; AI": "it's not closed\nAI\nAI",
		";":                       "\n",
	} {
		if got := commandLines(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSplitQuoted(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" a\t b ", []string{"a", "b"}},
		{`"a b" 'c "d"'`, []string{"a b", `c "d"`}},
		{`a"b c"d`, []string{"ab cd"}},
		{`""`, []string{""}},
		{`C:\games\x.txt`, []string{`C:\games\x.txt`}},
	} {
		if got, err := splitQuoted(c.text); err != nil || !cmp.Equal(c.want, got) {
			t.Errorf("%q: %q, %v", c.text, got, err)
		}
	}
	if _, err := splitQuoted(`a "b`); err == nil {
		t.Error("want an error for an unclosed quote")
	}
}

func TestMoveList(t *testing.T) {
	r := reader{games.Default, games.Default.DefaultGame()}
	for text, want := range map[string]string{
		"h2e2":                        "h2e2",
		"H2-E2 H9-G7":                 "H2-E2 H9-G7",
		"1. H2-E2 H9-G7 2. H0-G2 1-0": "H2-E2 H9-G7 H0-G2",
		"1.H2-E2 H9-G7 2.H0-G2 *":     "H2-E2 H9-G7 H0-G2",
		"1. ... H9-G7":                "H9-G7",
		"h2e2, h9g7;h0g2":             "h2e2 h9g7 h0g2",
		"":                            "",
		"1. 2. *":                     "",
		"LEVEL":                       "",
		"h2e2 and h9g7":               "",
		"h2e2+":                       "h2e2+",
		"h2e2!? h9g7":                 "h2e2 h9g7",
		"C2=5 h8+7 25+1":              "C2=5 h8+7 25+1",
		"1.炮二平五 马8进7　2、馬二進三，车９平８": "炮二平五 马8进7 馬二進三 车９平８",
		"1. Che2 Hg7":                         "Che2 Hg7",
		"炮二平五 好":                              "",
		"UNDO 2":                              "",
		"3":                                   "",
		"4k4/9/9/9/9/9/9/9/4A4/4K4 w h2e2":    "",
		"1.h2e2 h9g7\n2.h0g2 i9h9\n\n1/2-1/2": "h2e2 h9g7 h0g2 i9h9",
	} {
		moves, bad := r.parseMoves(text)
		ok := len(moves) > 0 && bad == ""
		if got := strings.Join(moves, " "); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

func TestClosest(t *testing.T) {
	names := names(shellWith(t).commands())
	for word, want := range map[string]string{
		"lvel": "level", "PALY": "play", "scr2": "scr", ".hnts": ".hints", ".bord": ".board",
		".undoo": ".undo", "xyzzy": "", "": "", "q": ".q",
	} {
		if got := suggest.Closest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestEveryCommandIsDocumented: in one line of lower case that fits the help.
func TestEveryCommandIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(protocolCommands(qhplugin.Language()), newTable(games.Default).commands) {
		if c.summary == "" || c.summary != strings.ToLower(c.summary[:1])+c.summary[1:] || strings.HasSuffix(c.summary, ".") {
			t.Errorf("%s: summary %q", c.name, c.summary)
		}
		if c.group == "" || c.run == nil && c.setup == nil {
			t.Errorf("%s is not complete", c.name)
		}
		for _, name := range append([]string{c.name}, c.aliases...) {
			if seen[name] {
				t.Errorf("%s is listed twice", name)
			}
			seen[name] = true
		}
		for line := range strings.Lines(c.help) {
			if len(line) > 100 {
				t.Errorf("%s: a line of %d: %s", c.name, len(line), line)
			}
		}
	}
	if !strings.Contains(Table(games.Default, qhplugin.Language()), "| `BGTHINK ON\\|OFF` | let the engine think") {
		t.Error("the table does not escape |")
	}
}

// TestDiffLines: without the added lines a diff is the first text, and without the removed lines
// the second.
func TestDiffLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		var first, second []string
		for line := range strings.Lines(diffLines(a, b)) {
			line = strings.TrimSuffix(line, "\n")
			if line[0] != '+' {
				first = append(first, line[2:])
			}
			if line[0] != '-' {
				second = append(second, line[2:])
			}
		}
		if strings.Join(first, " ") != strings.Join(a, " ") || strings.Join(second, " ") != strings.Join(b, " ") {
			t.Fatalf("%q and %q:\n%s", a, b, diffLines(a, b))
		}
	})
}

func TestReadConversation(t *testing.T) {
	const text = `    0.000   +0.000 A_1.0 ~ LEVEL
    0.001   +0.001 A_1.0 < 1
    0.002   +0.001 a > LOAD 2
    0.002   +0.000 b > LEVEL
    0.002   +0.001 a > H2-E2
    0.002   +0.001 a > H9-G7
    0.003   +0.001 a < OK
    1.000   +0.001 a > AI
    1.500   +0.500 a > ABORT
    1.501   +0.001 a < ABORTED
    1.501   +0.001 a ~ LEVEL
    1.502   +0.001 a < 1
    2.000   +0.001 a > SCR
    2.000   +0.001 a ~ LEVEL
    2.001   +0.001 a < one
    2.001   +0.001 a ! chatter
    2.001   +0.001 a < two
    2.001   +0.001 a < 1
    2.002   +0.001 a # a remark
    2.003   +0.001 a ~ FEN x
    2.004   +0.001 a < OK
    3.000   +0.001 a > ABORT

    4.000   +0.001 a > HINTS
    4.100   +0.001 a < H2-E2
    4.200   +0.001 a > TIMEOUT
    4.300   +0.001 a < ENDHINTS
`
	first, err := readConversation(strings.NewReader(text), "", qhplugin.Language())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range first.exchanges {
		stop := ""
		if x.stop != nil {
			stop = x.stop.Error() + " " + x.after.String()
		}
		got = append(got, strings.Join([]string{x.text, stop, strings.Join(x.answer, ",")}, "|"))
	}
	want := []string{
		"LOAD 2\nH2-E2\nH9-G7||OK", "AI|aborted, as it was recorded 500ms|ABORTED", "SCR||one,two", "ABORT||", "HINTS|move now 200ms|H2-E2,ENDHINTS",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	of, err := readConversation(strings.NewReader(text), "b", qhplugin.Language())
	if err != nil || len(of.exchanges) != 1 || of.exchanges[0].text != "LEVEL" {
		t.Errorf("%+v, %v", of, err)
	}
}

func FuzzReadConversation(f *testing.F) {
	f.Add("    0.002   +0.001 a > LOAD 2\n    0.002   +0.001 a < OK\n")
	f.Add("1 1 a > BAN 9\n1 1 a > AI\n1 1 a > ABORT\n")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = readConversation(strings.NewReader(text), "", qhplugin.Language()) // does not panic
	})
}

func FuzzReadGame(f *testing.F) {
	f.Add("startpos moves h2e2", 0)
	f.Add("1. h2e2\n", 1)
	f.Add("4k4/9/9/9/9/9/9/9/4A4/4K4 w\n#\n", 2)
	r := reader{games.Default, games.Default.DefaultGame()}
	f.Fuzz(func(t *testing.T, text string, n int) {
		pos, rest, err := r.file([]byte(text), "f", n)
		if err == nil && (pos == nil || rest < 0) {
			t.Errorf("%q, %d: %v, %d", text, n, pos, rest)
		}
	})
}

// FuzzLine: no line makes the shell panic. Lines that start programs or write files are skipped.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		"LEVEL 1", "h2e2", "1. h2e2", ".board h2 -flip", ".moves", ".hints 2", ".all LEVEL", ".undo", "LOAD 1", "startpos",
		".help .help", ".timeout 5s", ".use x", ".sync", "4k4/9/9/9/9/9/9/9/4A4/4K4 w", "\x00", `.fen "`,
		".star 1 + 1", ".star session.best(session.board)", `.star shell(".fen")`, ".star x = [", ".star",
	} {
		f.Add(line)
	}
	s := shellWith(f)
	s.options.Script.Limits = script.Limits{Steps: 10_000, Time: time.Second, Memory: 64 << 20}
	f.Fuzz(func(t *testing.T, line string) {
		for _, word := range []string{".save", ".trace", ".record", ".debug", ".tree", ".attach", ".wait", ".source", ".load", ".replay", ".detach", "level", "-o"} {
			if strings.Contains(strings.ToLower(line), word) {
				t.Skip("it has effects: " + word)
			}
		}
		_ = s.execute(t.Context(), line, s.console)
		for cursor := range line {
			s.complete(line, cursor)
		}
		s.over = false
	})
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestOutputEnds: the shell ends when its output is closed.
func TestOutputEnds(t *testing.T) {
	s := New(Host{
		Stdin: strings.NewReader(strings.Repeat("LEVEL\n", 10_000)), Stdout: brokenPipe{}, Stderr: new(screen),
		Open: openForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
	}, Options{Engine: "builtin"})
	if err := s.Run(t.Context()); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("error %v", err)
	}
}

// TestMovesOfNumbers: numbers are moves in a game whose moves are numbers, and move numbers in any
// other.
func TestMovesOfNumbers(t *testing.T) {
	qchess, err := games.Default.New("qchess", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		game engine.Game
		text string
		want []string
	}{
		{qchess, "3 6", []string{"3 6"}},
		{qchess, "3 6 0 pawn", []string{"3 6", "0 pawn"}},
		{qchess, "3 6 -> 3 4", []string{"3 6 -> 3 4"}},
		{qchess, "1. @36 0=pawn 36-34 2. @31", []string{"@36", "0=pawn", "36-34", "@31"}},
		{games.Default.DefaultGame(), "1. h2e2 h9g7 2 h0g2", []string{"h2e2", "h9g7", "h0g2"}},
	} {
		if moves, bad := (reader{games.Default, c.game}).parseMoves(c.text); bad != "" || !slices.Equal(moves, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.text, moves, bad, c.want)
		}
	}
}
