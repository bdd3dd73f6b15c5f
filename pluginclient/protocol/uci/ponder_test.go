package uci_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// pondering collects the lists of a search on the opponent's time. The reply is played after a
// while, or ctx ends with a cause.
func pondering(t *testing.T, s engine.Searcher, lim engine.Limits, hitAt, endAt time.Duration, cause error) (lines []engine.Line, took time.Duration, err error) {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	hit := make(chan struct{})
	if hitAt > 0 {
		time.AfterFunc(hitAt, func() { close(hit) })
	}
	if endAt > 0 {
		time.AfterFunc(endAt, func() { cancel(cause) })
	}
	for l, e := range pluginclient.Ponder(ctx, s, xiangqi.Start(), lim, hit) {
		if e != nil {
			return lines, time.Since(begun), e
		}
		lines = l
	}
	return lines, time.Since(begun), nil
}

// TestPonder searches on the opponent's time, directly and over either protocol: with a hit, a
// miss, a hit after the end of the search, and ErrMoveNow.
func TestPonder(t *testing.T) {
	errMissed := errors.New("another reply was played")
	for _, c := range []struct {
		name         string
		depth        int
		time         time.Duration
		hitAt, endAt time.Duration
		cause        error
		wantDepth    int
		took         time.Duration
	}{
		{"hit", 100, 3 * time.Second, 4500 * time.Millisecond, 0, nil, 7, 7500 * time.Millisecond},
		{"hit after it was done", 2, 0, 4500 * time.Millisecond, 0, nil, 2, 4500 * time.Millisecond},
		{"hit without a limit on time", 6, 0, 4500 * time.Millisecond, 0, nil, 6, 6 * time.Second},
		{"missed", 100, time.Second, 0, 2500 * time.Millisecond, errMissed, 0, 2500 * time.Millisecond},
		{"missed after it was done", 1, time.Second, 0, 2500 * time.Millisecond, errMissed, 0, 2500 * time.Millisecond},
		{"the move is wanted", 100, time.Second, 0, 2500 * time.Millisecond, engine.ErrMoveNow, 2, 2500 * time.Millisecond},
	} {
		for i := -1; i < len(both); i++ {
			name := "direct"
			if i >= 0 {
				name = both[i].name
			}
			t.Run(fmt.Sprint(name, " ", c.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var s engine.Searcher = enginetest.Ranker{Depth: c.depth, Pace: time.Second}
					if i >= 0 {
						client := dialServer(t, i, s)
						defer client.Close()
						s = client
					}
					lim := engine.Limits{Time: c.time, Lines: 2}
					if c.time == 0 {
						lim.Depth = 100
					}
					lines, took, err := pondering(t, s, lim, c.hitAt, c.endAt, c.cause)
					switch {
					case took != c.took:
						t.Errorf("took %v, want %v", took, c.took)
					case c.wantDepth == 0 && !errors.Is(err, errMissed):
						t.Errorf("error %v", err)
					case c.wantDepth > 0 && (err != nil || lines[0].Depth != c.wantDepth || len(lines) != 2):
						t.Errorf("%+v, error %v", lines, err)
					}
				})
			})
		}
	}
}

// TestPonderSent compares what the client sends, to an engine that offers Ponder and to one that does
// not.
func TestPonderSent(t *testing.T) {
	offered := [][]string{
		{">setoption name Ponder value true", ">position startpos", ">go ponder depth 100", ">ponderhit", ">stop", "~isready"},
		{">setoption ponder true", ">position startpos", ">go ponder depth 100", ">ponderhit", ">stop", "~isready"},
	}
	unknown := []string{">position startpos", ">go depth 100", ">stop", "~isready"}
	for i, p := range both {
		for _, c := range []struct {
			name string
			out  func(string) string
			want []string
		}{{"offered", nil, offered[i]}, {"unknown", hide("Ponder", "ponder"), unknown}} {
			t.Run(p.name+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := mischievous(p.inProcess(uci.ServerConfig{Searcher: enginetest.Ranker{Depth: 100, Pace: time.Second}}))
					m.OnCommand, m.OnReply = plain, c.out
					client, err := p.dial(t.Context(), asProgram(m), uci.Options{})
					if err != nil {
						t.Fatal(err)
					}
					defer client.Close()
					lim := engine.Limits{Time: 2500 * time.Millisecond, Depth: 100}
					_, took, err := pondering(t, client, lim, 2*time.Second, 0, nil)
					if err != nil || took != 4500*time.Millisecond {
						t.Fatalf("took %v, error %v", took, err)
					}
					if err := client.Idle(t.Context()); err != nil {
						t.Fatal(err)
					}
					said := sent(client)
					at := slices.Index(said, c.want[0])
					if diff := cmp.Diff(c.want, said[max(at, 0):]); diff != "" {
						t.Errorf("-want +sent:\n%s", diff)
					}
				})
			})
		}
	}
}
