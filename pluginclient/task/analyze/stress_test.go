package analyze

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// TestInFlight: of a thousand requests in flight in each of two conversations, some of which are cancelled
// or terminated at random moments while engines die, none is lost and none is answered twice.
func TestInFlight(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				dies := diesAtTimes(rand.New(rand.NewPCG(r.Uint64(), 1)), 5)
				server := NewServer(Options{Engines: []Engine{
					newEngine(t, "live", 3, func() pluginclient.Session {
						return liveFake{&fake{Searcher: enginetest.Ranker{Depth: 4, Pace: time.Millisecond}, name: "Live", lost: dies}}
					}),
					newEngine(t, "silent", 2, func() pluginclient.Session {
						return &fake{Searcher: silent{}, name: "Silent", levels: threeLevels(), lost: dies}
					}),
				}})
				var conversations sync.WaitGroup
				for range 2 {
					own := rand.New(rand.NewPCG(r.Uint64(), 1))
					conversations.Go(func() { inFlight(t, server, own, 1000) })
				}
				conversations.Wait()
				server.Close()
			})
		})
	}
}

func inFlight(t *testing.T, server *Server, r *rand.Rand, requests int) {
	in, sent := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan Tally, 1)
	go func() {
		tally, err := server.Serve(t.Context(), in, answers)
		if err != nil {
			t.Error(err)
		}
		answers.Close()
		done <- tally
	}()
	go func() {
		for id := range requests {
			fmt.Fprintf(sent, `{"id":%d,"fen":"7 first 2","moves":["take 1","roll 1"],"engine":%q,"priority":%d%s%s}`+"\n",
				id, []string{"live", "silent"}[r.IntN(2)], r.IntN(3),
				[]string{"", `,"report":7`}[r.IntN(2)], []string{"", `,"analyzeTurns":[0,2]`}[id%2])
			if r.IntN(10) == 0 {
				time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond)
			}
			if r.IntN(3) == 0 {
				fmt.Fprintf(sent, `{"id":"end %d","action":%q,"ids":[%d,%d]}`+"\n",
					id, []string{actCancel, actTerminate}[r.IntN(2)], r.IntN(requests), id)
			}
		}
		sent.Close()
	}()
	finals, all := map[batch.ID]int{}, Tally{}
	cancelled := map[batch.ID]bool{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var a Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Error(err)
		}
		if finals[a.ID] > 0 {
			t.Errorf("%s: an answer after the final one", lines.Text())
		}
		if a.Final {
			finals[a.ID]++
		}
		if a.Turn == nil || !a.IsDuringSearch {
			all = all.plus(a)
		}
		if a.Action == actCancel {
			for _, id := range a.IDs {
				cancelled[id] = true
			}
		}
		if a.Turn != nil && !a.IsDuringSearch && cancelled[a.ID] != a.Cancelled {
			t.Errorf("%s: cancelled before: %v", lines.Text(), cancelled[a.ID])
		}
	}
	if got := <-done; got != all {
		t.Errorf("tally %+v, read %+v", got, all)
	}
	if all.Answered != requests*3/2 || all.Failed == 0 || all.Cancelled == 0 {
		t.Errorf("%+v", all)
	}
	for id := range requests {
		if n := finals[batch.ID{Text: fmt.Sprint(id), IsNumber: true}]; n != 1 {
			t.Errorf("%d: %d final answers", id, n)
		}
	}
}

// plus adds a final answer.
func (t Tally) plus(a Answer) Tally {
	if a.Action == "" {
		t.Answered++
	}
	if a.Error != "" {
		t.Failed++
	}
	if a.Cancelled {
		t.Cancelled++
	}
	return t
}

// TestBackpressure: the input is not read while maxInFlight requests are in flight.
func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, sent := io.Pipe()
		done := make(chan Tally, 1)
		go func() {
			tally, err := Run(t.Context(), in, io.Discard, Options{Engines: newEngines(t)})
			if err != nil {
				t.Error(err)
			}
			done <- tally
		}()
		var written atomic.Int64
		go func() {
			for i := range maxInFlight + 10 {
				fmt.Fprintf(sent, `{"id":%d,"fen":"7 first 2"}`+"\n", i)
				written.Add(1)
			}
			sent.Close()
		}()
		synctest.Wait()
		if n := written.Load(); n < maxInFlight || n > maxInFlight+5 {
			t.Errorf("%d lines were read", n)
		}
		if got := <-done; got != (Tally{Answered: maxInFlight + 10}) {
			t.Errorf("%+v", got)
		}
	})
}

// TestOutputFails: the error of a write ends the run.
func TestOutputFails(t *testing.T) {
	in, sent := io.Pipe()
	defer sent.Close()
	go fmt.Fprintln(sent, `{"id":1,"action":"queue"}`)
	_, err := Run(t.Context(), in, failingWriter{}, Options{Engines: newEngines(t)})
	if err != io.ErrShortWrite {
		t.Error(err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// FuzzRun: every line that is not blank has exactly one final answer, and all answers satisfy the
// schema.
func FuzzRun(f *testing.F) {
	f.Add(`{"id":1,"fen":"7 first 2","moves":["take 1"],"limits":{"depth":2},"lines":2,"ban":["take 1"],"priority":1,"report":1}`)
	f.Add("{\"id\":\"q\",\"action\":\"queue\"}\n\n{}\nx\n")
	f.Add(`{"id":"c","action":"cancel","ids":["c",2]}`)
	f.Fuzz(func(t *testing.T, input string) {
		var out strings.Builder
		if _, err := Run(t.Context(), strings.NewReader(input), &out, Options{Engines: newEngines(t)[3:]}); err != nil {
			t.Fatal(err)
		}
		lines := strings.FieldsFunc(strings.TrimPrefix(input, "\ufeff"), func(r rune) bool { return r == '\n' })
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
		finals := strings.Count(out.String(), `"final":true`)
		mark := input[:min(len(input), 2)]
		isUTF16 := mark == "\xfe\xff" || mark == "\xff\xfe" || strings.Contains(mark, "\x00")
		if finals != len(lines) && !isUTF16 {
			t.Errorf("%d lines, %d final answers:\n%s", len(lines), finals, out.String())
		}
		for line := range strings.Lines(out.String()) {
			checkSchema(t, "answer", []byte(line))
		}
	})
}

// TestTerminateAtOnce: a request that is terminated before a free engine has begun it has hints all the same.
func TestTerminateAtOnce(t *testing.T) {
	free := []Engine{newEngine(t, "free", 1, func() pluginclient.Session {
		return &fake{Searcher: enginetest.Ranker{Depth: 4}, name: "Free"}
	})}
	for range 100 {
		var out strings.Builder
		in := `{"id":1,"fen":"7 first 2"}` + "\n" + `{"id":"end","action":"terminate","ids":[1]}` + "\n"
		if _, err := Run(t.Context(), strings.NewReader(in), &out, Options{Engines: free}); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, `"hints":[{`) {
			t.Fatal(text)
		}
	}
}
