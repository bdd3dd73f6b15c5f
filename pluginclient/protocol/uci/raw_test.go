package uci_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// TestRaw runs a conversation of raw lines.
func TestRaw(t *testing.T) {
	best := "bestmove " + bestOf(t, position("H2-E2"), 1)
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			client := dialServer(t, i, enginetest.Ranker{})
			defer client.Close()
			for _, c := range []struct{ say, want string }{
				{"isready", "readyok"},
				{"position startpos moves h2e2", ""},
				{"go depth 1", best},
				{"foo", `info WORD unknown command "foo"`},
				{"position startpos\nposition startpos moves h2e2\ngo depth 1", best},
				{"setoption MultiPV 3", ""},
				{"", ""},
			} {
				if i == 0 {
					c.say = strings.Replace(c.say, "MultiPV ", "name MultiPV value ", 1)
				}
				answer, err := client.Raw(t.Context(), c.say)
				got := ""
				if len(answer) > 0 {
					got = strings.NewReplacer("string", "WORD", "message", "WORD").Replace(answer[len(answer)-1])
				}
				if err != nil || got != c.want && !strings.HasPrefix(got, c.want+" ponder") {
					t.Errorf("%q: %q, %v", c.say, answer, err)
				}
			}
			if got := client.Position().String(); got != position("H2-E2").String() {
				t.Errorf("the position is %s", got)
			}
			// A search at another position changes MultiPV and the position.
			lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Depth: 1})
			if err != nil || len(lines) != 1 {
				t.Fatalf("%v, %v", lines, err)
			}
			if _, err := client.Raw(t.Context(), "go depth 1"); err != nil {
				t.Fatal(err)
			}
			said := strings.Join(sent(client), "\n")
			for _, want := range []string{"1\n>position startpos\n>go depth 1\n~isready\n~position startpos moves h2e2\n>go depth 1\n~isready"} {
				if !strings.Contains(said, want) {
					t.Errorf("it sent\n%s", said)
				}
			}
			if _, err := client.Raw(t.Context(), "position startpos moves h2h8"); err == nil || !strings.Contains(err.Error(), "invalid position") {
				t.Errorf("an illegal position: %v", err)
			}
			if _, err := client.Raw(t.Context(), "quit"); err != nil {
				t.Fatal(err)
			}
			if _, err := client.Raw(t.Context(), "isready"); !errors.Is(err, pluginclient.ErrNotRunning) {
				t.Errorf("after quit: %v", err)
			}
			if err := client.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := client.Raw(t.Context(), "isready"); err != nil {
				t.Errorf("after a restart: %v", err)
			}
		})
	}
}

func bestOf(t *testing.T, pos *xiangqi.Position, depth int) string {
	lines, err := engine.Best(t.Context(), enginetest.Ranker{}, pos, engine.Limits{Depth: depth})
	if err != nil {
		t.Fatal(err)
	}
	return xiangqi.Move(lines[0].Move()).UCI()
}

// TestRawStop: "stop" reaches an engine during another caller's search.
func TestRawStop(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialServer(t, i, enginetest.Ranker{Depth: 100, Pace: time.Second})
				defer client.Close()
				var others sync.WaitGroup
				for i, word := range []string{"isready", "ponderhit", "stop"} {
					others.Go(func() {
						time.Sleep(3300*time.Millisecond + time.Duration(i)*100*time.Millisecond)
						answer, err := client.Raw(t.Context(), word)
						if err != nil || word != "isready" && answer != nil { // isready waits for its turn
							t.Errorf("%s: %q, %v", word, answer, err)
						}
					})
				}
				begun := time.Now()
				answer, err := client.Raw(t.Context(), "go ponder depth 100")
				if err != nil || !strings.HasPrefix(answer[len(answer)-1], "bestmove ") || time.Since(begun) != 3500*time.Millisecond {
					t.Errorf("%q, %v after %v", answer, err, time.Since(begun))
				}
				others.Wait()
				checkSent(t, client, append(sent(client)[:len(sent(client))-5], ">go ponder depth 100", ">ponderhit", ">stop", "~isready", ">isready")...)
			})
		})
	}
}

// TestRawBehindTheEnd: "go" is sent, and the search stopped, even if ctx has already ended.
func TestRawBehindTheEnd(t *testing.T) {
	errTest := errors.New("given up by the test")
	for i, p := range both {
		for _, why := range []error{engine.ErrMoveNow, errTest} {
			t.Run(p.name+" "+why.Error(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := dialServer(t, i, enginetest.Ranker{Depth: 100, Pace: time.Second})
					defer client.Close()
					before := sent(client)
					ctx, giveUp := context.WithCancelCause(t.Context())
					giveUp(why)
					answer, err := client.Raw(ctx, "go depth 100")
					switch {
					case why == errTest && (answer != nil || !errors.Is(err, errTest)),
						why != errTest && (err != nil || len(answer) == 0 || !strings.HasPrefix(answer[len(answer)-1], "bestmove ")):
						t.Errorf("%q, %v", answer, err)
					}
					checkSent(t, client, append(before, ">go depth 100", ">stop", "~isready")...)
				})
			})
		}
	}
}

// TestRawPerft: the end of an output without an end marker is detected.
func TestRawPerft(t *testing.T) {
	client := dialServer(t, 0, enginetest.Ranker{})
	defer client.Close()
	answer, err := client.Raw(t.Context(), "go perft 2")
	if err != nil || len(answer) != 44+3 || answer[45] != "Nodes searched: 1920" {
		t.Errorf("%q, %v", answer, err)
	}
	board, err := client.Raw(t.Context(), "d")
	if err != nil || board[len(board)-1] != "Fen: "+xiangqi.StartFEN {
		t.Errorf("%q, %v", board, err)
	}
	if diff := cmp.Diff([]string{">go perft 2", "~isready", ">d", "~isready"}, sent(client)[2:]); diff != "" {
		t.Errorf("-want +sent:\n%s", diff)
	}
}
