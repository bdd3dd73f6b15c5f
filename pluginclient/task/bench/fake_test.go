package bench

import (
	"context"
	"fmt"
	"iter"
	"os"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// A callLog lists the calls of several fakes.
type callLog []string

// A fake is an engine with a given time per node, which may change from search to search.
type fake struct {
	pluginclient.Session // nil: other methods are not called
	name                 string
	log                  *callLog
	pace                 []time.Duration // per node, by search, repeated cyclically
	noNodes              bool            // reports no nodes
	extraNodes           int64           // nodes that it does not report
	counts               int64           // perft count per ply
	err                  error
	searches             int
}

func (f *fake) record(format string, args ...any) {
	*f.log = append(*f.log, f.name+" "+fmt.Sprintf(format, args...))
}

func (f *fake) Forget() { f.record("forgets") }

func (f *fake) Search(_ context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		f.record("%v %+v", pos, lim)
		if f.err != nil {
			yield(nil, f.err)
			return
		}
		nodes := max(lim.Nodes, 10*int64(lim.Depth))
		time.Sleep(time.Duration(nodes+f.extraNodes)*f.pace[f.searches%len(f.pace)] + lim.Time)
		f.searches++
		line := engine.Line{Moves: pos.Moves()[:1], Score: engine.Centipawns(len(pos.Moves())), Depth: 3, Nodes: nodes}
		if f.noNodes {
			line.Nodes = 0
		}
		yield([]engine.Line{line}, nil)
	}
}

func (f *fake) Visited() int64 {
	if f.extraNodes == 0 {
		return 0
	}
	return 1000 + f.extraNodes
}

// A counter is a fake with perft.
type counter struct{ *fake }

func (c counter) Perft(_ context.Context, _ engine.Position, depth int) (int64, error) {
	time.Sleep(time.Second)
	return c.counts * int64(depth), c.err
}

func stones(t *testing.T, texts ...string) (list []engine.Position) {
	t.Helper()
	for _, text := range texts {
		pos, err := enginetest.Stones.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pos)
	}
	return list
}
