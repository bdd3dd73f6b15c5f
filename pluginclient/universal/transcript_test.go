package universal_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/ucci"
	"qhsh/pluginclient/uci"
	"qhsh/pluginclient/universal"
)

var update = flag.Bool("update", false, "write the answers into the transcripts")

// TestServerTranscripts holds the conversations of testdata/uci and testdata/ucci. "> " is what the
// host sends: lines that follow each other go out in one write, and those marked ">r "
// end in a carriage return too. "< " is every line that the plugin answers, "@ 2s" lets
// time pass. The engine ranks by a fixed rule; "% pace=1s depth=100" makes it slow.
func TestServerTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/ucci/*.txt")
	more, _ := filepath.Glob("testdata/uci/*.txt")
	if err != nil || len(files)*len(more) == 0 {
		t.Fatal("no transcripts")
	}
	for _, file := range append(files, more...) {
		protocol := filepath.Base(filepath.Dir(file))
		t.Run(protocol+" "+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			synctest.Test(t, func(t *testing.T) { got = holdConversation(t, protocol, string(text)) })
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// holdConversation plays the host's side of a transcript and answers the transcript
// with what the plugin has really said.
func holdConversation(t *testing.T, protocol, script string) string {
	var got strings.Builder
	answers := make(chan string, 1000)
	var in io.WriteCloser
	flush := func() {
		synctest.Wait()
		for len(answers) > 0 {
			fmt.Fprintf(&got, "< %s\n", <-answers)
		}
	}
	begin := func(r enginetest.Ranker) {
		served := universal.Served{Searcher: r, Name: "Ranker 1.0", Author: "its maker", Options: demoOptions}
		program := uci.InProcess(served)
		if protocol == "ucci" {
			program = ucci.InProcess(served)
		}
		streams, err := program.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		in = streams.Stdin
		go func() {
			for s := bufio.NewScanner(streams.Stdout); s.Scan(); {
				answers <- s.Text()
			}
		}()
	}
	var batch strings.Builder
	write := func() {
		if batch.Len() > 0 {
			if in == nil {
				begin(enginetest.Ranker{})
			}
			_, _ = io.WriteString(in, batch.String())
			batch.Reset()
		}
		flush()
	}
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		kind, text, _ := strings.Cut(line, " ")
		if kind[:min(1, len(kind))] != ">" {
			if kind != "%" {
				write()
			}
		}
		switch kind {
		case "<":
			continue
		case ">":
			batch.WriteString(text + "\n")
		case ">r":
			batch.WriteString(text + "\r\n")
		case "@":
			pause, err := time.ParseDuration(text)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause)
			got.WriteString(line + "\n")
			flush()
			continue
		case "%":
			begin(slowRanker(t, text))
		}
		got.WriteString(line + "\n")
	}
	write()
	in.Close()
	flush()
	return got.String()
}

func slowRanker(t *testing.T, text string) enginetest.Ranker {
	var r enginetest.Ranker
	for _, field := range strings.Fields(text) {
		key, value, _ := strings.Cut(field, "=")
		var err error
		switch key {
		case "pace":
			r.Pace, err = time.ParseDuration(value)
		case "depth":
			r.Depth, err = strconv.Atoi(value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// demoOptions are options of every kind.
var demoOptions = []universal.Setter{
	{Option: universal.Option{Name: "Move Overhead", Kind: universal.Spin, Default: "10", Max: 100}},
	{Option: universal.Option{Name: "Style", Kind: universal.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
	{Option: universal.Option{Name: "Book", Kind: universal.String}},
	{Option: universal.Option{Name: "Fails", Kind: universal.Button}, Set: func(string) error { return errors.New("it always fails") }},
}
