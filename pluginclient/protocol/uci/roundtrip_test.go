package uci_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// both holds the two protocols. All of the package is tested with each.
var both = []struct {
	name      string
	dial      func(context.Context, pluginclient.Program, uci.Options) (*uci.Client, error)
	inProcess func(uci.ServerConfig) pluginclient.Program
}{
	{"uci", uci.UCI.Dial, uci.UCI.InProcess},
	{"ucci", uci.UCCI.Dial, uci.UCCI.InProcess},
}

// dialServer returns a client of a server of s. Some options may be hidden from the client.
func dialServer(t testing.TB, i int, s engine.Searcher, hidden ...string) *uci.Client {
	t.Helper()
	program := both[i].inProcess(uci.ServerConfig{Searcher: s, Name: "served"})
	if len(hidden) > 0 {
		m := mischievous(program)
		m.OnReply = hide(hidden...)
		program = asProgram(m)
	}
	client, err := both[i].dial(context.Background(), program, uci.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// randomLimits returns limits that the protocols can express, without a time limit.
func randomLimits(t *rapid.T, pos engine.Position, most int64) engine.Limits {
	lim := engine.Limits{Lines: rapid.IntRange(0, 7).Draw(t, "lines")}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		lim.Nodes = rapid.Int64Range(1, most).Draw(t, "nodes")
	case 1:
		lim.Depth = rapid.IntRange(1, 3).Draw(t, "depth")
	case 2:
		lim.Level = rapid.IntRange(1, 3).Draw(t, "level")
	}
	lim.Ban = plugintest.RandomBan(t, pos)
	return lim
}

// TestLaw: a client of a server of s returns what s returns.
func TestLaw(t *testing.T) {
	embedded, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range both {
		for _, c := range []struct {
			name   string
			s      engine.Searcher
			hidden []string
		}{
			{"ranker", engine.WithLevels(enginetest.Ranker{Depth: 3}), nil},
			{"embedded engine", embedded, nil},
		} {
			t.Run(p.name+" "+c.name, func(t *testing.T) {
				client := dialServer(t, i, c.s)
				defer client.Close()
				rapid.Check(t, func(t *rapid.T) {
					pos := xiangqitest.RandomPosition(t, 40)
					plugintest.CheckRoundTrip(t, client, c.s, pos, randomLimits(t, pos, 4000))
				})
			})
		}
	}
}

// TestLawOneByOne: an engine that returns one or two lines at a time is asked again without those.
// The ranker's result does not depend on the number of lines.
func TestLawOneByOne(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			client := dialServer(t, i, enginetest.Ranker{}, "MultiPV", "multipv")
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 40)
				lim := randomLimits(t, pos, 1)
				lim.Nodes, lim.Level, lim.Depth = 0, 0, 1 // nodes would be split between the searches
				plugintest.CheckRoundTrip(t, client, enginetest.Ranker{}, pos, lim)
			})
		})
	}
}

// TestLawTime: Time ends a search, also together with a level.
func TestLawTime(t *testing.T) {
	for i, p := range both {
		for depth := range 6 {
			t.Run(fmt.Sprint(p.name, depth), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := enginetest.Ranker{Depth: 5, Pace: time.Second}
					client := dialServer(t, i, s)
					defer client.Close()
					limit := time.Duration(depth)*time.Second + time.Second/2
					plugintest.CheckRoundTrip(t, client, s, xiangqi.Start(), engine.Limits{Lines: 2, Time: limit})
					plugintest.CheckRoundTrip(t, client, s, xiangqi.Start(), engine.Limits{Lines: 2, Time: limit, Nodes: 5})
				})
			})
		}
	}
}

// TestLawTwoBestMoves: lines after the best move are not taken for the next answer.
func TestLawTwoBestMoves(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			m := prankster(i, 0)
			m.OnReply = func(line string) string {
				if strings.HasPrefix(line, "bestmove") {
					return line + "\ninfo depth 9 score cp 9 pv a0a1\nbestmove a0a1\nnobestmove\n"
				}
				return line + "\n"
			}
			client, err := p.dial(t.Context(), asProgram(m), uci.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 4)
				plugintest.CheckRoundTrip(t, client, enginetest.Ranker{}, pos, engine.Limits{Depth: 1})
			})
		})
	}
}

// TestLawAnswer: Answer returns the last list of Search.
func TestLawAnswer(t *testing.T) {
	for i, p := range both {
		t.Run(p.name, func(t *testing.T) {
			client := dialServer(t, i, enginetest.Ranker{})
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 30)
				lim := randomLimits(t, pos, 500)
				var want []engine.Line
				var wantErr error
				for want, wantErr = range client.Search(context.Background(), pos, lim) {
					continue
				}
				got, err := client.Answer(context.Background(), pos, lim)
				if diff := cmp.Diff(want, got, cmpopts.EquateComparable(engine.Score{})); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Fatalf("error %v, want %v; -want +answer:\n%s", err, wantErr, diff)
				}
			})
		})
	}
}
