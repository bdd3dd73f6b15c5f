package plugintest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/pluginclient"
)

// RunTranscripts plays the conversations of a folder's *.txt with a server, in a synctest bubble,
// and compares the server's output. serve starts a server of a searcher. The lines of a transcript
// are:
//
//	> LINE              sent by the host; consecutive lines are sent in one write
//	>r LINE             the same, with a carriage return
//	< LINE              sent by the server
//	@ 2s                a pause
//	% pace=1s depth=100 sets the speed of the searcher, before any other line
//
// All other lines are comments. The server must end as soon as its input does. The flag -update
// rewrites the server's lines.
func RunTranscripts(t *testing.T, dir string, serve func(enginetest.Ranker) pluginclient.Starter) {
	t.Helper()
	golden.Transcripts(t, dir, func(t *testing.T, transcript string) (got string) {
		synctest.Test(t, func(t *testing.T) {
			c := conversation{t: t, serve: serve, answers: make(chan string, 1000)}
			for line := range strings.Lines(transcript) {
				c.play(strings.TrimSuffix(line, "\n"))
			}
			got = c.end()
		})
		return got
	})
}

// AddSeeds adds the host's lines of each transcript of a folder to the corpus of a fuzz test, as
// one []byte, followed by the other arguments of the test.
func AddSeeds(f *testing.F, dir string, rest ...any) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no transcripts in %s: %v", dir, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var sent strings.Builder
		for line := range strings.Lines(string(text)) {
			if said, ok := strings.CutPrefix(line, "> "); ok {
				sent.WriteString(said)
			}
		}
		f.Add(append([]any{[]byte(sent.String())}, rest...)...)
	}
}

// A conversation is played from the host's side.
type conversation struct {
	t       *testing.T
	serve   func(enginetest.Ranker) pluginclient.Starter
	in      io.WriteCloser // to the server, once it has been started
	answers chan string
	unsent  strings.Builder // lines to send in one write
	got     strings.Builder // the transcript so far
}

func (c *conversation) play(line string) {
	kind, text, _ := strings.Cut(line, " ")
	if kind != ">" && kind != ">r" {
		c.send()
	}
	switch kind {
	case "<":
		return // replaced by the current output
	case ">":
		c.unsent.WriteString(text + "\n")
	case ">r":
		c.unsent.WriteString(text + "\r\n")
	case "%":
		c.begin(slowRanker(c.t, text))
	}
	c.got.WriteString(line + "\n")
	if kind == "@" {
		c.pass(text)
	}
}

func (c *conversation) begin(r enginetest.Ranker) {
	if c.in != nil {
		c.t.Fatal(`"%" must precede all other lines`)
	}
	streams, err := c.serve(r)(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	c.in = streams.Stdin
	go func() {
		for s := bufio.NewScanner(streams.Stdout); s.Scan(); {
			c.answers <- s.Text()
		}
	}()
}

// send sends the unsent lines, and records the output until all goroutines wait.
func (c *conversation) send() {
	if c.unsent.Len() > 0 {
		if c.in == nil {
			c.begin(enginetest.Ranker{})
		}
		_, _ = io.WriteString(c.in, c.unsent.String()) // a server that has ended does not read on
		c.unsent.Reset()
	}
	c.listen()
}

func (c *conversation) listen() {
	for synctest.Wait(); len(c.answers) > 0; synctest.Wait() {
		for len(c.answers) > 0 {
			fmt.Fprintf(&c.got, "< %s\n", <-c.answers)
		}
	}
}

func (c *conversation) pass(text string) {
	pause, err := time.ParseDuration(text)
	if err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(pause)
	c.listen()
}

// end ends the server's input and returns the whole transcript.
func (c *conversation) end() string {
	c.send()
	if c.in == nil {
		c.t.Fatal("the host says nothing")
	}
	c.in.Close()
	c.listen()
	return c.got.String()
}

func slowRanker(t *testing.T, text string) (r enginetest.Ranker) {
	for _, field := range strings.Fields(text) {
		key, value, _ := strings.Cut(field, "=")
		var err error
		switch key {
		case "pace":
			r.Pace, err = time.ParseDuration(value)
		case "depth":
			r.Depth, err = strconv.Atoi(value)
		default:
			t.Fatalf("there is no %q", key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}
