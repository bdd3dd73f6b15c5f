package uci_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// TestPerft: a server counts what the rules count, at the right position, and a later search still
// works.
func TestPerft(t *testing.T) {
	client := dialServer(t, 0, enginetest.Ranker{})
	defer client.Close()
	for _, c := range []struct {
		pos   *xiangqi.Position
		depth int
		want  int64
	}{{xiangqi.Start(), 1, 44}, {xiangqi.Start(), 3, 79666}, {position("H2-E2"), 1, 45}} {
		if got, err := client.Perft(t.Context(), c.pos, c.depth); err != nil || got != c.want {
			t.Errorf("%v: perft %d is %d, %v, want %d", c.pos, c.depth, got, err, c.want)
		}
	}
	if _, err := searchOnce(t.Context(), client, engine.Limits{Depth: 1}); err != nil {
		t.Error(err)
	}
	if _, err := client.Perft(t.Context(), xiangqi.Start(), 0); err == nil || !strings.HasSuffix(err.Error(), "perft depth 0: want 1 or more") {
		t.Errorf("depth 0: %v", err)
	}
}

// countsBy is an engine that answers "go perft" with a line, and "go depth" with a move.
func countsBy(line string) pluginclient.Program {
	serve := func(_ context.Context, in io.Reader, out io.Writer) error {
		answers := map[string]string{"uci": "uciok", "isready": "readyok", "go perft": line, "go depth": "bestmove b0c2"}
		for lines := bufio.NewScanner(in); lines.Scan(); {
			for command, answer := range answers {
				if strings.HasPrefix(lines.Text(), command) && answer != "" {
					fmt.Fprintln(out, answer)
				}
			}
		}
		return nil
	}
	return pluginclient.Program{Name: "counts", Start: pluginclient.Pipe(serve)}
}

// TestPerftMisbehaviour: an engine that does not count is an error and is ended; the next search
// restarts it.
func TestPerftMisbehaviour(t *testing.T) {
	leave := errors.New("enough")
	for _, c := range []struct {
		name, answer string
		want         int64
		kind         error
	}{
		{"it counts", "Nodes searched: 1920", 1920, nil},
		{"it counts in its own way", " nodes SEARCHED:   1920  ", 1920, nil},
		{"it searches instead", "bestmove h2e2", 0, pluginclient.ErrInvalidReply},
		{"it says nothing", "", 0, pluginclient.ErrNoReply},
		{"the sum is no number", "Nodes searched: many", 0, pluginclient.ErrNoReply},
		{"the caller leaves", "", 0, leave},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, err := uci.UCI.Dial(t.Context(), countsBy(c.answer), uci.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if c.kind == leave {
					time.AfterFunc(time.Second, func() { cancel(leave) })
				}
				if n, err := client.Perft(ctx, xiangqi.Start(), 2); !errors.Is(err, c.kind) || n != c.want {
					t.Errorf("%d, %v, want %d, %v", n, err, c.want, c.kind)
				}
				if _, err := searchOnce(t.Context(), client, engine.Limits{Depth: 1}); err != nil {
					t.Errorf("the search after it: %v", err)
				}
			})
		})
	}
}

// TestPeersPerft: third-party engines count what the rules count.
func TestPeersPerft(t *testing.T) {
	for _, p := range peers {
		if p.protocol != 0 {
			continue
		}
		t.Run(filepath.Base(p.program), func(t *testing.T) {
			client := p.dial(t, uci.Options{})
			for _, pos := range xiangqi.Samples() {
				want := xiangqi.PerftUntil(pos, 3, new(atomic.Bool))
				if got, err := client.Perft(t.Context(), pos, 3); err != nil || got != want {
					t.Errorf("%v: perft 3 is %d, %v, want %d", pos, got, err, want)
				}
			}
		})
	}
}
