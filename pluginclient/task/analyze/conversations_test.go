package analyze

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest/golden"
	"qhsh/pluginclient"
)

// TestConversations is TestTranscripts for a server with conversations a and b. "a> LINE" is sent by a,
// and what starts with "a: " is answered to it. "# end a", "# interrupt a" and "# break a" end its input,
// its context and its output. "# remove NAME" and "# add NAME" remove and add an engine. At the end of a transcript, both inputs end.
func TestConversations(t *testing.T) {
	golden.Transcripts(t, "testdata/conversations", func(t *testing.T, text string) (played string) {
		synctest.Test(t, func(t *testing.T) { played = converse(t, text) })
		return played
	})
}

// A speaker is a client of a server.
type speaker struct {
	name   string
	out    *record // of all clients
	input  *io.PipeWriter
	cancel context.CancelFunc
	broken atomic.Bool
}

func (s *speaker) Write(answer []byte) (int, error) {
	if s.broken.Load() {
		return 0, io.ErrShortWrite
	}
	fmt.Fprintf(s.out, "%s: %s", s.name, answer)
	return len(answer), nil
}

func converse(t *testing.T, text string) string {
	gone := newEngine(t, "gone", 1, func() pluginclient.Session {
		return &fake{Searcher: silent{}, name: "Gone", why: pluginclient.ErrStart, lost: func() bool { return true }}
	})
	engines := append(newEngines(t)[:2], gone)
	for i := range engines {
		engines[i].Rank = i
	}
	server := NewServer(Options{Engines: engines})
	var out record
	clients := map[string]*speaker{}
	for _, name := range []string{"a", "b"} {
		in, input := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		client := &speaker{name: name, out: &out, input: input, cancel: cancel}
		clients[name] = client
		go func() {
			tally, err := server.Serve(ctx, in, client)
			fmt.Fprintf(&out, "%s ends: %+v, %v\n", name, tally, err)
		}()
	}
	for line := range strings.Lines(text) {
		name, request, sends := strings.Cut(line, "> ")
		client := clients[name]
		if (!sends || client == nil) && !strings.HasPrefix(line, "#") {
			continue
		}
		io.WriteString(&out, line)
		if client != nil {
			io.WriteString(client.input, request)
		}
		switch words := strings.Fields(line); words[1] {
		case "end":
			clients[words[2]].input.Close()
		case "interrupt":
			clients[words[2]].cancel()
		case "break":
			clients[words[2]].broken.Store(true)
		case "remove":
			told := out.text.Len()
			go server.Remove(words[2])
			synctest.Wait()
			all := out.text.String() // what several clients are told has no order
			answers := slices.Collect(strings.Lines(all[told:]))
			slices.SortStableFunc(answers, func(a, b string) int { return strings.Compare(a[:1], b[:1]) })
			out.text.Reset()
			out.text.WriteString(all[:told] + strings.Join(answers, ""))
		case "add":
			server.Add(engines[slices.IndexFunc(engines, func(e Engine) bool { return e.Name == words[2] })])
		case "wait":
			d, err := time.ParseDuration(words[2])
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(d)
		}
		synctest.Wait()
	}
	for _, name := range []string{"a", "b"} {
		clients[name].input.Close()
		synctest.Wait()
	}
	server.Close()
	return out.text.String()
}
