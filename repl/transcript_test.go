package repl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/explore"
)

// TestTranscripts plays the input of every testdata/*.txt and compares the whole screen. A line
// with a prompt is input, "| " marks stderr, and lines that start with "#" are directives:
//
//	#! interrupt 50ms       Ctrl-C that long after the next line is entered,
//	#! interrupt now        Ctrl-C before the next line, and
//	#! type 50ms ABORT      a line typed while the engine thinks.
//
// A transcript that names DIR/games.db has there the games of examples/games.pgn.
//
// A line that was typed too early is printed again as "(unread)".
func TestTranscripts(t *testing.T) { golden.Transcripts(t, "testdata", playTranscript) }

// screen has all output in the order in which it was written.
type screen struct{ strings.Builder }

// typist is a lineEditor that reads its lines from a transcript.
type typist struct {
	screen    *screen
	rest      []string // remaining lines of the transcript
	interrupt chan os.Signal
	ahead     chan typedLine
	back      []typedLine
}

var promptedLine = regexp.MustCompile(`^[\w.+-]+(?:, \d+ more)?> ?`)

func (p *typist) ReadLine(prompt string) (string, error) {
	if len(p.back) > 0 {
		line := p.back[0].text
		p.back = p.back[1:]
		p.screen.WriteString("(unread) " + prompt + line + "\n")
		return line, nil
	}
	for len(p.rest) > 0 {
		line := p.rest[0]
		p.rest = p.rest[1:]
		if strings.HasPrefix(line, "#") {
			p.screen.WriteString(line + "\n")
			p.schedule(line)
			continue
		}
		if m := promptedLine.FindString(line); m != "" {
			line = line[len(m):]
			p.screen.WriteString(strings.TrimRight(prompt+line, " ") + "\n")
			switch line {
			case "^C":
				return "", ErrInterrupted
			case "^D":
				return "", io.EOF
			}
			return line, nil
		}
	}
	return "", io.EOF
}

// schedule executes a directive after its delay.
func (p *typist) schedule(line string) {
	fields := strings.SplitN(line, " ", 4)
	if fields[0] != "#!" || len(fields) < 3 {
		return
	}
	if fields[2] == "now" {
		p.interrupt <- os.Interrupt
		return
	}
	d, err := time.ParseDuration(fields[2])
	if err != nil {
		return
	}
	time.AfterFunc(d, func() {
		if fields[1] == "interrupt" {
			p.interrupt <- os.Interrupt
			return
		}
		p.ahead <- typedLine{text: fields[3]}
	})
}

func (p *typist) Ready() bool                   { return false }
func (p *typist) Ahead() <-chan typedLine       { return p.ahead }
func (p *typist) Keys() (<-chan string, func()) { return nil, func() {} }
func (p *typist) Unread(t typedLine)            { p.back = append(p.back, t) }
func (p *typist) Remember(string)               {}
func (p *typist) Above(w io.Writer) io.Writer   { return w }
func (p *typist) Close()                        {}

// aside marks the output to stderr.
type aside struct{ io.Writer }

func (a aside) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if _, err := io.WriteString(a.Writer, "| "+line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// playTranscript returns the transcript of an actual run.
func playTranscript(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if strings.Contains(text, databaseName) {
		makeDatabase(t, filepath.Join(dir, filepath.Base(databaseName)))
	}
	var s screen
	p := &typist{
		screen: &s, rest: strings.Split(strings.TrimRight(text, "\n"), "\n"),
		interrupt: make(chan os.Signal, 4), ahead: make(chan typedLine, 4),
	}
	for i, line := range p.rest {
		p.rest[i] = strings.ReplaceAll(line, "DIR", dir)
	}
	host := Host{
		Stdin: strings.NewReader(""), Stdout: &s, Stderr: aside{&s}, Interactive: true,
		Interrupt: p.interrupt, Open: openForTest, CompleteSpec: completeSpecForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
	}
	one := 1
	shell := New(host, Options{Engine: "builtin", Level: &one})
	shell.editor = p
	if err := shell.Run(t.Context()); err != nil {
		t.Error(err)
	}
	return scrub(strings.ReplaceAll(s.String(), dir, "DIR"))
}

const databaseName = "DIR/games.db"

// makeDatabase writes a database of games for .explore.
func makeDatabase(t *testing.T, path string) {
	t.Helper()
	all := games.Default
	db, err := explore.Create(t.Context(), path, all, all.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	err = db.Add(t.Context(), all.Records(all.DefaultGame()), []string{"../examples/games.pgn"}, explore.AddOptions{})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

var (
	traceTimes = regexp.MustCompile(`(?m)^((?:\| )?) *\d+\.\d{3} +\+\d+\.\d{3} `)
	speeds     = regexp.MustCompile(`nodes  \S+/s  \d+\.\ds`)
	afterTimes = regexp.MustCompile(` after \d[\d.]*m?s\b`)
)

// scrub removes what differs between runs.
func scrub(text string) string {
	text = traceTimes.ReplaceAllString(text, "$1    T +T ")
	return speeds.ReplaceAllString(afterTimes.ReplaceAllString(text, ""), "nodes  SPEED")
}
