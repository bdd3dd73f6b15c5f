package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
	"qhsh/pluginclient/task/batch"
)

// waiting is a Searcher that at level 2 waits until it is interrupted.
type waiting struct{ enginetest.Ranker }

func (w waiting) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if lim.Nodes == 400 && lim.Time == 0 {
		<-ctx.Done()
	}
	return w.Ranker.Search(context.WithoutCancel(ctx), pos, lim)
}

// limited lists engines of each kind. time is for searches without another limit, pair for those at
// level 2, which end by themselves unless they wait.
var limited = []struct {
	name       string
	time, pair time.Duration
	open       func(*testing.T) (pluginclient.Session, error)
}{
	{"builtin", time.Millisecond, time.Hour, opens("builtin")},
	{"builtin,nodes=300", time.Hour, time.Hour, opens("builtin,nodes=300")},
	{"quoridor", time.Millisecond, time.Hour, opens("quoridor")},
	{"uci", time.Hour, time.Hour, bridges(func(t *testing.T, s uci.ServerConfig) (*uci.Client, error) {
		return uci.UCI.Dial(t.Context(), uci.UCI.InProcess(s), uci.Options{})
	})},
	{"ucci", time.Hour, time.Millisecond, bridges(func(t *testing.T, s uci.ServerConfig) (*uci.Client, error) {
		return uci.UCCI.Dial(t.Context(), uci.UCCI.InProcess(s), uci.Options{})
	})},
	{"xboard", time.Hour, time.Millisecond, bridges(func(t *testing.T, s uci.ServerConfig) (*uci.Client, error) {
		return xboard.Dial(t.Context(), xboard.InProcess(s), xboard.Options{})
	})},
	{"qh", time.Hour, time.Millisecond, func(t *testing.T) (pluginclient.Session, error) {
		return qhplugin.Dial(t.Context(), qhplugin.InProcess(&qhplugin.Server{Searcher: waiting{}, Name: "served"}), qhplugin.Options{})
	}},
	{"qtp", time.Hour, time.Hour, func(t *testing.T) (pluginclient.Session, error) {
		return qtp.Dial(t.Context(), qtp.InProcess(&qtp.Server{Searcher: enginetest.Ranker{}, Name: "served"}), qtp.Options{})
	}},
}

func opens(spec string) func(*testing.T) (pluginclient.Session, error) {
	return func(t *testing.T) (pluginclient.Session, error) {
		return Open(t.Context(), spec, Options{Games: games.Default})
	}
}

func bridges(dial func(*testing.T, uci.ServerConfig) (*uci.Client, error)) func(*testing.T) (pluginclient.Session, error) {
	return func(t *testing.T) (pluginclient.Session, error) {
		native, err := dial(t, uci.ServerConfig{Searcher: waiting{}, Name: "served"})
		if err != nil {
			return nil, err
		}
		return NewBridge(t.Context(), native, Options{})
	}
}

// saysLimits are the first words of the lines that set limits or end a search.
var saysLimits = []string{"go", "stop", "?", "nps", "st", "sd", "LEVEL", "HINTS", "AI", "TIMEOUT", "genmove", "search"}

// wire returns the lines of a trace that set limits, starting at an index; of a remark it returns
// the limits.
func wire(trace *pluginclient.Trace, from int) (lines []string, all int) {
	entries := trace.Last(1000, func(pluginclient.Entry) bool { return true })
	for _, e := range entries[from:] {
		word, _, _ := strings.Cut(e.Text, " ")
		if e.Dir == pluginclient.Received || !slices.Contains(saysLimits, word) {
			continue
		}
		if word == "search" {
			e.Text = strings.TrimPrefix(e.Text[strings.LastIndex(e.Text, " - ")+3:], "0 1 ")
		}
		lines = append(lines, e.Text)
	}
	return lines, len(entries)
}

// TestLimits checks which limits of a search each kind of engine is given, and which limits its
// answer reports.
func TestLimits(t *testing.T) {
	var got strings.Builder
	for _, e := range limited {
		fmt.Fprintf(&got, "%s\n", e.name)
		for _, lim := range []engine.Limits{
			{}, {Level: 1}, {Nodes: 250}, {Depth: 2}, {Time: e.time}, {Level: 2, Time: e.pair}, {Nodes: 250, Depth: 2}, {Level: 1, Nodes: 60},
		} {
			lim.Lines = 1
			fmt.Fprintf(&got, "\t%s\n", limitsLine(t, e.open, lim))
		}
	}
	if diff := cmp.Diff(wantLimits, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func limitsLine(t *testing.T, open func(*testing.T) (pluginclient.Session, error), lim engine.Limits) string {
	t.Helper()
	s, err := open(t)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	talk := s.Trace()
	if b, ok := pluginclient.As[pluginclient.Bridge](s); ok {
		talk = b.Native().Trace()
	}
	_, before := wire(talk, 0)
	pool, err := batch.NewPool(t.Context(), batch.PoolOptions{
		Open: func(context.Context) (pluginclient.Session, error) { return s, nil }, Limits: lim,
	})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := pool.Ask(t.Context(), s.Position())
	if err != nil {
		t.Fatal(err)
	}
	said, _ := wire(talk, before)
	var refused *engine.LimitError
	if errors.As(reply.Err, &refused) {
		return fmt.Sprintf("%v: refused: %v", batch.LimitsOf(lim, lim.Level != 0), refused)
	}
	if reply.Err != nil {
		t.Error(reply.Err)
	}
	return fmt.Sprintf("%v: told %s; answers {%v}", batch.LimitsOf(lim, lim.Level != 0), strings.Join(said, " | "), reply.Limits)
}

// TestRefusedLimits: an engine that cannot be given limits is refused before it starts.
func TestRefusedLimits(t *testing.T) {
	for spec, refused := range map[string]engine.LimitKinds{
		"./no-such": qhplugin.UnsupportedLimits, "qh:./no-such": qhplugin.UnsupportedLimits, "qtp:./no-such": pluginclient.OneMoveUnsupported,
		"builtin": 0, "quoridor": 0, "uci:./no-such": 0, "ucci:./no-such": 0, "xboard:./no-such": 0,
	} {
		for _, lim := range []engine.Limits{{Level: 1}, {Nodes: 1}, {Depth: 1}, {Time: 1}} {
			_, err := Parse(spec, Options{Games: games.Default, Limits: lim})
			var told *engine.LimitError
			if want := lim.Kinds()&refused != 0; errors.As(err, &told) != want || errors.Is(err, ErrSpec) != want {
				t.Errorf("%s, %+v: %v", spec, lim, err)
			}
		}
	}
	_, err := Open(t.Context(), "./no-such", Options{Games: games.Default, Limits: engine.Limits{Nodes: 1}})
	if want := `engine specification "./no-such": QHPLUGIN carries no limit on nodes or depth: use a level or a time`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

const wantLimits = `builtin
	: told level=5 lines=1; answers {level 5}
	level 1: told level=1 lines=1; answers {level 1}
	nodes 250: told nodes=250 lines=1; answers {nodes 250}
	depth 2: told depth=2 lines=1; answers {depth 2}
	time 1ms: told time=1ms lines=1; answers {time 1ms}
	level 2, time 1h0m0s: told level=2 time=1h0m0s lines=1; answers {level 2, time 1h0m0s}
	nodes 250, depth 2: told nodes=250 depth=2 lines=1; answers {nodes 250, depth 2}
	level 1, nodes 60: told level=1 nodes=60 lines=1; answers {level 1, nodes 60}
builtin,nodes=300
	: told nodes=300 lines=1; answers {nodes 300}
	level 1: told nodes=300 lines=1; answers {nodes 300}
	nodes 250: told nodes=250 lines=1; answers {nodes 250}
	depth 2: told nodes=300 depth=2 lines=1; answers {nodes 300, depth 2}
	time 1h0m0s: told nodes=300 time=1h0m0s lines=1; answers {nodes 300, time 1h0m0s}
	level 2, time 1h0m0s: told nodes=300 time=1h0m0s lines=1; answers {nodes 300, time 1h0m0s}
	nodes 250, depth 2: told nodes=250 depth=2 lines=1; answers {nodes 250, depth 2}
	level 1, nodes 60: told nodes=60 lines=1; answers {nodes 60}
quoridor
	: told level=5 lines=1; answers {level 5}
	level 1: told level=1 lines=1; answers {level 1}
	nodes 250: told nodes=250 lines=1; answers {nodes 250}
	depth 2: told depth=2 lines=1; answers {depth 2}
	time 1ms: told time=1ms lines=1; answers {time 1ms}
	level 2, time 1h0m0s: told level=2 time=1h0m0s lines=1; answers {level 2, time 1h0m0s}
	nodes 250, depth 2: told nodes=250 depth=2 lines=1; answers {nodes 250, depth 2}
	level 1, nodes 60: told level=1 nodes=60 lines=1; answers {level 1, nodes 60}
uci
	: told go nodes 25600; answers {level 5}
	level 1: told go nodes 100; answers {level 1}
	nodes 250: told go nodes 250; answers {nodes 250}
	depth 2: told go depth 2; answers {depth 2}
	time 1h0m0s: told go movetime 3600000; answers {time 1h0m0s}
	level 2, time 1h0m0s: told go nodes 400 movetime 3600000; answers {level 2, time 1h0m0s}
	nodes 250, depth 2: told go depth 2 nodes 250; answers {nodes 250, depth 2}
	level 1, nodes 60: told go nodes 60; answers {level 1, nodes 60}
ucci
	: told go nodes 25600; answers {level 5}
	level 1: told go nodes 100; answers {level 1}
	nodes 250: told go nodes 250; answers {nodes 250}
	depth 2: told go depth 2; answers {depth 2}
	time 1h0m0s: told go time 3600000 movestogo 1; answers {time 1h0m0s}
	level 2, time 1ms: told go nodes 400 | stop; answers {level 2, time 1ms}
	nodes 250, depth 2: told go depth 2; answers {nodes 250, depth 2}
	level 1, nodes 60: told go nodes 60; answers {level 1, nodes 60}
xboard
	: told nps 25600 | st 1 | go; answers {level 5}
	level 1: told nps 100 | st 1 | go; answers {level 1}
	nodes 250: told nps 250 | st 1 | go; answers {nodes 250}
	depth 2: told st 86400 | sd 2 | go; answers {depth 2}
	time 1h0m0s: told st 3600 | go; answers {time 1h0m0s}
	level 2, time 1ms: told nps 400 | st 1 | go | ?; answers {level 2, time 1ms}
	nodes 250, depth 2: told nps 250 | st 1 | sd 2 | go; answers {nodes 250, depth 2}
	level 1, nodes 60: told nps 60 | st 1 | go; answers {level 1, nodes 60}
qh
	: told HINTS 1; answers {level 5}
	level 1: told LEVEL 1 | HINTS 1; answers {level 1}
	nodes 250: refused: QHPLUGIN carries no limit on nodes or depth: use a level or a time
	depth 2: refused: QHPLUGIN carries no limit on nodes or depth: use a level or a time
	time 1h0m0s: told HINTS 1; answers {level 5, time 1h0m0s}
	level 2, time 1ms: told LEVEL 2 | HINTS 1 | TIMEOUT; answers {level 2, time 1ms}
	nodes 250, depth 2: refused: QHPLUGIN carries no limit on nodes or depth: use a level or a time
	level 1, nodes 60: refused: QHPLUGIN carries no limit on nodes or depth: use a level or a time
qtp
	: told genmove black; answers {}
	level 1: refused: QTP carries no level and no limit on nodes or depth: use a time
	nodes 250: refused: QTP carries no level and no limit on nodes or depth: use a time
	depth 2: refused: QTP carries no level and no limit on nodes or depth: use a time
	time 1h0m0s: told genmove black; answers {time 1h0m0s}
	level 2, time 1h0m0s: refused: QTP carries no level and no limit on nodes or depth: use a time
	nodes 250, depth 2: refused: QTP carries no level and no limit on nodes or depth: use a time
	level 1, nodes 60: refused: QTP carries no level and no limit on nodes or depth: use a time
`
