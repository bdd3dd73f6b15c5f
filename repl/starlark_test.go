package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/script"
)

// TestCompleteStarlark: a bar marks the cursor.
func TestCompleteStarlark(t *testing.T) {
	s := shellWith(t, ".star position = board()", ".star words = []", ".source testdata/files/own.star")
	prompt := func(block ...string) {
		s.script.prompting, s.script.block = true, block
	}
	for _, c := range []struct {
		line, want, choices string
		prompt              func()
	}{
		{line: ".sta|", want: ".star |"},
		{line: ".star pos|", want: ".star position|"},
		{line: ".star position|", want: ".star position|", choices: "position positions"},
		{line: ".star f(len(wo|)", want: ".star f(len(words|)"},
		{line: ".star Wo|", want: ".star Wo|"},
		{line: ".star words.ap|", want: ".star words.append|"},
		{line: ".star position.is_check|", want: ".star position.is_check|", choices: "is_check is_checkmate"},
		{line: ".star x.y|", want: ".star x.y|"},
		{line: ".star board().f|", want: ".star board().f|"},
		{line: ".star|", want: ".star |"},
		{line: ".mob|", want: ".mobility |"},
		{line: ".help .mob|", want: ".help .mobility|"},
		{line: ".source testdata/files/ow|", want: ".source testdata/files/own.star |"},
		{line: "sess|", want: "session|", prompt: func() { prompt() }},
		{line: "session.best(position.fe|)", want: "session.best(position.fen|)", prompt: func() { prompt() }},
		{line: ".his|", want: ".history |", prompt: func() { prompt() }},
		{line: "|", want: "    |", prompt: func() { prompt("def f():") }},
		{line: "    |x", want: "        |x", prompt: func() { prompt("def f():") }},
		{line: "    .his|", want: "    .his|", prompt: func() { prompt("(position") }},
	} {
		s.script.prompting, s.script.block = false, nil
		if c.prompt != nil {
			c.prompt()
		}
		cursor := strings.Index(c.line, "|")
		got := s.complete(strings.Replace(c.line, "|", "", 1), cursor)
		var choices []string
		for _, choice := range got.choices {
			choices = append(choices, choice.Text)
		}
		if text := got.line[:got.cursor] + "|" + got.line[got.cursor:]; text != c.want || strings.Join(choices, " ") != c.choices {
			t.Errorf("%q: got %q and %q, want %q and %q", c.line, text, choices, c.want, c.choices)
		}
	}
}

// TestScriptIsLeftBehind: a script that cannot be interrupted is abandoned with a message, and the
// shell continues.
func TestScriptIsLeftBehind(t *testing.T) {
	opening, release := make(chan bool), make(chan bool)
	interrupt := make(chan os.Signal, 1)
	host := Host{
		Stdin: strings.NewReader(""), Stdout: new(screen), Stderr: new(screen), Interactive: true, Interrupt: interrupt,
		NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
		Open: func(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error) {
			if spec == "deaf" {
				close(opening)
				<-release
			}
			return openForTest(ctx, spec, o)
		},
	}
	s := New(host, Options{Script: script.Options{Allowed: []string{"deaf"}}})
	if err := s.openEditor(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	go func() {
		<-opening
		interrupt <- os.Interrupt
	}()
	_ = s.executeAndReport(t.Context(), ".star x = 1")
	_ = s.executeAndReport(t.Context(), ".star [engine('deaf'), shell('.star 1')]")
	_ = s.executeAndReport(t.Context(), ".star x + 1")
	close(release)
	_ = s.executeAndReport(t.Context(), ".star x + 2")
	_ = s.console.flushIf(true)
	const want = "2\n3\n"
	if got := host.Stdout.(*screen).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	const said = "<star>: stopped; the script could not be interrupted and is still running in the background\n"
	if got := host.Stderr.(*screen).String(); got != said {
		t.Errorf("said %q, want %q", got, said)
	}
}

// TestScriptBounds: scripts write only below -out and obey the limits given to the shell.
func TestScriptBounds(t *testing.T) {
	dir := t.TempDir()
	out, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var said screen
	s := New(Host{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said, Open: openForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language()}, Options{
		Timeout: time.Millisecond,
		Script:  script.Options{Out: out, Limits: script.Limits{Steps: 100_000}},
	})
	if err := s.openEditor(); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, line := range []string{".star write('a.txt', 'text')", ".star write('../a.txt', 'text')", ".star [x for x in range(1000000)]"} {
		_ = s.executeAndReport(t.Context(), line)
	}
	const want = `<star>:1:6: write: ../a.txt in the -out folder: path escapes from parent
<star>:1:4: too many steps: the limit is 100000 (-max-steps)
`
	if said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "a.txt")); string(data) != "text" || err != nil {
		t.Errorf("written was %q, %v", data, err)
	}
}

// TestScriptPaths: no command of the shell reads or writes a file for a script.
func TestScriptPaths(t *testing.T) {
	lines := map[string][]string{
		".attach": {"first"}, ".tree": {"-o x.json"}, ".edit": {"x.pgn"}, ".source": {"x.star"}, ".explore": {"x.db", "-aliases x.csv x.db", "-aliases x.csv"},
		".load": {"x.pgn"}, ".save": {"x.pgn"}, ".trace": {"x.log"}, ".replay": {"x.log"}, ".annotate": {"x.pgn", "-book x.db"},
	}
	var said screen
	s := New(Host{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &said, Open: openForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language()}, Options{})
	if err := s.openEditor(); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.attach(t.Context(), &attached{spec: "first"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range newTable(games.Default).all() {
		if lines[c.name] == nil && (strings.Contains(c.usage, "FILE") || strings.Contains(c.usage, "SPEC")) {
			t.Errorf("%s is new: can a script use it?", c.name)
		}
		for _, args := range lines[c.name] {
			said.Reset()
			_ = s.executeAndReport(t.Context(), fmt.Sprintf(".star shell('%s %s')", c.name, args))
			if !strings.Contains(said.String(), "is not available in scripts") {
				t.Errorf("%s %s: said %q", c.name, args, said.String())
			}
		}
	}
}
